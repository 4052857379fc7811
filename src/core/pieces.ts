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

/** Turns of one work until the next one comes. Most work ends before, so that little is in memory at once. */
const TURNS_IN_A_ROW = 20;

interface Job {
  /** Does some pieces; true once there are no more. */
  readonly run: () => boolean;
  /** Turns in a row so far. */
  turns: number;
}

/** Work that has pieces left; the first is under way. */
const jobs: Job[] = [];

/**
 * Does the pieces in several turns of the event loop. Each turn of the loop does one millisecond of such
 * work, however much there is, so that other requests are served in between. Work that takes longer than 20 ms
 * then lets all others go first.
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
    const run = (): boolean => {
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
    if (jobs.push({ run, turns: 0 }) === 1) setImmediate(doOne);
  });
}

function doOne(): void {
  const [job] = jobs;
  if (job === undefined) return;
  const isOver = job.run();
  if (isOver || ++job.turns === TURNS_IN_A_ROW) jobs.shift();
  if (!isOver && job.turns === TURNS_IN_A_ROW) {
    job.turns = 0;
    jobs.push(job);
  }
  if (jobs.length > 0) setImmediate(doOne);
}
