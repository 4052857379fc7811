import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { PASSWORD } from '../support/form-client.js';
import { tabTo } from '../support/screen-page.js';
import { comeAndGo, inspecting, NEW_PASSWORD, useAccounts } from './user-steps.js';

describe.skipIf(!haveBrowser)('a user in a real browser', () => {
  const accounts = useAccounts();

  it('finds no page with a serious accessibility fault', async () => {
    await comeAndGo(accounts, inspecting());
  });

  it('can do all of it with the keyboard only', async () => {
    const { browser, address, linkInLog } = accounts;
    const inspect = inspecting();
    const { page, faults } = await browser.blank(address);
    await page.goto('/account/sign-up');
    await tabTo(page, 'Name');
    await page.keyboard.type('Bob');
    await tabTo(page, 'E-mail');
    await page.keyboard.type('bob@example.com');
    await tabTo(page, 'Password');
    await page.keyboard.type(`${PASSWORD}\n`);
    await page.getByRole('heading', { name: 'Your test key' }).waitFor();
    await page.goto(await linkInLog('/account/verify'));
    await inspect(page, 'confirm');
    await tabTo(page, 'Confirm the address');
    await page.keyboard.press('Enter');
    await page.getByText('Your e-mail address is confirmed.').waitFor();
    await page.goto('/account/settings');
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.getByText('You are signed out.').waitFor();
    await tabTo(page, 'Forgot your password?');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/forgot');
    await tabTo(page, 'E-mail');
    await page.keyboard.type('bob@example.com\n');
    await page.waitForURL('**/account/check-mail');
    await page.goto(await linkInLog('/account/reset'));
    await inspect(page, 'reset');
    await tabTo(page, 'New password');
    await page.keyboard.type(`${NEW_PASSWORD}\n`);
    await page.getByText('Your password was changed').waitFor();
    await inspect(page, 'sign-in');
    expect(faults).toEqual([]);
  });
});
