import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { projectDir } from '../src/core/project-dir.js';
import { predict } from '../src/operations/predict.js';
import { median } from './load.js';
import { ARTIFACTS_DIR } from './service.js';
import { atMost, type Figure } from './table.js';

const ROUNDS = 5;
const COMMAND = {
  command: process.execPath,
  args: [join(projectDir(), 'bin/vitruvia.js'), 'mcp'],
  env: { ARTIFACTS_DIR },
};

/** Time until an agent that starts `vitruvia mcp` gets its first answer. The time of npx is not included. */
export async function* stdio(): AsyncGenerator<Figure> {
  const timesMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begunMs = performance.now();
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(new StdioClientTransport(COMMAND));
    const call = { name: predict.name, arguments: { ...predict.example } };
    const { structuredContent } = await client.callTool(call);
    if (structuredContent === undefined) throw new Error('the call was refused');
    timesMs.push(performance.now() - begunMs);
    await client.close();
  }
  yield atMost(2000, 'first answer of vitruvia mcp', median(timesMs), 'ms');
}
