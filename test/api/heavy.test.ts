import { beforeAll, describe, expect, it } from 'vitest';
import { deploymentSecret } from '../../src/accounts/deployment-secret.js';
import { STORED_ANSWER_CHARS_MAX } from '../../src/core/limits.js';
import { CHUNK_ROWS } from '../../src/operations/answer-formats.js';
import { seedOf } from '../../src/request/idempotency.js';
import { HEAVY_OPERATIONS, OPERATIONS } from '../support/heavy-operations.js';
import type { Customer } from '../support/service.js';
import { useService } from '../support/use-service.js';

const PATH = '/v1/heavy';

const computing = { operationsModule: HEAVY_OPERATIONS, threads: 2 };
const service = useService({ operations: OPERATIONS, computing });
beforeAll(async () => {
  // The first computations start the threads. When they run from the sources, this takes long.
  const customer = await service.customer(100);
  await Promise.all([1, 2].map(() => ask(customer, { ms: 300 })));
});

function ask(customer: Customer, body: object, key?: string) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return service.post(PATH, body, { ...customer.headers, ...headers });
}

describe('a heavy operation', () => {
  it('is refused uncharged with the problem that its thread threw', async () => {
    const customer = await service.customer(5);
    const { status, body, headers } = await ask(customer, { ms: 1, outcome: 'problem' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'value_out_of_range', minimum: 1, maximum: 2, unit: 'mm' });
    expect(body.message).toBe('too far');
    expect(headers.ratelimit).toBeDefined();
    expect(await customer.balance()).toBe(5);
  });
});

describe('an answer that is too long to be stored', () => {
  const long = { ms: 1, chars: STORED_ANSWER_CHARS_MAX };

  it('is computed again for its key, with the same seed and uncharged', async () => {
    const customer = await service.customer(0);
    const first = await ask(customer, long, 'long');
    const again = await ask(customer, long, 'long');
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.remaining_free_calls).toBe(5);
    const stored = await service.db
      .selectFrom('idempotent_answers')
      .select('answer_json')
      .where('account_id', '=', customer.account)
      .executeTakeFirstOrThrow();
    expect(stored.answer_json.length).toBeLessThan(100);
  });

  it('is replay_expired when its artifact is gone', async () => {
    const customer = await service.customer(5);
    await ask(customer, long, 'gone');
    await service.db
      .updateTable('idempotent_answers')
      .set({ answer_json: '["recompute","2001-01-01-aaaaaaaaaaaa",{}]' })
      .where('account_id', '=', customer.account)
      .execute();
    const { status, body } = await ask(customer, long, 'gone');
    expect([status, body.code]).toEqual([409, 'replay_expired']);
    expect(body.message).toContain('2001-01-01');
    expect(await customer.balance()).toBe(0);
  });
});

const CALLS = [
  { path: '/v1/heavy', body: { ms: 20 }, what: 'whole' },
  { path: '/v1/rows', body: { count: 3 * CHUNK_ROWS }, what: 'in parts' },
];

it.each(CALLS)('requests at once under one key get one answer, $what', async ({ path, body }) => {
  const customer = await service.customer(20);
  const headers = { ...customer.headers, 'idempotency-key': 'at-once' };
  const ask = () => service.post(path, body, headers);
  const replies = await Promise.all([ask(), ask()]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(await customer.balance()).toBe(15);
});

it('the seed differs between keys, accounts and requests without a key', async () => {
  const [customer, stranger] = [await service.customer(100), await service.customer(100)];
  const seedWith = async (headers: Record<string, string>) =>
    (await service.post('/v1/heavy', { ms: 1 }, headers)).body.seed;
  const seeds = [
    await seedWith({ ...customer.headers, 'idempotency-key': 'a' }),
    await seedWith({ ...customer.headers, 'idempotency-key': 'b' }),
    await seedWith({ ...stranger.headers, 'idempotency-key': 'a' }),
    await seedWith(customer.headers),
    await seedWith(customer.headers),
  ];
  expect(new Set(seeds).size).toBe(5);
});

it('the seed is the same on every node that has the secret', () => {
  const scope = { account: 'a live', path: '/v1/rows', key: 'k', fingerprint: 'f' };
  expect(seedOf('one', scope)).toBe(seedOf('one', { ...scope }));
  expect(seedOf('other', scope)).not.toBe(seedOf('one', scope));
  for (const change of [{ account: 'a test' }, { path: '/v1/heavy' }, { fingerprint: 'g' }]) {
    expect(seedOf('one', { ...scope, ...change })).not.toBe(seedOf('one', scope));
  }
});

it('the secret of a deployment is created once', async () => {
  const read = (name: string) => deploymentSecret(service.db, name);
  const secrets = await Promise.all([read('tried'), read('tried'), read('tried')]);
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(await read('other')).not.toBe(secrets[0]);
});
