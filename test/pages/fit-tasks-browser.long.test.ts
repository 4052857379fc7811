import { describe } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { KEYBOARD, TOUCH, testFitTasks } from './fit-tasks.js';

describe.skipIf(!haveBrowser)('the tasks of the Fit screen', () => {
  testFitTasks([
    ['with the keyboard only', KEYBOARD],
    ['on a phone', TOUCH],
  ]);
});
