import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCREEN_PATHS } from '../../src/pages/screens/paths.js';
import { ComputeError, type ComputeFailure } from '../../src/request/pool.js';
import { startService, type TestService } from '../support/service.js';

let reason: ComputeFailure = 'full';
let service: TestService;
beforeAll(async () => {
  const compute = async () => {
    throw new ComputeError(reason);
  };
  service = await startService({ computer: { timeLimitSeconds: 20, compute } });
});
afterAll(() => service.close());

const get = (url: string) => service.http.inject({ url });

it.each(['full', 'waited'] as const)(
  'a page says that many people compute, and asks again, where its computation is refused as %s',
  async (why) => {
    reason = why;
    for (const path of [SCREEN_PATHS.body, SCREEN_PATHS.fit, SCREEN_PATHS.sheet]) {
      const data = await get(`${path}/data`);
      expect([data.statusCode, data.json().code]).toEqual([503, 'service_busy']);
      expect(data.headers['retry-after']).toBe('5');
      expect(data.json().detail).toContain('Many people are computing');
      const page = await get(path);
      expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '5']);
      expect(page.body).toContain('Many people are computing');
    }
    const file = await get(`${SCREEN_PATHS.sheet}.csv`);
    expect([file.statusCode, file.headers['retry-after']]).toEqual([503, '5']);
    // The file comes without the user, also without a script.
    expect(file.headers.refresh).toBe('5');
    expect(file.body).toContain('The file comes automatically in 5 seconds.');
    expect(file.body).not.toContain('Please try again in');
  },
);

it('a page says what to ask less of where its computation takes too long', async () => {
  reason = 'too_long';
  const data = await get(`${SCREEN_PATHS.body}/data`);
  expect([data.statusCode, data.json().code]).toEqual([422, 'computation_too_large']);
  const file = await get(`${SCREEN_PATHS.sheet}.csv`);
  expect([file.statusCode, file.headers.refresh]).toEqual([422, undefined]);
});
