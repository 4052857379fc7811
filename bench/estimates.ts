import { Problem } from '../src/core/errors.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { OPERATIONS } from '../src/operations/index.js';
import type { Operation } from '../src/operations/operation.js';
import { PredictionModel } from '../src/operations/prediction-model.js';
import { validateRequest } from '../src/operations/validate.js';
import { estimatedWorkMs } from '../src/operations/work.js';
import { median } from './compare.js';
import type { HeavyRequest } from './heavy-requests.js';
import { randomRequests } from './random-requests.js';
import type { Line } from './table.js';

/** An estimate and what it was made for. */
export interface Estimated {
  readonly request: HeavyRequest;
  readonly estimatedMs: number;
  readonly measuredMs: number;
}

const REQUESTS = 300;
const SEED = 25;
/** The factor that estimates may be wrong by, and the share of requests for which they must not be. */
const FACTOR = 3;
const SHARE = 0.95;
/** Short computations are repeated until they took this long together. */
const LEAST_MS = 10;

/**
 * Runs random requests in this process, all of them twice, one after the other: what an operation keeps of
 * its last request must not shorten the second run. Refused requests are left out.
 */
export function compareEstimates(artifactsDir: string, requests = randomRequests(REQUESTS, SEED)) {
  const model = new PredictionModel(openArtifact(artifactsDir));
  const rounds = [1, 2].map(() =>
    requests.flatMap((request): Estimated[] => {
      const operation = OPERATIONS.find(({ name }) => name === request.operation) as Operation;
      try {
        const input = validateRequest(operation, request.input);
        const measuredMs = processorMs(() => operation.run(input as never, model));
        return [{ request, estimatedMs: estimatedWorkMs(operation, input), measuredMs }];
      } catch (error) {
        if (error instanceof Problem) return [];
        throw error;
      }
    }),
  );
  const [first = [], second = []] = rounds;
  return first.map((one, i): Estimated => {
    const measuredMs = Math.min(one.measuredMs, second[i]?.measuredMs ?? Number.NaN);
    return { ...one, measuredMs };
  });
}

/** The table's lines on estimates. */
export function estimateLines(artifactsDir: string): Line[] {
  const all = compareEstimates(artifactsDir);
  const ratios = all.map(({ estimatedMs, measuredMs }) => estimatedMs / measuredMs);
  const within = ratios.filter((ratio) => ratio < FACTOR && ratio > 1 / FACTOR).length;
  return [
    { measure: 'random requests answered', value: all.length, unit: '', floor: REQUESTS / 2 },
    {
      measure: `estimates within a factor of ${FACTOR}`,
      value: within / all.length,
      unit: '',
      floor: SHARE,
    },
    { measure: 'median of estimate ÷ processor time', value: median(ratios), unit: '' },
  ];
}

/** Processor time of a computation in ms; a mean of many if it is short. */
function processorMs(run: () => unknown): number {
  const before = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    run();
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms > LEAST_MS) return ms / runs;
  }
}
