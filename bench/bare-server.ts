import Fastify from 'fastify';
import { predict } from '../src/operations/predict.js';

/**
 * The reference for comparisons: a bare Fastify route with predict's schemas and a constant answer,
 * without keys, limits, ledger or model. It tells its address to its parent.
 */
const answer = {
  measurement: 'Stature',
  gender: 'Female',
  country: 'JP',
  clothing: 'nude',
  posture: 'standing_erect',
  value: 1578.123,
  unit: 'mm',
};
const app = Fastify({
  logger: false,
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allErrors: true } },
});
const schema = { body: predict.request, response: { 200: predict.response } };
app.post(predict.path, { schema }, async () => answer);
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
