import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults, excessWidthPx, haveBrowser } from '../support/browser.js';
import { answerOfShownCall } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import { type Hands, KEYBOARD, MOUSE, TOUCH } from './tasks/hands.js';

/** A click, a choice or a filled field counts one. */
const INTERACTIONS_MAX = 8;
const TEN =
  'stature, eye height, sitting height, knee height, hip breadth, hand length, foot length, head breadth, chest depth, elbow height';

const WAYS = [
  ['mouse', MOUSE],
  ['keyboard', KEYBOARD],
  ['phone', TOUCH],
] as const;

/** The same hands, which count what they do. */
function counting(hands: Hands): Hands & { readonly done: () => number } {
  let count = 0;
  const counted =
    <Values extends unknown[]>(act: (...values: Values) => Promise<void>) =>
    async (...values: Values) => {
      count++;
      await act(...values);
    };
  const { options, press, type, pick } = hands;
  return {
    options,
    press: counted(press),
    type: counted(type),
    pick: counted(pick),
    done: () => count,
  };
}

describe.skipIf(!haveBrowser)('tasks of designers with populations of their own', () => {
  const screens = useScreens({ artifacts: realArtifacts });

  /** Gives a chip another population. */
  async function move(hands: Hands, page: Page, who: string, words: string): Promise<void> {
    await hands.press(page, 'button', `${who}, edit`);
    await hands.type(page, 'In words', words);
  }

  it.each(WAYS)('Italians of 75 and more beside Swedes of 18 to 30: %s', async (_, way) => {
    const hands = counting(way);
    const { page, faults } = await screens.visit('/explore', way.options);
    await page.getByRole('button', { name: 'Add population' }).waitFor();
    await move(hands, page, 'Women US 18–65', 'IT 75+');
    await move(hands, page, 'Men US 18–65', 'SE 18-30');
    await page.waitForURL(/p=Both~IT~75-120&p=Both~SE~18-30/);
    expect(hands.done()).toBeLessThanOrEqual(INTERACTIONS_MAX);
    await page.locator('.body-table[aria-busy=false]').waitFor();
    await page.locator('.people-p95').nth(1).waitFor();
    const answer = await answerOfShownCall(page, screens.service);
    const cells = page.locator('.dimensions td[data-mm]');
    const shown = await cells.evaluateAll((all) => all.map((one) => Number(one.dataset.mm)));
    for (const [row, { values }] of answer.measurements.entries()) {
      // Each dimension has one line of three numbers for each population.
      const own = shown.slice(row * 6, row * 6 + 3);
      expect(own).toEqual(values.map(({ value }: { value: number }) => value));
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });

  it.each(WAYS)('a sheet of ten dimensions of adults in China: %s', async (_, way) => {
    const hands = counting(way);
    const { page, faults } = await screens.visit('/explore', way.options);
    await page.getByRole('button', { name: 'Add population' }).waitFor();
    await hands.press(page, 'link', 'Sheet');
    await page.getByRole('button', { name: 'Add population' }).waitFor();
    await move(hands, page, 'Women US 18–65', 'adults in China');
    await page.getByRole('heading', { level: 1, name: 'People CN 18–120' }).waitFor();
    if (way.options.hasTouch === true) {
      await page.locator('summary', { hasText: 'Dimensions and unit' }).tap();
    }
    await hands.type(page, 'Dimensions in words, separated by commas', TEN);
    // The sheet from below takes one more on a phone.
    expect(hands.done() + 1).toBeLessThanOrEqual(INTERACTIONS_MAX);
    await page.locator('.sheet-table tbody tr:nth-child(10):last-child').waitFor();
    await page.locator('article.sheet:not([aria-busy=true])').waitFor();
    const { headers } = await screens.service.customer(100);
    const query = new URL(page.url()).search;
    const data = await (await page.request.get(`/explore/sheet/data${query}`)).json();
    const { body } = await screens.service.post('/v1/population/percentiles', data.body, headers);
    const rows = await page.locator('.sheet-table tbody tr').all();
    expect(rows).toHaveLength(10);
    for (const [index, row] of rows.entries()) {
      const cells = await row.locator('td.number').allTextContents();
      const { values, mean, sd } = body.measurements[index];
      const exact = [...values.map(({ value }: { value: number }) => value), mean, sd];
      expect(cells.slice(1, 6)).toEqual(exact.map((value) => value.toFixed(0)));
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
});
