import { expect, it } from 'vitest';
import type { Pieces } from '../../src/core/pieces.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { populationShare } from '../../src/operations/population-share.js';
import { predict } from '../../src/operations/predict.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { answerJson } from '../../src/operations/validate.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const batch = OPERATIONS.find(({ name }) => name === 'batch') as Operation;
const model = new PredictionModel(openArtifact(writeTinyArtifact()));

const SHORT = { operation: 'predict', input: { ...predict.example, country: 'NA' } };
const REFUSED = { operation: 'predict', input: { measurement: 'Statur' } };
const SHARE = { operation: 'population_share', input: populationShare.example };

/** The answer of a batch, and how often it rests. */
function answered(requests: readonly object[]): { answer: object; rests: number } {
  const pieces = batch.runInPieces?.({ requests } as never, model) as Pieces<object>;
  for (let rests = 0; ; rests++) {
    const { done, value } = pieces.next();
    if (done === true) return { answer: value, rests };
  }
}

it('rests after each entry that may take long, and after some that take microseconds', () => {
  const of = (entry: object, count = 100) =>
    answered(Array.from({ length: count }, () => entry)).rests;
  expect(of(REFUSED)).toBe(100);
  expect(of(SHARE, 3)).toBe(3);
  expect(of(SHORT)).toBeGreaterThanOrEqual(5);
  // A rest costs as much as a short answer, so a batch of them must not rest after each.
  expect(of(SHORT)).toBeLessThanOrEqual(10);
});

it('writes the answers of all entries in order, however they fall into pieces', () => {
  for (const count of [1, 16, 17, 40]) {
    const requests = Array.from({ length: count }, (_, i) => ({
      id: `${i}`,
      ...(i % 7 === 3 ? REFUSED : SHORT),
    }));
    const { answer } = answered(requests);
    const written = JSON.parse(answerJson(batch, answer));
    expect(written).toEqual(JSON.parse(JSON.stringify(answer)));
    expect(written.answers.map(({ id }: { id: string }) => id)).toEqual(
      requests.map(({ id }) => id),
    );
  }
});
