import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { callMcp, callTool, mcpHeaders, REVISIONS, rpc } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

const PATH = '/v1/predict';
const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
const CALL = { name: 'predict', arguments: GOOD };
const OLD = '2025-06-18';

let service: TestService;
afterEach(() => service.close());

describe('one rate limit for REST and MCP', () => {
  it('counts every request once and a batch once per call, and reports it in every answer', async () => {
    let nowMs = Date.now();
    service = await startService({ rateLimitMax: 12, clock: () => nowMs });
    const customer = await service.customer(100);
    const { headers } = customer;
    const batch = [1, 2, 3].map((id) => rpc(OLD, 'tools/call', CALL, id));
    const catalog = { name: 'get_catalog', arguments: { text: 'stature' } };
    const steps: [hits: number, send: () => Promise<{ headers: Record<string, unknown> }>][] = [
      [1, () => service.post(PATH, GOOD, headers)],
      [1, () => callTool(service, '2026-07-28', CALL, headers)],
      [1, () => callTool(service, OLD, catalog, headers)],
      [3, () => callMcp(service, OLD, batch, headers)],
      [1, () => callMcp(service, '2026-07-28', rpc('2026-07-28', 'tools/list'), headers)],
      [1, () => callTool(service, OLD, { name: 'nothing' }, headers)],
      [1, () => service.http.inject({ url: '/mcp', headers })],
      [1, () => callMcp(service, OLD, { hello: 1 }, headers)],
    ];
    let left = 12;
    for (const [hits, send] of steps) {
      left -= hits;
      const answer = await send();
      expect(answer.headers['ratelimit-policy']).toBe('"default";q=12;w=60');
      expect(answer.headers.ratelimit).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`));
    }
    expect(await customer.balance()).toBe(95);

    // Two requests are left. A batch of three is refused as a whole and does not count.
    nowMs += 1500;
    const refused = await callMcp(service, OLD, batch, headers);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toMatch(/^(59|60)$/);
    expect(refused.headers.ratelimit).toMatch(/r=2;/);
    expect((await callTool(service, OLD, CALL, headers)).status).toBe(200);
    expect((await service.post(PATH, GOOD, headers)).status).toBe(200);
    const late = [
      () => callTool(service, '2026-07-28', CALL, headers),
      () => callTool(service, OLD, CALL, headers),
      () => callTool(service, OLD, catalog, headers),
      () => callMcp(service, OLD, rpc(OLD, 'ping'), headers),
      () => service.post('/mcp', '{', headers),
      () => service.post(PATH, GOOD, headers),
    ];
    for (const send of late) {
      const answer = await send();
      expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(await customer.balance()).toBe(93);
    nowMs += 60_000;
    expect((await callTool(service, OLD, CALL, headers)).status).toBe(200);
  });
});

describe('an idempotency key in _meta', () => {
  const keyed = (key: unknown, args: object = GOOD) => ({
    name: 'predict',
    arguments: args,
    _meta: { 'vitruvia/idempotency-key': key },
  });

  it.each(REVISIONS)('makes a repeat free on %s', async (revision) => {
    service = await startService();
    const customer = await service.customer(10);
    const send = (key: unknown, args?: object) =>
      callTool(service, revision, keyed(key, args), customer.headers);
    const [one, other] = await Promise.all([send('k'), send('k')]);
    const replayed = [one, other].map((r) => r.body.result._meta?.['vitruvia/idempotent-replayed']);
    expect(replayed.filter((mark) => mark === true)).toHaveLength(1);
    expect(one.body.result.structuredContent).toEqual(other.body.result.structuredContent);
    expect(await customer.balance()).toBe(9);

    // REST uses the same key in a header.
    const rest = { ...customer.headers, 'idempotency-key': 'k' };
    const replay = await service.post(PATH, GOOD, rest);
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(replay.body).toEqual(one.body.result.structuredContent);

    const conflict = await send('k', { ...GOOD, percentile: 51 });
    expect(JSON.parse(conflict.body.result.content[0].text).code).toBe('idempotency_conflict');
    for (const bad of ['', 'two words', 7, null, 'x'.repeat(256)]) {
      const refused = await send(bad);
      expect(JSON.parse(refused.body.result.content[0].text).code).toBe('validation_error');
    }
    expect(await customer.balance()).toBe(9);
  });
});

describe('a client that hangs up while its answer is computed', () => {
  it('is charged, as over REST', async () => {
    let hangUp: () => void = () => undefined;
    service = await startService({
      model: (real) =>
        Object.assign(Object.create(real), {
          curve(population: never) {
            hangUp();
            return real.curve(population);
          },
        }),
    });
    const address = await service.address();
    const port = Number(new URL(address).port);
    const answers: string[] = [];

    const send = (path: string, message: object, headers: Record<string, string>) =>
      new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1');
        hangUp = () => socket.destroy();
        socket.on('data', (chunk) => answers.push(String(chunk)));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
        const body = JSON.stringify(message);
        const all = { host: 'localhost', 'content-length': String(body.length), ...headers };
        const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
      });

    const rest = await service.customer(10);
    await send(PATH, GOOD, { 'content-type': 'application/json', ...rest.headers });
    for (const revision of REVISIONS) {
      const customer = await service.customer(10);
      const message = rpc(revision, 'tools/call', CALL);
      await send('/mcp', message, { ...mcpHeaders(revision, message), ...customer.headers });
      await expect.poll(() => customer.balance()).toBe(9);
    }
    await expect.poll(() => rest.balance()).toBe(9);
    expect(answers).toEqual([]);
  });
});
