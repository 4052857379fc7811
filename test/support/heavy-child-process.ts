import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { programWords } from './build.js';

/** Starts a service with the heavy operations of tests as a process of its own. */
export async function startHeavyChild(databaseUrl: string) {
  const child = spawn(process.execPath, [...programWords('test/api/heavy-child'), databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { child, address: String(line).trim() };
}
