import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/config.js';
import { startServer } from '../../src/server.js';
import { closeOnSignals } from '../../src/signals.js';
import { followClock } from './follow-clock.js';

// Starts a server that uses the clock of the run: `api-child <settings file> <clock file>`.
const [settingsFile = '', clockFile = ''] = process.argv.slice(2);
const settings = JSON.parse(readFileSync(settingsFile, 'utf8'));
await closeOnSignals(await startServer(readConfig(settings), 1, { clock: followClock(clockFile) }));
