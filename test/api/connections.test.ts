import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CONNECTIONS_MAX, PIPELINED_MAX, type ReaderLimits } from '../../src/request/http.js';
import { type ServiceOptions, startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const NEVER_MS = 3_600_000;
const PATIENT: ReaderLimits = { silenceMs: NEVER_MS, paceMs: NEVER_MS, paceBytes: 1 };
const services: TestService[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const service of services.splice(0)) await service.close();
});

interface Serving {
  readonly service: TestService;
  readonly limits: string[];
  /** The connections that the service has. */
  readonly open: Set<Socket>;
  connect(from?: string): Socket;
}

async function serving(options: ServiceOptions = {}): Promise<Serving> {
  const limits: string[] = [];
  const connectionObserver = (limit: string) => void limits.push(limit);
  const service = await startService({ readerLimits: PATIENT, connectionObserver, ...options });
  services.push(service);
  const open = new Set<Socket>();
  service.http.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const { port } = new URL(await service.address());
  return {
    ...{ service, limits, open },
    connect(localAddress = '127.0.0.1') {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
      sockets.push(socket);
      socket.on('error', () => undefined);
      return socket;
    },
  };
}

const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`;

/** Sends a request, and waits until its answer begins. */
async function statusOf(socket: Socket, path: string, headers?: string): Promise<number> {
  socket.write(get(path, headers));
  const [first] = (await once(socket, 'data')) as [Buffer];
  return Number(first.toString('latin1').split(' ')[1]);
}

/** Answers of /ready that end only when the test lets them end. */
function held({ gate }: TestService): (() => void)[] {
  const ends: (() => void)[] = [];
  vi.spyOn(gate, 'ready').mockImplementation(
    () => new Promise((resolve) => ends.push(() => resolve(true))),
  );
  return ends;
}

describe('a client that does not read', () => {
  /** The number of answers that one address may get in a minute: 20 connections with 30 requests each. */
  const [CONNECTIONS, EACH] = [20, 30];

  it('loses its connection on a route without a key', async () => {
    const { connect, open, limits } = await serving({
      readerLimits: { ...PATIENT, silenceMs: 500 },
    });
    const socket = connect();
    socket.pause();
    socket.write(get('/').repeat(PIPELINED_MAX));
    await until(() => open.size === 1);
    await until(() => limits.length > 0 && open.size === 0);
    expect(limits).toEqual(['unread']);
  });

  it('gets its answers one after the other, so that they do not pile up', async () => {
    const { connect, service, open } = await serving();
    const { length: bytes } = (await service.http.inject('/')).rawPayload;
    const many = Array.from({ length: CONNECTIONS }, () => connect());
    for (const socket of many) {
      socket.pause();
      socket.write(get('/').repeat(EACH));
    }
    // The system takes some answers. After that, no more bytes move.
    const waiting = () => [...open].map(({ writableLength }) => writableLength);
    const written = () => [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
    let before = -1;
    await until(async () => {
      const now = written();
      const isStill = now === before && open.size === CONNECTIONS;
      before = now;
      await sleep(300);
      return isStill;
    });
    expect(Math.max(...waiting())).toBeGreaterThan(0);
    // Headers come on top.
    expect(Math.max(...waiting())).toBeLessThan(bytes + 4096);
  });

  it('is closed when it asks for too much in advance', async () => {
    const { connect, open, limits } = await serving();
    const socket = connect();
    await once(socket, 'connect');
    socket.write(get('/').repeat(PIPELINED_MAX + 1));
    await until(() => limits.length > 0 && open.size === 0);
    expect(limits).toEqual(['pipelined']);
  });
});

describe('requests in advance', () => {
  it('are answered in their order, each after the one before it', async () => {
    const { connect, service } = await serving();
    const ends = held(service);
    const socket = connect();
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.write(get('/ready') + get('/health') + get('/ready'));
    await until(() => ends.length === 1);
    expect(text).toBe('');
    ends[0]?.();
    await until(() => ends.length === 2);
    ends[1]?.();
    await until(() => text.match(/HTTP\/1\.1 200/g)?.length === 3);
    expect(text.match(/"ok":true(,"service")?/g)).toEqual([
      '"ok":true',
      '"ok":true,"service"',
      '"ok":true',
    ]);
  });
});

describe('the connections of one address', () => {
  it('are limited while they are busy; an idle one gives its place', async () => {
    const { connect, open, limits, service } = await serving();
    const ends = held(service);
    const busy = Array.from({ length: CONNECTIONS_MAX - 1 }, () => connect());
    for (const socket of busy) socket.write(get('/ready'));
    await until(() => ends.length === busy.length);
    const idle = connect();
    expect(await statusOf(idle, '/health')).toBe(200);
    expect(open.size).toBe(CONNECTIONS_MAX);
    const next = connect();
    expect(await statusOf(next, '/health')).toBe(200);
    await until(() => idle.destroyed);
    next.write(get('/ready'));
    await until(() => ends.length === CONNECTIONS_MAX);
    expect(limits).toEqual([]);
    const refused = connect();
    await once(refused, 'close');
    expect(limits).toEqual(['connections']);
    expect(await statusOf(connect('127.0.0.2'), '/health')).toBe(200);
    expect(busy.filter(({ destroyed }) => destroyed)).toEqual([]);
    for (const end of ends) end();
  });

  it('are those of the client behind a proxy: it counts what is under way', async () => {
    const { connect, limits, service } = await serving({ trustProxy: true });
    const ends = held(service);
    const one = 'x-forwarded-for: 198.51.100.1\r\n';
    const other = 'x-forwarded-for: 198.51.100.2\r\n';
    for (let i = 0; i < CONNECTIONS_MAX; i++) connect().write(get('/ready', one));
    await until(() => ends.length === CONNECTIONS_MAX);
    expect(await statusOf(connect(), '/health', one)).toBe(429);
    expect(await statusOf(connect(), '/health', other)).toBe(200);
    expect(limits).toEqual(['answers']);
    for (const end of ends) end();
    await until(async () => (await statusOf(connect(), '/health', one)) === 200);
  });
});
