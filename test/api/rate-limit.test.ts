import { afterEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.js';

const PATH = '/v1/predict';
const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };

let service: TestService | undefined;
afterEach(() => service?.close());

describe('the rate limit over REST', () => {
  it('counts every authenticated request, reports it in each answer, and refuses with 429', async () => {
    let nowMs = Date.now();
    service = await startService({ rateLimitMax: 6, clock: () => nowMs });
    const customer = await service.customer(100);
    const bodies = [
      GOOD,
      '{',
      { ...GOOD, age: 'x' },
      { ...GOOD, posture: 'sitting' },
      'x'.repeat(17_000),
      GOOD,
    ];
    const statuses = [200, 400, 400, 404, 413, 200];
    for (const [i, body] of bodies.entries()) {
      const answer = await service.post(PATH, body, customer.headers);
      expect(answer.status).toBe(statuses[i]);
      expect(answer.headers['ratelimit-policy']).toBe('"default";q=6;w=60');
      expect(answer.headers.ratelimit).toMatch(new RegExp(`^"default";r=${5 - i};t=\\d+$`));
    }
    nowMs += 1500;
    for (const body of [GOOD, '{', { ...GOOD, age: 'x' }, 'x'.repeat(17_000)]) {
      const refused = await service.post(PATH, body, customer.headers);
      expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
      expect(refused.headers['retry-after']).toMatch(/^(59|60)$/);
      expect(refused.headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
    }
    expect(await customer.balance()).toBe(98);
    nowMs += 60_000;
    expect((await service.post(PATH, GOOD, customer.headers)).status).toBe(200);
  });
});
