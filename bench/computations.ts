import { Problem } from '../src/core/errors.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { OPERATIONS } from '../src/operations/index.js';
import type { Operation } from '../src/operations/operation.js';
import { PredictionModel } from '../src/operations/prediction-model.js';
import { validateRequest } from '../src/operations/validate.js';
import { estimatedWorkMs } from '../src/operations/work.js';
import { median } from './load.js';
import { memoryBytes, watchMemory } from './process.js';
import { randomRequests } from './random-requests.js';
import { LARGEST } from './requests.js';
import { ARTIFACTS_DIR, answerOf, startChild } from './service.js';
import { atLeast, atMost, type Figure, figure } from './table.js';

/** Ceilings that any machine of the last years can keep. */
const CEILING_SECONDS = 5;
const CEILING_MB = 150;

/**
 * Measures processor time and memory of the largest requests, each in a new process. Then compares estimates of work
 * with processor time over random requests.
 */
export async function* computations(): AsyncGenerator<Figure> {
  for (const name of Object.keys(LARGEST)) {
    const { child, stop } = await startChild('heavy-child', ARTIFACTS_DIR, name);
    const own = () => memoryBytes(child.pid ?? 0, 'RssAnon');
    const work = await watchMemory(5, own, () => answerOf<number>(child, 'run'));
    await stop();
    yield atMost(CEILING_SECONDS, name, work.done / 1000, 's CPU');
    const moreMb = work.moreBytes / 1e6;
    yield atMost(CEILING_MB, '  memory above that of the idle process', moreMb, 'MB');
  }
  yield* estimates();
}

const REQUESTS = 300;
const SEED = 25;
/** Estimates must be within this factor of the processor time, for at least this share of the requests. */
const FACTOR = 3;
const SHARE = 0.95;

/**
 * Runs all requests in this process, and then all of them again. So the second run of a request does not profit from
 * what its operation keeps of its last request. The shorter time counts. Refused requests are left out.
 */
function* estimates(): Generator<Figure> {
  const model = new PredictionModel(openArtifact(ARTIFACTS_DIR));
  const requests = randomRequests(REQUESTS, SEED);
  const round = () =>
    requests.flatMap(({ operation: wanted, input: given }) => {
      const operation = OPERATIONS.find(({ name }) => name === wanted) as Operation;
      try {
        const input = validateRequest(operation, given);
        const measuredMs = processorMs(() => operation.run(input as never, model));
        return [{ measuredMs, estimatedMs: estimatedWorkMs(operation, input) }];
      } catch (error) {
        if (error instanceof Problem) return [];
        throw error;
      }
    });
  const [first, second] = [round(), round()];
  const ratios = first.map(({ measuredMs, estimatedMs }, i) => {
    return estimatedMs / Math.min(measuredMs, second[i]?.measuredMs ?? Number.NaN);
  });
  const within = ratios.filter((ratio) => ratio < FACTOR && ratio > 1 / FACTOR).length;
  yield atLeast(REQUESTS / 2, 'random requests answered', ratios.length, '');
  yield atLeast(SHARE, `estimates within a factor of ${FACTOR}`, within / ratios.length, '');
  yield figure('median of estimate ÷ processor time', median(ratios), '');
}

/** A short computation is repeated until the runs together took this long. */
const TOGETHER_MS = 10;

/** Processor time of a computation in ms. For a short computation, the mean of many runs. */
function processorMs(run: () => unknown): number {
  const before = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    run();
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms > TOGETHER_MS) return ms / runs;
  }
}
