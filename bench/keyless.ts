import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../test/support/until.js';
import { openConnections } from '../tools/open-connections.js';
import { ask, every, quantile, repeat, said } from './clients.js';
import { startCrowd } from './crowd.js';
import { besideCrowds, HOLD_MAX_MS, holdOfEach, type Item } from './customer.js';
import { watchMemory } from './process.js';
import { PUBLIC_PAGES } from './public-pages.js';
import { CUSTOMER, paid } from './requests.js';
import type { Attacked } from './service.js';
import { type Finding, mb, ms } from './table.js';

// Attacks that need no key.

const SIGN_IN = '/account/sign-in';
const SIGN_INS = 40;
const NETWORKS = 100;
const CROWDS = [
  ['nobody', 0],
  ['one network', 1],
  [`${NETWORKS} networks`, NETWORKS],
] as const;

/** Fills in a real sign-in form with a wrong password. The request comes from an address of loopback. */
async function formOf(address: string, from: string) {
  const plain = { 'accept-encoding': 'identity' };
  const page = await ask({ address, from, headers: plain }, { path: SIGN_IN });
  const [cookie = ''] = String(page.headers['set-cookie']?.[0]).split(';');
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
  if (csrf === '') throw new Error(`the form has no token (status ${page.status})`);
  const type = 'application/x-www-form-urlencoded';
  const headers = { 'content-type': type, origin: address, cookie };
  return (email: string) => {
    const fields = new URLSearchParams({ csrf, email, password: 'a wrong password' });
    return ask({ address, from, headers }, { path: SIGN_IN, body: fields.toString() });
  };
}

type Form = Awaited<ReturnType<typeof formOf>>;

/** Item 9: sign-in forms with wrong passwords, from one network and from many, beside honest people. */
export const signIns: Item = async function* (service, { seconds }) {
  const { address, keys } = service;
  const honest = await formOf(address, '127.0.0.9');
  for (const [name, networks] of CROWDS) {
    const forms = await Promise.all(
      Array.from({ length: networks }, (_, i) => formOf(address, `127.0.2.${i + 1}`)),
    );
    await service.loop();
    const usedMs = service.processorMs();
    const attack = async (i: number) => (forms[i % networks] as Form)(`person${i}@example.com`);
    const running = [
      every(10, (i) => ask({ address, key: keys[i % keys.length] as string }, CUSTOMER.predict)),
      every(1, (i) => honest(`honest${networks}-${i}@example.com`)),
      ...(networks > 0 ? [every(SIGN_INS, attack)] : []),
    ];
    await sleep(seconds * 1000);
    const [predict, decent, crowd] = await Promise.all(running.map((one) => one.stop()));
    if (predict === undefined || decent === undefined) throw new Error('nobody asked');
    const { heldMs } = await service.loop();
    const used = service.processorMs() - usedMs;
    yield {
      what: `${SIGN_INS} sign-ins a second from ${name} (hold ≤ ${HOLD_MAX_MS} ms)`,
      seen: `got ${said(crowd ?? { statuses: {} })}; predict p99 ${ms(quantile(predict, 0.99))}; hold ${ms(heldMs)}; ${used} ms of processor time`,
      held: heldMs <= HOLD_MAX_MS,
    };
    const refused = decent.statuses[503] ?? 0;
    yield {
      what: '  honest people beside it are not refused',
      seen: `${refused} of ${decent.timesMs.length} refused`,
      // With very many networks, attackers cannot be told from honest people.
      held: networks <= 1 ? refused === 0 : undefined,
    };
  }
};

/** Pages without a key, ten requests a second from one address, beside a customer. */
export const anonymous: Item = async function* (service, { seconds }) {
  const { address } = service;
  const cold = PUBLIC_PAGES.map(
    ({ name, path }) => [`first request of ${name}`, { path: path(0) }] as const,
  );
  yield* holdOfEach(service, () => ({ address, from: '127.0.2.2' }), cold);
  await firstViewsAreMade(service);
  yield* unreadPages(service);
  const crowds = PUBLIC_PAGES.map(({ kind, name }, page) => ({
    says: `${kind} ${name}`,
    crowd: {
      ...{ address, pages: [page], from: [`127.0.1.${page + 1}`] },
      firstNumber: 1000 * (page + 1),
    },
  }));
  yield* besideCrowds(service, seconds, 99, crowds);
};

const REST_MS = 2000;
const RESTS_MAX = 60;

/** Waits until the service works at nothing. After its start, it makes views that nobody has asked for yet. */
async function firstViewsAreMade({ processorMs }: Attacked): Promise<void> {
  for (let rests = 0; rests < RESTS_MAX; rests++) {
    const before = processorMs();
    await sleep(REST_MS);
    if (processorMs() - before < REST_MS / 20) return;
  }
}

const UNREAD_CONNECTIONS = 116;
const UNREAD_EACH = 20;
/**
 * Clients that read nothing lose their connections. While an answer waits in the service, this takes half a minute. If
 * the system has taken all answers, the connection is idle and ends after 72 s.
 */
const UNREAD_MAX_MS = 90_000;
const UNREAD_MAX_BYTES = 50e6;

/** Answers of a public page that nobody reads. */
async function* unreadPages(service: Attacked): AsyncGenerator<Finding> {
  const { hostname: host, port } = new URL(service.address);
  const begunMs = performance.now();
  const { done, moreBytes } = await watchMemory(200, service.memory, async () => {
    const sockets = Array.from({ length: UNREAD_CONNECTIONS }, () => {
      const socket = connect({ port: Number(port), host, localAddress: '127.0.2.1' });
      socket.on('error', () => undefined);
      socket.pause();
      socket.write('GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(UNREAD_EACH));
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const clients = sockets.map(({ localPort }) => localPort as number);
    // A client that reads nothing does not notice that the connection has ended. The system does.
    const seen = () => openConnections(Number(port), clients);
    await until(() => seen().open === 0, UNREAD_MAX_MS).catch(() => undefined);
    const end = seen();
    for (const socket of sockets) socket.destroy();
    return end;
  });
  const after = Math.round((performance.now() - begunMs) / 1000);
  const closed = UNREAD_CONNECTIONS - done.open;
  yield {
    what: `${UNREAD_CONNECTIONS} connections of ${UNREAD_EACH} unread /openapi.json: closed`,
    seen: `${closed} after ${after} s; the system keeps ${mb(done.unreadBytes)} of them`,
    held: done.open === 0,
  };
  const held = moreBytes <= UNREAD_MAX_BYTES;
  yield { what: '  memory that they take', seen: mb(moreBytes), held };
}

/** Enough visitors that the rate limit of an address does not slow them down. */
const VISITORS = Array.from({ length: 40 }, (_, i) => `127.0.3.${i + 1}`);
/** Paid requests under way at once, and the pause after each. */
const CUSTOMERS = 3;
const PAUSE_MS = 50;
/** After this many minutes, the memory of the service must not exceed `RESIDENT_MAX_BYTES`. */
const PLATEAU_AFTER_MINUTES = 3;
const RESIDENT_MAX_BYTES = 600e6;

/** The memory of the service minute by minute, under paid requests whose parameters are always new. */
export const memory: Item = async function* (service, { minutes }) {
  const { address, keys } = service;
  const seen = () => {
    const resident = service.residentBytes();
    return `${mb(resident)} resident, ${mb(service.memory())} of them its own`;
  };
  yield { what: 'after the start', seen: seen() };
  const pages = PUBLIC_PAGES.map((_, place) => place);
  const visitors = await startCrowd({ address, pages, from: VISITORS, firstNumber: 1 });
  const send = (i: number) => ask({ address, key: keys[i % keys.length] as string }, paid(i + 1));
  const customers = repeat(CUSTOMERS, send, () => PAUSE_MS);
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(60_000);
    const isSmall = service.residentBytes() <= RESIDENT_MAX_BYTES;
    const held = minute < PLATEAU_AFTER_MINUTES ? undefined : isSmall;
    yield { what: `minute ${minute}`, seen: seen(), held };
  }
  yield { what: 'customers got', seen: said(await customers.stop()) };
  yield { what: 'visitors got', seen: said(await visitors.stop()) };
};
