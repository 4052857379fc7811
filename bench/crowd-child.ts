import type { Running } from './clients.js';
import { type Crowd, run } from './crowd.js';

// The process of a crowd: it begins at the first message, and tells what it got at the second one.

let running: Running | undefined;
process.on('message', (message: Crowd | 'stop') => {
  if (message === 'stop') process.send?.(running?.seen);
  else running = run(message);
});
process.send?.('ready');
