import { describe } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { testFitTasks } from './fit-tasks.js';
import { MOUSE } from './tasks/hands.js';

describe.skipIf(!haveBrowser)('the tasks of the Fit screen', () => {
  testFitTasks([['with the mouse', MOUSE]]);
});
