import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFaults, excessWidthPx, takePicture } from '../support/browser.js';
import { linkTo, PASSWORD } from '../support/form-client.js';
import { copiedText, MAY_COPY } from '../support/screen-page.js';
import { DESKTOP, type Screens } from '../support/screens.js';
import { until } from '../support/until.js';

const EMAIL = 'ada@example.com';
const NAME = '<b>"Ada & Söhne"</b>';

/**
 * A new user signs up, gets a test key, confirms, creates a live key, calls the API, sees the usage, buys
 * and spends credits, and revokes the key. All pages must fit a phone.
 *
 * @param names the pages that are also checked for serious accessibility faults; without it, all
 */
export async function comeNew(screens: Screens, names?: readonly string[]): Promise<void> {
  async function inspect(page: Page, name: string): Promise<void> {
    await takePicture(page, name);
    if (names?.includes(name) ?? true) expect(await accessibilityFaults(page), name).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await takePicture(page, name);
    expect(await excessWidthPx(page), `${name} at 390 px`).toBeLessThanOrEqual(0);
    await page.setViewportSize(DESKTOP);
  }

  async function call(apiKey: string): Promise<Response> {
    const body = { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50 };
    return await fetch(`${screens.address}/v1/predict`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  const { page, faults } = await screens.visit('/account/sign-up', MAY_COPY);
  await page.getByLabel('Name').fill(NAME);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').first().fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your test key' }).waitFor();
  const testKey = (await page.locator('#api-key').textContent()) ?? '';
  expect(testKey).toMatch(/^vt_test_\w{40}$/);
  expect((await call(testKey)).status).toBe(200);
  const command = await copiedText(page, () =>
    page.getByRole('button', { name: 'Copy the command' }).click(),
  );
  // The command of the page works as it is.
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    command.replace('curl http://localhost', `curl -s ${screens.address}`),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ measurement: 'Stature', country: 'NL' });
  await inspect(page, 'key-first');
  // Reloading sends the form again: no second account, no second key, and no key to read.
  await page.reload();
  await page.getByText('Your first test key was shown once').waitFor();
  expect(await page.content()).not.toContain(testKey);
  expect(await page.getByRole('row', { name: 'First test key' }).count()).toBe(1);
  expect(await page.getByLabel(/^Live: uses paid/).isDisabled()).toBe(true);
  await inspect(page, 'keys-unconfirmed');
  await page.getByRole('link', { name: 'Credits', exact: true }).click();
  await page.getByText('Confirm your e-mail address to get free live calls').waitFor();
  await inspect(page, 'credits-unconfirmed');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('You can change the address after you have confirmed it.').waitFor();
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await page.waitForURL('**/check-mail');
  await inspect(page, 'check-mail');
  await screens.service.emailsSent();
  await page.goto(linkTo(screens.service, EMAIL));
  await inspect(page, 'confirm');
  await page.getByRole('button', { name: 'Confirm the address' }).click();
  await page.getByText('Your e-mail address is confirmed.').waitFor();
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

  // Use the free calls and check how the pages show them.
  for (let index = 0; index < 10; index++) expect((await call(apiKey)).status).toBe(200);
  expect(await (await call(apiKey)).json()).toMatchObject({ code: 'free_tier_exhausted' });
  await page.reload();
  expect(await row.locator('td[data-label="Calls"]').textContent()).toBe('10');
  expect(await row.textContent()).not.toContain('never');
  await inspect(page, 'keys');
  await page.getByRole('link', { name: 'Credits', exact: true }).click();
  const live = page.getByRole('region', { name: 'Live' });
  expect(await live.textContent()).toContain('0 of 10');
  await live.getByText('When used free calls become available again').click();
  expect(await live.getByRole('listitem').count()).toBeGreaterThan(0);
  await inspect(page, 'credits-none');

  // Buy a pack from the test provider, after cancelling a first checkout.
  await live.getByRole('button', { name: /^100/ }).click();
  await inspect(page, 'checkout');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('cancelled or expired').waitFor();
  await live.getByRole('button', { name: /^100/ }).click();
  await page.getByRole('button', { name: 'Pay (test)' }).click();
  await page.getByText('We added 100 live credits to your account').waitFor();
  expect(await live.locator('.figure').first().textContent()).toBe('100');
  for (let index = 0; index < 3; index++) expect((await call(apiKey)).status).toBe(200);
  await page.reload();
  expect(await live.locator('.figure').first().textContent()).toBe('97');
  await inspect(page, 'credits');

  // Refund the purchase: the unspent credits are taken back.
  await page.getByRole('button', { name: 'Refund (test)' }).click();
  await page.getByText('97 credits taken back; the other 3 were already spent').waitFor();
  expect(await live.locator('.figure').first().textContent()).toBe('0');
  await live.getByText('You owe 3 credits').waitFor();
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
  // The service learns of a revoked key within a moment.
  await until(async () => (await call(next)).status === 401);
  expect((await call(apiKey)).status).toBe(402);
  await inspect(page, 'keys-revoked');
  expect(faults).toEqual([]);
}
