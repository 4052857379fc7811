import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { SCREEN_PATHS, type ScreenId } from '../../src/pages/screens/paths.js';
import { accessibilityFaults } from '../support/browser.js';
import type { Screens } from '../support/screens.js';

/** Where a screen shows its numbers, dimmed while they are those of an earlier view. */
const NUMBERS: Readonly<Record<ScreenId, string>> = {
  body: '.body-table',
  fit: '.fit-results',
  sizes: '.sizes-results',
  sheet: 'article.sheet',
  dimension: '.dimension-results',
  person: '.person-results',
};

/** Requests for the data of later views; those of Sheet are its pages. */
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

/** What a visitor is answered who has asked too often, with another wait. */
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
 * A refusal and a lost connection, amid work on a screen: each says what happened, the old numbers are
 * dimmed and said to be old, and the new ones come without the user.
 */
export async function refuseAndRecover(screens: Screens, screen: ScreenId): Promise<void> {
  const { page } = await screens.open(SCREEN_PATHS[screen]);
  const dimmed = page.locator(`${NUMBERS[screen]}[aria-busy=true]`);
  const shown = page.locator(`${NUMBERS[screen]}:not([aria-busy=true])`);
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
  // Old numbers are pale on purpose; the notice itself can be read.
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

  // A service that is away for two tries is asked a third time.
  let unanswered = 0;
  await page.route(isData(screen), (route) =>
    ++unanswered <= 2 ? route.abort('failed') : route.continue(),
  );
  await showOthers(page, 'men CN 20-40');
  await notice.waitFor();
  await notice.waitFor({ state: 'detached' });
  expect(unanswered).toBe(3);
}
