import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const WAIT_MAX_MS = 30_000;

/**
 * Waits until a state is reached.
 *
 * @throws Error when it is not reached within half a minute
 */
export async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MAX_MS;
  while (!(await reached())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Not reached within ${WAIT_MAX_MS} ms: ${reached}`);
    }
    await sleep(POLL_MS);
  }
}
