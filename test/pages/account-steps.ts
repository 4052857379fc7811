import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Served, serve } from '../cli/run-cli.js';
import {
  accessibilityFaults,
  excessWidthPx,
  takePicture,
  type WatchedPage,
} from '../support/browser.js';
import { type TestBrowser, useBrowser } from '../support/screens.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';

const EMAIL = 'ada@example.com';
export const PASSWORD = 'gravel-otter-lamp-7';
export const NEW_PASSWORD = 'quite another one';

/** A service as users start it, and a browser. */
export interface Accounts {
  readonly browser: TestBrowser;
  /** The service's address. */
  readonly address: string;
  /** The newest link to a page in the service's log. */
  linkInLog(path: string): Promise<string>;
}

/** Looks at a page that a test has reached. */
export type Inspect = (page: Page, name: string) => Promise<void>;

/** Starts what the tests of accounts need, for the `describe` that calls this. */
export function useAccounts(): Accounts {
  let served: Served;
  let address: string;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitruvia-users-'));
    const env = { DATABASE_URL: `file:${folder}/db.sqlite`, ARTIFACTS_DIR: writeTinyArtifact() };
    served = await serve(env, ['--json']);
    ({ address } = JSON.parse(served.output.stdout));
  });
  afterAll(() => served?.stop());
  const newest = () => [...served.output.stderr.matchAll(/"link":"([^"]+)"/g)].at(-1)?.[1] ?? '';
  return {
    browser: useBrowser(),
    get address() {
      return address;
    },
    async linkInLog(path) {
      await until(() => newest().includes(path));
      return newest();
    },
  };
}

/**
 * Checks that nothing of a page is wider than its window.
 *
 * @param names the pages that are also checked for serious accessibility faults; without it, all
 */
export function inspecting(names?: readonly string[]): Inspect {
  return async (page, name) => {
    if (names?.includes(name) ?? true) expect(await accessibilityFaults(page), name).toEqual([]);
    expect(await excessWidthPx(page), name).toBeLessThanOrEqual(0);
    await takePicture(page, name);
  };
}

async function signIn({ page }: WatchedPage, password: string): Promise<void> {
  await page.goto('/account/sign-in');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs up, confirms by the link in the log, changes the password and deletes the account. */
export async function useAccount(accounts: Accounts, inspect: Inspect): Promise<void> {
  const { browser, address, linkInLog } = accounts;
  const phone = await browser.blank(address, { viewport: { width: 390, height: 844 } });
  const { page } = phone;
  await page.goto('/account');
  expect(new URL(page.url()).pathname).toBe('/account/sign-in');
  await inspect(page, 'sign-in');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Name').fill('Ada <b>Lovelace</b>');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill('password1234');
  await page.getByRole('button', { name: 'Sign up' }).click();
  const wrong = page.getByLabel('Password');
  expect(await wrong.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await wrong.getAttribute('aria-invalid')).toBe('true');
  const described = (await wrong.getAttribute('aria-describedby')) ?? '';
  expect(described).toBe('password-hint password-error');
  await inspect(page, 'sign-up');
  expect(phone.faults.splice(0)).toEqual([expect.stringContaining('422')]);
  await wrong.fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Your test key' }).waitFor();
  await inspect(page, 'first-key');
  // Another browser needs the password to confirm the address.
  const verify = await linkInLog('/account/verify');
  const mail = await browser.blank(address, { viewport: { width: 320, height: 700 } });
  await mail.page.goto(verify);
  await inspect(mail.page, 'verify');
  await mail.page.getByLabel('Password').fill(PASSWORD);
  await mail.page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await mail.page.getByText('Your e-mail address is confirmed.').waitFor();
  await inspect(mail.page, 'confirmed');
  expect(mail.faults).toEqual([]);

  const desktop = await browser.blank(address);
  await signIn(desktop, 'not the password');
  await desktop.page.getByText('do not match').waitFor();
  await inspect(desktop.page, 'refused');
  expect(desktop.faults.splice(0)).toEqual([expect.stringContaining('422')]);
  await signIn(desktop, PASSWORD);
  await desktop.page.goto('/account/settings');
  await inspect(desktop.page, 'settings');

  await page.goto('/account/settings');
  expect(await page.getByText('Ada <b>Lovelace</b>').count()).toBe(1);
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await inspect(page, 'settings');
  await desktop.page.reload();
  expect(new URL(desktop.page.url()).pathname).toBe('/account/sign-in');

  const remove = page.getByRole('region', { name: 'Delete your account' });
  await remove.getByLabel('Your password').fill(NEW_PASSWORD);
  await remove.getByRole('button').click();
  await page.getByText('Your account was deleted.').waitFor();
  await signIn(phone, NEW_PASSWORD);
  await page.getByText('do not match').waitFor();
  expect(phone.faults.splice(0)).toEqual([expect.stringContaining('422')]);
  expect(desktop.faults).toEqual([]);
}
