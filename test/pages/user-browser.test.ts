import { describe, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { comeAndGo, inspecting, useAccounts } from './user-steps.js';

describe.skipIf(!haveBrowser)('a user in a real browser', () => {
  const accounts = useAccounts();

  it('signs up, gets a test key, confirms by the link in the log, creates a live key, calls the API, sees the usage, buys and spends credits, revokes the key, changes the password and deletes the account', async () => {
    const inspected = ['sign-up', 'key-first', 'keys', 'checkout', 'credits', 'usage', 'ledger'];
    await comeAndGo(accounts, inspecting([...inspected, 'settings']));
  });
});
