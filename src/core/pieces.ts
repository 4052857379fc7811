import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that can rest between its pieces. */
export type Pieces<Result> = Generator<void, Result>;

/** The event loop is held for this long at most, and for the length of the longest piece. */
const TURN_MS = 4;

/** Does all pieces at once. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/**
 * Does the pieces in several turns of the event loop, so that other requests are served in between.
 *
 * @param now a clock in milliseconds that never goes back
 * @throws whatever a piece throws
 */
export async function inTurns<Result>(
  pieces: Pieces<Result>,
  now: () => number = () => performance.now(),
): Promise<Result> {
  let begunMs = now();
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    if (now() - begunMs < TURN_MS) continue;
    await nextTurn();
    begunMs = now();
  }
}
