import { writeSync } from 'node:fs';
import { createSqliteGate } from '../../../src/billing/embedded/sqlite-gate.js';

/**
 * Charges as fast as possible until it is killed: `hammer-child <url> <key hash> <tag>`. It prints the request id of
 * each acknowledged charge to the pipe at once.
 */
const [databaseUrl = '', keyHash = '', tag = ''] = process.argv.slice(2);
const gate = await createSqliteGate({ databaseUrl, rateLimitMax: 1e9 });
let requests = 0;

/** Prints at once. On a busy machine, the pipe is full until its reader has a turn. */
function print(line: string): void {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

async function hammer(): Promise<void> {
  for (;;) {
    requests++;
    const requestId = `${tag}-${requests}`;
    const cost = 1 + (requests % 3);
    const partition = 0; // The embedded gate does not use the partition.
    const asked = { keyHash, partition, requestId, operation: 'hammer', cost, hits: 1 };
    const outcome = await gate.step(asked);
    if (outcome.kind !== 'charged') throw new Error(`Not charged: ${outcome.kind}`);
    print(`${requestId}\n`);
  }
}

await Promise.all(Array.from({ length: 32 }, hammer));
