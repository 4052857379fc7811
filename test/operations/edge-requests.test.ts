import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/errors.js';
import { seeded } from '../../src/operations/operation.js';
import type { PredictionModel } from '../../src/operations/prediction-model.js';
import { answerJson, validateRequest } from '../../src/operations/validate.js';
import { estimatedWorkMs } from '../../src/operations/work.js';
import { realModel } from '../support/servers.js';
import { faultsOf } from './edge-faults.js';
import { type EdgeRequest, EdgeRequests } from './edge-requests.js';

const SEED = 42;
/** Requests that take more ms of computing are validated but not computed. They would test nothing else. */
const WORK_MS = 150;

/** Result of a request. */
type Outcome = 'answered' | 'refused' | 'too large' | readonly string[];

/** Runs a request. Faults of its answer, and a failure of the service, are returned as texts. */
function ask(request: EdgeRequest, model: PredictionModel): Outcome {
  const { operation } = request;
  try {
    const input = validateRequest(operation, request.input) as object;
    if (operation.file === undefined && estimatedWorkMs(operation, input) > WORK_MS)
      return 'too large';
    const asked = seeded(operation, input, SEED);
    const answer = operation.run(asked as never, model);
    const faults = faultsOf(request, JSON.parse(answerJson(operation, answer as never)));
    return faults.length === 0 ? 'answered' : faults;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return 'refused';
    return [String((error as Error).stack)];
  }
}

const count = process.env.MODE === 'all' ? 4000 : 150;

const model = await realModel();

describe(`${count} requests at the edges of the schemas`, () => {
  it('are answered with possible numbers, or refused', () => {
    const requests = new EdgeRequests(SEED);
    const faults: string[] = [];
    const outcomes = { answered: 0, refused: 0, 'too large': 0 };
    for (let i = 0; i < count; i++) {
      const request = requests.next();
      const outcome = ask(request, model);
      if (typeof outcome === 'string') outcomes[outcome]++;
      else {
        const { operation, input } = request;
        faults.push(`${operation.name} ${JSON.stringify(input)}\n  ${outcome.join('\n  ')}`);
      }
    }
    expect(faults.join('\n')).toBe('');
    // Otherwise nothing is tried.
    expect(outcomes.answered).toBeGreaterThan(count / 3);
    expect(outcomes.refused).toBeGreaterThan(count / 20);
  });
});
