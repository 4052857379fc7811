import { MOUSE } from './hands.js';
import { testTasks } from './tasks.js';

testTasks([['with the mouse', MOUSE]]);
