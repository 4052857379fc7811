import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const WAIT_MAX_MS = 180_000;

/**
 * Waits until a state is reached.
 *
 * @param waitMaxMs a limit that only a fault exceeds, even on a busy machine
 * @throws Error if the state is not reached within the limit
 */
export async function until(
  reached: () => boolean | Promise<boolean>,
  waitMaxMs = WAIT_MAX_MS,
): Promise<void> {
  const deadlineMs = performance.now() + waitMaxMs;
  while (!(await reached())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Not reached within ${waitMaxMs} ms: ${reached}`);
    }
    await sleep(POLL_MS);
  }
}

/**
 * Returns the result, or `too late` if this process sleeps for 50 ms that many times before it. A busy machine delays
 * both. So this function counts turns and does not measure time.
 */
export async function withinTurns<Result>(
  turns: number,
  result: Promise<Result>,
): Promise<Result | 'too late'> {
  const late = async () => {
    for (let turn = 0; turn < turns; turn++) await sleep(POLL_MS);
    // A result that came during the last turn is still in time.
    await setImmediate();
    return 'too late' as const;
  };
  return await Promise.race([result, late()]);
}
