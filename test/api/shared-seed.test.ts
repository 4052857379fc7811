import { afterAll, beforeAll, expect, it } from 'vitest';
import { deploymentSecret } from '../../src/accounts/deployment-secret.js';
import { CHUNK_ROWS } from '../../src/operations/answer-formats.js';
import { seedOf } from '../../src/request/idempotency.js';
import { HEAVY_OPERATIONS, OPERATIONS } from '../support/heavy-operations.js';
import { startService, type TestService } from '../support/service.js';

let node: TestService;
beforeAll(async () => {
  const computing = { operationsModule: HEAVY_OPERATIONS, threads: 2 };
  node = await startService({ operations: OPERATIONS, computing });
});
afterAll(() => node.close());

const CALLS = [
  { path: '/v1/heavy', body: { ms: 20 }, what: 'whole' },
  { path: '/v1/rows', body: { count: 3 * CHUNK_ROWS }, what: 'in parts' },
];

it.each(CALLS)('requests at once under one key get one answer, $what', async ({ path, body }) => {
  const customer = await node.customer(20);
  const headers = { ...customer.headers, 'idempotency-key': 'at-once' };
  const ask = () => node.post(path, body, headers);
  const replies = await Promise.all([ask(), ask()]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(await customer.balance()).toBe(15);
});

it('the seed differs between keys, accounts and requests without a key', async () => {
  const [customer, stranger] = [await node.customer(100), await node.customer(100)];
  const seedWith = async (headers: Record<string, string>) =>
    (await node.post('/v1/heavy', { ms: 1 }, headers)).body.seed;
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
  const read = (name: string) => deploymentSecret(node.db, name);
  const secrets = await Promise.all([read('tried'), read('tried'), read('tried')]);
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(await read('other')).not.toBe(secrets[0]);
});
