import { describe, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { useScreens } from '../support/screens.js';
import { comeNew } from './newcomer-steps.js';

describe.skipIf(!haveBrowser)('a new user', () => {
  const screens = useScreens();

  it('finds no page with a serious accessibility fault', async () => {
    await comeNew(screens);
  });
});
