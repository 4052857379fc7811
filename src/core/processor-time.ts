import { readFileSync, readlinkSync } from 'node:fs';

// The processor time of threads, which other programs on the machine do not change (Linux, proc(5) and
// sched-stats.rst).

/** Number of this thread in the system; 0 where the system does not tell it (outside Linux). */
export function systemThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * Processor time of a thread of this process so far, in ms; undefined where the system does not tell it.
 *
 * @param threadId its number in the system; this thread by default
 */
export function processorMs(threadId?: number): number | undefined {
  const folder = threadId === undefined ? '/proc/thread-self' : `/proc/self/task/${threadId}`;
  try {
    // The first number is the time on a processor in ns.
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    return undefined;
  }
}
