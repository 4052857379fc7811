import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of processes so far in µs, with all threads and kernel time. */
export function cpuMicros(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * microsPerTick();
}

/** CPU time of the ended children of this process so far in µs. */
export function childrenMicros(): number {
  const fields = fieldsOf(process.pid);
  // The times of children that have ended: the 16th and 17th field.
  return (Number(fields?.[13] ?? 0) + Number(fields?.[14] ?? 0)) * microsPerTick();
}

/** A process and its running descendants. */
export function processTree(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(fieldsOf(Number(name))?.[1] ?? -1) }));
  const below = (one: number): number[] => [
    one,
    ...parents.filter(({ parent }) => parent === one).flatMap((child) => below(child.pid)),
  ];
  return below(pid);
}

/** The fields of /proc/<pid>/stat after the name, which may hold blanks; see proc(5). */
function fieldsOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // The process has ended.
  }
}

/** utime and stime, the 14th and 15th field of /proc/<pid>/stat; the name is the second. */
function ticksOf(pid: number): number {
  const fields = fieldsOf(pid);
  return Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0);
}

let tick: number | undefined;

function microsPerTick(): number {
  tick ??= 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return tick;
}
