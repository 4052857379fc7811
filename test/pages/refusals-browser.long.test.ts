import { describe, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import { refuseAndRecover } from './refusals.js';

describe.skipIf(!haveBrowser)('a refusal amid work on a screen, with the real model', () => {
  const screens = useScreens({ artifacts: realArtifacts });

  it.each(['body', 'fit', 'sizes', 'person', 'sheet', 'dimension'] as const)('%s', (screen) =>
    refuseAndRecover(screens, screen),
  );
});
