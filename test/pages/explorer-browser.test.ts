import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults, excessWidthPx, haveBrowser } from '../support/browser.js';
import {
  answerOfShownCall,
  changeLook,
  loadedBytes,
  pngSize,
  requestsTo,
  savedFile,
  tabTo,
} from '../support/screen-page.js';
import { DESKTOP, PHONE, useScreens } from '../support/screens.js';

const FIRST_LOAD_BYTES_MAX = 120_000;
const COMPARED =
  '/explore/dimension?measurement=SittingHeight&gender=Male&age=40&country=NL,JP,GT&percentile=95';
const CONNECTED =
  '/explore/dimension?view=connected&measurement=Stature&linked=WorkReach&percentile=5';
const GROWTH =
  '/explore/dimension?view=ages&measurement=AbdominalDepth&gender=Male&age=9&country=NL&percentile=97&ages=0-20&points=8.5:160';

describe.skipIf(!haveBrowser)('the explorer in a browser', () => {
  const screens = useScreens();
  const { visit } = screens;
  const answerOf = (page: Page) => answerOfShownCall(page, screens.service);

  /** The exact lengths of the readout, as numbers. */
  async function exactNumbers(page: Page): Promise<number[]> {
    const shown = page.locator('.readout-value[data-exact=true]');
    await shown.first().waitFor();
    return shown.evaluateAll((all) => all.map((one) => Number(one.getAttribute('value'))));
  }

  it('shows the same numbers as the API call on the page, for every kind of view', async () => {
    const { page, faults } = await visit(COMPARED);
    const compared = await answerOf(page);
    expect(await exactNumbers(page)).toEqual(
      compared.values.map(({ value }: { value: number }) => value),
    );
    await page.goto(
      '/explore/dimension?measurement=Stature&gender=Male&age=40&country=DE&value=1780',
    );
    expect(await page.getByLabel('Percentile', { exact: true }).inputValue()).toBe(
      String((await answerOf(page)).percentile),
    );
    await page.goto('/explore/dimension?view=ages&measurement=Stature&age=14&country=NL');
    const ages = await answerOf(page);
    expect(await exactNumbers(page)).toEqual(
      ages.values.map(({ value }: { value: number }) => value),
    );
    await page.goto(CONNECTED);
    const { lowerBound, conditionalMean, upperBound } = await answerOf(page);
    expect(await exactNumbers(page)).toEqual([lowerBound, conditionalMean, upperBound]);
    expect(faults).toEqual([]);
  });

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
    // The value read off the curve was close to the API's value.
    const last = Number(values.at(-1)?.replace(/[^\d.]/g, ''));
    expect(Math.abs(last - after)).toBeLessThan(2);
  });

  it('finds measurements by everyday words, with a search that the page fetches later', async () => {
    const { page, faults } = await visit('/explore/dimension');
    await page.waitForResponse(/\/assets\/search-[\w-]+\.js$/);
    const field = page.getByRole('combobox').first();
    await field.fill('shoe size');
    const first = page.getByRole('option').first();
    await expect.poll(() => first.textContent()).toMatch(/^Foot length/);
    await first.click();
    await page.waitForURL(/measurement=FootLength/);
    expect(faults).toEqual([]);
  });

  it('can be used with the keyboard only', async () => {
    const { page, faults } = await visit('/explore/dimension');
    await page.locator('[role=slider]').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Measurement');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('sitting eye');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/measurement=SittingEyeHeight/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/gender=Male/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('45');
    await page.keyboard.press('Enter');
    await page.waitForURL(/age=45/);
    // The slider belongs to the new curve once its numbers are exact.
    await exactNumbers(page);
    await tabTo(page, (await page.getByRole('slider').getAttribute('aria-label')) ?? '');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/percentile=61/);
    expect(await page.locator('[role=slider]').getAttribute('aria-valuenow')).toBe('61');
    const [value] = await exactNumbers(page);
    const answer = await answerOf(page);
    expect(answer).toMatchObject({ measurement: 'SittingEyeHeight', gender: 'Male' });
    expect(value).toBe(answer.value);
    expect(faults).toEqual([]);
  });

  it('restores a shared view, and supports the browser’s back and forward buttons', async () => {
    const { page } = await visit(COMPARED);
    const numbers = await exactNumbers(page);
    await page.getByRole('link', { name: 'Ages 0–120' }).click();
    await page.waitForURL(/view=ages/);
    await page.getByRole('heading', { name: /from birth to 120/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: /aged 40/ }).waitFor();
    expect(await exactNumbers(page)).toEqual(numbers);
    await page.goForward();
    await page.getByRole('heading', { name: /from birth to 120/ }).waitFor();
    const shared = await visit(page.url());
    expect(await exactNumbers(shared.page)).toEqual(await exactNumbers(page));
    const swatches = await shared.page.locator('.chip').allTextContents();
    expect(swatches).toEqual(['Netherlands×', 'Japan×', 'Guatemala×']);
  });

  it('exports the chart as CSV, SVG and PNG', async () => {
    const { page } = await visit(COMPARED);
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
      expect(line).toMatch(/^SittingHeight,Male,40,(NL|JP|GT),nude,standing_erect,/);
      expect(line).toMatch(/,mm,(exact|rounded),.+,tiny$/);
    }
    const svg = (await save('SVG')).toString();
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain(
      '<title>Sitting height: men aged 40, Netherlands, Japan, Guatemala</title>',
    );
    expect(svg).toMatch(/stroke="rgb\(/);
    // Everything that the page says around the chart is in the picture.
    expect(svg).toContain('Unit: mm. Vitruvia, data tiny.');
    // The legend names each series in its colour.
    const legend = [...svg.matchAll(/height="12" fill="(#\w+)"\/><text [^>]*>([^<]+)<\/text>/g)];
    expect(legend.map(([, , name]) => name)).toEqual(['Netherlands', 'Japan', 'Guatemala']);
    expect(new Set(legend.map(([, colour]) => colour)).size).toBe(3);
    const png = await save('PNG');
    expect(Math.min(...pngSize(png))).toBeGreaterThan(300);
    // An empty picture of that size takes a few hundred bytes.
    expect(png.length).toBeGreaterThan(10_000);
  });

  it('asks for a pause after too many requests, and keeps the chart', async () => {
    const { page } = await visit('/explore/dimension?measurement=Stature&country=NL');
    await exactNumbers(page);
    for (let i = 0; i < 60; i++) await page.request.get('/explore/dimension/data?age=20');
    await page.getByLabel('Age in years').fill('50');
    await page.keyboard.press('Enter');
    await page.getByText('A short pause, please.').waitFor();
    expect(await page.locator('svg.plot').count()).toBe(1);
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toContain(
      'aged 30',
    );
  });

  it('has no serious accessibility fault in light and dark mode, and fits phone and desktop', async () => {
    const wide = { colorScheme: 'light', viewport: DESKTOP } as const;
    const narrow = { colorScheme: 'dark', viewport: PHONE } as const;
    const { page, faults } = await visit(COMPARED);
    for (const path of [COMPARED.replace('?', '?view=ages&'), CONNECTED, GROWTH, COMPARED]) {
      await changeLook(page, wide);
      await page.goto(path);
      await exactNumbers(page);
      for (const look of [wide, narrow]) {
        await changeLook(page, look);
        // The chart is drawn again for another width.
        await expect.poll(() => excessWidthPx(page), { message: path }).toBe(0);
        expect([path, look, await accessibilityFaults(page)]).toEqual([path, look, []]);
      }
    }
    await page.locator('summary', { hasText: 'Measurement and people' }).click();
    for (const look of [narrow, wide]) {
      await changeLook(page, look);
      await page.getByRole('combobox').first().click();
      await page.getByRole('option').first().waitFor();
      expect([look, await accessibilityFaults(page)]).toEqual([look, []]);
    }
    expect(faults).toEqual([]);
  }, 120_000);

  it('loads less than 120 kB', async () => {
    const { page } = await screens.blank();
    // The search comes after everything that is seen first.
    const search = page.waitForResponse(/\/assets\/search-[\w-]+\.js$/);
    await page.goto('/explore/dimension');
    await page.locator('[role=slider]').waitFor();
    await search;
    const bytes = await loadedBytes(page);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
  });

  it('shows numbers and a form without JavaScript', async () => {
    const { page } = await visit('/explore/dimension?measurement=Stature', {
      javaScriptEnabled: false,
    });
    await page.getByLabel('Age in years').fill('60');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(page.url()).toContain('age=60');
    expect(await page.locator('td').count()).toBe(9);
  });
});
