import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORED_ANSWER_CHARS_MAX } from '../../src/core/limits.js';
import { HEAVY_OPERATIONS, OPERATIONS } from '../support/heavy-operations.js';
import { type Customer, startService, type TestService } from '../support/service.js';

const PATH = '/v1/heavy';

let service: TestService;

beforeAll(async () => {
  const computing = { operationsModule: HEAVY_OPERATIONS, threads: 2 };
  service = await startService({ operations: OPERATIONS, computing });
  // The first computations start the threads. When they run from the sources, this takes long.
  const customer = await service.customer(100);
  await Promise.all([1, 2].map(() => ask(customer, { ms: 300 })));
});
afterAll(() => service.close());

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
