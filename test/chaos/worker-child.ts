import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/config.js';
import { closeOnSignals } from '../../src/signals.js';
import { startWorker } from '../../src/worker.js';
import { followClock } from './follow-clock.js';

// Starts a worker that uses the clock of the run: `worker-child <settings file> <clock file>`.
const [settingsFile = '', clockFile = ''] = process.argv.slice(2);
const settings = JSON.parse(readFileSync(settingsFile, 'utf8'));
await closeOnSignals(await startWorker(readConfig(settings), 1, { clock: followClock(clockFile) }));
