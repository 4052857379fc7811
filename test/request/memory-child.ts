import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ComputePool } from '../../src/request/pool.js';
import type { ComputeBudget } from '../../src/request/queue.js';
import { newFolder } from '../support/folders.js';

// Computes a task that runs out of memory, twice, beside a computation that waits until then. Prints how each ended.

const folder = newFolder('hungry-operations');
const ended = join(folder, 'ended');
const module = join(folder, 'operations.mjs');
writeFileSync(
  module,
  `import { existsSync } from 'node:fs';
  const calm = () => {
    const nothing = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(${JSON.stringify(ended)})) Atomics.wait(nothing, 0, 0, 5);
    return { calm: true };
  };
  const hungry = () => {
    const kept = [];
    for (;;) kept.push({ all: new Array(1000).fill(kept.length + 0.5) });
  };
  export const OPERATIONS = [
    { name: 'calm', run: calm, json: JSON.stringify },
    { name: 'hungry', run: hungry },
  ];`,
);
const [, , artifactsDir = ''] = process.argv;
const spent: string[] = [];
const budget: ComputeBudget = {
  waitMs: async () => 0,
  take: async ({ id }) => {
    spent.push(id);
  },
};
const pool = new ComputePool({
  ...{ artifactsDir, budget, threads: 2, heapMib: 32 },
  operationsModule: pathToFileURL(module).href,
  // Only its memory use may end the computation.
  ...{ timeLimitSeconds: 3600, waitLimitSeconds: 3600 },
});
const compute = (operation: string) =>
  pool.compute({
    ...{ operation, input: {}, artifactVersion: 'tiny' },
    account: { id: operation, priority: 'live' },
  });
const calm = compute('calm');
const hungry: string[] = [];
for (let i = 0; i < 2; i++) {
  await compute('hungry').catch((error: NodeJS.ErrnoException) => hungry.push(error.code ?? ''));
}
writeFileSync(ended, '');
const result = await calm;
await pool.close();
const json = result.kind === 'answer' ? result.json : result.kind;
process.stdout.write(JSON.stringify({ hungry, calm: json, spent }));
