import cluster from 'node:cluster';
import { promisify } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { readConfig, SHUTDOWN_MS } from '../config.js';
import { describeFailure } from '../failure.js';
import { type RunningServer, startServer } from '../server.js';
import { FAULT_SIGNALS } from '../signals.js';
import { BEAT_MS, type Order, type Report } from './messages.js';

// A process of `serve --workers`. A terminal or a supervisor may send a signal to the whole group. Only the primary
// reacts to the signal, and then tells the others.

let server: RunningServer | undefined;
let stopping = false;

const send = promisify((report: Report, sent: () => void) => {
  if (process.connected) process.send?.(report, undefined, undefined, () => sent());
  else sent();
});

const grace = closeWithGrace(
  { delay: SHUTDOWN_MS, logger: false, skip: ['SIGHUP', 'SIGINT', 'SIGTERM', ...FAULT_SIGNALS] },
  async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`);
    await server?.close();
  },
);

function stop(): void {
  if (stopping) return;
  stopping = true;
  grace.close();
}

async function obey(order: Order): Promise<void> {
  if (order.kind === 'stop') return stop();
  if (server === undefined) return;
  const { ask } = order;
  if (order.kind === 'reload') {
    await send({ kind: 'reloaded', ask, outcome: await server.reload() });
  } else {
    await send({ kind: 'metrics', ask, metrics: (await server.metrics?.json()) ?? [] });
  }
}

setInterval(() => void send({ kind: 'alive' }), BEAT_MS).unref();
process.on('SIGHUP', () => undefined);
process.on('SIGINT', () => undefined);
process.on('SIGTERM', stop);
process.on('message', (order: Order) => void obey(order));
cluster.worker?.on('disconnect', () => {
  // The primary has ended. Without this line, Node would end this process at once, with requests in flight.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
  stop();
});

try {
  const logFd = process.argv[2] === '2' ? 2 : 1;
  const processes = Number(process.argv[3]);
  const options = { metricsListener: false, processes };
  server = await startServer(readConfig(process.env), logFd, options);
  await send({ kind: 'listening', address: server.address });
} catch (error) {
  const { exitCode, document, text } = describeFailure(error);
  await send({ kind: 'failed', exitCode, code: String(document.code), message: text });
  process.exit(exitCode);
}
