import { describe } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { MOUSE, testFitTasks } from './fit-tasks.js';

describe.skipIf(!haveBrowser)('the tasks of the Fit screen', () => {
  testFitTasks([['with the mouse', MOUSE]]);
});
