import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFaults, excessWidthPx, takePicture } from '../support/browser.js';
import { changeLook, type Look } from '../support/screen-page.js';
import { DESKTOP, PHONE, type Screens } from '../support/screens.js';
import { SIX } from './screen-stories.js';

export const WIDE: Look = { viewport: DESKTOP, colorScheme: 'light' };
export const WIDE_DARK: Look = { viewport: DESKTOP, colorScheme: 'dark' };
export const NARROW: Look = { viewport: PHONE, colorScheme: 'light' };
export const NARROW_DARK: Look = { viewport: PHONE, colorScheme: 'dark' };
/** The narrowest screen that the pages promise to fit. */
export const NARROWEST_DARK: Look = {
  viewport: { width: 320, height: 700 },
  colorScheme: 'dark',
};
export const LOOKS: readonly Look[] = [WIDE, WIDE_DARK, NARROW, NARROWEST_DARK];

const COMPARED =
  '/explore/dimension?measurement=SittingHeight&gender=Male&age=40&country=NL,JP,GT&percentile=95';

/** A page, and what it shows when it can be used. */
export interface ShownPage {
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

export const REFERENCE: ShownPage = {
  path: '/docs/reference',
  open: (page) =>
    page.evaluate(() => {
      for (const part of document.querySelectorAll('.api-part')) part.setAttribute('open', '');
    }),
};
export const BODY: ShownPage = {
  path: `/explore?${SIX}&posture=sitting&region=leg`,
  ready: '.body-table',
  open: openControls,
};
export const DIMENSION: ShownPage = { path: COMPARED, ready: EXACT };
/** The Dimension screen with an open list of options. */
export const OPTIONS: ShownPage = {
  path: COMPARED,
  ready: EXACT,
  open: async (page) => {
    await openControls(page);
    await page.getByRole('combobox').first().click();
    await page.getByRole('option').first().waitFor();
  },
};
export const AGES: ShownPage = { path: COMPARED.replace('?', '?view=ages&'), ready: EXACT };
export const CONNECTED: ShownPage = {
  path: '/explore/dimension?view=connected&measurement=Stature&linked=WorkReach&percentile=5',
  ready: EXACT,
};
export const GROWTH: ShownPage = {
  path: '/explore/dimension?view=ages&measurement=AbdominalDepth&gender=Male&age=9&country=NL&percentile=97&ages=0-20&points=8.5:160',
  ready: EXACT,
};
export const SHEET: ShownPage = {
  path: '/explore/sheet?p=Female~DE~18-65',
  ready: '.sheet-table',
};
export const SIZES: ShownPage = {
  path: '/explore/sizes?p=Female~US,IN~20-50',
  ready: '.sizes-table',
  open: openControls,
};
export const PERSON: ShownPage = {
  path: '/explore/person?gender=Male&age=40&country=NL&known=Stature~1985',
  ready: '.person-results table',
  open: openControls,
};
export const BOX: ShownPage = {
  path: '/explore/fit?limit=Stature~1500~1900&limit=SittingHeight~~2500',
  ready: '.fit-share',
};

/** The Fit screen with one product. */
export function fitPage(product: string): ShownPage {
  return {
    path: `/explore/fit?product=${product}&unit=cm`,
    ready: '.fit-share',
    open: async (page) => {
      await openControls(page);
      await page.getByText('Rules and clearances').click();
    },
  };
}

/** Shows a page in several looks. It must never be too wide or have serious accessibility faults. */
export async function checkLooks(
  screens: Screens,
  { path, ready, open }: ShownPage,
  looks: readonly Look[],
): Promise<void> {
  const { page, faults } = await screens.blank();
  for (const look of looks) {
    await changeLook(page, look);
    await page.goto(path);
    if (ready !== undefined) await page.locator(ready).first().waitFor();
    await open?.(page);
    // A chart is drawn again for another width.
    await expect.poll(() => excessWidthPx(page)).toBeLessThanOrEqual(0);
    expect([path, look, await accessibilityFaults(page)]).toEqual([path, look, []]);
    expect([path, look, await page.evaluate(overlaps)]).toEqual([path, look, []]);
    await takePicture(page, `${path.replace(/\W+/g, '-')}-${look.colorScheme}`);
  }
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
