import { readConfig } from '../../src/config.js';
import { startServer } from '../../src/server.js';
import { catchHangups, closeOnSignals } from '../../src/signals.js';

// A server process of its own, for tests that send signals. It prints its addresses as JSON.
const hangups = catchHangups();
const server = await startServer(readConfig(process.env));
await closeOnSignals(server);
hangups.obey(server);
const { address, metricsAddress } = server;
process.stdout.write(`${JSON.stringify({ address, metricsAddress })}\n`);
