import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { excessWidthPx, haveBrowser } from '../../support/browser.js';
import { answerOfShownCall, overallShare } from '../../support/screen-page.js';
import { useScreens } from '../../support/screens.js';
import { realArtifacts } from '../../support/servers.js';
import { CountedHands, describePeople, type Hands, WAYS } from './hands.js';

/** Interactions that a task may take from `/explore` on. */
const INTERACTIONS_MAX = 8;

describe.skipIf(!haveBrowser)('tasks of designers that Fit answers, from /explore', () => {
  const screens = useScreens({ ready: '#population-bar[data-ready]', artifacts: realArtifacts });

  /** Begins a task. On a phone the way to the screen is the same link. */
  async function begin(hands: Hands) {
    const counted = new CountedHands(hands);
    const { page, faults } = await screens.visit('/explore', hands.options);
    const leave = async (name: string) => {
      await counted.press(page, 'link', name);
      await page.locator('.fit-share').waitFor();
    };
    return { page, faults, hands: counted, leave };
  }

  /** The proposed sizes in mm, once they are those of the present view. */
  async function proposed(page: Page): Promise<Readonly<Record<string, number>>> {
    await overallShare(page);
    const sizes = await page.locator('.advice [data-size]').evaluateAll((all) =>
      all.map((one) => {
        const { size = '', mm = '' } = (one as HTMLElement).dataset;
        return [size, Number(mm)] as const;
      }),
    );
    return Object.fromEntries(sizes);
  }

  /** Checks that the shown share is the API's and at least the wanted one. */
  async function holds(page: Page, wanted: number): Promise<void> {
    const share = await overallShare(page);
    const answer = await answerOfShownCall(page, screens.service);
    expect(share).toBe(answer.share);
    expect(share).toBeGreaterThanOrEqual(wanted);
    expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
  }

  /** The share that the API gives for limits. */
  async function apiShare(groups: object[], limits: object[], clothing: string): Promise<number> {
    const { headers } = await screens.service.customer(100);
    const body = { population: { groups }, limits, clothing };
    return (await screens.service.post('/v1/population/share', body, headers)).body.share;
  }

  it.each(WAYS)('1: a desk, DE and JP 18–65, 90 %: %s', async (_, way) => {
    const { page, faults, hands, leave } = await begin(way);
    await leave('Fit');
    await hands.press(page, 'button', 'Remove Men US 18–65');
    await describePeople(hands, page, 'Women US 18–65', 'people DE, JP 18-65');
    await page.waitForURL(/p=Both~DE,JP~18-65/);
    await holds(page, 0.9);
    const { low, high, knees, depth } = (await proposed(page)) as Record<string, number>;
    const share = await apiShare(
      [{ countries: ['DE', 'JP'], ageMin: 18, ageMax: 65 }],
      [
        { measurement: 'MaximumTableHeight', min: low, max: (high as number) + 50 },
        { measurement: 'KneeHeight', max: (knees as number) - 25 },
        { measurement: 'LegRoom', max: (depth as number) - 50 },
      ],
      'light_shoes',
    );
    expect(share).toBe(await overallShare(page));
    expect(hands.count).toBeLessThanOrEqual(INTERACTIONS_MAX);
    expect(faults).toEqual([]);
  });

  it.each(WAYS)('2: a doorway and a bed for Dutch men in shoes: %s', async (_, way) => {
    const { page, faults, hands, leave } = await begin(way);
    await leave('Fit');
    await hands.press(page, 'button', 'Remove Women US 18–65');
    await describePeople(hands, page, 'Men US 18–65', 'men NL 18-65');
    await page.waitForURL(/p=Male~NL~18-65/);
    await hands.press(page, 'link', 'Doorway');
    await page.waitForURL(/product=doorway/);
    // The users of a doorway wear shoes.
    await page.getByText('They wear what the users wear: light clothing and flat shoes.').waitFor();
    await holds(page, 0.9);
    expect((await proposed(page)).height).toBeGreaterThan(2000);
    await hands.press(page, 'link', 'Bed');
    await page.waitForURL(/product=bed/);
    await holds(page, 0.9);
    expect((await proposed(page)).length).toBeGreaterThan(2050);
    expect(hands.count).toBeLessThanOrEqual(INTERACTIONS_MAX);
    expect(faults).toEqual([]);
  });

  it.each(WAYS)('4: a chair for 8-year-olds of BR: %s', async (_, way) => {
    const { page, faults, hands, leave } = await begin(way);
    await leave('Fit');
    await hands.press(page, 'button', 'Remove Men US 18–65');
    await describePeople(hands, page, 'Women US 18–65', 'people BR 8');
    await hands.press(page, 'link', 'Chair');
    await page.waitForURL(/product=chair&p=Both~BR~8-8/);
    await holds(page, 0.9);
    const { low, high, depth } = (await proposed(page)) as Record<string, number>;
    // Chairs of EN 1729 for children of 1.19 to 1.42 m have seats of 350 mm.
    expect(low).toBeGreaterThan(280);
    expect(high).toBeLessThan(380);
    expect(depth).toBeGreaterThan(250);
    expect(hands.count).toBeLessThanOrEqual(INTERACTIONS_MAX);
    expect(faults).toEqual([]);
  });

  it.each(WAYS)('5: a car seat, three limits together, US, DE, CN and IN: %s', async (_, way) => {
    const { page, faults, hands, leave } = await begin(way);
    await leave('Fit');
    await hands.press(page, 'button', 'Remove Men US 18–65');
    await describePeople(hands, page, 'Women US 18–65', 'people US, DE, CN, IN 18-65');
    await hands.press(page, 'link', 'Own limits');
    await page.waitForURL(/product=own&p=Both~US,DE,CN,IN~18-65/);
    await holds(page, 0.9);
    const answer = await answerOfShownCall(page, screens.service);
    expect(answer.limits.map(({ measurement }: { measurement: string }) => measurement)).toEqual([
      'SittingHeight',
      'ButtockKneeLength',
      'SittingHipBreadth',
    ]);
    expect(hands.count).toBeLessThanOrEqual(INTERACTIONS_MAX);
    expect(faults).toEqual([]);
  });
});
