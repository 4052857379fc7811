import { setTimeout as sleep } from 'node:timers/promises';
import { allGroups } from './groups.js';

/** Drains come every half second; when none has come for so long, the queue does not work. */
const IDLE_MAX_MS = 3000;
const LOOK_EVERY_MS = 1000;

/**
 * Drains without jobs when none come: a Redis whose memory is full takes no jobs, and only drains
 * make room in it. The groups' locks keep workers apart, as ever.
 *
 * @param lastDrainMs when a drain was last begun, by `performance.now()`
 * @param stop ends it after the batch under way
 * @param onFault told why a drain failed; the next look begins anew
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
    try {
      for (const group of allGroups()) if (!stop.aborted) await drain(group);
    } catch (error) {
      onFault(error);
    }
  }
}
