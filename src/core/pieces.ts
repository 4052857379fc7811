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

/** Number of turns that a job gets before the next job. Most jobs end earlier, so that little is in memory at once. */
const TURNS_IN_A_ROW = 20;

interface Job {
  /** Does some pieces; true once there are no more. */
  readonly run: () => boolean;
  /** Turns in a row so far. */
  turns: number;
}

/** Jobs that have pieces left. The first job runs now. */
const jobs: Job[] = [];

/**
 * Runs the pieces in several turns of the event loop. Each turn runs one millisecond of all such work together, so that
 * other requests are served in between. A job that takes longer than 20 ms goes to the end of the queue.
 *
 * @param used is called with the length of each turn, in ms
 * @param now a clock in milliseconds that never goes back
 * @throws the error of a piece
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
