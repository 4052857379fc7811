import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { accessibilityFaults, excessWidthPx, haveBrowser } from '../../support/browser.js';
import { answerOfShownCall, overallShare, tabTo } from '../../support/screen-page.js';
import { DESKTOP, TOUCHED, useScreens } from '../../support/screens.js';
import { realArtifacts } from '../../support/servers.js';
import { itInWholeRun } from '../../support/whole-run.js';

type Role = 'button' | 'link' | 'radio';
type Act = 'click' | 'tap' | 'press';

/** How a person uses the page. A click, a choice or a filled field counts as one interaction. */
class Hands {
  count = 0;

  constructor(private readonly act: Act) {}

  private async touch(page: Page, role: Role | 'textbox' | 'combobox', name: string) {
    this.count++;
    // A handle in a picture can have the same name as its field.
    if (this.act === 'press') await tabTo(page, name, role === 'textbox' ? 'input' : '*');
    else await page.getByRole(role, { name, exact: true })[this.act]();
  }

  async press(page: Page, role: Role, name: string): Promise<void> {
    await this.touch(page, role, name);
    if (this.act === 'press') await page.keyboard.press('Enter');
  }

  /** Types into a field and ends with Enter. */
  async type(page: Page, name: string, text: string): Promise<void> {
    await this.touch(page, 'textbox', name);
    if (this.act === 'press') await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }

  /** Types into a list of options and chooses the first option. */
  async pick(page: Page, name: string, text: string): Promise<void> {
    await this.touch(page, 'combobox', name);
    await page.keyboard.type(text);
    await page.getByRole('option', { name: text }).first().click();
  }

  /** Opens the controls of a screen on a phone, where they slide in from below. */
  async openControls(page: Page, label: string): Promise<void> {
    this.count++;
    await page.locator('summary', { hasText: label }).tap();
  }
}

const PHONE = {
  ...TOUCHED,
  deviceScaleFactor: 3,
  userAgent:
    'Mozilla/5.0 (Linux; Android 16; Phone) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
};
const [MOUSE, TOUCH, KEYBOARD] = ['click', 'tap', 'press'] as const;

/** Changes the people of a population in the bar at the top of a screen. The words are such as `people DE 18–65`. */
async function describePeople(hands: Hands, page: Page, chip: string, words: string) {
  await hands.press(page, 'button', `${chip}, edit`);
  await hands.type(page, 'In words', words);
}

/** Number of interactions that a task may take from `/explore` on. */
const INTERACTIONS_MAX = 8;
const TEN =
  'stature, eye height, sitting height, knee height, hip breadth, hand length, foot length, head breadth, chest depth, elbow height';

/**
 * A task of a designer on each screen with the real model. Each begins at `/explore` and prints how many interactions it
 * took.
 */
describe.skipIf(!haveBrowser)('the tasks of designers, from /explore', () => {
  const screens = useScreens({
    ...{ ready: '#population-bar[data-ready]', artifacts: realArtifacts, blankPeople: true },
  });
  const counts: string[] = [];
  afterAll(() => console.log(`Interactions: ${counts.join(', ')}`));

  /** Begins a task. On a phone, a menu has the links to the screens. */
  async function begin(way: Act) {
    const hands = new Hands(way);
    const options = way === TOUCH ? PHONE : { viewport: DESKTOP };
    const { page, faults } = await screens.visit('/explore', options);
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

  it('a doorway and a bed for Dutch men in shoes, with the mouse', async () => {
    const { page, hands, leave, end } = await begin(MOUSE);
    await leave('Fit Will it fit?', '.fit-share');
    await hands.press(page, 'button', 'Remove Women, US, 18–65');
    await hands.press(page, 'button', 'Men, US, 18–65, edit');
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
    await hands.press(page, 'link', 'Bed');
    await page.waitForURL(/product=bed/);
    expect(await overallShare(page)).toBeGreaterThanOrEqual(0.9);
    await page.locator('.pair[aria-busy=false]').waitFor({ state: 'attached' });
    await end('Fit');
    // A bed of 1,900 mm is too short for a man of the 95th percentile.
    await hands.type(page, 'Length', '1900');
    await page.waitForURL(/p=Male~NL~18-65&length=1900/);
    expect(await overallShare(page)).toBe((await answerOfShownCall(page, screens.service)).share);
    await page.getByRole('tab', { name: 'Sizes needed' }).press('Enter');
    const row = page.locator('.needs tbody tr', { hasText: 'Men, NL, 18–65' }).first();
    expect(await row.textContent()).toContain('does not fit');
  });

  itInWholeRun('a car, DE 18 to 70, who reaches and sees, with the mouse', async () => {
    const { page, hands, leave, end } = await begin(MOUSE);
    await leave('Reach Who reaches and sees?', '.reach-handle');
    await hands.press(page, 'button', 'Remove Men, US, 18–65');
    await describePeople(hands, page, 'Women, US, 18–65', 'people DE 18-70');
    await page.waitForURL(/reach\?p=Both~DE~18-70/);
    await page.locator('.reach-answer[aria-busy=false]').waitFor();
    await end('Reach');
  });

  it('gloves for 90 % of women of IN, and of DE, on a phone', async () => {
    const { page, hands, leave, end } = await begin(TOUCH);
    await hands.press(page, 'button', 'Menu');
    await leave('Sizes How many sizes?', '.sizes-count');
    await describePeople(hands, page, 'People, US, 18–65', 'women IN 18-65');
    await page.waitForURL(/p=Female~IN~18-65/);
    await hands.press(page, 'button', 'Add population');
    await hands.type(page, 'In words', 'women DE 18-65');
    await page.waitForURL(/p=Female~IN~18-65&p=Female~DE~18-65/);
    await hands.press(page, 'link', 'Glove');
    await page.waitForURL(/product=glove/);
    await page.locator('.sizes-results[aria-busy=false]').waitFor();
    const count = await page.locator('[data-sizes]').getAttribute('data-sizes');
    expect(await page.locator('.sizes-table tbody tr').count()).toBe(Number(count));
    // The pictures have a person of each population.
    const who = await page.locator('.sizes-people .hint').textContent();
    expect(who).toMatch(/\(India\).*\(Germany\)|\(Germany\).*\(India\)/);
    await end('Sizes');
  });

  it('Italians of 75 and more beside Swedes of 18 to 30, with the keyboard only', async () => {
    const { page, hands, end } = await begin(KEYBOARD);
    await describePeople(hands, page, 'Women, US, 18–65', 'IT 75+');
    await describePeople(hands, page, 'Men, US, 18–65', 'SE 18-30');
    await page.waitForURL(/p=Both~IT~75-120&p=Both~SE~18-30/);
    await page.locator('.body-table[aria-busy=false]').waitFor();
    // Each population has a small, a median and a large person beside each other, or the median person alone.
    for (const series of [1, 2]) {
      const people = page.locator(`.people-picture .series-${series} .people-person`);
      await expect.poll(async () => [1, 3].includes(await people.count())).toBe(true);
    }
    await end('Body');
  });

  it('a sheet of ten dimensions of adults in China, on a phone', async () => {
    const { page, hands, leave, end } = await begin(TOUCH);
    await leave('Sheet to print', '.sheet-results');
    await describePeople(hands, page, 'Women, US, 18–65', 'adults in China');
    await page.getByRole('heading', { level: 1, name: 'People, CN, 18–120' }).waitFor();
    await hands.openControls(page, 'Settings');
    await hands.type(page, 'Measurements in words, separated by commas', TEN);
    await page.locator('.sheet-table tbody tr:nth-child(10):last-child').waitFor();
    await page.locator('.sheet-results[aria-busy=false]').waitFor();
    await end('Sheet');
  });
});
