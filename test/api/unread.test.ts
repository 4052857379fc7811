import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReaderLimits } from '../../src/request/http.js';
import { openConnections } from '../../tools/open-connections.js';
import { HEAVY_OPERATIONS, OPERATIONS } from '../support/heavy-operations.js';
import { postJson } from '../support/post-json.js';
import { type Customer, startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const PATH = '/v1/rows';
/** About 15 MB, which is more than the buffers of the system hold. */
const MANY = { count: 40_000, chars: 400 };
const IS_TOLD = existsSync('/proc/net/tcp');
const NEVER_MS = 3_600_000;
const services: TestService[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const service of services.splice(0)) await service.close();
});

async function serving(readerLimits: ReaderLimits) {
  const computing = { operationsModule: HEAVY_OPERATIONS, threads: 1 };
  const service = await startService({ operations: OPERATIONS, computing, readerLimits });
  services.push(service);
  return { service, address: await service.address() };
}

/** Requests a long answer over a connection. Only its first bytes are read. */
async function unread(address: string, { apiKey }: Customer): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  const body = JSON.stringify({ ...MANY, seed: 1 });
  const head = [
    `POST ${PATH} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${apiKey}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  expect(first.toString()).toMatch(/^HTTP\/1.1 200 /);
  return socket;
}

/** Status of a short answer. */
async function statusOf(address: string, { apiKey }: Customer): Promise<number> {
  const reply = await postJson(address + PATH, apiKey, { count: 1 });
  await reply.text();
  return reply.status;
}

describe('a long answer', () => {
  it('that nobody reads gives its place free after a while, and leaves nothing with the system', async () => {
    const limits = { silenceMs: 1000, paceMs: NEVER_MS, paceBytes: 1 };
    const { service, address } = await serving(limits);
    const customer = await service.customer(1000);
    const sockets = await Promise.all([1, 2].map(() => unread(address, customer)));
    // Linux tells which connections it still has.
    const ports = sockets.map(({ localPort }) => localPort as number);
    const known = () => (IS_TOLD ? openConnections(Number(new URL(address).port), ports).known : 0);
    expect(known()).toBe(IS_TOLD ? 2 : 0);
    expect(await statusOf(address, customer)).toBe(429);
    await until(async () => (await statusOf(address, customer)) === 200);
    await until(async () => known() === 0);
  });

  it('that is read by a few bytes at a time gives its place free, too', async () => {
    const limits = { silenceMs: NEVER_MS, paceMs: 2000, paceBytes: 1024 * 1024 * 1024 };
    const { service, address } = await serving(limits);
    const customer = await service.customer(1000);
    const slow = await Promise.all([1, 2].map(() => unread(address, customer)));
    const reading = setInterval(() => {
      for (const socket of slow) socket.read(100);
    }, 20);
    try {
      await until(async () => (await statusOf(address, customer)) === 200);
    } finally {
      clearInterval(reading);
    }
  });
});

describe('a client', () => {
  it('that reads is not hung up on, however long the service computes', async () => {
    const limits = { silenceMs: 300, paceMs: 600, paceBytes: 1024 * 1024 * 1024 };
    const { service, address } = await serving(limits);
    const { apiKey } = await service.customer(1000);
    const reply = await postJson(`${address}/v1/heavy`, apiKey, { ms: 1500, chars: 100_000 });
    expect([reply.status, (await reply.json()).text.length]).toEqual([200, 100_000]);
  });
});
