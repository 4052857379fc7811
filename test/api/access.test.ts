import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/accounts/api-key.js';
import { SET_NAMES } from '../../src/core/country-sets.js';
import { KEYLESS_ROUTES } from '../../src/keyless/routes.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { predict } from '../../src/operations/predict.js';
import { startService } from '../support/service.js';
import { whileClockStands } from '../support/standing-clock.js';
import { useService } from '../support/use-service.js';

const PATH = '/v1/predict';
const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };

/** Its OpenAPI document has the example of one operation. */
const small = useService({ operations: [predict] });
/** It has options of its own, because the tests use up a limit. */
const service = useService({ trustProxy: false });

describe('401', () => {
  const unknownKey = generateApiKey('live', 1);
  it.each([
    ['no header', undefined],
    ['another scheme', `Basic ${unknownKey}`],
    ['no key', 'Bearer '],
    ['a comma list', `Bearer ${unknownKey}, Bearer ${unknownKey}`],
    ['a mistyped key', `Bearer ${unknownKey.slice(0, -1)}${unknownKey.endsWith('0') ? '1' : '0'}`],
    ['an unknown key', `Bearer ${unknownKey}`],
    ['a long header', `Bearer ${'a'.repeat(9000)}`],
  ])('%s', async (_name, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const body of [GOOD, '{', { ...GOOD, age: 'x' }]) {
      const answer = await service.post(PATH, body, headers);
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.headers.ratelimit).toBeUndefined();
      expect(answer.headers['x-request-id']).toMatch(/^req_/);
    }
  });

  it('accepts the scheme in upper and lower case', async () => {
    const { apiKey } = await service.customer(3);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${apiKey}` };
      expect((await service.post(PATH, GOOD, headers)).status).toBe(200);
    }
  });

  it('never logs a key', async () => {
    const { apiKey, headers } = await service.customer(1);
    await service.post(PATH, GOOD, headers);
    await service.post(PATH, '{', headers);
    expect(service.logLines.length).toBeGreaterThan(0);
    expect(service.logLines.join('')).not.toContain(apiKey.slice(0, 20));
  });
});

describe('404 without a route', () => {
  it.each([
    ['GET', '/v1'],
    ['POST', '/v1/predict/'],
    ['POST', '/V1/predict'],
    ['POST', '/v1/unknown'],
    ['OPTIONS', '/v1/unknown'],
    ['GET', '/%zz'],
    ['GET', '/../../etc/passwd'],
    ['GET', '/assets/%2e%2e/%2e%2e/package.json'],
    ['GET', '/assets/x.js'],
    ['GET', `/${'x'.repeat(5000)}`],
    ['GET', '/größe?x=1'],
  ] as const)('%s %s', async (method, url) => {
    const answer = await service.http.inject({ method, url });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'model_not_found']);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it('is checked before authentication and before the body', async () => {
    for (const body of ['{', '', 'x'.repeat(20_000)]) {
      expect((await service.post('/v1/unknown', body, {})).status).toBe(404);
      const typed = { 'content-type': 'text/csv' };
      expect((await service.post('/v1/unknown', body, typed)).status).toBe(404);
    }
  });
});

const gzip = { 'content-encoding': 'gzip' };

describe('405 for another method of a known path', () => {
  it('has the methods of the path in Allow, on every route', async () => {
    const keyless = Object.keys(KEYLESS_ROUTES).map((path) => path.replace('*', 'x'));
    const paths = [...keyless, ...OPERATIONS.map(({ path }) => path), '/mcp'];
    for (const url of paths.filter((path) => !['/webhooks/stripe', '/account/x'].includes(path))) {
      for (const method of ['DELETE', 'PUT'] as const) {
        const answer = await service.http.inject({ method, url, payload: '{', headers: gzip });
        const { statusCode, headers } = answer;
        expect([url, statusCode, answer.json().code]).toEqual([url, 405, 'method_not_allowed']);
        const options = await service.http.inject({ method: 'OPTIONS', url });
        expect([url, options.statusCode]).toEqual([url, 204]);
        expect(headers.allow).toMatch(
          /^(GET, HEAD, OPTIONS|OPTIONS, POST|GET, HEAD, OPTIONS, POST)$/,
        );
      }
    }
  });

  it.each([
    ['GET', '/v1/predict?x=1', 'OPTIONS, POST', '/v1/predict does not take GET; send POST.'],
    ['POST', '/', 'GET, HEAD, OPTIONS', '/ does not take POST; send GET.'],
    ['HEAD', '/mcp', 'OPTIONS, POST', undefined],
    ['GET', '/account/populations/remove', 'OPTIONS, POST', undefined],
  ] as const)('%s %s', async (method, url, allow, detail) => {
    const answer = await service.http.inject({ method, url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
    if (detail !== undefined) expect(answer.json().detail).toBe(detail);
  });

  it('is a page for a browser', async () => {
    const headers = { accept: 'text/html' };
    const answer = await service.http.inject({ url: '/v1/predict', headers });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'OPTIONS, POST']);
    expect(answer.body).toContain('does not take GET');
    expect(answer.headers['content-security-policy']).toContain('style-src');
  });
});

describe('415 for an encoded body', () => {
  it.each([PATH, '/mcp', '/account/sign-in'])('%s', async (url) => {
    const headers = { 'content-encoding': 'identity, GZIP', 'content-type': 'application/json' };
    const answer = await service.http.inject({ method: 'POST', url, headers, payload: 'x' });
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type']);
    expect(answer.json().detail).toContain('Content-Encoding GZIP');
  });

  it('is not counted, and a body without a coding is read', async () => {
    const { headers, balance } = await service.customer(3);
    const refused = await service.post(PATH, GOOD, { ...headers, ...gzip });
    expect([refused.status, refused.headers.ratelimit]).toEqual([415, undefined]);
    const plain = await service.post(PATH, GOOD, { ...headers, 'content-encoding': 'identity' });
    expect(plain.headers.ratelimit).toContain('r=99999;');
    expect(await balance()).toBe(2);
  });
});

describe('pages of other sites', () => {
  const origin = 'https://app.example';
  const allowed = 'access-control-allow-origin';

  it('of an allowed origin may ask before they send a key', async () => {
    const asked = { origin, 'access-control-request-headers': 'authorization,content-type' };
    const answer = await service.http.inject({ method: 'OPTIONS', url: PATH, headers: asked });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      [allowed]: origin,
      'access-control-allow-methods': 'OPTIONS, POST',
      'access-control-allow-headers': 'authorization,content-type',
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('may read answers, refusals and the catalog', async () => {
    const { headers } = await service.customer(1);
    const answers = [
      await service.post(PATH, GOOD, { ...headers, origin }),
      await service.post(PATH, GOOD, { origin }),
      await service.http.inject({ url: '/', headers: { origin } }),
      await small.http.inject({ url: '/openapi.json', headers: { origin } }),
    ];
    for (const { headers: sent } of answers) {
      expect([sent[allowed], sent.vary]).toEqual([origin, expect.stringContaining('origin')]);
      expect(sent['access-control-expose-headers']).toContain('Idempotent-Replayed');
    }
  });

  it.each([
    [PATH, 'https://evil.example'],
    [PATH, 'http://app.example'],
    ['/account/sign-in', origin],
    ['/docs', origin],
  ])('%s: not for %s', async (url, from) => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const answer = await service.http.inject({ method, url, headers: { origin: from } });
      expect(answer.headers[allowed]).toBeUndefined();
    }
  });
});

it('a client that has the catalog or a document gets 304', async () => {
  for (const url of ['/', '/openapi.json', '/llms.txt', '/docs/errors']) {
    const first = await small.http.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    const { etag = '' } = first.headers;
    const headers = { 'if-none-match': `"other", ${etag}` };
    const again = await small.http.inject({ url, headers });
    expect([url, again.statusCode, again.body, again.headers.etag]).toEqual([url, 304, '', etag]);
    const changed = { 'if-none-match': '"other"' };
    expect((await small.http.inject({ url, headers: changed })).statusCode).toBe(200);
  }
  const missing = { accept: 'text/html', 'if-none-match': '*' };
  expect((await small.http.inject({ url: '/nowhere', headers: missing })).statusCode).toBe(404);
});

describe('the meta routes', () => {
  it('GET /health', async () => {
    const answer = await service.http.inject('/health');
    expect(answer.json()).toEqual({ ok: true, service: 'Vitruvia', env: 'preview' });
  });

  it('GET /ready tells that the gate is closed', async () => {
    const own = await startService();
    await own.gate.close();
    const closed = await own.http.inject('/ready');
    expect([closed.statusCode, closed.json()]).toEqual([503, { ok: false }]);
    await own.close();
  });

  it('GET / returns the catalog', async () => {
    const answer = await service.http.inject('/');
    const catalog = answer.json();
    expect(catalog.version).toBe('0.1.0');
    expect(catalog.enums.measurements).toHaveLength(148);
    expect(catalog.enums.countries).toHaveLength(176);
    const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
    expect(ids(catalog.profiles.clothing)).toEqual(catalog.enums.clothing);
    expect(ids(catalog.profiles.postures)).toEqual(catalog.enums.postures);
    expect(catalog.profiles.postures[2].definition).toContain('slumped');
    expect(catalog.countries.map(({ code }: { code: string }) => code)).toEqual(
      catalog.enums.countries,
    );
    expect(catalog.countries).toContainEqual({ code: 'NL', name: 'Netherlands' });
    expect(Object.keys(catalog.countrySets)).toEqual(SET_NAMES);
    expect(catalog.countrySets.EU27).toHaveLength(27);
    expect(catalog.measurements).toHaveLength(148);
    expect(catalog.endpoints).toHaveLength(21);
    expect(catalog.mcp.tools).toHaveLength(18);
    // The fields `artifactVersion` and `artifact` are part of the contract. No other text names artifacts.
    const text = answer.body.replaceAll(/artifactVersion|"artifact"/g, '');
    expect(text).not.toMatch(/ansur|nhanes|survey|accuracy|confidence|artifact/i);
  });

  it('have a generous limit per address, not per key, except /ready', () =>
    whileClockStands(async () => {
      const remoteAddress = '192.0.2.7';
      for (const url of ['/health', '/nowhere']) {
        for (let i = 0; i < 600; i++) await service.http.inject({ url, remoteAddress });
        const last = await service.http.inject({ url, remoteAddress });
        expect([last.statusCode, last.json().code]).toEqual([429, 'rate_limited']);
        expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
      }
      // Load balancers call /ready.
      const ready = await service.http.inject({ url: '/ready', remoteAddress });
      expect([ready.statusCode, ready.json()]).toEqual([200, { ok: true }]);
      const other = await service.http.inject({ url: '/health', remoteAddress: '192.0.2.8' });
      expect(other.statusCode).toBe(200);
      const { headers } = await service.customer(1);
      expect((await service.post(PATH, GOOD, headers)).status).toBe(200);
    }));
});

describe('on a real socket', () => {
  const converse = async (words: string): Promise<string> => {
    const socket = connect(Number(new URL(await service.address()).port), '127.0.0.1');
    socket.write(words);
    return text(socket);
  };

  // The path is sent over a socket, because `inject` and `fetch` remove its dots.
  it.each(['../../package.json', '%2e%2e/%2e%2e/package.json', '%00', '..%5cx'])(
    'has no route /assets/%s',
    async (path) => {
      const head = `GET /assets/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const answer = await converse(head);
      expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
      expect(answer).toContain('"code":"model_not_found"');
    },
  );

  it('answers anything but HTTP with a problem', async () => {
    const answer = await converse('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"code":"validation_error"');
  });
});
