import { setTimeout as sleep } from 'node:timers/promises';

const BACK_OFF_FIRST_MS = 500;
const BACK_OFF_MAX_MS = 5000;

/**
 * Repeats a turn until the signal aborts. After a failed turn it waits, and twice as long after
 * each further failure, up to five seconds.
 *
 * @param turn returns how long to wait before the next turn, ms
 * @param onFailure is called with the error of each failed turn
 * @returns a promise that resolves when the last turn has ended
 */
export async function runLoop(
  stop: AbortSignal,
  turn: () => Promise<number>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  let failures = 0;
  while (!stop.aborted) {
    let pauseMs: number;
    try {
      pauseMs = await turn();
      failures = 0;
    } catch (error) {
      onFailure(error);
      pauseMs = backOffMs(failures);
      failures++;
    }
    // An abort ends the pause early.
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** The wait is partly random, so that loops that fail together do not all try again at once. */
function backOffMs(failures: number): number {
  const maxMs = Math.min(BACK_OFF_FIRST_MS * 2 ** failures, BACK_OFF_MAX_MS);
  return maxMs * (0.5 + Math.random() / 2);
}
