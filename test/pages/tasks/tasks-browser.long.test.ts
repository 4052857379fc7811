import { KEYBOARD, TOUCH } from './hands.js';
import { testTasks } from './tasks.js';

testTasks([
  ['with the keyboard only', KEYBOARD],
  ['on a phone', TOUCH],
]);
