import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Marked, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import {
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_HOURS,
  IDEMPOTENCY_TTL_HOURS,
  PACKS,
  RATE_LIMIT_DEFAULT,
  RATE_WINDOW_SECONDS,
} from '../../src/core/billing-terms.js';
import { COUNTRIES } from '../../src/core/countries.js';
import { ERRORS } from '../../src/core/errors.js';
import { AGE_LIMITS, BODY_BYTES_MAX, IDEMPOTENCY_KEY_CHARS_MAX } from '../../src/core/limits.js';
import { MEASUREMENTS } from '../../src/core/measurements.js';
import { projectDir } from '../../src/core/project-dir.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { PAGES } from '../../src/pages/docs/index.js';

const read = (file: string) => readFileSync(join(projectDir(), file), 'utf8');

/** README, changelog and all documents. */
const FILES = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(projectDir(), 'docs'), { recursive: true })
    .map((name) => join('docs', String(name)))
    .filter((file) => file.endsWith('.md'))
    .sort(),
];

describe('docs/api.md', () => {
  const api = read('docs/api.md');

  it('lists every error code with its status, and no other', () => {
    const rows = [...api.matchAll(/^\| (\d{3}) +\| `(\w+)` +\|/gm)];
    const listed = Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]));
    const known = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
    expect(listed).toEqual(Object.fromEntries(known));
  });

  it('lists the route of every operation', () => {
    for (const { path } of OPERATIONS) expect(api).toContain(`| \`POST ${path}\` `);
  });
});

describe('the numbers of the contract', () => {
  const { minimum, maximum } = AGE_LIMITS;
  const bodyKib = BODY_BYTES_MAX / 1024;
  const packs = new Intl.ListFormat('en-US', { type: 'disjunction' })
    .format(PACKS.map((credits) => credits.toLocaleString('en-US')))
    .replace(', or', ' or');

  it.each([
    ['README.md', `${MEASUREMENTS.length} dimensions`],
    ['README.md', `ages ${minimum} to ${maximum}`],
    ['README.md', `${COUNTRIES.length} countries`],
    ['package.json', `${MEASUREMENTS.length} body measurements`],
    ['package.json', `${COUNTRIES.length} countries, ages ${minimum} to ${maximum}`],
    ['docs/api.md', `${FREE_CALLS_PER_WINDOW} calls in any ${FREE_WINDOW_HOURS} hours`],
    ['docs/api.md', `1 to ${IDEMPOTENCY_KEY_CHARS_MAX} visible characters`],
    ['docs/api.md', `For ${IDEMPOTENCY_TTL_HOURS} hours the same request`],
    ['docs/api.md', `${RATE_LIMIT_DEFAULT} requests in any ${RATE_WINDOW_SECONDS} seconds`],
    ['docs/api.md', `over ${RATE_LIMIT_DEFAULT} requests in ${RATE_WINDOW_SECONDS} seconds`],
    ['docs/api.md', `413: over ${bodyKib} KiB`],
    ['docs/mcp.md', `free of charge for ${IDEMPOTENCY_TTL_HOURS} hours`],
    ['docs/configuration.md', `\`${RATE_LIMIT_DEFAULT}\``],
    ['docs/accounts-and-credits.md', `packs of ${packs} credits`],
  ])('%s says %s', (file, words) => {
    expect(read(file)).toContain(words);
  });
});

describe('docs/configuration.md', () => {
  it('lists every environment variable, and no other', () => {
    const asked = new Set<string>();
    readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }));
    const rows = [...read('docs/configuration.md').matchAll(/^\| (`[A-Z_`, \d]+`) +\|/gm)];
    const listed = rows.flatMap(([, names = '']) => {
      const [first = '', ...others] = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name}`);
      // In `STRIPE_PRICE_100`, `_500`, the second name begins like the first.
      const start = first.replace(/_\d+$/, '');
      return [first, ...others.map((name) => (name.startsWith('_') ? `${start}${name}` : name))];
    });
    const named = [...asked].filter((name) => !name.endsWith('_FILE'));
    expect(listed.sort()).toEqual(named.sort());
  });
});

describe('README.md and the documents', () => {
  it('name only scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = FILES.flatMap((file) => [...read(file).matchAll(/npm run ([\w:]+)/g)]);
    expect(named.length).toBeGreaterThan(0);
    for (const [, script] of named) expect(Object.keys(scripts)).toContain(script);
  });

  it('link only to files and headings that exist', () => {
    const links = FILES.flatMap((file) => linksIn(read(file)).map((link) => ({ file, link })));
    const local = links.filter(({ link }) => !/^(https?|mailto):/.test(link));
    expect(local.length).toBeGreaterThan(30);
    const broken = local.filter(({ file, link }) => {
      const [path = '', anchor] = link.split('#');
      if (path.startsWith('/docs/')) return !PAGES.some((page) => page.path === path);
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(projectDir(), target))) return true;
      return anchor !== undefined && !headingIdsIn(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('name files of the tour that exist', () => {
    const named = [...read('docs/tour.md').matchAll(/`((?:src|pipeline|test)\/[^`]+)`/g)];
    expect(named.length).toBeGreaterThan(40);
    const missing = named.filter(([, path = '']) => !existsSync(join(projectDir(), path)));
    expect(missing.map(([, path]) => path)).toEqual([]);
  });

  it('are all in the index', () => {
    const listed = linksIn(read('docs/README.md')).map((link) => join('docs', link));
    const documents = FILES.filter((file) =>
      /^docs\/(?:guides\/)?[^/]+\.md$|^CHANGELOG/.test(file),
    );
    const expected = documents.filter((file) => file !== 'docs/README.md');
    expect(listed.sort()).toEqual([...expected, 'docs/decisions/README.md'].sort());
  });
});

it('docs/operations.md is short enough to be read before an incident', () => {
  expect(read('docs/operations.md').split(/\s+/).length).toBeLessThanOrEqual(2500);
});

describe('the decision records', () => {
  const records = FILES.filter((file) => /^docs\/decisions\/\d{4}-/.test(file));

  it('are few and short, and have a number, a date and the same sections', () => {
    expect(records.length).toBeGreaterThanOrEqual(24);
    expect(records.length).toBeLessThanOrEqual(RECORDS_MAX);
    for (const file of records) {
      const text = read(file);
      const number = /(\d{4})-[\w-]+\.md$/.exec(file)?.[1];
      expect(text).toMatch(new RegExp(`^# ${number}\\. `));
      expect([file, /^Status: accepted, \d{4}-\d{2}-\d{2}\./m.test(text)]).toEqual([file, true]);
      expect(text.split(/\s+/).length, file).toBeLessThanOrEqual(RECORD_WORDS_MAX + 1);
      const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
      expect([file, ...sections.slice(0, 3)]).toEqual([file, ...SECTIONS]);
    }
  });

  it('are all in their index, with their titles', () => {
    const index = read('docs/decisions/README.md');
    for (const file of records) {
      const title = /^# \d{4}\. (.+)$/m.exec(read(file))?.[1];
      expect(index).toContain(`[${title}](${file.replace('docs/decisions/', '')})`);
    }
  });
});

/** Largest number of decision records in force, and of words in a record. More would not be read. */
const RECORDS_MAX = 35;
const RECORD_WORDS_MAX = 400;

/** First sections of every decision record. */
const SECTIONS = ['Context', 'Decision', 'Consequences'];

function linksIn(text: string): string[] {
  const links: string[] = [];
  const marked = new Marked({ walkTokens: (token: Token) => collect(token, links) });
  marked.parse(text);
  return links;
}

function collect(token: Token, links: string[]): void {
  if (token.type === 'link' || token.type === 'image') links.push(token.href);
}

/** Ids of a document's headings, as GitHub makes them. */
function headingIdsIn(text: string): string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
