import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { excessWidthPx, haveBrowser } from '../support/browser.js';
import { loadedBytes } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import { checkLooks, LOOKS } from './looks.js';

const SIZES = '/explore/sizes?p=Female~US,IN~20-50';
const PERSON = '/explore/person?gender=Male&age=40&country=NL&known=Stature~1985';
const BYTES_MAX = 120_000;

describe.skipIf(!haveBrowser)('the screens Sizes and Person in a browser', () => {
  const screens = useScreens({ artifacts: realArtifacts });
  const shownPerson = (page: Page) =>
    page.locator('.person-stage[data-state=shown], .person-stage[data-state=flat]').waitFor();

  it('Sizes: the number of helmet sizes for 90 %, another number, and the fewest again', async () => {
    const { page, faults } = await screens.open(SIZES);
    const count = page.locator('.sizes-count strong').first();
    await count.waitFor();
    const least = Number(await count.getAttribute('data-sizes'));
    expect(await page.locator('.sizes-table tbody tr').count()).toBe(least);
    await page.getByRole('button', { name: /^3 sizes: / }).click();
    await page.waitForURL(/sizes=3/);
    await page.locator('[data-sizes="3"]').waitFor();
    await page.getByRole('button', { name: 'Fewest sizes for 90 %' }).click();
    await page.locator(`[data-sizes="${least}"]`).waitFor();
    expect(await loadedBytes(page)).toBeLessThan(BYTES_MAX);
    expect(faults).toEqual([]);
  });

  it('Person: turns by keys, sits, marks dimensions and leads to the download', async () => {
    const { page, faults } = await screens.open(PERSON);
    await shownPerson(page);
    const canvas = page.locator('.person-canvas');
    if (await canvas.isVisible()) {
      const label = page.locator('[data-measurement=ChestCircumferenceNipple]');
      const before = await label.getAttribute('style');
      await canvas.focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => label.getAttribute('style')).not.toBe(before);
    }
    await page.getByRole('radio', { name: 'Sitting', exact: true }).click();
    await page.waitForURL(/pose=sitting/);
    await page.getByRole('checkbox', { name: 'Knee height' }).check();
    await page.waitForURL(/m=.*KneeHeight/);
    const link = page.getByRole('link', { name: 'STL', exact: true });
    expect(await link.getAttribute('href')).toMatch(/^\/account\/body\?.*pose=sitting&format=stl$/);
    expect(faults).toEqual([]);
  });

  it('no other screen loads the script that draws in three dimensions', async () => {
    const { page } = await screens.blank();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto('/explore/sizes');
    await page.locator('.sizes-count').waitFor();
    expect(loaded.filter((url) => /\/scene-/.test(url))).toEqual([]);
    expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
  });

  it.each([
    { path: SIZES, ready: '.sizes-count' },
    { path: PERSON, ready: '.person-stage' },
  ])('$path: fits every screen, light and dark, without accessibility faults', async (shown) => {
    await checkLooks(screens, shown, LOOKS);
  });
});
