import { readConfig } from '../../src/config.js';
import { closeOnSignals, startServer } from '../../src/server.js';

// A server process of its own, for tests that send signals; prints its addresses as JSON.
const server = await startServer(readConfig(process.env));
await closeOnSignals(server);
const { address, metricsAddress } = server;
process.stdout.write(`${JSON.stringify({ address, metricsAddress })}\n`);
