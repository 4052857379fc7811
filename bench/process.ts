import { readdirSync, readFileSync } from 'node:fs';

// Figures that Linux has about processes (proc(5)). A process that has ended counts as zero.

/** Linux counts processor time in ticks of 10 ms. */
const TICK_MICROS = 10_000;

/** Memory of a process in bytes. `VmRSS` is all of it; `RssAnon` leaves out the files that the process maps. */
export function memoryBytes(pid: number, kind: 'VmRSS' | 'RssAnon'): number {
  const [, size = 0] = new RegExp(`^${kind}:\\s+(\\d+) kB$`, 'm').exec(read(pid, 'status')) ?? [];
  return Number(size) * 1024;
}

/** Runs `act`, and measures how far memory rises above its level before. */
export async function watchMemory<Done>(
  everyMs: number,
  bytes: () => number,
  act: () => Promise<Done>,
) {
  const before = bytes();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, bytes());
  }, everyMs);
  const done = await act().finally(() => clearInterval(timer));
  return { done, moreBytes: peak - before };
}

/** Processor time that processes have used so far, in µs, with all threads and kernel time. */
export function cpuMicros(...pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => fieldsOf(pid).slice(11, 13)).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MICROS;
}

/** A process and its running descendants. */
export function processTree(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = all.map(Number).map((one) => ({ one, parent: Number(fieldsOf(one)[1]) }));
  const below = (top: number): number[] => [
    top,
    ...parents.filter(({ parent }) => parent === top).flatMap(({ one }) => below(one)),
  ];
  return below(pid);
}

/** The fields of /proc/<pid>/stat from the third on. The second field is the name, which may contain blanks. */
function fieldsOf(pid: number): string[] {
  const stat = read(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
