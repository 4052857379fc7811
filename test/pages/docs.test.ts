import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/core/errors.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { projectDir } from '../../src/core/project-dir.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { REFUSED_REQUESTS } from '../../src/operations/refusals.js';
import { DOCS, PAGES } from '../../src/pages/docs/index.js';
import { renderMarkdown } from '../../src/pages/docs/markdown.js';
import { operationPage } from '../../src/pages/docs/texts.js';
import { haveBrowser } from '../support/browser.js';
import { JSON_OPERATIONS } from '../support/operations.js';
import { codeOf, linksOf, unescaped } from '../support/page-text.js';
import { copiedText, MAY_COPY, shownBriefly } from '../support/screen-page.js';
import { useBrowser } from '../support/screens.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

const REFERENCE = '/docs/reference';

const service = useService();
const customer = useOpened(() => service.customer(1000));

async function html(path: string): Promise<string> {
  const answer = await service.http.inject(path);
  expect([path, answer.statusCode]).toEqual([path, 200]);
  return answer.body;
}

/** Addresses of documents that the sources of pages and screens name, also where only a browser makes the link. */
function linksOfSources(): string[] {
  const folder = join(import.meta.dirname, '../../src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return [...new Set(texts.flatMap((text) => text.match(/(?<=")\/docs\/[\w/-]+/g) ?? []))];
}

describe('the documentation for language models', () => {
  it('lists every page with a link that works', async () => {
    const { headers, body } = await service.http.inject('/llms.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toMatch(/^# Vitruvia\n\n> Predicts 148 body measurements/);
    const links = [...body.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = '']) => new URL(link));
    expect(links.map(({ pathname }) => pathname)).toEqual([
      ...PAGES.map(({ path }) => path),
      ...['/openapi.json', '/', '/llms-full.txt'],
    ]);
    // Another test requests every page.
    for (const { pathname } of links.slice(-3)) {
      expect((await service.http.inject(pathname)).statusCode).toBe(200);
    }
  });

  it('has the pages in one file', async () => {
    const { body } = await service.http.inject('/llms-full.txt');
    for (const { title } of OPERATIONS) expect(body).toContain(`# ${title}\n`);
    expect(body).toContain('idempotency_conflict');
    expect(body).toContain('PoplitealHeight');
    expect(body.length).toBeLessThan(450_000);
  });
});

describe('the pages of the documentation', () => {
  it('all exist, and each links to all others', async () => {
    expect(PAGES.length).toBeGreaterThan(14);
    for (const { path, title } of PAGES) {
      const page = await html(path);
      expect(page).toContain(`<h1>${title}</h1>`);
      const links = new Set(linksOf(page));
      for (const other of PAGES) expect([path, links.has(other.path)]).toEqual([path, true]);
      expect(page).not.toMatch(/style=|<script(?![^>]*src=)/);
    }
    expect(DOCS.flatMap(({ pages }) => pages)).toEqual(PAGES);
  });

  it('have no broken link', async () => {
    const seen = new Map<string, string>();
    const bodyOf = async (path: string) => {
      const known = seen.get(path);
      if (known !== undefined) return known;
      const answer = await service.http.inject({ url: path, headers: { accept: 'text/html' } });
      // Account pages redirect to the sign-in page.
      const forPeople = path.startsWith('/account/') && answer.statusCode === 303;
      // This service has no bodies, and its page of a person says so.
      const isNobody = path === '/explore/person' && answer.statusCode === 404;
      const fine = answer.statusCode === 200 || forPeople || isNobody;
      seen.set(path, fine ? answer.body : '');
      if (!fine) broken.push(`${path}: ${answer.statusCode}`);
      return seen.get(path) ?? '';
    };
    const broken: string[] = [];
    for (const path of ['/', ...PAGES.map((page) => page.path), ...linksOfSources()]) {
      for (const link of linksOf(await bodyOf(path))) {
        const [to = '', id] = link.split('#');
        // The screens limit requests. One request covers all links to a screen. The tests of the guides open their views.
        const [, measurement] = /^\/explore\/dimension\?measurement=(\w+)$/.exec(to) ?? [];
        if (measurement !== undefined) expect(MEASUREMENT_NAMES).toContain(measurement);
        const where =
          measurement === undefined ? to.replace(/^(\/explore.*)\?.*/, '$1') : '/explore/dimension';
        const target = await bodyOf(where === '' ? path : where);
        if (id !== undefined && !target.includes(`id="${id}"`)) broken.push(`${path}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
    expect(seen.size).toBeGreaterThan(PAGES.length + 8);
  });

  it('have an anchor for the `type` of every problem, and a section for every error code', async () => {
    const [start, errors] = [await html('/docs'), await html('/docs/errors')];
    for (const code of Object.keys(ERRORS)) {
      const answer = { type: `/docs#error-${code}` };
      expect(start).toContain(`id="${answer.type.split('#')[1]}"`);
      expect(errors).toContain(`<h2 id="error-${code}">`);
    }
    const refused = await service.post('/v1/predict', {}, customer.headers);
    expect(refused.body.type).toBe('/docs#error-validation_error');
  });

  it('show the newest entry of the changelog, and are the same with and without compression', async () => {
    const page = await html('/docs/changelog');
    const log = readFileSync(join(projectDir(), 'CHANGELOG.md'), 'utf8');
    const [, newest] = /^## (\d{4}-\d{2}-\d{2})$/m.exec(log) ?? [];
    expect(newest).toBeDefined();
    expect(page).toContain(`<h2 id="${newest}">${newest}`);
    const headers = { 'accept-encoding': 'gzip' };
    const packed = await service.http.inject({ url: '/docs/changelog', headers });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(page);
  });

  it('keep their earlier addresses', async () => {
    const moved = await service.http.inject('/docs/');
    expect([moved.statusCode, moved.headers.location]).toEqual([301, '/docs']);
    const reference = await service.http.inject(`${REFERENCE}/`);
    expect([reference.statusCode, reference.headers.location]).toEqual([301, REFERENCE]);
  });
});

describe('the search of the documentation', () => {
  const search = async (query: string) => {
    const url = `/docs/search?${new URLSearchParams({ q: query })}`;
    const { body } = await service.http.inject({ url });
    const links = [...body.matchAll(/<li><a href="(\/docs[^"]*)"/g)].map(([, href]) => href ?? '');
    return { body, links };
  };

  it('finds sections by words, beginnings of words and with a spelling mistake', async () => {
    for (const query of ['idempotency', 'idem', 'idempotence']) {
      const found = (await search(query)).links.join(' ');
      expect(found, query).toContain('/docs/billing');
      expect(found, query).not.toMatch(/operations\/\S*#errors/);
    }
    expect((await search('look up a percentile')).links.slice(0, 3).join(' ')).toContain(
      '/docs/operations/percentile-lookup',
    );
  });

  it('shows pages for operators after the others, and first where only they have the word', async () => {
    const { links } = await search('key');
    const isForOperators = (href: string) => href.startsWith('/docs/operators/');
    expect(links.some(isForOperators)).toBe(true);
    expect(links.slice(0, 3).some(isForOperators)).toBe(false);
    expect((await search('DATABASE_URL')).links.slice(0, 3).every(isForOperators)).toBe(true);
  });

  it('shows a guide first, and the changelog last', async () => {
    const { links } = await search('how to size a chair for children');
    expect(links[0]?.split('#')[0]).toBe('/docs/guides/chair-for-children');
    const isChangelog = (href: string) => href.startsWith('/docs/changelog');
    const first = links.findIndex(isChangelog);
    if (first >= 0) expect(links.slice(first).every(isChangelog)).toBe(true);
  });

  it('shows what a word of another language means in the catalog', async () => {
    expect((await search('Körpergewicht')).body).toContain('BodyMass: Mass of the nude body');
    expect((await search('Schulterbreite')).body).toContain(
      '<a href="/explore/dimension?measurement=ShoulderBreadthBideltoid">',
    );
  });

  it('says when nothing is found, and shows the words as text', async () => {
    const { body } = await search('<>');
    expect(body).toContain('Nothing was found');
    expect(body).toContain('“&lt;>”');
    for (const q of ['%ff', '\u0000', 'a'.repeat(9000), 'measurement '.repeat(12)]) {
      const url = `/docs/search?q=${q}`;
      expect((await service.http.inject({ url })).statusCode, q).toBeLessThan(500);
    }
  });
});

describe('the examples', () => {
  it.each(JSON_OPERATIONS.map(({ name, path }) => [name, path] as const))(
    '%s: the request is answered as its page says, in a shell and in TypeScript',
    async (name, path) => {
      const page = await html(operationPage(path));
      const [curl = ''] = codeOf(page, 'sh');
      const [, body = ''] = /-d '(.*)'$/s.exec(curl) ?? [];
      expect(curl).toContain(`${path} \\`);
      const answer = await service.post(path, body, customer.headers);
      expect(answer.status).toBe(200);
      const [shown = ''] = codeOf(page, 'json');
      expect(answer.body).toEqual(JSON.parse(shown));

      if (name !== 'predict') return;
      const [script = ''] = codeOf(page, 'ts');
      const runnable = script
        .replace(/https?:\/\/[^/']+/, await service.address())
        .replace('<API_KEY>', customer.apiKey);
      const run = new Function(`return (async () => { ${runnable}; return answer; })()`);
      expect(await run()).toEqual(answer.body);
    },
  );

  it('for MCP are accepted by the tools', async () => {
    for (const { path } of JSON_OPERATIONS.slice(0, 2)) {
      const page = await html(operationPage(path));
      const [shown = '', message = ''] = codeOf(page, 'json');
      const headers = {
        ...customer.headers,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      };
      const answer = await service.post('/mcp', message, headers);
      expect(answer.text).toContain('structuredContent');
      const json = /\{"(?:jsonrpc|result|id)".*\}/.exec(answer.text)?.[0] ?? '';
      expect(JSON.parse(json).result.structuredContent).toEqual(JSON.parse(shown));
    }
  });

  it('of errors are the same as the refusals of the service', async () => {
    const page = await html('/docs/errors');
    const shown = codeOf(page, 'json').map((text) => JSON.parse(text));
    // This artifact has no bodies.
    const { body_out_of_reach: _, ...others } = REFUSED_REQUESTS;
    for (const [code, refused] of Object.entries(others)) {
      const answer = await service.post(refused.operation.path, refused.body, customer.headers);
      expect(answer.body.code).toBe(code);
      const sample = shown.find((one) => one.code === code);
      expect({ ...answer.body, request_id: '' }).toEqual({ ...sample, request_id: '' });
      expect(shown).toContainEqual(refused.body);
    }
  });
});

describe('Markdown', () => {
  const places = { pageOf: () => undefined, pictureOf: () => undefined };

  it('cannot inject markup', () => {
    const evil =
      '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [a](javascript:alert(1)) ' +
      '[b](//evil.example) [c](data:text/html,x) ![d](https://evil.example/x.png "t") `<b>` ' +
      '\n\n# "<i>"\n\n```"><script>\n</code><script>\n```';
    const { html: text } = renderMarkdown(evil, places);
    expect(text).not.toMatch(/<(script|img|i|b)\b/);
    expect(text).not.toMatch(/(href|src)="(?!#)/);
    expect(text).toContain('&lt;script&gt;');
  });
});

describe.skipIf(!haveBrowser)('in a browser', () => {
  const browser = useBrowser();
  it('can be used by keyboard on a phone, and copy their examples', async () => {
    const viewport = { width: 390, height: 800 };
    const { page, faults } = await browser.blank(await service.address(), {
      viewport,
      ...MAY_COPY,
    });
    await page.goto('/docs');
    await page.getByText('Documentation: all pages').focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('navigation', { name: 'Documentation, all pages' });
    await menu.getByRole('link', { name: 'Errors' }).press('Enter');
    await page.waitForURL('**/docs/errors');
    await page.goto('/docs/operations/predict');
    const copy = () => page.getByRole('button', { name: 'Copy' }).nth(1).press('Enter');
    const copied = await copiedText(page, () => shownBriefly(page, 'Copied', copy));
    expect(copied).toContain('curl -s ');
    await page.goto('/docs#error-rate_limited');
    expect(await page.locator(':target').textContent()).toContain('429');
    expect(faults).toEqual([]);
  });
});

describe('pages for customers', () => {
  const customers = PAGES.filter(({ path }) => !/operators|changelog/.test(path));

  it('say nothing of builds, variables and files, which have pages for operators', async () => {
    expect(customers.length).toBeGreaterThan(23);
    const notes =
      /npm run|npx tsx|team: (?:begin|end)|(?:data\/raw|pipeline|src)\/|(?:Decision|decision) \d{4}|[\w-]+\.md\b|do not edit|\b(?:MCP|DATABASE|RATE|SERVICE)_[A-Z_]+/;
    for (const { path } of customers) {
      const page = unescaped(await html(path));
      const text = page.slice(page.indexOf('<article')).replace(/<[^>]*>/g, '');
      expect([path, notes.exec(text)?.[0]]).toEqual([path, undefined]);
    }
    const operators = await html('/docs/operators/configuration');
    expect(operators).toContain('RATE_LIMIT_MAX');
    expect(await html('/docs/model')).toContain('The question');
  });

  it('call this service in every example', async () => {
    const blocks = codeOf(await html('/docs/populations'), 'text');
    const curl = blocks.find((text) => text.includes('curl')) ?? '';
    expect(curl).toContain('curl -s http://localhost/v1/');
    expect(curl).toContain('Bearer <API_KEY>');
    for (const { path } of customers) {
      expect([path, (await html(path)).includes('localhost:3000')]).toEqual([path, false]);
    }
  });
});
