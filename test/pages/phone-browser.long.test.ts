import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults, excessWidthPx, haveBrowser } from '../support/browser.js';
import { TOUCHED, useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';

interface ScreenOnPhone {
  readonly path: string;
  readonly picture: string;
  /** What comes before the picture, where that is not first. */
  readonly answer?: string;
  readonly button: string;
  /** A field or button among the controls. */
  readonly control: string;
  /** What shows the numbers or the picture, and what the controls, without JavaScript. */
  readonly plain: readonly [result: string, controls: string];
}

const SCREENS: readonly ScreenOnPhone[] = [
  {
    path: '/explore',
    picture: '.people-picture',
    button: 'View',
    control: 'Standing',
    plain: ['.people-picture', 'form'],
  },
  {
    path: '/explore/fit?product=bed&width=2200',
    picture: '.scene',
    answer: '.answer .advice',
    button: 'Sizes',
    control: 'Length',
    plain: ['noscript table, main table', 'form'],
  },
  {
    path: '/explore/sheet?m=Stature,SittingHeight',
    picture: '.sheet-figure',
    button: 'Dimensions and unit',
    control: 'Dimensions in words, separated by commas',
    plain: ['.sheet-figure', 'form'],
  },
  {
    path: '/explore/dimension',
    picture: '.plot',
    button: 'Measurement and people',
    control: 'Measurement',
    plain: ['main table', 'form'],
  },
];

describe.skipIf(!haveBrowser)('the screens on a phone', () => {
  const screens = useScreens({ artifacts: realArtifacts });
  const visit = (path: string, width: number, options: { javaScriptEnabled?: boolean } = {}) =>
    screens.visit(path, { ...TOUCHED, viewport: { width, height: 740 }, ...options });

  const top = async (page: Page, selector: string) =>
    (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;

  it.each(SCREENS)('$path: the answer is first, and the controls come from below', async (one) => {
    const { page, faults } = await visit(one.path, 360);
    await page.locator(one.picture).first().waitFor();
    // Below the screens and the populations, in the upper 70 % of the window.
    expect(await top(page, one.answer ?? one.picture)).toBeLessThan(0.7 * 740);
    // A handle in the picture can have the name of a field.
    const sheet = page.locator('.bottom-sheet');
    const control = sheet
      .getByLabel(one.control, { exact: true })
      .or(sheet.getByRole('button', { name: one.control, exact: true }));
    expect(await control.first().isVisible()).toBe(false);
    const button = page.locator('summary', { hasText: one.button });
    const box = await button.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(740, -1);
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(await accessibilityFaults(page)).toEqual([]);

    await button.tap();
    await control.first().waitFor();
    // A part of the picture is visible above the controls.
    await expect.poll(() => top(page, one.picture)).toBeLessThan(20);
    expect(await top(page, '.bottom-sheet')).toBeGreaterThan(200);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await excessWidthPx(page)).toBe(0);
    await page.keyboard.press('Escape');
    await control.first().waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe(one.button);

    // The keyboard opens them too, and Tab leads into them.
    await page.keyboard.press('Enter');
    await control.first().waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.closest('.bottom-sheet') !== null`)).toBe(
      true,
    );
    // With a wider window they are part of the page.
    await page.setViewportSize({ width: 1100, height: 740 });
    await button.waitFor({ state: 'hidden' });
    expect(await control.first().isVisible()).toBe(true);
    expect(faults).toEqual([]);
  });

  it.each(SCREENS)('$path: nothing is wider than a screen of 320 pixels', async (one) => {
    const { page } = await visit(one.path, 320);
    await page.locator(one.picture).first().waitFor();
    expect(await excessWidthPx(page)).toBe(0);
    await page.locator('summary', { hasText: one.button }).tap();
    expect(await excessWidthPx(page)).toBe(0);
  });

  it.each([
    ['/explore', 320],
    ['/explore?unit=ft-in', 360],
    ['/explore/fit', 320],
    ['/explore/fit?product=bed&unit=ft-in', 360],
    ['/explore/sizes', 360],
    ['/explore/person', 320],
  ])('%s: all numbers of the tables are in view at %i pixels', async (path, width) => {
    const { page } = await visit(path, width);
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
    const { page } = await visit('/explore?p=Female~DE~18-65&m=Stature,EyeHeight', 360);
    const rows = page.locator('.dimensions tr:has(td)');
    await rows.first().waitFor();
    // In the page: between the texts of cells that lie beside each other.
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

  it.each(SCREENS)('$path: without JavaScript the controls follow the results', async (one) => {
    const { page } = await visit(one.path, 360, { javaScriptEnabled: false });
    const [result, controls] = one.plain;
    const below = await top(page, `main ${controls}`);
    expect(await top(page, result)).toBeLessThan(below);
    expect(await page.locator(`main ${controls}`).first().isVisible()).toBe(true);
    expect(await excessWidthPx(page)).toBe(0);
  });

  it('closes an open editor first, and then the controls', async () => {
    const { page } = await visit('/explore/fit?product=bed&width=2200', 360);
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
