import { openArtifact } from '../src/lookup/open-artifact.js';
import { OPERATIONS } from '../src/operations/index.js';
import { PredictionModel } from '../src/operations/prediction-model.js';
import { validateRequest } from '../src/operations/validate.js';
import { HEAVY_REQUESTS } from './heavy-requests.js';

// Answers one of the largest requests in a process of its own, and prints its processor time in ms. The
// process that starts it watches its memory.

const [artifactsDir = '', index = '0'] = process.argv.slice(2);
const request = HEAVY_REQUESTS[Number(index)];
if (request === undefined) throw new Error(`there is no request ${index}`);
const model = new PredictionModel(openArtifact(artifactsDir));
model.people();
const operation = OPERATIONS.find(({ name }) => name === request.operation);
if (operation === undefined) throw new Error(`there is no operation ${request.operation}`);
const input = validateRequest(operation, request.input);

process.send?.('ready');
process.once('message', () => {
  const before = process.cpuUsage();
  operation.run(input as never, model);
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / 1000, () => process.exit());
});
