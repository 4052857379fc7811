/** Work that can rest between its pieces. */
export type Pieces<Result> = Generator<void, Result>;

/** The pieces of work hold the event loop for at most this time plus the length of the longest piece. */
const TURN_MS = 1;

/** Does all pieces at once. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/**
 * Does the pieces in several turns of the event loop, so that requests are served in between.
 *
 * @param now a clock in milliseconds that never goes back
 * @throws the error of a piece
 */
export async function inTurns<Result>(
  pieces: Pieces<Result>,
  now: () => number = () => performance.now(),
): Promise<Result> {
  for (;;) {
    const begunMs = now();
    do {
      const { done, value } = pieces.next();
      if (done === true) return value;
    } while (now() - begunMs < TURN_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
