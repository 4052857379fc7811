import { describe } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { testFitTasks } from './fit-tasks.js';
import { KEYBOARD, MOUSE, TOUCH } from './tasks/hands.js';

describe.skipIf(!haveBrowser)('the tasks of the Fit screen', () => {
  testFitTasks([
    ['with the mouse', MOUSE],
    ['with the keyboard only', KEYBOARD],
    ['on a phone', TOUCH],
  ]);
});
