import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PACKS } from '../../src/core/billing-terms.js';
import { projectDir } from '../../src/core/project-dir.js';
import type { PredictionModel } from '../../src/operations/prediction-model.js';
import { homePage } from '../../src/pages/home/home-page.js';
import { useService } from '../support/use-service.js';

const ASSETS = join(projectDir(), 'dist', 'web', 'assets');

const service = useService();

describe('the assets of the pages', () => {
  it('are cached forever and sent as the build compressed them', async () => {
    const name = readdirSync(ASSETS).find((file) => /^site-.*\.css$/.test(file)) ?? '';
    const headers = { 'accept-encoding': 'gzip, br' };
    const answer = await service.http.inject({ url: `/assets/${name}`, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-encoding']).toBe('br');
    const sent = brotliDecompressSync(answer.rawPayload);
    expect(sent.equals(readFileSync(join(ASSETS, name)))).toBe(true);
  });
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('an address where browsers get a page and programs JSON', () => {
  const get = (url: string, headers: Record<string, string>) =>
    service.http.inject({ url, headers });

  it.each([
    ['curl', { accept: '*/*' }],
    ['a program', { accept: 'application/json' }],
    ['a program that says nothing', {}],
    ['a program that prefers JSON', { accept: 'text/html;q=0.5, application/json' }],
  ])('gives JSON to %s', async (_name, headers: Record<string, string>) => {
    const catalog = await get('/', headers);
    expect(catalog.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(catalog.headers.vary).toContain('accept');
    expect(catalog.json()).toHaveProperty('limits');
    for (const path of ['/nowhere', '/account/', '/explore/x', '/v1/x', '/docs/x']) {
      const missing = await get(path, headers);
      expect([path, missing.statusCode]).toEqual([path, 404]);
      expect(missing.headers['content-type']).toContain('application/problem+json');
    }
  });

  it('gives the first page with a moving picture, a question and findings to a browser', async () => {
    const { body, headers } = await get('/', { accept: BROWSER });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers.vary).toContain('accept');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    // This service has no bodies to show.
    expect(body.match(/<article/g)).toHaveLength(3);
    expect(body).toContain('men and women, US, 18–65');
    expect(body).toMatch(/<form id="question"[^>]*action="\/explore\/fit"/);
    expect(body).toContain('<option value="desk" selected>desk</option>');
    for (const link of ['/explore', '/explore/sizes', '/docs', '/account/sign-up']) {
      expect(body).toContain(`href="${link}`);
    }
  });

  it.each([
    ['eur', ['€10.00', '€0.10', '100 for €1.00']],
    ['xts', ['This server takes no money']],
    [undefined, ['packs of 100, 500, 1,000.']],
  ] as const)('says what jobs cost, where packs have a price in %s', (currency, texts) => {
    const offers = PACKS.map((credits) => ({
      credits,
      price: { amountMinor: credits, currency: currency ?? '' },
    }));
    const page = homePage(undefined, {
      ...{ signedIn: false, origin: '', stories: undefined },
      offers: currency === undefined ? [] : offers,
      model: { manifest: {} } as PredictionModel,
    });
    for (const text of ['10 predictions', '1,000 credits', ...texts]) expect(page).toContain(text);
    expect(page.includes('€')).toBe(currency === 'eur');
  });

  it('gives a page with links and status 404 to a browser', async () => {
    for (const path of ['/explore/', '/account/', '/account/keys/x/y?z=<b>', '/x', '/v1/x']) {
      const answer = await get(path, { accept: BROWSER });
      expect([path, answer.statusCode]).toEqual([path, 404]);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.body).toContain('<h1>Page not found</h1>');
      expect(answer.body).toContain('Sign in');
    }
    const cookie = 'vitruvia_session=x';
    const signedIn = await get('/x', { accept: BROWSER, cookie });
    expect(signedIn.body).not.toContain('Sign in');
    const post = await service.http.inject({ method: 'POST', url: '/x', headers: { cookie } });
    expect(post.headers['content-type']).toContain('application/problem+json');
  });
});
