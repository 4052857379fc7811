import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sent } from './requests.js';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  /** The first 300,000 characters. */
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

/** How a request is sent. */
export interface Sender {
  readonly address: string;
  readonly key?: string;
  /** Loopback address that the request comes from. */
  readonly from?: string;
  /** Headers besides those that follow from the request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Time limit of a request. An attack must end even if the service does not answer. */
const TIMEOUT_MS = 90_000;
const TEXT_CHARS_MAX = 300_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

/**
 * Sends a request, or asks for a page as a browser does.
 *
 * @throws Error when there is no answer within 90 s
 */
export async function ask(sender: Sender, sent: Sent): Promise<Answer> {
  const startedMs = performance.now();
  const response = await open(sender, sent);
  let [bytes, text] = [0, ''];
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (text.length < TEXT_CHARS_MAX) text += (chunk as Buffer).toString('latin1');
  }
  const { statusCode: status = 0, headers } = response;
  return { status, ms: performance.now() - startedMs, bytes, text, headers };
}

/** Sends a request and leaves its answer unread. */
export function open(
  { address, key, from = '127.0.0.1', headers }: Sender,
  { path, body }: Sent,
): Promise<IncomingMessage> {
  const options = {
    ...{ agent, method: body === undefined ? 'GET' : 'POST', localAddress: from },
    headers: {
      ...(body === undefined
        ? { accept: 'text/html', 'accept-encoding': 'gzip, br' }
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(path === '/mcp' && { accept: 'application/json, text/event-stream' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, address), options, resolve);
    asked.setTimeout(TIMEOUT_MS, () => asked.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    asked.on('error', reject);
    asked.end(body);
  });
}

/** What clients got. */
export interface Seen {
  /** Number of answers with each status. The status 0 means that there was no answer. */
  readonly statuses: Record<string, number>;
  readonly timesMs: number[];
}

/** The time within which this share of the requests was answered. */
export function quantile({ timesMs }: Seen, share: number): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

export const said = ({ statuses }: Pick<Seen, 'statuses'>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'no answer' : status}`)
    .join(', ') || 'nothing';

/** The answers other than 200. */
export function refusals({ statuses }: Seen): Pick<Seen, 'statuses'> {
  const { 200: _, ...refused } = statuses;
  return { statuses: refused };
}

/** Clients that send until they are stopped. */
export interface Running {
  /** Statuses and times so far. The object grows. */
  readonly seen: Seen;
  /** Waits for the answers that are under way. */
  stop(): Promise<Seen>;
}

/** Sends a request. `count` numbers the requests from 0, `client` is the number of the client. */
export type Send = (count: number, client: number) => Promise<{ readonly status: number }>;

/** Runs clients. Each sends one request after the other. The pause between them depends on the status of the answer. */
export function repeat(
  clients: number,
  send: Send,
  pauseMs: (status: number) => number = () => 0,
): Running {
  const seen: Seen = { statuses: {}, timesMs: [] };
  let [over, count] = [false, 0];
  const client = async (_: unknown, index: number): Promise<void> => {
    while (!over) await sleep(pauseMs(await note(seen, send(count++, index))));
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    seen,
    async stop() {
      over = true;
      await all;
      return seen;
    },
  };
}

/** Sends this many requests a second, whether or not answers have come. */
export function every(perSecond: number, send: Send): Running {
  const seen: Seen = { statuses: {}, timesMs: [] };
  const sent: Promise<number>[] = [];
  const next = () => void sent.push(note(seen, send(sent.length, 0)));
  next();
  const timer = setInterval(next, 1000 / perSecond);
  return {
    seen,
    async stop() {
      clearInterval(timer);
      await Promise.all(sent);
      return seen;
    },
  };
}

async function note({ statuses, timesMs }: Seen, answer: ReturnType<Send>): Promise<number> {
  const begunMs = performance.now();
  const status = await answer.then(
    (one) => one.status,
    () => 0,
  );
  timesMs.push(performance.now() - begunMs);
  statuses[status] = (statuses[status] ?? 0) + 1;
  return status;
}
