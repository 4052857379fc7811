import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/accounts/api-key.js';
import { revokeKey } from '../../src/accounts/keys.js';
import { said } from '../../src/core/errors.js';
import { batchOf } from '../../src/operations/batch.js';
import type { Operation } from '../../src/operations/operation.js';
import { predict } from '../../src/operations/predict.js';
import { callTool } from '../support/mcp.js';
import { type ServiceOptions, startService, type TestService } from '../support/service.js';

const ENTRIES = 1000;

let service: TestService;
afterEach(() => service.close());

/** Counts of the work that a service did. */
interface Work {
  /** Requests and entries that were validated. */
  validated: number;
  /** Number of sentences about faults. For each sentence, the service searches for the name that was meant. */
  sentences: number;
  lookUps: number;
  steps: number;
}

/** Starts a service that counts its work. The operation `predict` finds 50 faults if `age` is 1. */
async function start(options: ServiceOptions = {}): Promise<Work> {
  const work: Work = { validated: 0, sentences: 0, lookUps: 0, steps: 0 };
  const counting = {
    ...predict,
    check({ age }: { age: number }) {
      work.validated++;
      const sentence = () => {
        work.sentences++;
        return said`one of many`;
      };
      return age === 1 ? Array.from({ length: 50 }, () => ({ pointer: '/age', sentence })) : [];
    },
  } as unknown as Operation;
  service = await startService({ operations: [counting, batchOf([counting])], ...options });
  // The start of the service has validated the examples of the documents.
  work.validated = 0;
  const { gate } = service;
  const [step, lookUp] = [gate.step.bind(gate), gate.lookUp.bind(gate)];
  gate.step = (asked) => {
    work.steps++;
    return step(asked);
  };
  gate.lookUp = (key) => {
    work.lookUps++;
    return lookUp(key);
  };
  return work;
}

const entry = (age: number) => ({ operation: 'predict', input: { ...predict.example, age } });
const batch = (age: number, length = ENTRIES) => ({
  requests: Array.from({ length }, () => entry(age)),
});
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const remaining = ({ headers }: { headers: Record<string, unknown> }) =>
  Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);

describe('a batch', () => {
  it('with a key that nobody has costs one look-up and no validation', async () => {
    const work = await start();
    const key = bearer(generateApiKey('live', 5));
    for (let call = 0; call < 3; call++) {
      const { status } = await service.post('/v1/batch', batch(1), key);
      expect(status).toBe(401);
    }
    expect(work).toEqual({ validated: 0, sentences: 0, lookUps: 1, steps: 0 });
  });

  it('with a key that has been revoked is not validated', async () => {
    const work = await start();
    const { apiKey, account } = await service.customer(10);
    const keys = service.db.selectFrom('api_keys').select('id');
    const { id } = await keys.where('account_id', '=', account).executeTakeFirstOrThrow();
    await service.post('/v1/batch', batch(30, 1), bearer(apiKey));
    await revokeKey(service.db, id);
    await expect
      .poll(async () => (await service.post('/v1/batch', batch(30, 1), bearer(apiKey))).status)
      .toBe(401);
    const before = work.validated;
    expect((await service.post('/v1/batch', batch(1), bearer(apiKey))).status).toBe(401);
    expect(work.validated).toBe(before);
  });

  it('over the rate limit is not validated', async () => {
    const work = await start({ rateLimitMax: 1 });
    const { headers } = await service.customer(10);
    await service.post('/v1/predict', predict.example, headers);
    work.validated = 0;
    expect((await service.post('/v1/batch', batch(1), headers)).status).toBe(429);
    expect(work.validated).toBe(0);
  });

  it('counts one when it is malformed, and its further hits with its charge', async () => {
    const work = await start({ rateLimitMax: 120 });
    const { headers } = await service.customer(2000);
    const malformed = await service.post('/v1/batch', { requests: 5 }, headers);
    expect([malformed.status, remaining(malformed)]).toEqual([400, 119]);
    const answered = await service.post('/v1/batch', batch(30), headers);
    expect([answered.status, answered.body.charged, remaining(answered)]).toEqual([200, 1000, 109]);
    // Each entry is validated once.
    expect(work.validated).toBe(ENTRIES);
  });

  it('has refusals of at most 2 kB each and 64 kB together, and writes no others', async () => {
    const work = await start();
    const { headers, balance } = await service.customer(10);
    const answer = await service.post('/v1/batch', batch(1), headers);
    const { answers, charged } = answer.body;
    expect([answer.status, charged, answers.length]).toEqual([200, 0, ENTRIES]);
    const refusals: { status: number; body: Record<string, unknown> }[] = answers;
    const sizes = refusals.map((one) => Buffer.byteLength(JSON.stringify(one.body)));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(64_000);
    expect(refusals[0]?.body).toMatchObject({ code: 'validation_error', errorsOmitted: 30 });
    const body = { code: 'validation_error', detail: 'Send it alone.' };
    expect(refusals.at(-1)).toEqual({ status: 400, body });
    // 20 for each complete refusal.
    const complete = refusals.filter((one) => one.body.message !== undefined).length;
    expect(work.sentences).toBe(20 * complete);
    expect(work.validated).toBe(ENTRIES);
    expect(await balance()).toBe(10);
  });

  it('has complete refusals of few entries among many', async () => {
    await start();
    const { headers } = await service.customer(2000);
    const requests = Array.from({ length: ENTRIES }, (_, i) => entry(i % 100 === 99 ? 1 : 30));
    const { body } = await service.post('/v1/batch', { requests }, headers);
    const refused = body.answers.filter((one: { status: number }) => one.status === 400);
    expect([body.charged, refused.length]).toEqual([990, 10]);
    for (const one of refused) expect(one.body.errors.length).toBeGreaterThan(0);
  });

  it('drops faults from a refusal that would be longer than 2 kB', async () => {
    await start();
    const { headers } = await service.customer(10);
    const unlisted = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`field_with_a_long_name_${i}`, i]),
    );
    const requests = [{ operation: 'predict', input: { ...predict.example, ...unlisted } }];
    const { body } = await service.post('/v1/batch', { requests }, headers);
    const [{ body: refused }] = body.answers;
    expect(Buffer.byteLength(JSON.stringify(refused))).toBeLessThanOrEqual(2000);
    expect(refused.errors.length + refused.errorsOmitted).toBe(40);
    expect(refused.errors.length).toBeGreaterThan(0);
  });
});

describe('a light request', () => {
  it('takes one step, and no look-up once its key is known', async () => {
    const work = await start();
    const { headers } = await service.customer(10);
    await service.post('/v1/predict', predict.example, headers);
    Object.assign(work, { validated: 0, lookUps: 0, steps: 0 });
    expect((await service.post('/v1/predict', predict.example, headers)).status).toBe(200);
    expect(work).toEqual({ validated: 1, sentences: 0, lookUps: 0, steps: 1 });
  });
});

describe('a large body', () => {
  /** Sends the head of a request whose body does not come, and reads the first line of the answer. */
  async function statusWithoutBody(headers: Record<string, string>): Promise<string> {
    const { port } = new URL(await service.address());
    const socket = connect(Number(port), '127.0.0.1');
    const lines = Object.entries({
      ...{ host: 'x', 'content-type': 'application/json', 'content-length': '500000' },
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST /v1/batch HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    return String(chunk).split('\r\n', 1)[0] as string;
  }

  it('over the rate limit is refused before it is received', async () => {
    const work = await start({ rateLimitMax: 1 });
    const { headers } = await service.customer(10);
    await service.post('/v1/predict', predict.example, headers);
    work.steps = 0;
    expect(await statusWithoutBody(headers)).toContain(' 429 ');
    expect(work.steps).toBe(1);
  });

  it('counts its hits once, over REST and MCP', async () => {
    await start({ rateLimitMax: 120 });
    const { headers } = await service.customer(5000);
    const rest = await service.post('/v1/batch', batch(30), headers);
    expect([rest.status, remaining(rest)]).toEqual([200, 110]);
    const call = { name: 'batch', arguments: batch(30, 60) };
    const mcp = await callTool(service, '2025-06-18', call, headers);
    expect([mcp.status, remaining(mcp)]).toEqual([200, 109]);
  });

  it('with too many levels is refused before it is read', async () => {
    const work = await start();
    const { headers } = await service.customer(10);
    const text = '['.repeat(9000) + ']'.repeat(9000);
    const { status, body } = await service.post('/v1/batch', text, headers);
    expect([status, body.code]).toEqual([400, 'validation_error']);
    expect(body.errors[0].message).toContain('levels');
    expect(work.validated).toBe(0);
  });
});
