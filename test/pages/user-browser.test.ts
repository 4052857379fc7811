import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accessibilityFaults,
  excessWidthPx,
  haveBrowser,
  takePicture,
} from '../support/browser.js';
import { type Served, serve } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { PASSWORD } from '../support/form-client.js';
import { copiedText, MAY_COPY } from '../support/screen-page.js';
import { DESKTOP, useBrowser } from '../support/screens.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';

const EMAIL = 'ada@example.com';
const NAME = '<b>"Ada & Söhne"</b>';
const NEW_PASSWORD = 'quite another one';

/** Pages that are checked for accessibility in every run. */
const INSPECTED = 'sign-up keys checkout settings'.split(' ');

/** Checks that a page is not wider than a phone and has no serious accessibility fault. */
async function inspect(page: Page, name: string, widthPx = 390): Promise<void> {
  await takePicture(page, name);
  if (process.env.MODE === 'all' || INSPECTED.includes(name)) {
    expect(await accessibilityFaults(page), name).toEqual([]);
  }
  await page.setViewportSize({ width: widthPx, height: 844 });
  await takePicture(page, name);
  expect(await excessWidthPx(page), `${name} at ${widthPx} px`).toBeLessThanOrEqual(0);
  await page.setViewportSize(DESKTOP);
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.goto('/account/sign-in');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(!haveBrowser)('a user in a real browser', () => {
  const browser = useBrowser();
  let served: Served;
  let address: string;
  beforeAll(async () => {
    const folder = newFolder('users');
    const env = { DATABASE_URL: `file:${folder}/db.sqlite`, ARTIFACTS_DIR: writeTinyArtifact() };
    served = await serve(env, ['--json']);
    ({ address } = JSON.parse(served.output.stdout));
  });
  afterAll(() => served?.stop());

  /** The newest link to a page in the service's log. */
  async function linkInLog(path: string): Promise<string> {
    const newest = () => [...served.output.stderr.matchAll(/"link":"([^"]+)"/g)].at(-1)?.[1] ?? '';
    await until(() => newest().includes(path));
    return newest();
  }

  it('signs up, gets a test key, confirms by the link in the log, creates a live key, calls the API, sees the usage, buys and spends credits, revokes the key, changes the password and deletes the account', async () => {
    async function call(apiKey: string): Promise<Response> {
      const body = { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50 };
      return await fetch(`${address}/v1/predict`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    }

    const { page, faults } = await browser.blank(address, MAY_COPY);
    await page.goto('/account');
    expect(new URL(page.url()).pathname).toBe('/account/sign-in');
    await inspect(page, 'sign-in');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Name').fill(NAME);
    await page.getByLabel('E-mail').fill(EMAIL);
    const password = page.getByLabel('Password');
    await password.fill('password1234');
    await page.getByRole('button', { name: 'Sign up' }).click();
    expect(await password.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    expect(await password.getAttribute('aria-describedby')).toBe('password-hint password-error');
    await inspect(page, 'sign-up');
    expect(faults.splice(0)).toEqual([expect.stringContaining('422')]);
    await password.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your test key' }).waitFor();
    const testKey = (await page.locator('#api-key').textContent()) ?? '';
    expect(testKey).toMatch(/^vt_test_\w{40}$/);
    expect((await call(testKey)).status).toBe(200);
    const command = await copiedText(page, () =>
      page.getByRole('button', { name: 'Copy the command' }).click(),
    );
    // The command that the page shows works without changes.
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      command.replace(/^curl http:\/\/[^/]+/, `curl -s ${address}`),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ measurement: 'Stature', country: 'NL' });
    await inspect(page, 'key-first');
    // Reloading sends the form again. It must create no second account and no second key, and must not show the key.
    await page.reload();
    await page.getByText('Your first test key was shown once').waitFor();
    expect(await page.content()).not.toContain(testKey);
    expect(await page.getByRole('row', { name: 'First test key' }).count()).toBe(1);
    expect(await page.getByLabel(/^Live: uses paid/).isDisabled()).toBe(true);
    await inspect(page, 'keys-unconfirmed');
    await page.getByRole('link', { name: 'Credits', exact: true }).click();
    await page.getByText('Confirm your e-mail address to create live keys').waitFor();
    await inspect(page, 'credits-unconfirmed');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('You can change the address after you have confirmed it.').waitFor();
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await page.waitForURL('**/check-mail');
    await inspect(page, 'check-mail');
    // Another browser needs the password to confirm the address.
    const other = await browser.blank(address);
    await other.page.goto(await linkInLog('/account/verify'));
    await inspect(other.page, 'verify', 320);
    await other.page.getByLabel('Password').fill(PASSWORD);
    await other.page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await other.page.getByText('Your e-mail address is confirmed.').waitFor();
    await inspect(other.page, 'confirmed', 320);
    await page.goto('/account/keys');
    await inspect(page, 'keys-confirmed');

    // Create a key with the keyboard only.
    await page.getByLabel('Name').focus();
    await page.keyboard.type(NAME);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    const apiKey = (await page.locator('#api-key').textContent()) ?? '';
    expect(apiKey).toMatch(/^vt_live_\w{40}$/);
    const copy = () => page.getByRole('button', { name: 'Copy the key' }).click();
    expect(await copiedText(page, copy)).toBe(apiKey);
    await page.getByText('Copied', { exact: true }).first().waitFor();
    await inspect(page, 'key-new');
    await page.reload();
    await page.getByRole('heading', { name: 'This key was already created' }).waitFor();
    expect(await page.content()).not.toContain(apiKey);
    await inspect(page, 'key-shown');
    await page.getByRole('link', { name: 'Your keys' }).click();
    const row = page.getByRole('row', { name: NAME });
    expect(await row.count()).toBe(1);
    expect(await row.textContent()).toContain('never');
    expect(await page.content()).not.toContain(apiKey);

    // Uses the free calls and checks how the pages show them.
    for (let index = 0; index < 10; index++) expect((await call(apiKey)).status).toBe(200);
    expect(await (await call(apiKey)).json()).toMatchObject({ code: 'free_tier_exhausted' });
    await page.reload();
    expect(await row.locator('td[data-label="Calls"]').textContent()).toBe('10');
    expect(await row.textContent()).not.toContain('never');
    await inspect(page, 'keys');
    await page.getByRole('link', { name: 'Credits', exact: true }).click();
    const live = page.getByRole('row', { name: /^Live/ });
    const packs = page.getByRole('region', { name: 'Buy live credits' });
    expect(await live.textContent()).toContain('0 of 10');
    await page.getByText('When used free live calls become available again').click();
    expect(await page.locator('main').getByRole('listitem').count()).toBeGreaterThan(0);
    await inspect(page, 'credits-none');

    // Cancels a first checkout, and then buys a pack from the test provider.
    await packs.getByRole('button', { name: /^100/ }).click();
    await inspect(page, 'checkout');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('cancelled or expired').waitFor();
    await packs.getByRole('button', { name: /^100/ }).click();
    await page.getByRole('button', { name: 'Pay (test)' }).click();
    await page.getByText('We added 100 live credits to your account').waitFor();
    expect(await live.locator('td[data-label="Credits"]').textContent()).toBe('100');
    for (let index = 0; index < 3; index++) expect((await call(apiKey)).status).toBe(200);
    await page.reload();
    expect(await live.locator('td[data-label="Credits"]').textContent()).toBe('97');
    await inspect(page, 'credits');

    // Refund the purchase: the unspent credits are taken back.
    await page.getByRole('button', { name: 'Refund 1.00 in test money' }).click();
    await page.getByText('97 credits taken back; the other 3 were already spent').waitFor();
    expect(await live.locator('td[data-label="Credits"]').textContent()).toBe('0');
    await page.getByText('You owe 3 credits').waitFor();
    await inspect(page, 'credits-refunded');

    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    const cells = page.getByRole('row', { name: /predict/ });
    expect(await cells.textContent()).toMatch(/predict13310$/);
    await inspect(page, 'usage');
    await page.getByRole('link', { name: 'By key' }).click();
    await page.getByRole('row', { name: NAME }).waitFor();
    await inspect(page, 'usage-by-key');
    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    await page.getByText('Usage, 13 calls').waitFor();
    const balances = await page.locator('td[data-label="Balance"]').allTextContents();
    expect(balances).toEqual(['0', '0', '100']);
    await inspect(page, 'ledger');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /Export/ }).click();
    const stream = await (await download).createReadStream();
    let csv = '';
    for await (const chunk of stream) csv += String(chunk);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + 13 + 2);

    // Rotate the key and revoke its successor.
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await row.getByRole('link', { name: /^Rotate/ }).click();
    await inspect(page, 'rotate');
    await page.getByRole('button', { name: 'Create new key' }).click();
    const next = (await page.locator('#api-key').textContent()) ?? '';
    expect([(await call(apiKey)).status, (await call(next)).status]).toEqual([402, 402]);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    const successor = page.getByRole('row', { name: next.slice(0, 14) });
    await successor.getByRole('link', { name: /^Revoke/ }).click();
    await inspect(page, 'revoke');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('The key is revoked').waitFor();
    // The service learns within a moment that a key is revoked.
    await until(async () => (await call(next)).status === 401);
    expect((await call(apiKey)).status).toBe(402);
    await inspect(page, 'keys-revoked');

    // Changes the password. This ends the sessions of other browsers.
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    expect(await page.getByText(NAME).count()).toBe(1);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password was changed.').waitFor();
    await inspect(page, 'settings');
    await other.page.reload();
    expect(new URL(other.page.url()).pathname).toBe('/account/sign-in');
    expect(other.faults).toEqual([]);
    await signIn(other.page, PASSWORD);
    await other.page.getByText('do not match').waitFor();
    await inspect(other.page, 'refused', 320);
    await signIn(other.page, NEW_PASSWORD);
    await other.page.waitForURL('**/account/keys');
    const remove = page.getByRole('region', { name: 'Delete your account' });
    await remove.getByLabel('Your password').fill(NEW_PASSWORD);
    await remove.getByRole('button').click();
    await page.getByText('Your account was deleted.').waitFor();
    expect(faults).toEqual([]);
    await signIn(other.page, NEW_PASSWORD);
    await other.page.getByText('do not match').waitFor();
    const refusal = expect.stringContaining('422');
    expect(other.faults).toEqual([refusal, refusal]);
  });
});
