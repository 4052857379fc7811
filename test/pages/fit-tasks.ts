import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { excessWidthPx } from '../support/browser.js';
import { answerOfShownCall, overallShare } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import type { Hands } from './tasks/hands.js';

const COUNTRY_FIELD = 'Add a country or a set of countries';

/**
 * Registers two tasks of designers for the `describe` that calls this. They start at the address of the
 * screen without a query, and the model is the real one.
 */
export function testFitTasks(ways: readonly (readonly [name: string, Hands])[]): void {
  const screens = useScreens({ ready: '.fit-share', artifacts: realArtifacts });
  const visit = ({ options }: Hands) => screens.visit('/explore/fit', options);

  /** Opens the sheet with the controls where they come from below. */
  async function openControls({ options }: Hands, page: Page): Promise<void> {
    if (options.hasTouch) await page.locator('summary', { hasText: 'Sizes' }).tap();
  }

  /** Gives a population of the United States other countries. */
  async function move(hands: Hands, page: Page, who: string, places: readonly string[]) {
    await hands.press(page, 'button', `${who}, edit`);
    await hands.press(page, 'button', 'Remove United States of America');
    for (const place of places) await hands.pick(page, COUNTRY_FIELD, place);
    await hands.press(page, 'button', 'Done');
  }

  /** The cells of the table of needs for a size and a population. */
  async function needs(page: Page, size: string, who: string): Promise<string[]> {
    const row = page
      .locator('.needs tbody tr')
      .filter({ has: page.getByRole('rowheader', { name: `${size} ${who}`, exact: true }) });
    return row.locator('td').allTextContents();
  }

  /** Lengths in mm of people of some countries from 18 to 65 at percentiles, from the API. */
  async function fromApi(
    group: { readonly gender: string; readonly countries: readonly string[] },
    measurement: string,
    clothing: string,
  ): Promise<Readonly<Record<number, number>>> {
    const { headers } = await screens.service.customer(100);
    const { body } = await screens.service.post(
      '/v1/population/percentiles',
      {
        population: { groups: [{ ...group, ageMin: 18, ageMax: 65 }] },
        measurements: [measurement],
        percentiles: [5, 95],
        clothing,
      },
      headers,
    );
    const [p5, p95] = body.measurements[0].values;
    return { 5: p5.value, 95: p95.value };
  }

  const written = (mm: number) => Math.round(mm).toLocaleString('en');

  it.each(ways)('desk, women and men, DE and JP, 18–65, P5–P95: %s', async (_, hands) => {
    const { page, faults } = await visit(hands);
    for (const who of ['Women US 18–65', 'Men US 18–65']) {
      await move(hands, page, who, ['Germany', 'Japan']);
    }
    await page.waitForURL(/p=Female~DE,JP~18-65&p=Male~DE,JP~18-65/);
    await overallShare(page);
    const countries = ['DE', 'JP'];
    const desk = ['MaximumTableHeight', 'light_shoes'] as const;
    const women = await fromApi({ gender: 'Female', countries }, ...desk);
    const men = await fromApi({ gender: 'Male', countries }, ...desk);
    const lowMm = Math.floor(women[5] ?? 0);
    const highMm = Math.ceil((men[95] ?? 0) - 50);
    const lowest = await needs(page, 'Lowest top height', 'Women DE, JP 18–65');
    expect(lowest[0]).toContain(`≤ ${written(women[5] ?? 0)} `);
    const highest = await needs(page, 'Highest top height', 'Men DE, JP 18–65');
    expect(highest[2]).toContain(`≥ ${written((men[95] ?? 0) - 50)} `);
    await openControls(hands, page);
    // The desk now goes from what the small women need to what the tall men need.
    await hands.type(page, 'Lowest top height', String(lowMm));
    await hands.type(page, 'Highest top height', String(highMm));
    await page.waitForURL((url) => url.search.includes(`low=${lowMm}`));
    await page.waitForURL((url) => url.search.includes(`high=${highMm}`));
    const after = await overallShare(page);
    const answer = await answerOfShownCall(page, screens.service);
    expect(after).toBe(answer.share);
    expect(after).toBeGreaterThan(0.5);
    expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });

  it.each(ways)('a bed of 1,900 mm and a 95th-percentile Dutch man: %s', async (_, hands) => {
    const { page, faults } = await visit(hands);
    await hands.press(page, 'link', 'Bed');
    await page.waitForURL(/product=bed/);
    await hands.press(page, 'button', 'Remove Women US 18–65');
    await move(hands, page, 'Men US 18–65', ['Netherlands']);
    await openControls(hands, page);
    await hands.type(page, 'Length', '1900');
    await page.waitForURL(/p=Male~NL~18-65&length=1900/);
    const share = await overallShare(page);
    const needsMm = (await fromApi({ gender: 'Male', countries: ['NL'] }, 'Stature', 'nude'))[95];
    const cells = await needs(page, 'Length', 'Men NL 18–65');
    expect(cells[2]).toContain(`≥ ${written((needsMm ?? 0) + 150)} `);
    expect(cells[2]).toContain('does not fit');
    const answer = await answerOfShownCall(page, screens.service);
    expect(share).toBe(answer.share);
    const reached = ((1 - answer.limits[0].above) * 100).toLocaleString('en', {
      maximumFractionDigits: 1,
    });
    expect(Number(reached)).toBeLessThan(95);
    expect(cells[3]).toBe(`up to P${reached}`);
    expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
}
