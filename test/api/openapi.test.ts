import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/core/errors.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand.
let document: any;
beforeAll(async () => {
  service = await startService();
  document = (await service.http.inject('/openapi.json')).json();
});
afterAll(() => service.close());

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1 by an independent validator', async () => {
    expect(document.openapi).toMatch(/^3\.1/);
    const result = await new Validator().validate(document);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('has every route', () => {
    const paths = [...OPERATIONS.map(({ path }) => path), '/', '/health', '/ready'].sort();
    expect(Object.keys(document.paths).sort()).toEqual(paths);
  });

  it.each(OPERATIONS.map((operation) => [operation.path, operation] as const))(
    'describes POST %s from the same schemas',
    (path, operation) => {
      const { post } = document.paths[path];
      const media = post.requestBody.content['application/json'];
      const plain = JSON.parse(JSON.stringify(operation.request));
      expect(media.schema).toEqual(plain);
      expect(media.examples.example.value).toEqual(operation.example);
      expect(post.requestBody.required).toBe(true);
      expect(post.security).toEqual([{ bearer: [] }]);
      const answer = post.responses['200'];
      const names = Object.keys(answer.content['application/json'].schema.properties);
      expect(names).toEqual(Object.keys(operation.response.properties));
      expect(Object.keys(answer.headers)).toContain('RateLimit');
    },
  );

  it.each(['/', '/health'])('documents the limit per address of GET %s', (path) => {
    const limited = document.paths[path].get.responses['429'];
    expect(limited.headers['Retry-After'].schema.type).toBe('integer');
    const { schema } = limited.content['application/problem+json'];
    expect(schema.$ref).toBe('#/components/schemas/Problem');
  });

  it('documents every error code with its status', () => {
    const found = new Map<string, Set<string>>();
    for (const { path } of OPERATIONS) {
      const { responses } = document.paths[path].post;
      // biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand.
      for (const [status, response] of Object.entries<any>(responses)) {
        const content = response.content['application/problem+json'];
        for (const code of Object.keys(content?.examples ?? {})) {
          found.set(code, (found.get(code) ?? new Set()).add(status));
        }
      }
    }
    const heavy = OPERATIONS.some((operation) => operation.heavy);
    const known = Object.entries(ERRORS).filter(([code]) => heavy || code !== 'replay_expired');
    for (const [code, { status }] of known) {
      expect([...(found.get(code) ?? [])], code).toContain(String(status));
    }
    expect([...found.keys()].sort()).toEqual(known.map(([code]) => code).sort());
  });
});

describe('GET /docs/reference', () => {
  it('is a page that loads nothing from other sites', async () => {
    const page = await service.http.inject('/docs/reference');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
    expect(assets.length).toBeGreaterThan(3);
    for (const url of assets) {
      const { pathname } = new URL(url ?? '', 'http://x/docs/reference');
      expect((await service.http.inject(pathname)).statusCode, url).toBe(200);
    }
  });

  it('links to the page of every error code', () => {
    for (const code of Object.keys(ERRORS)) {
      expect(document.info.description).toContain(`(/docs#error-${code})`);
    }
  });
});
