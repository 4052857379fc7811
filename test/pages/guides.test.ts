import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { OPERATIONS } from '../../src/operations/index.js';
import {
  GUIDES,
  GUIDES_PATH,
  guideFile,
  liveBlocks,
  shownRows,
} from '../../src/pages/docs/guides.js';
import { DOCS } from '../../src/pages/docs/index.js';
import { SCREENS } from '../../src/screens/index.js';
import { percent } from '../../src/site/labels.js';
import { GUIDES_INDEX_PATH, SCREEN_PATHS, type ScreenId } from '../../src/site/paths.js';
import { codeOf, linksOf, unescaped } from '../support/page-text.js';
import { realArtifacts } from '../support/servers.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

/** Longest time until the list has an answer, ms. */
const LIST_MS = 120_000;
const WORDS_MAX = 250;
// biome-ignore lint/suspicious/noExplicitAny: each screen has data of its own.
type Data = any;

/** The share that the picture of a screen shows. Pictures of Body show none. */
const SHOWN_SHARE: { readonly [Screen in ScreenId]?: (data: Data) => number } = {
  fit: ({ overall }) => overall.share,
  reach: ({ answer }) => answer.share,
  sizes: ({ chart }) => chart.shareServed,
};

/** The guide whose view is opened. */
const VIEWED = 'desk';

const service = useService(async () => ({ artifacts: await realArtifacts() }));
const customer = useOpened(() => service.customer(1000));

const fileOf = (name: string) => readFileSync(join(projectDir(), guideFile(name)), 'utf8');
const pageOf = async (name: string) => {
  const { statusCode, body } = await service.get(GUIDES_PATH + name);
  expect(statusCode).toBe(200);
  return body;
};

/** The rows of the table with this header on a page, as text. */
function rowsUnder(header: readonly string[], page: string): string[][] {
  const tables = [...page.matchAll(/<table.*?<\/table>/gs)].map(([table]) =>
    [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => unescaped(cell)),
    ),
  );
  const [, ...rows] =
    tables.find(([first]) => JSON.stringify(first) === JSON.stringify(header)) ?? [];
  return rows;
}

/** The value to which a cell such as `/ranges/0/min mm` points. */
function valueAt(cell: string, answer: unknown): unknown {
  const keys = (cell.split(' ')[0] ?? '').split('/').slice(1);
  return keys.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], answer);
}

/** Checks that a page shows a value of the API, as exactly as its last digit says. */
function expectShown(shown: string, value: unknown, format = ''): void {
  if (format === '') {
    expect(shown).toBe(value);
    return;
  }
  const pattern = { mm: /^([\d,]+(?:\.\d)?) mm$/, '%': /^(\d+\.\d)\s%$/, P: /^P([\d.]+)$/ }[format];
  const [, number = ''] = pattern?.exec(shown) ?? [];
  const digits = number.split('.')[1]?.length ?? 0;
  const exact = (value as number) * (format === '%' ? 100 : 1);
  expect(Math.abs(Number(number.replaceAll(',', '')) - exact), shown).toBeLessThanOrEqual(
    0.5001 * 10 ** -digits,
  );
}

it('a row for each element of a list has its own texts and numbers', () => {
  const rows = [['each /list', 'one | two', 'both', '/mm mm'], ['last']];
  const first = ['one', 'both', '/list/0/mm mm'];
  expect(shownRows(rows, { list: [{ mm: 1 }, { mm: 2 }] })).toEqual([
    ...[first, ['two', 'both', '/list/1/mm mm']],
    ['last'],
  ]);
});

describe('the guides for designers', () => {
  it('are eleven, and come first in the navigation', async () => {
    const guides = Object.keys(GUIDES).map((name) => GUIDES_PATH + name);
    expect(guides).toHaveLength(11);
    const paths = [GUIDES_INDEX_PATH, ...guides];
    expect(DOCS[0]?.pages.map(({ path }) => path)).toEqual(paths);
    const links = [...new Set(linksOf((await service.get('/docs')).body))];
    const pages = new Set(DOCS.flatMap((group) => group.pages.map(({ path }) => path)));
    const first = links
      .filter((link) => pages.has(link) && link !== '/docs')
      .slice(0, paths.length);
    expect(first).toEqual(paths);
    expect(linksOf((await service.get(GUIDES_INDEX_PATH)).body)).toEqual(
      expect.arrayContaining(guides),
    );
  });

  describe.each(Object.keys(GUIDES))('%s', (name) => {
    const file = fileOf(name);
    const { answers, screens } = liveBlocks(file);

    it('begins with its title and a question, and is short', () => {
      expect(/^# (.*)\n/.exec(file)?.[1]).toBe(GUIDES[name]?.[0]);
      const prose = file.replaceAll(/^```.*?^```$/gms, '');
      expect(prose.split('\n\n')[1]).toContain('?');
      expect(prose.split(/\s+/).length).toBeLessThanOrEqual(WORDS_MAX);
      expect([answers.length, screens.length]).toEqual([1, 1]);
    });

    it('shows the numbers that the API returns for the call on the page', async () => {
      const page = await pageOf(name);
      const [
        { operation: asked, input, headline, show: [header, ...asRows] = [] } = {
          input: {},
          headline: '',
        },
      ] = answers;
      const [curl = ''] = codeOf(page, 'sh');
      const body = JSON.parse(/-d '(.*)'$/s.exec(curl)?.[1] ?? '');
      expect(body).toEqual(input);
      const { path = '' } = OPERATIONS.find((one) => one.name === asked) ?? {};
      expect(curl).toContain(`${path} \\`);
      const { status, body: answer } = await service.post(path, body, customer.headers);
      expect(status).toBe(200);
      const rows = shownRows(asRows, answer);
      const shown = rowsUnder(header ?? [], page);
      expect(shown.map(({ length }) => length)).toEqual(rows.map(({ length }) => length));
      let numbers = 0;
      for (const [r, row] of rows.entries()) {
        for (const [c, cell] of row.entries()) {
          const text = shown[r]?.[c] ?? '';
          if (!cell.startsWith('/')) expect(text).toBe(cell);
          else {
            expectShown(text, valueAt(cell, answer), cell.split(' ')[1]);
            numbers += 1;
          }
        }
      }
      expect(numbers).toBeGreaterThan(4);
      const [, heading = ''] = /<h2 id="answer">(.*?) <a/.exec(page) ?? [];
      // The list does not wait for answers that it lacks.
      await expect
        .poll(async () => (await service.get(GUIDES_INDEX_PATH)).body, { timeout: LIST_MS })
        .toContain(heading.slice(1));
      // The title of the page says the topic, so the heading begins after it with a capital letter.
      const finding = headline.replace(/^.*?: /, '');
      const shape = new RegExp(`^${finding.replaceAll(/\{.*?\}/g, '(.*)')}$`, 'i');
      const [, ...told] = shape.exec(unescaped(heading).replaceAll('\u00a0', ' ')) ?? [];
      const cells = [...headline.matchAll(/\{(.*?)\}/g)].map(([, cell = '']) => cell);
      expect(told).toHaveLength(cells.length);
      for (const [c, cell] of cells.entries()) {
        expectShown(told[c] ?? '', valueAt(cell, answer), cell.split(' ')[1]);
      }
    });

    it('opens a screen without notices', async () => {
      const page = await pageOf(name);
      const [{ screen, query, picture } = { screen: 'fit' as const, query: '', picture: '' }] =
        screens;
      const address = SCREENS.find((one) => one.address.path === SCREEN_PATHS[screen])?.address;
      const notices: string[] = [];
      const view = address?.read(query, (notice) => notices.push(notice));
      expect(notices).toEqual([]);
      // A parameter that the screen does not know would be lost.
      expect(decodeURIComponent(address?.query(view) ?? '')).toBe(query);
      const links = linksOf(page).map(unescaped);
      const link = `${SCREEN_PATHS[screen]}?${query}`;
      expect(links).toContain(link);
      const source = links.find((one) => one.includes('/scene.svg?')) ?? '';
      expect(page).toContain(`alt="${picture}"`);
      expect(page).toMatch(/<img src="[^"]*scene.svg[^>]* width="960" height="480"/);
      const read = SHOWN_SHARE[screen];
      if (read !== undefined) {
        const shown = percent(read((await service.get(link.replace('?', '/data?'))).json()));
        const cells = rowsUnder(answers[0]?.show[0] ?? [], page).flat();
        expect(cells, `the share of the picture, ${shown}`).toContain(shown);
      }
      if (name !== VIEWED) return;
      const opened = await service.get(link);
      expect(opened.statusCode).toBe(200);
      expect(opened.body).not.toContain('address-notices');
      const image = await service.get(source);
      expect(image.headers['content-type']).toBe('image/svg+xml');
      // Two people, and the soles of their shoes.
      expect(image.body.match(/data:image\/webp/g)).toHaveLength(4);
      expect(image.body).toContain('@media (prefers-color-scheme:dark)');
      expect(image.body).not.toMatch(/Source:|\/pictures\//);
    });
  });
});
