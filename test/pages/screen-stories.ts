import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { FREE_STEPS_PER_MINUTE } from '../../src/screens/shared/free-computations.js';
import { SCREEN_PATHS } from '../../src/site/paths.js';
import { accessibilityFaults, excessWidthPx } from '../support/browser.js';
import { loadedBytes } from '../support/screen-page.js';
import { type Screens, TOUCHED } from '../support/screens.js';

/** Bytes that a page may load at first, compressed. */
const BYTES_MAX = 120_000;
/** Height of a phone whose browser shows its bars. */
const HEIGHT_PX = 740;

/** The numbers of Dimension. They are dimmed while they belong to an earlier view. */
const NUMBERS = '.dimension-results';
const DATA_PATH = `${SCREEN_PATHS.dimension}/data`;

/** Numbers in the table of Body in mm, read when they belong to the address. */
export async function numbersMm(page: Page): Promise<number[]> {
  await page.locator('.body-table[aria-busy=false]').waitFor();
  const cells = page.locator('td[data-mm]');
  return cells.evaluateAll((all) => all.map((cell) => Number(cell.getAttribute('data-mm'))));
}

/** The exact lengths of the readout of Dimension. */
export async function exactNumbers(page: Page): Promise<number[]> {
  const shown = page.locator('.readout-value[data-exact=true]');
  await shown.first().waitFor();
  return shown.evaluateAll((all) => all.map((one) => Number(one.getAttribute('value'))));
}

/** Opens Fit with a damaged link. It must load few bytes, say what it cannot show, and show the rest. */
export async function openDamaged(screens: Screens): Promise<void> {
  const { page, faults } = await screens.blank();
  await page.goto('/explore/fit?product=throne');
  await page.locator('.fit-share').first().waitFor();
  await page.waitForLoadState('networkidle');
  const loaded = await loadedBytes(page);
  expect(loaded).toBeGreaterThan(5_000);
  expect(loaded).toBeLessThanOrEqual(BYTES_MAX);
  const notices = page.locator('.address-notices');
  const notice = 'the product “throne”, which is not known. Shown is: desk.';
  expect(await notices.innerText()).toContain(notice);
  // The notice is as wide as the page. It does not stand beside the picture.
  expect((await notices.boundingBox())?.height).toBeLessThan(120);
  expect(faults).toEqual([]);
}

const topOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;

/** On a phone, the picture of Body comes first. The controls slide in from below, by touch and by keys. */
export async function useOnPhone(screens: Screens, path: string): Promise<void> {
  const viewport = { width: 360, height: HEIGHT_PX };
  const { page, faults } = await screens.visit(path, { ...TOUCHED, viewport });
  const picture = '.people-picture';
  await page.locator(picture).first().waitFor();
  // The answer is below the screens and populations, in the upper 70 % of the window.
  expect(await topOf(page, picture)).toBeLessThan(0.7 * HEIGHT_PX);
  const control = page
    .locator('.bottom-sheet')
    .getByRole('radio', { name: 'Sitting', exact: true });
  expect(await control.isVisible()).toBe(false);
  const button = page.locator('summary', { hasText: 'Settings' });
  const box = await button.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(HEIGHT_PX, -1);
  expect(box?.height).toBeGreaterThanOrEqual(44);
  await button.tap();
  await control.waitFor();
  // A part of the picture is visible above the controls.
  await expect.poll(() => topOf(page, picture)).toBeLessThan(20);
  expect(await topOf(page, '.bottom-sheet')).toBeGreaterThan(200);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: HEIGHT_PX });
  expect(await excessWidthPx(page)).toBe(0);
  await page.keyboard.press('Escape');
  await control.waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Settings');
  // The keyboard opens the controls, too, and Tab leads into them.
  await page.keyboard.press('Enter');
  await control.waitFor();
  await page.keyboard.press('Tab');
  const isInside = `document.activeElement.closest('.bottom-sheet') !== null`;
  expect(await page.evaluate(isInside)).toBe(true);
  await control.tap();
  await page.waitForURL(/posture=sitting/);
  // In a wider window, the controls are part of the page.
  await page.setViewportSize({ width: 1100, height: HEIGHT_PX });
  await button.waitFor({ state: 'hidden' });
  expect(await control.isVisible()).toBe(true);
  expect(faults).toEqual([]);
}

const isData = ({ pathname }: URL) => pathname === DATA_PATH;

/** Shows other people on a screen. */
async function showOthers(page: Page, words: string): Promise<void> {
  await page
    .getByRole('button', { name: /, edit$/ })
    .first()
    .click();
  await page.getByLabel('In words', { exact: true }).fill(words);
  await page.keyboard.press('Enter');
}

/** The answer to a visitor who has asked too often, with another waiting time. */
async function refusalOf(screens: Screens, waitSeconds: number) {
  const headers = { 'x-forwarded-for': '10.77.0.1' };
  for (let asked = 0; asked <= FREE_STEPS_PER_MINUTE; asked++) {
    const answer = await screens.service.http.inject({ url: DATA_PATH, headers });
    if (answer.statusCode !== 429) continue;
    return {
      status: 429,
      contentType: String(answer.headers['content-type']),
      headers: { 'retry-after': String(waitSeconds) },
      body: answer.body.replaceAll(/again in \d+ seconds/g, `again in ${waitSeconds} seconds`),
    };
  }
  throw new Error('there is no limit');
}

/**
 * Checks a refusal and a lost connection during work on a screen. In both cases, the screen says what happened, dims
 * the old numbers and says that they are old. The new numbers come without an act of the user.
 */
export async function refuseAndRecover(screens: Screens): Promise<void> {
  const { page } = await screens.open(SCREEN_PATHS.dimension);
  const dimmed = page.locator(`${NUMBERS}[aria-busy=true]`);
  const shown = page.locator(`${NUMBERS}:not([aria-busy=true])`);
  const notice = page.locator('.notice');
  await shown.waitFor();
  const refusal = await refusalOf(screens, 2);
  let refused = 0;
  const refuse = async (route: Route) => {
    refused++;
    await (refused === 1 ? route.fulfill(refusal) : route.continue());
  };
  await page.route(isData, refuse);
  await showOthers(page, 'men JP 20-40');
  await notice.waitFor();
  const text = (await notice.innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/^A short pause, please\. You can (use|ask for|open) at most \d+/);
  expect(text).toContain('appears automatically');
  expect(text).not.toContain('Please try again in');
  expect(text).toContain('The pale numbers are those of the view before.');
  const opacity = await dimmed.evaluate((one) =>
    Math.min(...[one, ...one.children].map((part) => Number(getComputedStyle(part).opacity))),
  );
  expect(opacity).toBeLessThan(0.6);
  // Old numbers are pale on purpose, but the notice must be readable.
  expect(
    (await accessibilityFaults(page)).filter(
      (one) => !one.startsWith('color-contrast') || one.includes('notice'),
    ),
  ).toEqual([]);
  await notice.waitFor({ state: 'detached' });
  await shown.waitFor();
  expect(refused).toBe(2);
  await page.unroute(isData, refuse);

  await page.context().setOffline(true);
  await showOthers(page, 'men KR 20-40');
  await page.getByRole('alert').getByText('The service did not answer.').waitFor();
  await dimmed.waitFor();
  await page.context().setOffline(false);
  await notice.waitFor({ state: 'detached' });
  await shown.waitFor();

  // If the service does not answer two requests, the screen sends a third.
  let unanswered = 0;
  await page.route(isData, (route) =>
    ++unanswered <= 2 ? route.abort('failed') : route.continue(),
  );
  await showOthers(page, 'men CN 20-40');
  await notice.waitFor();
  await notice.waitFor({ state: 'detached' });
  expect(unanswered).toBe(3);
}
