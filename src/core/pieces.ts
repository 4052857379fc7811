/** Work that can rest between its pieces. */
export type Pieces<Result> = Generator<void, Result>;

/** The event loop is held for this long at most, and for the length of the longest piece. */
const TURN_MS = 1;

/** Does all pieces at once. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** Does some pieces of some work; true once there are no more. */
type Job = () => boolean;

/** Work that has pieces left, in the order in which it comes next. */
const jobs: Job[] = [];

/**
 * Does the pieces in several turns of the event loop. Each turn of the loop does one millisecond of such
 * work, however much there is, so that other requests are served in between. Each work in progress takes
 * its turn after the others.
 *
 * @param used is told how long each turn took, in ms
 * @param now a clock in milliseconds that never goes back
 * @throws whatever a piece throws
 */
export function inTurns<Result>(
  pieces: Pieces<Result>,
  used: (ms: number) => void = () => undefined,
  now: () => number = () => performance.now(),
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const job = (): boolean => {
      const begunMs = now();
      try {
        do {
          const { done, value } = pieces.next();
          if (done === true) resolve(value);
          if (done === true) return true;
        } while (now() - begunMs < TURN_MS);
        return false;
      } catch (error) {
        reject(error);
        return true;
      } finally {
        used(now() - begunMs);
      }
    };
    if (jobs.push(job) === 1) setImmediate(doOne);
  });
}

function doOne(): void {
  const job = jobs.shift();
  if (job?.() === false) jobs.push(job);
  if (jobs.length > 0) setImmediate(doOne);
}
