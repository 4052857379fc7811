import Fastify from 'fastify';
import { predict } from '../src/operations/predict.js';

/**
 * The server that results are compared with: a bare Fastify route with the schemas of `predict` and a constant answer.
 * It has no keys, limits, ledger or model. It sends its address to the parent process.
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
