import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import {
  answerOfShownCall,
  copiedText,
  MAY_COPY,
  pngSize,
  requestsTo,
  savedFile,
  shownBriefly,
} from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { exactNumbers } from './screen-stories.js';

const COMPARED =
  '/explore/dimension?measurement=SittingHeight&gender=Male&age=40&country=NL,JP,GT&percentile=95';
const READY = '.readout-value[data-exact=true]';
const STATURE = '/explore/dimension?measurement=Stature&gender=Female&age=30&country=NL';
const GROWTH = `${STATURE.replace('Stature', 'AbdominalDepth').replace('age=30', 'age=9')}&view=ages`;

describe.skipIf(!haveBrowser)('the Dimension screen in a browser', () => {
  const screens = useScreens({ ready: READY });
  const { visit } = screens;
  const answerOf = (page: Page) => answerOfShownCall(page, screens.service);

  it('follows a drag immediately, and sends one request when it ends', async () => {
    const { page } = await visit('/explore/dimension?measurement=Stature&country=NL');
    const requests = requestsTo(page, '/explore/dimension/data');
    const before = await exactNumbers(page);
    const plot = page.locator('svg.plot');
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const at = (share: number) => [box.x + share * box.width, box.y + 150] as const;
    await page.mouse.move(...at(0.5));
    await page.mouse.down();
    const values: string[] = [];
    for (let step = 1; step <= 20; step++) {
      await page.mouse.move(...at(0.5 + step / 100));
      values.push((await page.locator('.readout-value').first().textContent()) ?? '');
    }
    expect(values.every((text) => text.startsWith('≈'))).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(15);
    expect(requests).toEqual([]);
    await page.mouse.up();
    const [after = 0] = await exactNumbers(page);
    expect(after).toBeGreaterThan(before[0] ?? 0);
    expect(after).toBe((await answerOf(page)).value);
    expect(requests).toHaveLength(1);
    // The value that was read from the curve was close to the value of the API.
    const last = Number(values.at(-1)?.replace(/[^\d.]/g, ''));
    expect(Math.abs(last - after)).toBeLessThan(2);
  });

  it('exports the chart as CSV, SVG and PNG', async () => {
    const { page } = await visit(COMPARED, { colorScheme: 'dark' });
    await exactNumbers(page);
    const save = async (button: string) => {
      const { name, bytes } = await savedFile(page, button);
      expect(name).toBe(
        `vitruvia-SittingHeight-Male-age40-NL-JP-GT-nude-standing_erect-P95-mm-distribution-tiny.${button.toLowerCase()}`,
      );
      return bytes;
    };
    const lines = (await save('CSV')).toString().trim().split('\r\n');
    expect(lines[0]).toContain(
      'measurement,gender,age_years,country,clothing,posture,among,statistic,percentile,value,unit,precision,source,version',
    );
    // Three exact numbers, and nine percentiles for each of three countries.
    expect(lines).toHaveLength(1 + 3 + 27);
    const exact = lines.slice(1).filter((line) => line.includes(',exact,'));
    expect(exact.map((line) => Number(line.split(',')[9]))).toEqual(await exactNumbers(page));
    for (const line of lines.slice(1)) {
      expect(line).toMatch(/^SittingHeight,Male,40\.5,(NL|JP|GT),nude,standing_erect,/);
      expect(line).toMatch(/,mm,(exact|rounded),.+,tiny$/);
    }
    const svg = (await save('SVG')).toString();
    // The legend names each series in its colour.
    const legend = [...svg.matchAll(/height="12" fill="(#\w+)"\/><text [^>]*>([^<]+)<\/text>/g)];
    expect(legend.map(([, , name]) => name)).toEqual(['Netherlands', 'Japan', 'Guatemala']);
    expect(new Set(legend.map(([, colour]) => colour)).size).toBe(3);
    const png = await save('PNG');
    expect(Math.min(...pngSize(png))).toBeGreaterThan(300);
    // An empty picture of this size has a few hundred bytes.
    expect(png.length).toBeGreaterThan(10_000);
  });

  const exact = (page: Page) => page.locator(READY);
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  it('keeps the last answer and the focus, and shows the error at the field', async () => {
    const { page, faults } = await visit(STATURE);
    const before = await exact(page).allTextContents();
    const percentile = page.getByLabel('Percentile', { exact: true });
    for (const typed of ['0', '99.5', '100', 'many']) {
      await percentile.fill(typed);
      await page.keyboard.press('Enter');
      const id = await percentile.getAttribute('aria-describedby');
      const error = (await page.locator(`[id="${id}"]`).textContent()) ?? '';
      expect(error).toMatch(typed === 'many' ? /not a number/ : /from 1 to 99/);
      expect(await percentile.inputValue()).toBe(typed);
      expect(await percentile.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await exact(page).allTextContents()).toEqual(before);
    }
    await page.keyboard.press('Escape');
    const value = page.getByLabel('Value (mm)');
    await value.fill('tall');
    await page.keyboard.press('Tab');
    await page.getByText('“tall” is not a length.').waitFor();
    // Only the service knows that nobody is so short.
    await value.fill('100');
    await page.keyboard.press('Enter');
    await page.locator('.number-field .field-error').getByText('100').waitFor();
    expect(await exact(page).allTextContents()).toEqual(before);
    expect(await value.evaluate((one) => one === document.activeElement)).toBe(true);
    await value.fill('1700');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.field-error').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows the ages of growth, zooms, and dashes what nobody measured', async () => {
    const { page } = await visit(GROWTH);
    const requests = requestsTo(page, '/data?');
    // The surveys measured from 20 to 60 years.
    expect(await page.locator('.outline.lead:not(.unmeasured)').count()).toBe(1);
    expect(await page.locator('.outline.lead.unmeasured').count()).toBe(1);
    expect(await page.locator('[id$=measured] > rect').count()).toBe(1);
    expect(await page.locator('[id$=others] > rect').count()).toBe(2);
    await page.getByRole('radio', { name: '0–20' }).check();
    await page.waitForURL(/ages=0-20/);
    await page.getByRole('heading', { name: /from birth to 20 years/ }).waitFor();
    expect(await page.locator('.outline.lead:not(.unmeasured)').count()).toBe(0);
    await page.getByRole('button', { name: 'Zoom in' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/ages=4-14/);
    expect(requests).toEqual([]);
    await page.goBack();
    await page.waitForURL(/ages=0-20/);
  });

  it('plots people with their percentiles, and keeps them in the address', async () => {
    const { page } = await visit(`${GROWTH}&ages=0-20`);
    await page.getByLabel('Exact age of the person').fill('9.5');
    const median = await page.locator('.readout-number', { hasText: 'P50' }).locator('data');
    const length = Math.round(Number(await median.getAttribute('value')));
    await page.getByLabel('Measured (mm)').fill('no idea');
    await page.keyboard.press('Enter');
    await page.getByText('“no idea” is not a length.').waitFor();
    await page.getByLabel('Measured (mm)').fill(String(length));
    await page.keyboard.press('Enter');
    await page.waitForURL(/points=/);
    expect(parameter(page, 'points')).toBe(`9.5:${length}`);
    const chip = page.getByRole('list', { name: 'People on the chart' }).getByRole('listitem');
    expect(await chip.first().textContent()).toMatch(/^9\.5 years, \d+ mm: ≈ P(4[5-9]|5[0-5])×$/);
    expect(await page.locator('circle.person').count()).toBe(1);
    await page.reload();
    await page.locator('circle.person').waitFor();
    await page.getByRole('button', { name: /^Remove 9\.5 years/ }).click();
    await expect.poll(() => page.locator('circle.person').count()).toBe(0);
  });

  it('copies the address of the view, and says so', async () => {
    const { page } = await visit(STATURE, MAY_COPY);
    await page.getByRole('tab', { name: 'Export' }).click();
    const share = () => page.getByRole('button', { name: 'Share' }).click();
    const said = 'The address of this view is copied.';
    expect(await copiedText(page, () => shownBriefly(page, said, share))).toBe(page.url());
  });
});
