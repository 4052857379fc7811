import { describe, expect, it } from 'vitest';
import { excessWidthPx, haveBrowser } from '../support/browser.js';
import { useScreens } from '../support/screens.js';
import {
  BODY,
  checkLooks,
  fitPage,
  NARROW,
  NARROWEST_DARK,
  OPTIONS,
  REFERENCE,
  SHEET,
  SIZES,
  WIDE,
  WIDE_DARK,
} from './looks.js';
import { openDamaged, refuseAndRecover, SCREEN_IDS } from './screen-stories.js';

describe.skipIf(!haveBrowser)('the pages in a browser', () => {
  const screens = useScreens();

  // The invented people have no bodies.
  it.each(SCREEN_IDS.filter((screen) => screen !== 'person'))(
    '%s: a damaged link loads at most 120 kB, and says what it cannot show',
    (screen) => openDamaged(screens, screen),
  );

  // The other screens share the code of Dimension. Sheet loads pages instead of data.
  it.each(['dimension', 'sheet'] as const)(
    '%s: a refusal amid work says so, and the screen goes on by itself',
    (screen) => refuseAndRecover(screens, screen),
  );

  it.each([
    [{ path: '/' }, WIDE],
    [{ path: '/nowhere' }, NARROWEST_DARK],
    [{ path: '/docs/operations/predict' }, NARROW],
    [{ path: '/docs/errors' }, WIDE_DARK],
    [{ path: '/docs/search?q=idempotency+key' }, NARROWEST_DARK],
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
