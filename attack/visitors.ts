import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Statuses } from './attackers.js';
import { visit } from './client.js';
import { PUBLIC_PAGES } from './public-pages.js';

// Visitors without a key, in a process of their own, so that their answers do not slow the measurement down.

/** What a process of visitors asks for. */
export interface Visit {
  readonly address: string;
  /** Places in `PUBLIC_PAGES`; they are asked for in turn. */
  readonly pages: readonly number[];
  readonly perSecond: number;
  /** Loopback addresses of the visitors, in turn. */
  readonly from: readonly string[];
  /** The number of the first request; larger ones follow. */
  readonly firstNumber: number;
}

/** What visitors got so far. */
export interface Visited {
  readonly statuses: Statuses;
  /** Longest time of an answer that was there. */
  readonly worstMs: number;
}

/** Begins to ask, however slow the answers are. */
export async function visitors(visit: Visit): Promise<{ stop(): Promise<Visited> }> {
  const script = fileURLToPath(import.meta.url);
  const child = fork(script, ['visit'], { execArgv: ['--import', 'tsx'] });
  const [ready] = await once(child, 'message');
  if (ready !== 'ready') throw new Error('the visitors did not start');
  child.send(visit);
  return {
    async stop() {
      const told = once(child, 'message');
      child.send('stop');
      const [visited] = (await told) as [Visited];
      child.kill('SIGKILL');
      return visited;
    },
  };
}

function run({ address, pages, perSecond, from, firstNumber }: Visit): () => Visited {
  const statuses: Record<string, number> = {};
  let [number, worstMs] = [firstNumber, 0];
  const timer = setInterval(() => {
    const page = PUBLIC_PAGES[pages[number % pages.length] as number];
    const visitor = from[number % from.length] as string;
    const count = (status: number, ms: number) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      worstMs = Math.max(worstMs, ms);
    };
    visit(address, page?.path(number) ?? '/', visitor).then(
      ({ status, ms }) => count(status, ms),
      () => count(0, 0),
    );
    number++;
  }, 1000 / perSecond);
  return () => {
    clearInterval(timer);
    return { statuses, worstMs };
  };
}

/** A connection that asks for one page many times and reads nothing. */
export function pipelined(address: string, path: string, count: number): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.2.1' });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(count));
  return socket;
}

if (process.argv[2] === 'visit') {
  let stop: (() => Visited) | undefined;
  process.on('message', (orders: Visit | 'stop') => {
    if (orders === 'stop') process.send?.(stop?.());
    else stop = run(orders);
  });
  process.send?.('ready');
}
