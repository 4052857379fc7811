import { beforeAll, expect, it } from 'vitest';
import { openArtifact } from '../../../src/lookup/open-artifact.js';
import { PredictionModel } from '../../../src/operations/prediction-model.js';
import { BODY } from '../../../src/screens/body/screen.js';
import { FIT } from '../../../src/screens/fit/screen.js';
import type { FreeAnswers } from '../../../src/screens/shared/free-computations.js';
import { freeAnswers } from '../../../src/screens/shared/free-computations.js';
import type { Screen } from '../../../src/screens/shared/screen.js';
import { SHEET } from '../../../src/screens/sheet/screen.js';
import { SIZES } from '../../../src/screens/sizes/screen.js';
import { computerHere } from '../../support/computer-here.js';
import { realArtifacts } from '../../support/servers.js';

let model: PredictionModel;
beforeAll(async () => {
  model = new PredictionModel(openArtifact(await realArtifacts()));
});

/** Free answers that note what is asked. */
function noted(asked: string[]): FreeAnswers {
  const free = freeAnswers({
    model: () => model,
    computer: computerHere(model),
    pictureSecrets: () => ['one'],
  });
  return {
    ...free,
    answer(operation, body, left) {
      asked.push(`${operation} ${JSON.stringify(body)}`);
      return free.answer(operation, body, left);
    },
    answers(requests, left) {
      for (const { operation, body } of requests) {
        asked.push(`${operation} ${JSON.stringify(body)}`);
      }
      return free.answers(requests, left);
    },
  };
}

it.each<[string, Screen<never, never>, string]>([
  ['Body', BODY as never, ''],
  ['Fit', FIT as never, ''],
  ['Fit for children', FIT as never, 'product=chair&p=Both~BR~6-12'],
  ['Sizes', SIZES as never, ''],
  ['Sheet', SHEET as never, ''],
])('%s asks for nothing twice in one view', async (_, { address, dataOf }, query) => {
  const asked: string[] = [];
  const context = { free: noted(asked), model: () => model };
  const view = address.read(query);
  await dataOf(view, context as never, new AbortController().signal);
  expect(asked.length).toBeGreaterThan(0);
  const twice = asked.filter((one, at) => asked.indexOf(one) !== at);
  expect(twice).toEqual([]);
});
