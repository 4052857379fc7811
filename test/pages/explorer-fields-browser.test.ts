import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { requestsTo, savedFile } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';

const READY = '.readout-value[data-exact=true]';
const STATURE = '/explore/dimension?measurement=Stature&gender=Female&age=30&country=NL';
const GROWTH = `${STATURE.replace('Stature', 'AbdominalDepth').replace('age=30', 'age=9')}&view=ages`;

describe.skipIf(!haveBrowser)('fields and charts of one dimension in a browser', () => {
  const { blank, open, visit } = useScreens({ ready: READY });

  const exact = (page: Page) => page.locator(READY);
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  it('replaces the value when someone clicks or tabs into its field and types', async () => {
    const { page, faults } = await visit(STATURE);
    const field = page.getByLabel('Value (mm)');
    await field.click();
    await page.keyboard.type('1700');
    expect(await field.inputValue()).toBe('1700');
    await page.keyboard.press('Enter');
    await page.waitForURL(/value=1700/);
    await page.getByLabel('Percentile', { exact: true }).click();
    await page.keyboard.press('Tab');
    await page.keyboard.type('1650');
    expect(await field.inputValue()).toBe('1650');
    await page.keyboard.press('Tab');
    await page.waitForURL(/value=1650/);
    expect(faults).toEqual([]);
  });

  it('answers a length with its percentile', async () => {
    const { page } = await visit(`${STATURE}&value=1650`);
    const shown = (await exact(page).first().textContent()) ?? '';
    expect(shown).toMatch(/^P\d+(\.\d+)?$/);
    const percentile = await page.getByLabel('Percentile', { exact: true }).inputValue();
    expect(shown).toBe(`P${percentile}`);
  });

  it.each([
    ['1,700', '1700'],
    ['170 cm', '1700'],
    ['170,5 cm', '1705'],
    ['5 ft 7 in', '1701.8'],
    ['1 700 mm', '1700'],
  ])('understands the length %s', async (typed, value) => {
    const { page } = await visit(STATURE);
    await page.getByLabel('Value (mm)').fill(typed);
    await page.keyboard.press('Enter');
    await page.waitForURL(/value=/);
    expect(parameter(page, 'value')).toBe(value);
  });

  it('understands a decimal comma in ages and percentiles', async () => {
    const { page } = await visit(STATURE);
    await page.getByLabel('Age in years').fill('8,5');
    await page.keyboard.press('Enter');
    await page.waitForURL(/age=8\.5/);
    await page.getByLabel('Percentile', { exact: true }).fill('P87,5');
    await page.keyboard.press('Enter');
    await page.waitForURL(/percentile=87\.5/);
    expect([parameter(page, 'age'), parameter(page, 'percentile')]).toEqual(['8.5', '87.5']);
  });

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

  it('opens an address with an impossible percentile without a fault of the script', async () => {
    const { page, faults } = await open(`${STATURE}&percentile=0`);
    await page.locator('.notice.danger').waitFor();
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  it('searches again when someone types after a choice', async () => {
    const { page } = await visit(STATURE);
    const field = page.getByRole('combobox', { name: 'Measurement' });
    await field.click();
    await page.keyboard.type('sitting height');
    await page.keyboard.press('Enter');
    await page.waitForURL(/measurement=SittingHeight/);
    await expect.poll(() => field.inputValue()).toBe('Sitting height');
    await page.keyboard.type('foot length');
    expect(await field.inputValue()).toBe('foot length');
    await page.keyboard.press('Enter');
    await page.waitForURL(/measurement=FootLength/);
    await field.click();
    await page.keyboard.type('knee height');
    expect(await field.inputValue()).toBe('knee height');
  });

  it('finds measurements and countries by everyday words', async () => {
    const { page } = await blank();
    const loaded = page.waitForResponse(/\/assets\/search-[\w-]+\.js$/);
    // A chosen country is not offered again, so another one than those searched is chosen.
    await page.goto(STATURE.replace('country=NL', 'country=DE'));
    await loaded;
    const firstFor = async (label: string, text: string) => {
      const field = page.getByRole('combobox', { name: label });
      await field.fill(text);
      const option = page.getByRole('option').first();
      await option.waitFor();
      const found = await option.evaluate((one) => one.firstChild?.textContent ?? '');
      await page.keyboard.press('Escape');
      return found;
    };
    const measurements: readonly (readonly [string, RegExp])[] = [
      ['desk', /^(Sitting elbow height|Maximum table height|Thigh|Popliteal)/],
      ['bed', /^Stature$/],
      ['chair', /^(Popliteal height|Seat height)$/],
      ['door', /^Stature$/],
      ['shoe size', /^Foot length$/],
      ['inseam', /^Crotch height$/],
      ['hat', /^Head girth$/],
      ['tall', /^Stature$/],
    ];
    for (const [text, name] of measurements) {
      await expect.poll(() => firstFor('Measurement', text), { message: text }).toMatch(name);
    }
    for (const [text, name] of [
      ['usa', 'United States of America'],
      ['holland', 'Netherlands'],
      ['england', 'United Kingdom'],
    ] as const) {
      expect([text, await firstFor('Country', text)]).toEqual([text, name]);
    }
  });

  it('shows lengths as people write them, and the reading with a link to its evidence', async () => {
    const { page } = await visit(`${STATURE}&unit=ft-in`);
    expect(await exact(page).first().textContent()).toMatch(/^\d ft \d+\.\d in ± \d+\.\d in$/);
    await page.getByLabel('Value (ft-in)').fill("5'6");
    await page.keyboard.press('Enter');
    await page.waitForURL(/value=66(&|$)/);
    await page.getByLabel('Unit').selectOption('mm');
    await page.waitForURL(/value=1676\.4/);
    expect(await page.getByLabel('Value (mm)').inputValue()).toBe('1,676');
    await page.goto(STATURE);
    expect(await exact(page).first().textContent()).toMatch(/^\d,\d{3} mm ± \d+ mm$/);
    const badge = page.locator('a.badge');
    expect(await badge.textContent()).toMatch(/^Measured/);
    const href = (await badge.getAttribute('href')) ?? '';
    await page.goto(href);
    expect(await page.locator('tr#Stature').count()).toBe(1);
  });

  it('draws the chosen percentile and labels each centile at its end', async () => {
    const { page, faults } = await visit(`${GROWTH}&percentile=97`);
    expect(await page.locator('.line-label').allTextContents()).toEqual(
      ['1', '5', '10', '25', '50', '75', '90', '95', '97', '99'].map((p) => `P${p}`),
    );
    const tops = await page
      .locator('.line-label')
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute('y'))));
    for (const [index, top] of tops.slice(1).entries()) {
      expect((tops[index] ?? 0) - top).toBeGreaterThanOrEqual(12.9);
    }
    expect(await page.locator('.outline.lead').count()).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it('shows the ages of growth, zooms, and dashes what nobody measured', async () => {
    const { page } = await visit(GROWTH);
    const requests = requestsTo(page, '/data?');
    // The surveys measured from 20 to 60 years.
    expect(await page.locator('.outline.lead:not(.unmeasured)').count()).toBe(1);
    expect(await page.locator('.outline.lead.unmeasured').count()).toBe(2);
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
    await page.getByLabel('Age of the person').fill('9');
    const median = await page.locator('.readout-number', { hasText: 'P50' }).locator('data');
    const length = Math.round(Number(await median.getAttribute('value')));
    await page.getByLabel('Measured (mm)').fill('no idea');
    await page.keyboard.press('Enter');
    await page.getByText('“no idea” is not a length.').waitFor();
    await page.getByLabel('Measured (mm)').fill(String(length));
    await page.keyboard.press('Enter');
    await page.waitForURL(/points=/);
    expect(parameter(page, 'points')).toBe(`9:${length}`);
    const chip = page.getByRole('list', { name: 'People on the chart' }).getByRole('listitem');
    expect(await chip.first().textContent()).toMatch(/^9 years, \d+ mm: ≈ P(4[5-9]|5[0-5])×$/);
    expect(await page.locator('circle.person').count()).toBe(1);
    await page.reload();
    await page.locator('circle.person').waitFor();
    await page.getByRole('button', { name: /^Remove 9 years/ }).click();
    await expect.poll(() => page.locator('circle.person').count()).toBe(0);
  });

  it('copies the address of the view, and says so', async () => {
    const { page } = await visit(STATURE);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('status').getByText('copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
  });

  it('exports pictures in light colours to readers of dark pages', async () => {
    const texts: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await visit(STATURE, { colorScheme });
      texts.push((await savedFile(page, 'SVG')).bytes.toString('utf8'));
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain('fill="#fdfcf9"');
  });
});
