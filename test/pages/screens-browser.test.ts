import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  accessibilityFaults,
  excessWidthPx,
  haveBrowser,
  takePicture,
} from '../support/browser.js';
import { changeLook, type Look } from '../support/screen-page.js';
import { DESKTOP, PHONE, type Screens, useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import { isWholeRun } from '../support/whole-run.js';
import {
  loadFew,
  openDamaged,
  PHONE_SCREENS,
  readPlain,
  refuseAndRecover,
  SCREEN_IDS,
  SIX,
  useOnPhone,
  visitOnPhone,
} from './screen-stories.js';

const WIDE: Look = { viewport: DESKTOP, colorScheme: 'light' };
const WIDE_DARK: Look = { viewport: DESKTOP, colorScheme: 'dark' };
const NARROW: Look = { viewport: PHONE, colorScheme: 'light' };
const NARROW_DARK: Look = { viewport: PHONE, colorScheme: 'dark' };
/** The narrowest screen that the pages promise to fit. */
const NARROWEST_DARK: Look = {
  viewport: { width: 320, height: 700 },
  colorScheme: 'dark',
};

const COMPARED =
  '/explore/dimension?measurement=SittingHeight&gender=Male&age=40&country=NL,JP,GT&percentile=95';

/** A page, and what it shows when it can be used. */
interface ShownPage {
  readonly path: string;
  /** A CSS selector. Without one, it is enough that the page is loaded. */
  readonly ready?: string;
  /** Opens what is closed at first. */
  readonly open?: (page: Page) => Promise<void>;
}

const EXACT = '.readout-value[data-exact=true]';

/** Opens the controls on a phone, where they slide in from below. */
async function openControls(page: Page): Promise<void> {
  const button = page.locator('.bottom-sheet > summary');
  if (await button.isVisible()) await button.click();
}

const REFERENCE: ShownPage = {
  path: '/docs/reference',
  open: (page) =>
    page.evaluate(() => {
      for (const part of document.querySelectorAll('.api-part')) part.setAttribute('open', '');
    }),
};
const BODY: ShownPage = {
  path: `/explore?${SIX}&posture=sitting&region=leg`,
  ready: '.body-table',
  open: openControls,
};
/** The Dimension screen with an open list of options. */
const OPTIONS: ShownPage = {
  path: COMPARED,
  ready: EXACT,
  open: async (page) => {
    await openControls(page);
    await page.getByRole('combobox').first().click();
    await page.getByRole('option').first().waitFor();
  },
};
const AGES: ShownPage = { path: COMPARED.replace('?', '?view=ages&'), ready: EXACT };
const SHEET: ShownPage = {
  path: '/explore/sheet?p=Female~DE~18-65',
  ready: '.sheet-table',
};
const SIZES: ShownPage = {
  path: '/explore/sizes?p=Female~US,IN~20-50',
  ready: '.sizes-table',
  open: openControls,
};
const REACH: ShownPage = {
  path: '/explore/reach?p=Both~DE~18-70',
  ready: '.reach-handle',
  open: async (page) => {
    await openControls(page);
    for (const entry of await page.locator('.reach-entry summary').all()) await entry.click();
  },
};
const WORLD: ShownPage = {
  path: '/explore/world?measurement=HandLength&gender=Male&age=40&percentile=95',
  ready: '.world-ranking',
  open: openControls,
};
/** The Fit screen with one product. */
function fitPage(product: string): ShownPage {
  return {
    path: `/explore/fit?product=${product}&unit=cm`,
    ready: '.fit-share',
    open: async (page) => {
      await openControls(page);
      await page.getByText('Rules and clearances').click();
    },
  };
}

/** Every run tries the pages with invented people. They have no bodies. `npm run test:all` tries the real model. */
const options = isWholeRun ? { artifacts: realArtifacts } : {};

/** Registers tests for `npm run test:all`. */
const inWholeRun = (name: string, define: () => void) => {
  if (isWholeRun) describe.skipIf(!haveBrowser)(name, define);
};

describe.skipIf(!haveBrowser)('the pages in a browser', () => {
  const screens = useScreens(options);

  it.each(isWholeRun ? SCREEN_IDS : (['fit', 'dimension'] as const))(
    '%s: a damaged link loads at most 120 kB, and says what it cannot show',
    (screen) => openDamaged(screens, screen),
  );

  // The other screens share the code of Dimension. Sheet loads pages instead of data.
  it.each(isWholeRun ? SCREEN_IDS : (['dimension', 'sheet'] as const))(
    '%s: a refusal amid work says so, and the screen goes on by itself',
    (screen) => refuseAndRecover(screens, screen),
  );

  it.each<[ShownPage, Look]>([
    [{ path: '/' }, WIDE],
    [{ path: '/nowhere' }, NARROWEST_DARK],
    [{ path: '/docs/operations/predict' }, NARROW],
    [BODY, NARROWEST_DARK],
    [OPTIONS, WIDE],
    [fitPage('desk'), WIDE_DARK],
    [SHEET, NARROW],
    [SIZES, WIDE],
    [REACH, NARROWEST_DARK],
    [WORLD, NARROWEST_DARK],
    [AGES, WIDE_DARK],
    [REFERENCE, NARROW_DARK],
    [{ path: '/docs/search?q=idempotency+key' }, NARROWEST_DARK],
  ])('has no serious accessibility fault: $path', async (page, look) => {
    await checkLook(screens, page, look);
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
    await page.locator('summary', { hasText: 'Rules and units' }).tap();
    await page.getByRole('button', { name: 'Women US 18–65, edit' }).tap();
    await page.getByRole('form', { name: 'Edit the population' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('form', { name: 'Edit the population' }).waitFor({ state: 'hidden' });
    expect(await page.locator('.bottom-sheet[open]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.locator('.bottom-sheet:not([open])').waitFor();
  });
});

/** Shows a page in a look. It must never be too wide or have serious accessibility faults. */
async function checkLook(
  screens: Screens,
  { path, ready, open }: ShownPage,
  look: Look,
): Promise<void> {
  const { page, faults } = await screens.blank();
  await changeLook(page, look);
  await page.goto(path);
  if (ready !== undefined) await page.locator(ready).first().waitFor();
  await open?.(page);
  // A chart is drawn again for another width.
  await expect.poll(() => excessWidthPx(page)).toBeLessThanOrEqual(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await page.evaluate(overlaps)).toEqual([]);
  await takePicture(page, `${path.replace(/\W+/g, '-')}-${look.colorScheme}`);
  // A page that does not exist says so.
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
}

/**
 * Finds texts that lie on fields or stick out of table cells, and fields that are too narrow. This function runs in the
 * page, so it must not use anything from outside.
 */
function overlaps(): string[] {
  const shown = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((one) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
    );
  const boxOf = (one: Element) => one.getBoundingClientRect();
  const panelOf = (one: Element) => one.closest('.panel, .bottom-sheet, main');
  const name = (one: HTMLElement) => `${one.tagName} ${one.className} ${one.textContent}`;
  const fields = shown('main :is(input, select, textarea):not([type=radio], [type=checkbox])');
  const texts = shown('main :is(label, legend, p, h1, h2, h3)');
  const sunken = texts.filter((text) => {
    const { left, right, top, bottom } = boxOf(text);
    return fields.some((field) => {
      // Controls that scroll separately, or slide in on a phone, cover the page on purpose.
      if (text.contains(field) || panelOf(text) !== panelOf(field)) return false;
      const box = boxOf(field);
      const across = Math.min(right, box.right) - Math.max(left, box.left);
      const down = Math.min(bottom, box.bottom) - Math.max(top, box.top);
      return across > 2 && down > 2;
    });
  });
  const narrow = fields.filter((field) => boxOf(field).width < 44);
  const cut = shown('main td').filter((cell) => cell.scrollWidth > cell.clientWidth + 1);
  return [...sunken, ...narrow, ...cut].map(name);
}
