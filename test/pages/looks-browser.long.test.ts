import { describe, expect, it } from 'vitest';
import { PAGES } from '../../src/pages/docs/index.js';
import { PRODUCTS } from '../../src/pages/screens/fit/products.js';
import { excessWidthPx, haveBrowser } from '../support/browser.js';
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

const search = (query: string): ShownPage => ({
  path: `/docs/search?${new URLSearchParams({ q: query })}`,
});

describe.skipIf(!haveBrowser)('every page in every look', () => {
  const screens = useScreens({ artifacts: realArtifacts });

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
    // A window of 1,400 px is then half as wide.
    const { width, height } = DESKTOP;
    const viewport = { width: width / 2, height: height / 2 };
    const { page, faults } = await screens.blank({ viewport, deviceScaleFactor: 2 });
    await page.goto(REFERENCE.path);
    await REFERENCE.open?.(page);
    expect(await excessWidthPx(page)).toBe(0);
    expect(faults).toEqual([]);
  });
});
