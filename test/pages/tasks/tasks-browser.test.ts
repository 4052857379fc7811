import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { percent } from '../../../src/site/labels.js';
import { lengthNumber } from '../../../src/site/lengths.js';
import { accessibilityFaults, excessWidthPx, haveBrowser } from '../../support/browser.js';
import { answerOfShownCall, overallShare, tabTo } from '../../support/screen-page.js';
import { DESKTOP, TOUCHED, useScreens } from '../../support/screens.js';
import { realArtifacts } from '../../support/servers.js';

/** How a person uses the page. */
interface Hands {
  readonly options: BrowserContextOptions;
  press(page: Page, role: 'button' | 'link' | 'radio', name: string): Promise<void>;
  /** Types into a field and ends with Enter. */
  type(page: Page, name: string, text: string): Promise<void>;
  /** Types into a list of options and chooses the first option. */
  pick(page: Page, name: string, text: string): Promise<void>;
}

const PHONE = {
  ...TOUCHED,
  deviceScaleFactor: 3,
  userAgent:
    'Mozilla/5.0 (Linux; Android 16; Phone) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
};

/** Points with a mouse or a finger. */
function pointing(options: BrowserContextOptions, act: 'click' | 'tap'): Hands {
  return {
    options,
    press: (page, role, name) => page.getByRole(role, { name, exact: true })[act](),
    async type(page, name, text) {
      const field = page.getByRole('textbox', { name, exact: true });
      await field[act]();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    },
    async pick(page, name, text) {
      await page.getByRole('combobox', { name, exact: true })[act]();
      await page.keyboard.type(text);
      await page.getByRole('option', { name: text }).first()[act]();
    },
  };
}

const KEYBOARD: Hands = {
  options: { viewport: DESKTOP },
  async press(page, _role, name) {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  },
  async type(page, name, text) {
    // A handle in a picture can have the same name as its field.
    await tabTo(page, name, 'input');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  },
  async pick(page, name, text) {
    await tabTo(page, name);
    await page.keyboard.type(text);
    await page.getByRole('option', { name: text }).first().waitFor();
    await page.keyboard.press('Enter');
  },
};

const MOUSE = pointing({ viewport: DESKTOP }, 'click');
const TOUCH = pointing(PHONE, 'tap');

/** Hands that count interactions. A click, a choice or a filled field counts as one. */
class CountedHands implements Hands {
  count = 0;
  readonly options: BrowserContextOptions;

  constructor(private readonly hands: Hands) {
    this.options = hands.options;
  }

  press(page: Page, role: 'button' | 'link' | 'radio', name: string): Promise<void> {
    this.count++;
    return this.hands.press(page, role, name);
  }

  type(page: Page, name: string, text: string): Promise<void> {
    this.count++;
    return this.hands.type(page, name, text);
  }

  pick(page: Page, name: string, text: string): Promise<void> {
    this.count++;
    return this.hands.pick(page, name, text);
  }

  /** Opens the controls of a screen on a phone, where they slide in from below. */
  async openControls(page: Page, label: string): Promise<void> {
    if (this.options.hasTouch !== true) return;
    this.count++;
    await page.locator('summary', { hasText: label }).tap();
  }
}

/** Changes the people of a population in the bar at the top of a screen. The words are such as `people DE 18–65`. */
async function describePeople(hands: Hands, page: Page, chip: string, words: string) {
  await hands.press(page, 'button', `${chip}, edit`);
  await hands.type(page, 'In words', words);
}

/**
 * Number of interactions that a task may take from `/explore` on. A click, a choice or a filled field counts as one.
 */
const INTERACTIONS_MAX = 8;
const TEN =
  'stature, eye height, sitting height, knee height, hip breadth, hand length, foot length, head breadth, chest depth, elbow height';

/**
 * A task of a designer on each screen with the real model. Each begins at `/explore`, compares its numbers with the API,
 * and prints how many interactions it took.
 */
describe.skipIf(!haveBrowser)('the tasks of designers, from /explore', () => {
  const screens = useScreens({
    ...{ ready: '#population-bar[data-ready]', artifacts: realArtifacts, blankPeople: true },
  });
  const counts: string[] = [];
  afterAll(() => console.log(`Interactions: ${counts.join(', ')}`));

  /** Begins a task. On a phone, the same links lead to the screens. */
  async function begin(way: Hands) {
    const hands = new CountedHands(way);
    const { page, faults } = await screens.visit('/explore', way.options);
    const leave = async (name: string, ready: string) => {
      await hands.press(page, 'link', name);
      await page.locator(ready).first().waitFor();
    };
    const end = async (task: string) => {
      counts.push(`${task}: ${hands.count}`);
      expect(hands.count).toBeLessThanOrEqual(INTERACTIONS_MAX);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
    };
    return { page, hands, leave, end };
  }

  /** The answer of the API to a body, sent with the key of a customer. */
  async function fromApi(path: string, body: object) {
    const { headers } = await screens.service.customer(100);
    return (await screens.service.post(path, body, headers)).body;
  }

  /** The proposed sizes in mm, read when they belong to the present view. */
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

  /** Checks that the shown share equals that of the API and is at least the wanted share. */
  async function holds(page: Page, wanted: number): Promise<void> {
    const share = await overallShare(page);
    const answer = await answerOfShownCall(page, screens.service);
    expect(share).toBe(answer.share);
    expect(share).toBeGreaterThanOrEqual(wanted);
  }

  /** The cells for a size and a population in the table of needs, in its tab. */
  async function needs(page: Page, size: string, who: string): Promise<string[]> {
    await page.getByRole('tab', { name: 'Sizes needed' }).press('Enter');
    const named = page.getByRole('rowheader', { name: `${size} ${who}`, exact: true });
    const row = page.locator('.needs tbody tr').filter({ has: named });
    return row.locator('td').allTextContents();
  }

  const written = (mm: number) => Math.round(mm).toLocaleString('en');

  /** Lengths of people from 18 to 65 at the percentiles 5, 50 and 95, from the API. */
  async function lengthsMm(group: object, measurement: string, clothing: string) {
    const { measurements } = await fromApi('/v1/population/percentiles', {
      population: { groups: [{ ...group, ageMin: 18, ageMax: 65 }] },
      ...{ measurements: [measurement], percentiles: [5, 50, 95], clothing },
    });
    return measurements[0].values.map(({ value }: { value: number }) => value) as number[];
  }

  it('a doorway and a bed for Dutch men in shoes, with the mouse', async () => {
    const { page, hands, leave, end } = await begin(MOUSE);
    await leave('Fit', '.fit-share');
    await hands.press(page, 'button', 'Remove Women US 18–65');
    await hands.press(page, 'button', 'Men US 18–65, edit');
    await hands.press(page, 'button', 'Remove United States of America');
    await hands.pick(page, 'Add a country or a set of countries', 'Netherlands');
    await hands.press(page, 'button', 'Done');
    await page.waitForURL(/p=Male~NL~18-65/);
    await hands.press(page, 'link', 'Doorway');
    await page.waitForURL(/product=doorway/);
    // The users of a doorway wear shoes.
    await page
      .getByText('In light clothing and flat shoes, as is usual for this product.')
      .waitFor();
    await holds(page, 0.9);
    expect((await proposed(page)).height).toBeGreaterThan(2000);
    await hands.press(page, 'link', 'Bed');
    await page.waitForURL(/product=bed/);
    await holds(page, 0.9);
    expect((await proposed(page)).length).toBeGreaterThan(2050);
    await end('Fit');

    // A bed of 1,900 mm is too short for a man of the 95th percentile.
    await hands.type(page, 'Length', '1900');
    await page.waitForURL(/p=Male~NL~18-65&length=1900/);
    await holds(page, 0.1);
    const tallMm = (await lengthsMm({ gender: 'Male', countries: ['NL'] }, 'Stature', 'nude'))[2];
    const cells = await needs(page, 'Length', 'Men NL 18–65');
    expect(cells[2]).toContain(`≥ ${written((tallMm ?? 0) + 150)} `);
    expect(cells[2]).toContain('does not fit');
    const { limits } = await answerOfShownCall(page, screens.service);
    const reached = (1 - limits[0].above) * 100;
    expect(reached).toBeLessThan(95);
    const digits = { maximumFractionDigits: 1 };
    expect(cells[3]).toBe(`up to P${reached.toLocaleString('en', digits)}`);
  });

  it('a car, DE 18 to 70, who reaches and sees, with the mouse', async () => {
    const { page, hands, leave, end } = await begin(MOUSE);
    await leave('Reach', '.reach-handle');
    await hands.press(page, 'button', 'Remove Men US 18–65');
    await describePeople(hands, page, 'Women US 18–65', 'people DE 18-70');
    await page.waitForURL(/reach\?p=Both~DE~18-70/);
    await page.locator('.reach-answer[aria-busy=false]').waitFor();
    const shown = page.locator('[data-share], [data-met]');
    const shares = await shown.evaluateAll((all) =>
      all.map(({ dataset }) => Number(dataset.share ?? dataset.met)),
    );
    const answer = await answerOfShownCall(page, screens.service);
    const demands = [...answer.targets, ...answer.see, ...answer.clear];
    expect(shares).toEqual([answer, ...demands].map((one) => one.share));
    expect(demands.map((one) => one.name)).toEqual([
      ...['Pedal', 'Wheel', 'Lever', 'Road over the wheel', 'Roof'],
    ]);
    expect(answer.share).toBeGreaterThan(0.7);
    await end('Reach');
  });

  it('gloves for 90 % of women of IN, and of DE, on a phone', async () => {
    const { page, hands, leave, end } = await begin(TOUCH);
    await leave('Sizes', '.sizes-count');
    await describePeople(hands, page, 'People US 18–65', 'women IN 18-65');
    await page.waitForURL(/p=Female~IN~18-65/);
    await hands.press(page, 'button', 'Add population');
    await hands.type(page, 'In words', 'women DE 18-65');
    await page.waitForURL(/p=Female~IN~18-65&p=Female~DE~18-65/);
    await hands.press(page, 'link', 'Glove');
    await page.waitForURL(/product=glove/);
    await sizesHold(page, 'glove', 0.9);
    const { groups } = await answerOfShownCall(page, screens.service);
    const shown = await page.locator('[data-group-share]').allTextContents();
    expect(shown).toEqual(
      groups.map(({ shareServed }: { shareServed: number }) => percent(shareServed)),
    );
    // The pictures have a person of each population.
    const who = await page.locator('.sizes-people .hint').textContent();
    expect(who).toMatch(/\(India\).*\(Germany\)|\(Germany\).*\(India\)/);
    await end('Sizes');
  });

  /**
   * Checks that the shown sizes equal those of the API and serve the wanted share, and that fewer sizes do not serve
   * it.
   */
  async function sizesHold(page: Page, product: string, wanted: number): Promise<void> {
    await page.locator('.sizes-results[aria-busy=false]').waitFor();
    const answer = await answerOfShownCall(page, screens.service);
    const { sizes, shareServed, groups } = answer;
    const least = (all: readonly { shareServed: number }[]) =>
      Math.min(...all.map((group) => group.shareServed));
    const count = page.locator('.sizes-count');
    expect(Number(await count.locator('[data-sizes]').getAttribute('data-sizes'))).toBe(
      sizes.length,
    );
    expect(await count.textContent()).toContain(`${sizes.length} ${product} sizes serve`);
    const share = count.locator('[data-share]');
    expect(Number(await share.getAttribute('data-share'))).toBe(shareServed);
    expect(await share.textContent()).toBe(percent(shareServed));
    expect(least(groups)).toBeGreaterThanOrEqual(wanted);
    const rows = await page.locator('.sizes-table tbody tr').all();
    expect(rows).toHaveLength(sizes.length);
    for (const [index, row] of rows.entries()) {
      const own = sizes[index];
      const cells = (await row.locator('th, td').allTextContents()).map((text) => text.trim());
      expect(cells).toEqual([
        own.name,
        percent(own.share),
        expect.stringMatching(/^\d+$/),
        ...own.ranges.map(
          ({ from, to }: { from: number; to: number }) =>
            `${lengthNumber(from, 'mm')} – ${lengthNumber(to, 'mm')}`,
        ),
      ]);
    }
    const curl = (await page.locator('pre.call').textContent()) ?? '';
    const body = JSON.parse(/-d '(.*)'/.exec(curl)?.[1] ?? '');
    const fewer = await fromApi('/v1/population/sizes', { ...body, sizes: sizes.length - 1 });
    expect(least(fewer.groups)).toBeLessThan(wanted);
  }

  it('Italians of 75 and more beside Swedes of 18 to 30, with the keyboard only', async () => {
    const { page, hands, end } = await begin(KEYBOARD);
    await describePeople(hands, page, 'Women US 18–65', 'IT 75+');
    await describePeople(hands, page, 'Men US 18–65', 'SE 18-30');
    await page.waitForURL(/p=Both~IT~75-120&p=Both~SE~18-30/);
    await page.locator('.body-table[aria-busy=false]').waitFor();
    // Each population has a small, a median and a large person beside each other, or the median person alone.
    for (const series of [1, 2]) {
      const people = page.locator(`.people-picture .series-${series} .people-person`);
      await expect.poll(async () => [1, 3].includes(await people.count())).toBe(true);
    }
    const cells = page.locator('.dimensions td[data-mm]');
    const shown = await cells.evaluateAll((all) => all.map((one) => Number(one.dataset.mm)));
    const { measurements } = await answerOfShownCall(page, screens.service);
    const names = measurements.map(({ measurement }: { measurement: string }) => measurement);
    const groups = [
      { countries: ['IT'], ageMin: 75, ageMax: 120 },
      { countries: ['SE'], ageMin: 18, ageMax: 30 },
    ];
    for (const [index, group] of groups.entries()) {
      const answer = await fromApi('/v1/population/percentiles', {
        population: { groups: [group] },
        measurements: names,
        percentiles: [5, 50, 95],
      });
      // For each dimension, each population has one line of three numbers.
      const own = shown.filter((_, place) => Math.floor(place / 3) % 2 === index);
      const exact = answer.measurements.flatMap(
        ({ values }: { values: readonly { value: number }[] }) => values.map(({ value }) => value),
      );
      expect(own).toEqual(exact);
    }
    await end('Body');
  });

  it('a sheet of ten dimensions of adults in China, on a phone', async () => {
    const { page, hands, leave, end } = await begin(TOUCH);
    await leave('Sheet', '#population-bar[data-ready]');
    await describePeople(hands, page, 'Women US 18–65', 'adults in China');
    await page.getByRole('heading', { level: 1, name: 'People CN 18–120' }).waitFor();
    await hands.openControls(page, 'Dimensions and unit');
    await hands.type(page, 'Dimensions in words, separated by commas', TEN);
    await page.locator('.sheet-table tbody tr:nth-child(10):last-child').waitFor();
    await page.locator('article.sheet:not([aria-busy=true])').waitFor();
    const query = new URL(page.url()).search;
    const data = await (await page.request.get(`/explore/sheet/data${query}`)).json();
    const { measurements } = await fromApi('/v1/population/percentiles', data.body);
    const rows = await page.locator('.sheet-table tbody tr').all();
    expect(rows).toHaveLength(10);
    for (const [index, row] of rows.entries()) {
      const cells = await row.locator('td.number').allTextContents();
      const { values, mean, sd } = measurements[index];
      const exact = [...values.map(({ value }: { value: number }) => value), mean, sd];
      expect(cells.slice(1, 6)).toEqual(
        exact.map((value) => Math.round(value).toLocaleString('en')),
      );
    }
    await end('Sheet');
  });
});
