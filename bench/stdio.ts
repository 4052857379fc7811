import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectDir } from '../src/core/project-dir.js';
import { predict } from '../src/operations/predict.js';
import type { Line } from './table.js';

const ROUNDS = 5;
const MESSAGES = [
  {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  {
    ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
    params: { name: predict.name, arguments: predict.example },
  },
];

/** From the start of `npx vitruvia mcp` to the answer of its first call, without npx, in ms. */
async function firstAnswerMs(artifactsDir: string): Promise<number> {
  const from = performance.now();
  const words = [join(projectDir(), 'bin/vitruvia.js'), 'mcp'];
  const env = { ...process.env, ARTIFACTS_DIR: artifactsDir };
  const child = spawn(process.execPath, words, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.write(MESSAGES.map((message) => `${JSON.stringify(message)}\n`).join(''));
  let ms: number | undefined;
  for await (const line of createInterface(child.stdout)) {
    const { id, result } = JSON.parse(line);
    if (id !== 2) continue;
    if (result?.structuredContent === undefined) throw new Error(`the call was refused: ${line}`);
    ms = performance.now() - from;
    child.stdin.end();
  }
  await ended;
  if (ms === undefined) throw new Error('the server for one client ended without an answer');
  return ms;
}

/** Measures how long an agent that starts the server waits for its first answer. */
export async function stdioLines(artifactsDir: string): Promise<Line[]> {
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) found.push(await firstAnswerMs(artifactsDir));
  found.sort((one, other) => one - other);
  const value = found[Math.floor(ROUNDS / 2)] ?? 0;
  return [{ measure: 'first answer of vitruvia mcp', value, unit: 'ms', ceiling: 2000 }];
}
