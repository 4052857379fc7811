import { afterEach, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/accounts/api-key.js';
import { callMcp, rpc } from '../support/mcp.js';
import { type ServiceOptions, startService, type TestService } from '../support/service.js';

const LIMIT = 20;
const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
const OTHERS_ADDRESS = '203.0.113.9';

let service: TestService;
afterEach(() => service.close());

/** Starts a service behind a proxy. `lookUps` collects the hashes of the keys that are looked up. */
async function start(options: ServiceOptions = {}) {
  service = await startService({ keyFailuresMax: LIMIT, trustProxy: true, ...options });
  const lookUps: string[] = [];
  const lookUp = service.gate.lookUp.bind(service.gate);
  service.gate.lookUp = (key) => {
    lookUps.push(key.keyHash);
    return lookUp(key);
  };
  return lookUps;
}

const unknownKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => generateApiKey('live', index % 1024));
const call = (apiKey: string, address: string) =>
  service.post('/v1/predict', GOOD, {
    authorization: `Bearer ${apiKey}`,
    'x-forwarded-for': address,
  });
const statusesOf = async (keys: readonly string[], address: string) =>
  (await Promise.all(keys.map((key) => call(key, address)))).map(({ status }) => status);

describe('unknown keys from one address', () => {
  it('reach the gate only as often as the limit allows, also all at once', async () => {
    const lookUps = await start();
    const customer = await service.customer(1000);
    expect((await call(customer.apiKey, '198.51.100.1')).status).toBe(200);
    lookUps.length = 0;
    const statuses = await statusesOf(unknownKeys(500), '198.51.100.1');
    expect(lookUps).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(500 - LIMIT);
    // A key that was valid from this address before still passes. Any other key has to wait.
    expect((await call(customer.apiKey, '198.51.100.1')).status).toBe(200);
    const other = await service.customer(1000);
    expect((await call(other.apiKey, '198.51.100.1')).status).toBe(429);
    // Other addresses are not affected.
    expect((await call(other.apiKey, OTHERS_ADDRESS)).status).toBe(200);
    expect(await statusesOf(unknownKeys(1), OTHERS_ADDRESS)).toEqual([401]);
  });

  it('are refused before the body is read, with the time to wait', async () => {
    await start();
    await statusesOf(unknownKeys(LIMIT), '198.51.100.2');
    const [key = ''] = unknownKeys(1);
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '198.51.100.2' };
    const refused = await service.post('/v1/predict', '{', headers);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.headers.ratelimit).toBeUndefined();
    const revision = '2025-11-25';
    const mcp = await callMcp(service, revision, rpc(revision, 'tools/list'), headers);
    expect([mcp.status, mcp.body.code]).toEqual([429, 'rate_limited']);
  });

  it('are counted over MCP too', async () => {
    const lookUps = await start();
    const revision = '2025-11-25';
    const message = rpc(revision, 'tools/call', { name: 'predict', arguments: GOOD });
    for (const key of unknownKeys(LIMIT + 5)) {
      const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '198.51.100.3' };
      await callMcp(service, revision, message, headers);
    }
    expect(lookUps).toHaveLength(LIMIT);
  });

  it('are counted by /64 for IPv6', async () => {
    const lookUps = await start();
    for (const [index, key] of unknownKeys(LIMIT + 5).entries()) {
      await call(key, `2001:db8:0:1::${index.toString(16)}`);
    }
    expect(lookUps).toHaveLength(LIMIT);
    expect(await statusesOf(unknownKeys(1), '2001:db8:0:2::1')).toEqual([401]);
  });

  it('do not make valid keys wait that arrive together for the first time', async () => {
    await start();
    const customers = await Promise.all(Array.from({ length: 50 }, () => service.customer(10)));
    const keys = customers.map(({ apiKey }) => apiKey);
    expect(new Set(await statusesOf(keys, '198.51.100.4'))).toEqual(new Set([200]));
  });

  it('that are not well-formed count too, without a look-up', async () => {
    const lookUps = await start();
    const malformed = Array.from({ length: LIMIT + 5 }, (_, index) => `vt_live_${index}`);
    const statuses = await statusesOf(malformed, '198.51.100.5');
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
    expect(await statusesOf(unknownKeys(1), '198.51.100.5')).toEqual([429]);
    expect(lookUps).toEqual([]);
    // Nobody guesses without a key.
    const { status } = await service.post('/v1/predict', GOOD, {
      'x-forwarded-for': OTHERS_ADDRESS,
    });
    expect(status).toBe(401);
  });
});
