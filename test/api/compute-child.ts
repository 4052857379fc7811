// A service in a process that a test can kill. The environment configures the service. A test can hold the computations
// of its heavy operations. The process prints its addresses as JSON.
import { readConfig } from '../../src/config.js';
import { startServer } from '../../src/server.js';
import { HELD_OPERATIONS } from '../support/held-operations.js';

// The pool of threads takes its settings from the configuration. A held computation, and those that wait behind it,
// must not end by themselves.
const config = {
  ...readConfig(process.env),
  ...{ operationsModule: HELD_OPERATIONS, timeLimitSeconds: 3600, waitLimitSeconds: 3600 },
};
const { address, metricsAddress } = await startServer(config, 2);
process.stdout.write(`${JSON.stringify({ address, metricsAddress })}\n`);
