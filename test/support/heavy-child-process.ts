import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a service with the heavy operations of tests as a process of its own. */
export async function startHeavyChild(databaseUrl: string) {
  const script = fileURLToPath(new URL('../api/heavy-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { child, address: String(line).trim() };
}
