import { setTimeout as sleep } from 'node:timers/promises';
import { allGroups } from './groups.js';

/** Drains come every half second; when none has come for so long, the queue does not work. */
const IDLE_MAX_MS = 3000;
const LOOK_EVERY_MS = 1000;
/** Groups drained at once, as by jobs. */
const AT_ONCE = 4;

/**
 * Drains without jobs when none come: a Redis whose memory is full takes no jobs, and only drains
 * make room in it; and of a cluster the node that holds the jobs may be away. The groups' locks keep
 * workers apart, as ever.
 *
 * @param lastDrainMs when a drain was last begun, by `performance.now()`
 * @param stop ends it after the batch under way
 * @param onFault told why a group could not be drained; the next look tries again
 */
export async function drainWhenIdle(
  drain: (group: number) => Promise<unknown>,
  lastDrainMs: () => number,
  stop: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> {
  while (!stop.aborted) {
    await sleep(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted || performance.now() - lastDrainMs() < IDLE_MAX_MS) continue;
    const groups = [...allGroups()];
    const take = async () => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        if (!stop.aborted) await drain(group).catch(onFault);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
  }
}
