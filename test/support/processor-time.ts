import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

// A set-up file: vitest runs it before each test file. The reporter `DearestFiles` prints what it measures.

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of the file, with the processes that it started and that have ended, s. */
    processorSeconds?: number;
  }
}

/** Clock ticks of Linux per second, as `getconf CLK_TCK` says on all of its platforms. */
const TICKS_PER_SECOND = 100;

/** Processor time of this process and of its ended child processes, s. Only Linux knows the latter. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

function childSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name before the last bracket may contain blanks. `cutime` and `cstime` are the fields 16 and 17 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

const before = processorSeconds();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the first argument of a hook and requires this form.
afterAll(({}, suite) => {
  suite.file.meta.processorSeconds = processorSeconds() - before;
});
