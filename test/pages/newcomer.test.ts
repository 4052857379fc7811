import { describe, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { useScreens } from '../support/screens.js';
import { comeNew } from './newcomer-steps.js';

describe.skipIf(!haveBrowser)('a new user', () => {
  const screens = useScreens();

  it('signs up, gets a test key, confirms, creates a live key, calls the API, sees the usage, buys and spends credits, and revokes the key', async () => {
    await comeNew(screens, ['key-first', 'keys', 'checkout', 'credits', 'usage', 'ledger']);
  });
});
