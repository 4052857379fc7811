import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../src/accounts/credits.js';
import { createKey, listKeys } from '../../src/accounts/keys.js';
import { haveBrowser } from '../support/browser.js';
import { signedUp } from '../support/form-client.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';

const PERSON = '/explore/person?gender=Male&age=40&country=NL&known=Stature~1985';
/** Takes WebGL from a page before its scripts run. */
const WITHOUT_WEBGL = `
  const own = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : own.call(this, kind, ...rest);
  };
`;

describe.skipIf(!haveBrowser)('the Person screen in a browser', () => {
  const screens = useScreens({ artifacts: realArtifacts, computing: { threads: 1 } });
  const shownPerson = (page: Page) => page.locator('.person-stage[data-state=shown]').waitFor();

  it('shows a person of the chip that is marked, and of the one that is left', async () => {
    const { page, faults } = await screens.open('/explore/person');
    const who = page.locator('.person-who strong');
    await page.getByRole('radio', { name: 'Show Men, US, 18–65' }).check();
    await page.waitForURL(/of=2/);
    await expect.poll(() => who.innerText()).toMatch(/^A man of 41/);
    await page.getByRole('button', { name: 'Remove Men, US, 18–65' }).click();
    await page.waitForURL(/p=Female~US~18-65/);
    await expect.poll(() => who.innerText()).toMatch(/^A woman of 41/);
    expect(faults).toEqual([]);
  });

  it('turns by keys, sits, marks dimensions and leads to the download', async () => {
    const { page, faults } = await screens.open(PERSON);
    await shownPerson(page);
    const label = page.locator('[data-measurement=ChestCircumferenceNipple]');
    const before = await label.getAttribute('style');
    await page.locator('.person-canvas').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => label.getAttribute('style')).not.toBe(before);
    await page.getByRole('radio', { name: 'Sitting', exact: true }).click();
    await page.waitForURL(/pose=sitting/);
    await page.getByText('more measurements').click();
    // A checked dimension moves into the table above.
    await page.getByRole('checkbox', { name: 'Knee height' }).click();
    await page.waitForURL(/m=.*KneeHeight/);
    await page.getByRole('tab', { name: 'Export' }).click();
    const link = page.getByRole('link', { name: 'STL', exact: true });
    expect(await link.getAttribute('href')).toMatch(/^\/account\/body\?.*pose=sitting&format=stl$/);
    expect(faults).toEqual([]);
  });

  it('takes back what it said of a refused download once a file comes, and leads to credits and back', async () => {
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

  it('turns and sits as well without WebGL, and its labels stand where they do with it', async () => {
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
});
