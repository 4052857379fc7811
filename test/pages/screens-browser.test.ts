import { describe, expect, inject, it } from 'vitest';
import { PAGES } from '../../src/pages/docs/index.js';
import { PRODUCTS } from '../../src/pages/screens/fit/products.js';
import { excessWidthPx, haveBrowser } from '../support/browser.js';
import type { Look } from '../support/screen-page.js';
import { DESKTOP, useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import {
  AGES,
  BODY,
  BOX,
  CONNECTED,
  checkLooks,
  DIMENSION,
  fitPage,
  GROWTH,
  LOOKS,
  NARROW,
  NARROW_DARK,
  NARROWEST_DARK,
  OPTIONS,
  PERSON,
  REFERENCE,
  SHEET,
  type ShownPage,
  SIZES,
  WIDE,
  WIDE_DARK,
} from './looks.js';
import {
  loadFew,
  openDamaged,
  PHONE_SCREENS,
  readPlain,
  refuseAndRecover,
  SCREEN_IDS,
  useOnPhone,
  visitOnPhone,
} from './screen-stories.js';

const search = (query: string): ShownPage => ({
  path: `/docs/search?${new URLSearchParams({ q: query })}`,
});

const runsAll = inject('runsAll');
/** Every run tries the pages with invented people. They have no bodies. `npm run test:all` tries the real model. */
const options = runsAll ? { artifacts: realArtifacts } : {};

/** Registers tests for `npm run test:all`. */
const inWholeRun = (name: string, define: () => void) => {
  if (runsAll) describe.skipIf(!haveBrowser)(name, define);
};

describe.skipIf(!haveBrowser)('the pages in a browser', () => {
  const screens = useScreens(options);

  it.each(SCREEN_IDS.filter((screen) => runsAll || screen !== 'person'))(
    '%s: a damaged link loads at most 120 kB, and says what it cannot show',
    (screen) => openDamaged(screens, screen),
  );

  // The other screens share the code of Dimension. Sheet loads pages instead of data.
  it.each(runsAll ? SCREEN_IDS : (['dimension', 'sheet'] as const))(
    '%s: a refusal amid work says so, and the screen goes on by itself',
    (screen) => refuseAndRecover(screens, screen),
  );

  it.each<[ShownPage, Look]>([
    [{ path: '/' }, WIDE],
    [{ path: '/nowhere' }, NARROWEST_DARK],
    [{ path: '/docs/operations/predict' }, NARROW],
    [{ path: '/docs/errors' }, WIDE_DARK],
    [search('idempotency key'), NARROWEST_DARK],
    [REFERENCE, WIDE],
    [BODY, NARROWEST_DARK],
    [OPTIONS, WIDE],
    [fitPage('desk'), WIDE_DARK],
    [SHEET, NARROW],
    [SIZES, WIDE],
  ])('has no serious accessibility fault: $path', async (page, look) => {
    await checkLooks(screens, page, [look]);
  });

  it('fits 320 px', async () => {
    const { page, faults } = await screens.blank({ viewport: { width: 320, height: 700 } });
    for (const { path } of [{ path: '/' }, { path: '/docs' }, REFERENCE, OPTIONS, fitPage('bed')]) {
      await page.goto(path);
      await expect.poll(() => excessWidthPx(page), { message: path }).toBe(0);
    }
    expect(faults).toEqual([]);
  });
});

inWholeRun('every screen, with the real model', () => {
  const screens = useScreens(options);

  it.each([
    ['/', '#question'],
    ['/docs', 'h1'],
    ['/docs/reference', 'h1'],
    ['/account/sign-in', 'form'],
    ['/account/sign-up', 'form'],
  ])('%s loads at most 120 kB', async (path, ready) => {
    expect((await loadFew(screens, path, ready)).url()).toContain(path);
  });

  it.each(PHONE_SCREENS)(
    '$path: on a phone the answer is first, and the controls come from below',
    (one) => useOnPhone(screens, one),
  );

  it.each(PHONE_SCREENS)('$path: without JavaScript the controls follow the results', (one) =>
    readPlain(screens, one),
  );

  it.each([
    ['/explore', 320],
    ['/explore?unit=ft-in', 360],
    ['/explore/fit', 320],
    ['/explore/fit?product=bed&unit=ft-in', 360],
    ['/explore/sizes', 360],
    ['/explore/person', 320],
  ])('%s: all numbers of the tables are in view at %i pixels', async (path, width) => {
    const { page } = await visitOnPhone(screens, path, width);
    const table = page.locator('main .table-scroll');
    await table.last().waitFor();
    const hidden = await table.evaluateAll((all) =>
      all.map((one) => one.scrollWidth - one.clientWidth),
    );
    expect(Math.max(...hidden)).toBeLessThanOrEqual(1);
    const cut = await table
      .locator('td')
      .evaluateAll((cells) => cells.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
    expect(cut).toBe(0);
  });

  it('keeps numbers apart in the table of Body', async () => {
    const { page } = await visitOnPhone(
      screens,
      '/explore?p=Female~DE~18-65&m=Stature,EyeHeight',
      360,
    );
    const rows = page.locator('.dimensions tr:has(td)');
    await rows.first().waitFor();
    // In the page: the gaps between the texts of neighbouring cells.
    const gapsPx = await page.evaluate<number[]>(`
      [...document.querySelectorAll('.dimensions tr:has(td)')].flatMap((row) => {
        const boxes = [...row.querySelectorAll('td')].map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect();
        });
        return boxes.slice(1).map(({ left }, i) => left - boxes[i].right);
      })`);
    expect(gapsPx.length).toBeGreaterThan(10);
    expect(Math.min(...gapsPx)).toBeGreaterThan(4);
  });

  it('closes an open editor first, and then the controls', async () => {
    const { page } = await visitOnPhone(screens, '/explore/fit?product=bed&width=2200', 360);
    await page.locator('summary', { hasText: 'Sizes' }).tap();
    await page.getByRole('button', { name: 'Women US 18–65, edit' }).tap();
    await page.getByRole('form', { name: 'Edit the population' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('form', { name: 'Edit the population' }).waitFor({ state: 'hidden' });
    expect(await page.locator('.bottom-sheet[open]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.locator('.bottom-sheet:not([open])').waitFor();
  });
});

inWholeRun('every page in every look', () => {
  const screens = useScreens(options);

  it.each<ShownPage>([
    { path: '/' },
    { path: '/nowhere' },
    BODY,
    SHEET,
    DIMENSION,
    AGES,
    CONNECTED,
    GROWTH,
    OPTIONS,
    SIZES,
    PERSON,
    fitPage('desk'),
  ])('has no serious accessibility fault: $path', async (page) => {
    await checkLooks(screens, page, LOOKS);
  });

  it.each(PRODUCTS)('Fit has no serious accessibility fault: $id', async ({ id }) => {
    await checkLooks(screens, fitPage(id), [WIDE, WIDE_DARK]);
  });

  it('Fit has no serious accessibility fault: a box of limits', async () => {
    await checkLooks(screens, BOX, [WIDE_DARK]);
  });

  it.each(PAGES)('the documentation has no serious accessibility fault: $path', async (page) => {
    await checkLooks(screens, page, [WIDE, NARROW]);
  });

  it.each(['', 'idempotency key', 'BodyMeasurementWithoutAnySpaces'.repeat(6)])(
    'the search has no serious accessibility fault: %s',
    async (query) => {
      await checkLooks(screens, search(query), [WIDE, NARROWEST_DARK]);
    },
  );

  it('the reference has no serious accessibility fault, with every part open', async () => {
    await checkLooks(screens, REFERENCE, [NARROW_DARK, WIDE_DARK]);
  });

  it('the reference fits at a zoom of 200 %', async () => {
    // At this zoom, a window of 1,400 px has half the width.
    const { width, height } = DESKTOP;
    const viewport = { width: width / 2, height: height / 2 };
    const { page, faults } = await screens.blank({ viewport, deviceScaleFactor: 2 });
    await page.goto(REFERENCE.path);
    await REFERENCE.open?.(page);
    expect(await excessWidthPx(page)).toBe(0);
    expect(faults).toEqual([]);
  });
});
