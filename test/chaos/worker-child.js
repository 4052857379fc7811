import { readFileSync } from 'node:fs';
import { followClock } from './follow-clock.js';

// Starts a worker on the clock of the run:
// `worker-child <folder of the service's modules> <settings file> <clock file>`. It is plain JavaScript,
// so that it starts as fast as the service itself.

const [folder, settingsFile, clockFile] = process.argv.slice(2);
const [{ readConfig }, { startWorker }, { closeOnSignals }] = await Promise.all(
  ['config', 'worker', 'signals'].map((name) => import(`${folder}${name}.js`)),
);
const settings = JSON.parse(readFileSync(settingsFile, 'utf8'));
await closeOnSignals(await startWorker(readConfig(settings), 1, { clock: followClock(clockFile) }));
