import { afterEach, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/accounts/api-key.js';
import { callMcp, callTool, mcpHeaders, REVISIONS, rpc } from '../support/mcp.js';
import { postJson } from '../support/post-json.js';
import { startService, type TestService } from '../support/service.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
const CALL = { name: 'predict', arguments: GOOD };
const OLD = '2025-03-26';

const service = useService();
const customer = useOpened(() => service.customer(1000));

const batchOf = (ids: readonly (number | string)[]) =>
  ids.map((id) => rpc(OLD, 'tools/call', CALL, id));
const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.post('/mcp', body, { ...mcpHeaders(OLD, {}), ...customer.headers, ...headers });

describe('401 is plain HTTP for every request', () => {
  const unknownKey = generateApiKey('live', 1);
  const requests = [rpc(OLD, 'tools/call', CALL), rpc(OLD, 'tools/list'), batchOf([1, 2]), '{', ''];
  it.each([
    ['no key', ''],
    ['a malformed key', 'Bearer x'],
    ['an unknown key', `Bearer ${unknownKey}`],
  ])('%s', async (_name, authorization) => {
    for (const body of requests) {
      const refused = await post(body, { authorization });
      expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized']);
      expect(refused.headers['www-authenticate']).toBe('Bearer');
      expect(refused.headers['content-type']).toContain('application/problem+json');
      expect(refused.headers['x-request-id']).toBe(refused.body.request_id);
    }
    const got = await service.http.inject({ url: '/mcp', headers: { authorization } });
    expect(got.statusCode).toBe(401);
  });
});

describe('calls that are refused cost nothing', () => {
  it.each(REVISIONS)('on %s', async (revision) => {
    const before = await customer.balance();
    const unknown = await callTool(service, revision, { name: 'nothing' }, customer.headers);
    expect(unknown.body.error.code).toBe(-32602);
    const bad = { name: 'predict', arguments: { ...GOOD, age: 'thirty' } };
    const refused = await callTool(service, revision, bad, customer.headers);
    expect(refused.body.result.isError).toBe(true);
    expect(refused.body.result).not.toHaveProperty('structuredContent');
    expect(JSON.parse(refused.body.result.content[0].text).request_id).toBe(
      refused.headers['x-request-id'],
    );
    for (const args of [{ kind: 'x' }, { text: 'x'.repeat(101) }, { unknown: 1 }]) {
      const call = { name: 'get_catalog', arguments: args };
      const answer = await callTool(service, revision, call, customer.headers);
      expect(JSON.parse(answer.body.result.content[0].text).code).toBe('validation_error');
    }
    expect(await customer.balance()).toBe(before);
  });

  it('and say each sentence once, with the name of the tool instead of the route', async () => {
    const textOf = async (args: object): Promise<string> => {
      const call = { name: 'predict', arguments: args };
      const answer = await callTool(service, '2026-07-28', call, customer.headers);
      return answer.body.result.content[0].text;
    };
    const unknown = await textOf({ ...GOOD, measurement: 'inseam' });
    const sentence = 'get_catalog lists the 148 known ones. Did you mean CrotchHeight?';
    expect(unknown.split(sentence)).toHaveLength(2);
    expect(unknown).not.toContain('GET /');
    expect(JSON.parse(unknown)).toMatchObject({
      code: 'unknown_measurement',
      detail: expect.stringContaining(sentence),
      errors: [{ pointer: '/measurement' }],
    });
    const several = JSON.parse(await textOf({ ...GOOD, unit: 'inches', percentile: 0.95 }));
    expect(several.detail).toBe(
      'percentile must be at least 1. Did you mean 95? population_percentiles answers percentiles from 0.1 to 99.9. (1 more in errors)',
    );
    expect(several.errors).toEqual([
      { pointer: '/percentile' },
      { pointer: '/unit', message: expect.stringContaining('Did you mean in?') },
    ]);
  });

  it('and in a batch the tool stands in the refusals of its entries', async () => {
    const request = { operation: 'predict', input: { ...GOOD, measurement: 'nothing like it' } };
    const good = { operation: 'predict', input: GOOD };
    const call = { name: 'batch', arguments: { requests: [request, good] } };
    const { body } = await callTool(service, '2026-07-28', call, customer.headers);
    const { structuredContent, content } = body.result;
    expect(structuredContent.answers[0].body.detail).toContain('; get_catalog lists the 148');
    expect(structuredContent.answers[1].status).toBe(200);
    expect(content[0].text).not.toContain('GET /');
  });

  it('nor does a call that expects no answer', async () => {
    const before = await customer.balance();
    const { id: _, ...notification } = rpc(OLD, 'tools/call', CALL);
    const headers = { ...mcpHeaders(OLD, {}), ...customer.headers };
    const payload = JSON.stringify(notification);
    const request = { method: 'POST' as const, url: '/mcp', payload, headers };
    expect((await service.http.inject(request)).statusCode).toBe(202);
    expect(await customer.balance()).toBe(before);
  });
});

describe('a body that is not a message', () => {
  it.each([
    ['malformed', '{', 400, -32700],
    ['empty', '', 400, -32700],
    ['no message', { hello: 1 }, 400, -32600],
    ['over 16 KiB', `"${'x'.repeat(17_000)}"`, 413, -32600],
    ['a batch of over a hundred', batchOf(Array.from({ length: 101 }, (_, id) => id)), 400, -32600],
  ])('%s', async (_name, body, status, code) => {
    const refused = await post(body);
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    expect(refused.body.id).toBeNull();
    expect(refused.headers.ratelimit).toMatch(/^"default";r=\d+;t=\d+$/);
  });

  it('is refused with another content type', async () => {
    const refused = await post(rpc(OLD, 'ping'), { 'content-type': 'text/plain' });
    expect(refused.status).toBe(400);
    expect(refused.body.error.data.code).toBe('validation_error');
  });
});

describe('a batch', () => {
  it('is charged call by call', async () => {
    const poor = await service.customer(2);
    const headers = { ...mcpHeaders(OLD, {}), ...poor.headers };
    // Two credits and ten free calls pay for all calls except one.
    const answer = await service.post('/mcp', batchOf([...Array(12).keys(), 'last']), headers);
    const results: { isError?: true; structuredContent?: { remaining_free_calls?: number } }[] =
      answer.body.map(({ result }: { result: object }) => result);
    expect(results.map(({ isError }) => isError ?? false).filter(Boolean)).toHaveLength(1);
    const free = results.map(({ structuredContent }) => structuredContent?.remaining_free_calls);
    expect(free.slice(0, 4)).toEqual([undefined, undefined, 9, 8]);
    expect(await poor.balance()).toBe(0);
  });

  it('with two calls of the same id is refused, because both would be charged', async () => {
    const before = await customer.balance();
    const refused = await post(batchOf([1, 2, 1]));
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'Two messages of a batch have the same id.',
    ]);
    expect(await customer.balance()).toBe(before);
  });

  it('that cancels its own call is still answered', async () => {
    const before = await customer.balance();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const answer = await post([...batchOf([1]), cancel]);
    expect(answer.body.result.structuredContent.unit).toBe('mm');
    expect(await customer.balance()).toBe(before - 1);
  });

  it('is not supported by the revision without sessions', async () => {
    const before = await customer.balance();
    const refused = await post([rpc('2026-07-28', 'tools/call', CALL)], {
      'mcp-protocol-version': '2026-07-28',
    });
    expect(refused.status).toBe(400);
    expect(await customer.balance()).toBe(before);
  });
});

describe('GET', () => {
  it('opens no stream and reports that', async () => {
    const headers = { ...customer.headers, accept: 'text/event-stream' };
    const answer = await service.http.inject({ url: '/mcp', headers });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
    expect(answer.headers.ratelimit).toBeDefined();
  });
});

describe('hosts and origins', () => {
  const list = rpc(OLD, 'tools/list');
  it.each([
    ['localhost:3000', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]:3000', 200],
    ['192.0.2.7', 200],
    ['vitruvia.example', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['vitruvia.example.evil', 403],
  ])('host %s: %i', async (host, status) => {
    expect((await post(list, { host })).status).toBe(status);
  });

  it.each([
    ['http://localhost:6274', 200],
    ['https://app.example', 200],
    ['https://app.example:8443', 200],
    ['https://evil.example', 403],
    ['https://app.example.evil', 403],
    ['null', 403],
    ['not an origin', 403],
  ])('origin %s: %i', async (origin, status) => {
    const answer = await post(list, { origin });
    expect(answer.status).toBe(status);
    const allowed = answer.headers['access-control-allow-origin'];
    expect(allowed).toBe(status === 200 ? origin : undefined);
  });

  it('are checked before the key, and the request is not counted', async () => {
    const origin = 'https://evil.example';
    expect((await post(list, { origin, authorization: '' })).status).toBe(403);
  });

  it('allows pages of known sites to call and to read the answer', async () => {
    const origin = 'https://app.example';
    const asked = 'authorization, content-type, mcp-protocol-version, mcp-param-region';
    const preflight = await service.http.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': asked,
      'access-control-allow-methods': 'GET, POST',
    });
    const refused = await post(list, { origin, authorization: '' });
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
    expect(refused.headers['access-control-expose-headers']).toContain('RateLimit');
  });
});

describe('faults of the service', () => {
  let broken: TestService | undefined;
  afterEach(() => broken?.close());

  it('in an operation are results without the cause, and free', async () => {
    broken = await startService({
      model: (real) =>
        Object.assign(Object.create(real), {
          curve() {
            throw new Error('a secret');
          },
        }),
    });
    const { headers, balance } = await broken.customer(1);
    const answer = await callTool(broken, '2026-07-28', CALL, headers);
    expect(answer.status).toBe(200);
    expect(answer.body.result.isError).toBe(true);
    expect(JSON.parse(answer.body.result.content[0].text).code).toBe('inference_error');
    expect(answer.text).not.toContain('secret');
    expect(broken.logLines.join('')).toContain('a secret');
    expect(await balance()).toBe(1);
  });

  it('in the endpoint are answered with 500 before the headers are sent', async () => {
    broken = await startService({
      mcpEndpoint: { serve: () => Promise.reject(new Error('a secret')) },
    });
    const { headers } = await broken.customer(1);
    const answer = await callMcp(broken, OLD, rpc(OLD, 'tools/list'), headers);
    expect([answer.status, answer.body.error.code]).toEqual([500, -32603]);
    expect(answer.text).not.toContain('secret');
    expect(broken.logLines.join('')).toContain('a secret');
  });

  it('end the connection after the headers, because the answer is not complete', async () => {
    const serve = async () => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent++ === 0) controller.enqueue(new TextEncoder().encode('data: {}\n\n'));
          else controller.error(new Error('a secret'));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    broken = await startService({ mcpEndpoint: { serve } });
    const { apiKey } = await broken.customer(1);
    const message = rpc(OLD, 'tools/list');
    const url = `${await broken.address()}/mcp`;
    const response = await postJson(url, apiKey, message, mcpHeaders(OLD, message));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});
