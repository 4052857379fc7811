import { openArtifact } from '../src/lookup/open-artifact.js';
import { OPERATIONS } from '../src/operations/index.js';
import type { Operation } from '../src/operations/operation.js';
import { PredictionModel } from '../src/operations/prediction-model.js';
import { validateRequest } from '../src/operations/validate.js';
import { LARGEST } from './requests.js';

// Answers one of the largest requests and sends its processor time in ms. The parent process watches the memory of this
// process.

const [artifactsDir = '', name = ''] = process.argv.slice(2);
const request = LARGEST[name as keyof typeof LARGEST];
const model = new PredictionModel(openArtifact(artifactsDir));
model.people();
const operation = OPERATIONS.find((one) => one.name === request.operation) as Operation;
const input = validateRequest(operation, request.input);

process.send?.('ready');
process.once('message', () => {
  const before = process.cpuUsage();
  operation.run(input as never, model);
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / 1000);
});
