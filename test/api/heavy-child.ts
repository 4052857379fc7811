// A service with a heavy operation, in a process that a test can kill: `heavy-child <database URL>`.
// It prints its address.
import { HEAVY_OPERATIONS, OPERATIONS } from '../support/heavy-operations.js';
import { startService } from '../support/service.js';

const [, , databaseUrl = ''] = process.argv;
const computing = { operationsModule: HEAVY_OPERATIONS };
const service = await startService({ databaseUrl, operations: OPERATIONS, computing });
const address = await service.http.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
