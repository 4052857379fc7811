import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  accessibilityFaults,
  excessWidthPx,
  haveBrowser,
  takePicture,
} from '../support/browser.js';
import { changeLook, type Look } from '../support/screen-page.js';
import { DESKTOP, type Screens, useScreens } from '../support/screens.js';
import { openDamaged, refuseAndRecover } from './screen-stories.js';

const WIDE: Look = { viewport: DESKTOP, colorScheme: 'light' };
const WIDE_DARK: Look = { viewport: DESKTOP, colorScheme: 'dark' };
/** The narrowest screen that the pages promise to fit. */
const NARROWEST_DARK: Look = {
  viewport: { width: 320, height: 700 },
  colorScheme: 'dark',
};

/** A page, and what it shows when it can be used. */
interface ShownPage {
  readonly path: string;
  /** A CSS selector. Without one, it is enough that the page is loaded. */
  readonly ready?: string;
  /** Opens what is closed at first. */
  readonly open?: (page: Page) => Promise<void>;
}

/** Opens the controls on a phone, where they slide in from below. */
async function openControls(page: Page): Promise<void> {
  const button = page.locator('.bottom-sheet > summary');
  if (await button.isVisible()) await button.click();
}

const OPERATION: ShownPage = { path: '/docs/operations/predict' };
/** The largest number of populations that a screen shows. */
const SIX = ['Female~DE', 'Male~DE', 'Female~JP', 'Male~JP', 'Both~US', 'Male~NL']
  .map((who) => `p=${who}~18-65`)
  .join('&');
const BODY: ShownPage = {
  path: `/explore?${SIX}&posture=sitting&region=leg`,
  ready: '.body-table',
  open: openControls,
};
/** The Dimension screen with an open list of options. */
const OPTIONS: ShownPage = {
  path: '/explore/dimension?measurement=SittingHeight&age=40&country=NL,JP,GT&percentile=95',
  ready: '.readout-value[data-exact=true]',
  open: async (page) => {
    await openControls(page);
    await page.getByRole('combobox').first().click();
    await page.getByRole('option').first().waitFor();
  },
};
const REACH: ShownPage = {
  path: '/explore/reach?p=Both~DE~18-70',
  ready: '.reach-handle',
  open: async (page) => {
    await openControls(page);
    await page.locator('.reach-entry').first().waitFor();
    for (const entry of await page.locator('.reach-entry summary').all()) await entry.click();
  },
};
const COUNTRIES: ShownPage = {
  path: '/explore/dimension?view=countries&measurement=HandLength&gender=Male&age=40&percentile=95',
  ready: '.countries-ranking',
  open: openControls,
};
const FIT: ShownPage = {
  path: '/explore/fit?product=desk&unit=cm',
  ready: '.fit-share',
  open: (page) => page.getByText('Rules and clearances').click(),
};

describe.skipIf(!haveBrowser)('the pages in a browser', () => {
  const screens = useScreens();

  it('a damaged link loads at most 120 kB, and says what it cannot show', () =>
    openDamaged(screens));

  // The other screens share the code of Dimension.
  it('a refusal amid work says so, and the screen goes on by itself', () =>
    refuseAndRecover(screens));

  // The tasks of designers look at the other screens.
  it.each<[ShownPage, Look]>([
    [{ path: '/' }, WIDE],
    [{ path: '/nowhere' }, NARROWEST_DARK],
    [BODY, NARROWEST_DARK],
    [OPTIONS, WIDE],
    [FIT, WIDE_DARK],
    [REACH, NARROWEST_DARK],
    [COUNTRIES, NARROWEST_DARK],
    [OPERATION, NARROWEST_DARK],
  ])('has no serious accessibility fault: $path', async (page, look) => {
    await checkLook(screens, page, look);
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
