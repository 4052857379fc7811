import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
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

/** Longest time of a request; an attack ends also where the service does not answer. */
const TIMEOUT_MS = 90_000;
const TEXT_CHARS_MAX = 300_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

/** How a request is sent. */
export interface Sender {
  readonly address: string;
  readonly key: string;
  /** Loopback address that it comes from. */
  readonly from?: string;
  readonly idempotencyKey?: string;
}

/** @throws Error when there is no answer within 90 s */
export async function ask(sender: Sender, sent: Sent): Promise<Answer> {
  const startedMs = performance.now();
  return read(await open(sender, sent), startedMs);
}

/**
 * Asks for a page as a browser does, without a key.
 *
 * @throws Error when there is no answer within 90 s
 */
export async function visit(address: string, path: string, from: string): Promise<Answer> {
  const startedMs = performance.now();
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip, br' };
  const options = { headers, localAddress: from };
  return read(await response(new URL(path, address), options), startedMs);
}

async function read(response: IncomingMessage, startedMs: number): Promise<Answer> {
  let [bytes, text] = [0, ''];
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (text.length < TEXT_CHARS_MAX) text += (chunk as Buffer).toString('latin1');
  }
  const { statusCode: status = 0, headers } = response;
  return { status, ms: performance.now() - startedMs, bytes, text, headers };
}

/** Sends a request and leaves its answer unread. */
export function open(sender: Sender, { path, body }: Sent): Promise<IncomingMessage> {
  const { address, key, from = '127.0.0.1', idempotencyKey } = sender;
  const url = new URL(path, address);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${key}`,
    ...(path === '/mcp' ? { accept: 'application/json, text/event-stream' } : {}),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  return response(url, { method: 'POST', headers, localAddress: from }, body);
}

function response(url: URL, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, ...options }, resolve);
    asked.setTimeout(TIMEOUT_MS, () => asked.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    asked.on('error', reject);
    asked.end(body);
  });
}
