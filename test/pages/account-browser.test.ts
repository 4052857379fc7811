import { describe, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { inspecting, useAccount, useAccounts } from './account-steps.js';

describe.skipIf(!haveBrowser)('a user in a real browser', () => {
  const accounts = useAccounts();

  it('signs up, confirms by the link in the log, changes the password and deletes the account', async () => {
    await useAccount(accounts, inspecting(['sign-up', 'settings']));
  });
});
