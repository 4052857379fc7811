import type { Running } from './clients.js';
import { type Crowd, run } from './crowd.js';

// The process of a crowd. The first message starts the crowd; at the second message, the process sends back the
// statuses and times.

let running: Running | undefined;
process.on('message', (message: Crowd | 'stop') => {
  if (message === 'stop') process.send?.(running?.seen);
  else running = run(message);
});
process.send?.('ready');
