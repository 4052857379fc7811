import { expect, it } from 'vitest';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { predict } from '../../src/operations/predict.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { answerJson } from '../../src/operations/validate.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const batch = OPERATIONS.find(({ name }) => name === 'batch') as Operation;
const model = new PredictionModel(openArtifact(writeTinyArtifact()));

const SHORT = { operation: 'predict', input: { ...predict.example, country: 'NA' } };
const REFUSED = { operation: 'predict', input: { measurement: 'Statur' } };

it('writes the answers of all entries in order', () => {
  const requests = Array.from({ length: 40 }, (_, i) => ({
    id: `${i}`,
    ...(i % 7 === 3 ? REFUSED : SHORT),
  }));
  const answer = batch.run({ requests } as never, model);
  const written = JSON.parse(answerJson(batch, answer));
  expect(written).toEqual(JSON.parse(JSON.stringify(answer)));
  expect(written.answers.map(({ id }: { id: string }) => id)).toEqual(requests.map(({ id }) => id));
});
