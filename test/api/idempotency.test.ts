import { describe, expect, it } from 'vitest';
import type { Customer } from '../support/service.js';
import { useService } from '../support/use-service.js';

const PATH = '/v1/predict';
const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };

const service = useService();

function withKey({ headers }: Customer, key: string) {
  return { ...headers, 'idempotency-key': key };
}

describe('Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['a space', 'a b'],
    ['a control character', 'a\tb'],
    ['not ASCII', 'schlüssel'],
  ])('refuses a key that is %s', async (_name, key) => {
    const customer = await service.customer(1);
    const { status, body } = await service.post(PATH, GOOD, withKey(customer, key));
    expect([status, body.code]).toEqual([400, 'validation_error']);
    expect(await customer.balance()).toBe(1);
  });

  it('accepts a key of 255 characters', async () => {
    const customer = await service.customer(1);
    const { status } = await service.post(PATH, GOOD, withKey(customer, '~'.repeat(255)));
    expect(status).toBe(200);
  });
});
