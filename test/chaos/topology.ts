import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programWords } from '../support/build.js';
import { freePort, ServerProcess, serverFolder } from '../support/server-process.js';
import type { SharedClock } from './clock-file.js';

/** A process of the service that can be killed, paused and restarted. */
export interface Node {
  readonly name: string;
  start(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Ends it with SIGTERM and waits for the end. */
  stop(): Promise<void>;
}

/** An API process on its own port. */
export interface ApiNode extends Node {
  readonly address: string;
}

/** Starts an API process. */
export async function startApi(
  name: string,
  settings: Readonly<Record<string, string>>,
  clock: SharedClock,
): Promise<ApiNode> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const all = { ...settings, HOST: '127.0.0.1', PORT: `${port}` };
  const node = await startNode(name, 'api-child', all, [clock.file], async () => {
    const { status } = await fetch(`${address}/health`);
    if (status !== 200) throw new Error(`/health answers ${status}`);
  });
  return { ...node, address };
}

/** Starts a worker process. */
export async function startWorkerNode(
  name: string,
  settings: Readonly<Record<string, string>>,
  clock: SharedClock,
): Promise<Node> {
  const port = await freePort();
  const all = { ...settings, HOST: '127.0.0.1', METRICS_PORT: `${port}` };
  return await startNode(name, 'worker-child', all, [clock.file], async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (status !== 200) throw new Error(`/metrics answers ${status}`);
  });
}

async function startNode(
  name: string,
  script: string,
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
  ping: () => Promise<void>,
): Promise<Node> {
  const folder = serverFolder(name);
  const settingsFile = join(folder, 'settings.json');
  writeFileSync(settingsFile, JSON.stringify(settings));
  const words = [...programWords(`test/chaos/${script}`), settingsFile, ...args];
  const server = new ServerProcess(folder, { file: process.execPath, args: words, ping });
  await server.start();
  return {
    name,
    start: () => server.start(),
    kill: () => server.end('SIGKILL'),
    pause: () => void server.signal('SIGSTOP'),
    resume: () => void server.signal('SIGCONT'),
    stop: () => server.end('SIGTERM'),
  };
}
