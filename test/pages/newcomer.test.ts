import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accessibilityFaults,
  haveBrowser,
  openPage,
  startBrowser,
  type WatchedPage,
} from '../support/browser.js';
import { linkTo, PASSWORD } from '../support/form-client.js';
import { startService, type TestService } from '../support/service.js';

/** Folder for screenshots of the pages; unset: no screenshots. */
const PICTURES = process.env.SCREENSHOTS_DIR;
const EMAIL = 'ada@example.com';
const NAME = '<b>"Ada & Söhne"</b>';

describe.skipIf(!haveBrowser)('a new user', () => {
  let service: TestService;
  let address: string;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    service = await startService();
    address = await service.http.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser();
    watched = await openPage(browser, address, { viewport: { width: 1400, height: 900 } });
    ({ page } = watched);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Checks the current page: no serious accessibility fault, and it fits a phone. */
  async function inspect(name: string): Promise<void> {
    await picture(name, 1400);
    expect(await accessibilityFaults(page), name).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(name, 390);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${name} at 390 px`).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1400, height: 900 });
  }

  async function picture(name: string, width: number): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}-${width}.png`), fullPage: true });
  }

  async function call(apiKey: string): Promise<Response> {
    const body = { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50 };
    return await fetch(`${address}/v1/predict`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  it('signs up, creates a key, calls the API, sees the usage, buys and spends credits, and revokes the key', async () => {
    await page.goto('/account/sign-up');
    await page.getByLabel('Name').fill(NAME);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').first().fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/check-mail');
    await service.emailsSent();
    await page.goto(linkTo(service, EMAIL));
    await page.getByLabel('Password').first().fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/keys');
    await inspect('keys-none');

    // Create a key with the keyboard only.
    await page.getByLabel('Name').focus();
    await page.keyboard.type(NAME);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const apiKey = (await page.locator('#api-key').textContent()) ?? '';
    expect(apiKey).toMatch(/^vt_live_\w{40}$/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The word is shown for a short time only.
    const copied = page.getByText('Copied', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await copied;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(apiKey);
    await inspect('key-new');
    await page.getByRole('link', { name: 'I have copied it' }).click();
    const row = page.getByRole('row', { name: NAME });
    expect(await row.textContent()).toContain('never');
    expect(await page.content()).not.toContain(apiKey);

    // Use the free calls and check how the pages show them.
    for (let index = 0; index < 10; index++) expect((await call(apiKey)).status).toBe(200);
    expect(await (await call(apiKey)).json()).toMatchObject({ code: 'free_tier_exhausted' });
    await page.reload();
    expect(await row.locator('td[data-label="Calls"]').textContent()).toBe('10');
    expect(await row.textContent()).not.toContain('never');
    await inspect('keys');
    await page.getByRole('link', { name: 'Credits', exact: true }).click();
    const live = page.getByRole('region', { name: 'Live' });
    expect(await live.textContent()).toContain('0 of 10');
    await live.getByText('When used free calls become available again').click();
    expect(await live.getByRole('listitem').count()).toBeGreaterThan(0);
    await inspect('credits-none');

    // Buy a pack from the test provider, after cancelling a first checkout.
    await live.getByRole('button', { name: /^100/ }).click();
    await inspect('checkout');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('cancelled or expired').waitFor();
    await live.getByRole('button', { name: /^100/ }).click();
    await page.getByRole('button', { name: 'Pay (test)' }).click();
    await page.getByText('We added 100 live credits to your account').waitFor();
    expect(await live.locator('.figure').first().textContent()).toBe('100');
    for (let index = 0; index < 3; index++) expect((await call(apiKey)).status).toBe(200);
    await page.reload();
    expect(await live.locator('.figure').first().textContent()).toBe('97');
    await inspect('credits');

    // Refund the purchase: the unspent credits are taken back.
    await page.getByRole('button', { name: 'Refund (test)' }).click();
    await page.getByText('97 credits taken back; the other 3 were already spent').waitFor();
    expect(await live.locator('.figure').first().textContent()).toBe('0');
    await live.getByText('You owe 3 credits').waitFor();
    await inspect('credits-refunded');

    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    const cells = page.getByRole('row', { name: /predict/ });
    expect(await cells.textContent()).toMatch(/predict13310$/);
    await inspect('usage');
    await page.getByLabel('Split').selectOption('key');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('row', { name: NAME }).waitFor();
    await inspect('usage-by-key');
    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    await page.getByText('Usage, 13 calls').waitFor();
    await inspect('ledger');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /Export/ }).click();
    const stream = await (await download).createReadStream();
    let csv = '';
    for await (const chunk of stream) csv += String(chunk);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + 13 + 2);

    // Rotate the key and revoke its successor.
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('link', { name: /^Rotate/ }).click();
    await inspect('rotate');
    await page.getByRole('button', { name: 'Create new key' }).click();
    const next = (await page.locator('#api-key').textContent()) ?? '';
    expect([(await call(apiKey)).status, (await call(next)).status]).toEqual([402, 402]);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    const successor = page.getByRole('row', { name: next.slice(0, 14) });
    await successor.getByRole('link', { name: /^Revoke/ }).click();
    await inspect('revoke');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('The key is revoked').waitFor();
    // The service learns of a revoked key within a moment.
    await expect.poll(async () => (await call(next)).status, { timeout: 30_000 }).toBe(401);
    expect((await call(apiKey)).status).toBe(402);
    await inspect('keys-revoked');
    expect(watched.faults).toEqual([]);
  }, 180_000);
});
