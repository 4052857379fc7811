import { describe, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { useScreens } from '../support/screens.js';
import { refuseAndRecover } from './refusals.js';

describe.skipIf(!haveBrowser)('a refusal amid work on a screen', () => {
  const screens = useScreens();

  // The other screens share what Dimension does; Sheet does it with pages.
  it.each(['dimension', 'sheet'] as const)('%s: says so, and goes on by itself', (screen) =>
    refuseAndRecover(screens, screen),
  );
});
