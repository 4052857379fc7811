import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../src/accounts/credits.js';
import { createKey, listKeys } from '../../src/accounts/keys.js';
import { excessWidthPx, haveBrowser } from '../support/browser.js';
import { signedUp } from '../support/form-client.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';

const SIZES = '/explore/sizes?p=Female~US,IN~20-50';
const PERSON = '/explore/person?gender=Male&age=40&country=NL&known=Stature~1985';
/** Takes WebGL from a page before its scripts run. */
const WITHOUT_WEBGL = `
  const own = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : own.call(this, kind, ...rest);
  };
`;

describe.skipIf(!haveBrowser)('the screens Sizes and Person in a browser', () => {
  const screens = useScreens({ artifacts: realArtifacts, computing: { threads: 1 } });
  const shownPerson = (page: Page) => page.locator('.person-stage[data-state=shown]').waitFor();

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
    expect(faults).toEqual([]);
  });

  it('Person: turns by keys, sits, marks dimensions and leads to the download', async () => {
    const { page, faults } = await screens.open(PERSON);
    await shownPerson(page);
    const label = page.locator('[data-measurement=ChestCircumferenceNipple]');
    const before = await label.getAttribute('style');
    await page.locator('.person-canvas').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => label.getAttribute('style')).not.toBe(before);
    await page.getByRole('radio', { name: 'Sitting', exact: true }).click();
    await page.waitForURL(/pose=sitting/);
    await page.getByRole('checkbox', { name: 'Knee height' }).check();
    await page.waitForURL(/m=.*KneeHeight/);
    await page.getByRole('tab', { name: 'Export' }).click();
    const link = page.getByRole('link', { name: 'STL', exact: true });
    expect(await link.getAttribute('href')).toMatch(/^\/account\/body\?.*pose=sitting&format=stl$/);
    expect(faults).toEqual([]);
  });

  it('Person: takes back what it said of a refused download once a file comes, and leads to credits and back', async () => {
    const { page } = await screens.blank();
    const { cookies } = await signedUp(screens.service, 'ada@example.com');
    const url = screens.address;
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    const { db } = screens.service;
    const first = (await listKeys(db)).find(({ name }) => name === 'First test key');
    const poor = await createKey(db, first?.accountId ?? '', 'live', 'Poor');
    await page.goto(PERSON);
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByRole('link', { name: 'GLB', exact: true }).click();
    const asked = page.url();
    const select = page.getByLabel('Key that pays');
    const send = page.getByRole('button', { name: 'Download for 20 credits' });
    await select.selectOption(poor.id);
    await send.click();
    await page.getByRole('alert').waitFor();
    expect(page.url()).toBe(asked);
    await page.getByRole('link', { name: 'Get credits' }).click();
    await page.getByRole('link', { name: 'Back to the download' }).click();
    expect(page.url()).toBe(asked);
    await select.selectOption(poor.id);
    await send.click();
    await page.getByRole('alert').waitFor();
    await select.selectOption(first?.id ?? '');
    const saved = page.waitForEvent('download');
    await send.click();
    expect((await saved).suggestedFilename()).toMatch(/\.glb$/);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByText('The file is on its way').waitFor();
    expect(await balanceOf(db, first?.accountId ?? '', 'test')).toBe(980);
  });

  it('Person: its table says whether the picture has the checked dimensions', async () => {
    const { page } = await screens.blank();
    const surface = (url: URL) => url.pathname.endsWith('/surface');
    await page.route(surface, (route) => route.abort());
    await page.goto(PERSON);
    const caption = page.locator('.person-results caption');
    await caption.getByText('The drawing that stands in has no dimensions on it.').waitFor();
    await page.unroute(surface);
    await page.getByRole('button', { name: 'Load it again' }).click();
    await shownPerson(page);
    expect(await caption.innerText()).toContain('Checked dimensions are drawn on the body.');
  });

  it('Person: turns and sits as well without WebGL, and its labels stand where they do with it', async () => {
    const labels = (page: Page) =>
      page.locator('.person-labels span').evaluateAll((all) =>
        all.flatMap((one) => {
          const { left, top } = (one as HTMLElement).style;
          return [Number.parseFloat(left), Number.parseFloat(top)];
        }),
      );
    const shown = async (hasWebGl: boolean) => {
      const { page, faults } = await screens.blank();
      if (!hasWebGl) await page.addInitScript(WITHOUT_WEBGL);
      await page.goto(PERSON);
      await shownPerson(page);
      expect(await page.locator('[data-paints=flat]').count()).toBe(hasWebGl ? 0 : 1);
      const found = [await labels(page)];
      const pictures = [await page.locator('.person-canvas').screenshot()];
      await page.getByRole('button', { name: 'Side', exact: true }).click();
      found.push(await labels(page));
      pictures.push(await page.locator('.person-canvas').screenshot());
      await page.getByRole('radio', { name: 'Sitting', exact: true }).click();
      await page.locator('[data-measurement=SittingHeight]').waitFor();
      pictures.push(await page.locator('.person-canvas').screenshot());
      expect(new Set(pictures.map((png) => png.toString('base64'))).size).toBe(3);
      expect(faults).toEqual([]);
      return found;
    };
    const [flat, solid] = [await shown(false), await shown(true)];
    expect(flat[1]).not.toEqual(flat[0]);
    expect(flat.flat().length).toBe(16);
    expect(flat).toEqual(solid.map((places) => places.map((px) => expect.closeTo(px, 1))));
  });

  it('no other screen loads the script that draws in three dimensions', async () => {
    const { page } = await screens.blank();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto('/explore/sizes');
    await page.locator('.sizes-count').waitFor();
    expect(loaded.filter((url) => /\/(flat-)?scene-/.test(url))).toEqual([]);
    expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
  });
});
