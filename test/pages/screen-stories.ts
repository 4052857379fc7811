import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { SCREEN_PATHS, type ScreenId } from '../../src/site/paths.js';
import { accessibilityFaults, excessWidthPx } from '../support/browser.js';
import { loadedBytes } from '../support/screen-page.js';
import { type Screens, TOUCHED } from '../support/screens.js';

/** Bytes that a page may load at first, compressed. */
const BYTES_MAX = 120_000;
/** Height of a phone whose browser shows its bars. */
const HEIGHT_PX = 740;

/** What the stories need to know of a screen. */
interface ScreenRow {
  /** Selector of the numbers. They are dimmed while they belong to an earlier view. */
  readonly numbers: string;
  /** Selector of what the screen shows when it can be used. */
  readonly ready: string;
  /** A query of which the page cannot show a part, and the notice about this part. */
  readonly damaged: readonly [query: string, notice: string];
}

export const SCREENS: Readonly<Record<ScreenId, ScreenRow>> = {
  body: {
    numbers: '.body-table',
    ready: '#population-bar[data-ready] ~ * .body-table',
    damaged: ['region=tail', '“tail”, which is not known. Shown is: none.'],
  },
  fit: {
    numbers: '.fit-results',
    ready: '.fit-share',
    damaged: ['product=throne', 'the product “throne”, which is not known. Shown is: desk.'],
  },
  reach: {
    numbers: '.reach-results',
    ready: '.reach-handle',
    damaged: ['template=boat', 'the template “boat”, which is not known. Shown is: car.'],
  },
  sizes: {
    numbers: '.sizes-results',
    ready: '.sizes-count',
    damaged: ['product=hat', 'the product “hat”, which is not known. Shown is: helmet.'],
  },
  sheet: {
    numbers: 'article.sheet',
    ready: '.sheet-table',
    damaged: ['m=Statur', 'the dimension “Statur”, which is not known. It is left out'],
  },
  dimension: {
    numbers: '.dimension-results',
    ready: '.readout-value',
    damaged: ['percentile=abc', '“abc” as percentile'],
  },
  person: {
    numbers: '.person-results',
    ready: '.person-stage',
    damaged: ['pose=lying', 'the pose “lying”, which is not known. Shown is: standing.'],
  },
  world: {
    numbers: '.world-results',
    ready: '.world-ranking',
    damaged: ['percentile=abc', '“abc” as percentile'],
  },
};
export const SCREEN_IDS = Object.keys(SCREENS) as ScreenId[];

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

/** Opens a page, and checks that it loads few bytes before it can be used and that its scripts have no fault. */
export async function loadFew(screens: Screens, path: string, ready: string): Promise<Page> {
  const { page, faults } = await screens.blank();
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  const loaded = await loadedBytes(page);
  expect(loaded).toBeGreaterThan(5_000);
  // The screen that draws in three dimensions loads its drawing in addition.
  if (path.startsWith(SCREEN_PATHS.person)) expect(loaded).toBeGreaterThan(BYTES_MAX / 10);
  else expect(loaded).toBeLessThanOrEqual(BYTES_MAX);
  expect(faults).toEqual([]);
  return page;
}

/** Opens a screen with a damaged link. The screen must load few bytes, say what it cannot show, and show the rest. */
export async function openDamaged(screens: Screens, screen: ScreenId): Promise<void> {
  const { damaged, ready } = SCREENS[screen];
  const [query, notice] = damaged;
  const page = await loadFew(screens, `${SCREEN_PATHS[screen]}?${query}`, ready);
  const notices = page.locator('.address-notices');
  expect(await notices.innerText()).toContain(notice);
  // The notice is as wide as the page. It does not stand beside the picture.
  expect((await notices.boundingBox())?.height).toBeLessThan(120);
}

/** A screen on a phone. */
export interface ScreenOnPhone {
  readonly path: string;
  readonly picture: string;
  /** Selector of the answer, if it comes before the picture. */
  readonly answer?: string;
  readonly button: string;
  /** A field or button among the controls. */
  readonly control: string;
  /** What shows the numbers or the picture, without JavaScript. */
  readonly plain: string;
}

/** The largest number of populations that a screen shows. */
export const SIX = ['Female~DE', 'Male~DE', 'Female~JP', 'Male~JP', 'Both~US', 'Male~NL']
  .map((who) => `p=${who}~18-65`)
  .join('&');

export const PHONE_BODY: ScreenOnPhone = {
  // Six populations take three rows of chips above the picture.
  path: `/explore?${SIX}`,
  picture: '.people-picture',
  button: 'View',
  control: 'Standing',
  plain: '.people-picture',
};
export const PHONE_SCREENS: readonly ScreenOnPhone[] = [
  PHONE_BODY,
  {
    path: '/explore/fit?product=bed&width=2200',
    picture: '.scene',
    answer: '.short-answer',
    button: 'Rules and units',
    control: 'cm',
    plain: 'noscript table, main table',
  },
  {
    path: '/explore/reach?template=cupboard',
    picture: '.reach-picture',
    answer: '.reach-share',
    button: 'Places and seat',
    control: 'Add a target',
    plain: '.reach-picture',
  },
  {
    path: '/explore/sheet?m=Stature,SittingHeight',
    picture: '.sheet-figure',
    button: 'Dimensions and unit',
    control: 'Dimensions in words, separated by commas',
    plain: '.sheet-figure',
  },
  {
    path: '/explore/dimension',
    picture: '.plot',
    button: 'Measurement and people',
    control: 'Measurement',
    plain: 'main table',
  },
  {
    path: '/explore/world',
    picture: '.world-map',
    button: 'Measurement and people',
    control: 'Measurement',
    plain: '.world-map',
  },
];

/** Opens a path on a touch screen of this width. */
export function visitOnPhone(
  screens: Screens,
  path: string,
  width: number,
  options: { javaScriptEnabled?: boolean } = {},
) {
  return screens.visit(path, {
    ...TOUCHED,
    viewport: { width, height: HEIGHT_PX },
    ...options,
  });
}

const topOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;

/** On a phone, the answer comes first. The controls slide in from below, by touch and by keys. */
export async function useOnPhone(screens: Screens, one: ScreenOnPhone): Promise<void> {
  const { page, faults } = await visitOnPhone(screens, one.path, 360);
  await page.locator(one.picture).first().waitFor();
  // The answer is below the screens and populations, in the upper 70 % of the window.
  expect(await topOf(page, one.answer ?? one.picture)).toBeLessThan(0.7 * HEIGHT_PX);
  // A handle in the picture can have the same name as a field.
  const sheet = page.locator('.bottom-sheet');
  const control = sheet
    .getByLabel(one.control, { exact: true })
    .or(sheet.getByRole('button', { name: one.control, exact: true }));
  expect(await control.first().isVisible()).toBe(false);
  const button = page.locator('summary', { hasText: one.button });
  const box = await button.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(HEIGHT_PX, -1);
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect(await accessibilityFaults(page)).toEqual([]);
  const fitsNarrowest = async () => {
    await page.setViewportSize({ width: 320, height: HEIGHT_PX });
    expect(await excessWidthPx(page)).toBe(0);
    await page.setViewportSize({ width: 360, height: HEIGHT_PX });
  };
  await fitsNarrowest();

  await button.tap();
  await control.first().waitFor();
  // A part of the picture is visible above the controls.
  await expect.poll(() => topOf(page, one.picture)).toBeLessThan(20);
  expect(await topOf(page, '.bottom-sheet')).toBeGreaterThan(200);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await excessWidthPx(page)).toBe(0);
  await fitsNarrowest();
  await page.keyboard.press('Escape');
  await control.first().waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe(one.button);

  // The keyboard opens the controls, too, and Tab leads into them.
  await page.keyboard.press('Enter');
  await control.first().waitFor();
  await page.keyboard.press('Tab');
  const isInside = `document.activeElement.closest('.bottom-sheet') !== null`;
  expect(await page.evaluate(isInside)).toBe(true);
  // In a wider window, the controls are part of the page.
  await page.setViewportSize({ width: 1100, height: HEIGHT_PX });
  await button.waitFor({ state: 'hidden' });
  expect(await control.first().isVisible()).toBe(true);
  expect(faults).toEqual([]);
}

/** Without JavaScript, the controls follow the results on a phone. */
export async function readPlain(screens: Screens, { path, plain }: ScreenOnPhone): Promise<void> {
  const { page } = await visitOnPhone(screens, path, 360, { javaScriptEnabled: false });
  expect(await topOf(page, plain)).toBeLessThan(await topOf(page, 'main form'));
  expect(await page.locator('main form').first().isVisible()).toBe(true);
  expect(await excessWidthPx(page)).toBe(0);
}

/** Matches requests for the data of later views. The data of Sheet are its pages. */
function isData(screen: ScreenId): (url: URL) => boolean {
  const path = SCREEN_PATHS[screen] + (screen === 'sheet' ? '' : '/data');
  return ({ pathname }) => pathname === path;
}

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
async function refusalOf(screens: Screens, screen: ScreenId, waitSeconds: number) {
  const url = SCREEN_PATHS[screen] + (screen === 'sheet' ? '' : '/data');
  const headers = { 'x-forwarded-for': '10.77.0.1' };
  for (let asked = 0; asked < 70; asked++) {
    const answer = await screens.service.http.inject({ url, headers });
    if (answer.statusCode !== 429) continue;
    return {
      status: 429,
      contentType: String(answer.headers['content-type']),
      headers: { 'retry-after': String(waitSeconds) },
      body: answer.body
        .replace(/"retryAfterSeconds":\d+/, `"retryAfterSeconds":${waitSeconds}`)
        .replaceAll(/again in \d+ seconds/g, `again in ${waitSeconds} seconds`),
    };
  }
  throw new Error('there is no limit');
}

/**
 * Checks a refusal and a lost connection during work on a screen. In both cases, the screen says what happened, dims
 * the old numbers and says that they are old. The new numbers come without an act of the user.
 */
export async function refuseAndRecover(screens: Screens, screen: ScreenId): Promise<void> {
  const { page } = await screens.open(SCREEN_PATHS[screen]);
  const dimmed = page.locator(`${SCREENS[screen].numbers}[aria-busy=true]`);
  const shown = page.locator(`${SCREENS[screen].numbers}:not([aria-busy=true])`);
  const notice = page.locator('.notice');
  await shown.waitFor();
  const refusal = await refusalOf(screens, screen, 2);
  let refused = 0;
  const refuse = async (route: Route) => {
    refused++;
    await (refused === 1 ? route.fulfill(refusal) : route.continue());
  };
  await page.route(isData(screen), refuse);
  await showOthers(page, 'men JP 20-40');
  await notice.waitFor();
  const text = (await notice.innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/^A short pause, please\. You can (ask for|open) at most \d+/);
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
  await page.unroute(isData(screen), refuse);

  await page.context().setOffline(true);
  await showOthers(page, 'men KR 20-40');
  await page.getByRole('alert').getByText('The service did not answer.').waitFor();
  await dimmed.waitFor();
  await page.context().setOffline(false);
  await notice.waitFor({ state: 'detached' });
  await shown.waitFor();

  // If the service does not answer two requests, the screen sends a third.
  let unanswered = 0;
  await page.route(isData(screen), (route) =>
    ++unanswered <= 2 ? route.abort('failed') : route.continue(),
  );
  await showOthers(page, 'men CN 20-40');
  await notice.waitFor();
  await notice.waitFor({ state: 'detached' });
  expect(unanswered).toBe(3);
}
