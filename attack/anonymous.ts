import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnections } from '../tools/open-connections.js';
import { visit } from './client.js';
import { type Finding, type Item, loopHeld, mb, ms, said, times } from './finding.js';
import { PUBLIC_PAGES } from './public-pages.js';
import type { AttackedService } from './service.js';
import { measure } from './victim.js';
import { pipelined, visitors } from './visitors.js';

const item = 'anonymous';
const PER_SECOND = 10;
/** How much slower the paid requests may be beside a visitor, as p99 ÷ their own. */
const SLOWER_MAX = { predict: 2, share: 5 } as const;
const WARM_UP_MS = 2000;

/** Pages without a key, ten requests a second from one address, beside a customer. */
export const anonymous: Item = async function* (service, { seconds }) {
  yield* coldRequests(service);
  yield* unreadPages(service);
  await measure(service, 3);
  await service.loop();
  const alone = await measure(service, seconds);
  yield { item, what: 'predict, alone: p99', seen: ms(alone.predict.p99Ms) };
  yield { item, what: 'share, alone: p99', seen: ms(alone.share.p99Ms) };
  yield loopHeld(item, 'alone', await service.loop());
  for (const [place, { kind, name }] of PUBLIC_PAGES.entries()) {
    const { address } = service;
    const from = [`127.0.1.${place + 1}`];
    const firstNumber = 1000 * (place + 1);
    const visiting = await visitors({
      ...{ address, pages: [place], perSecond: PER_SECOND, from, firstNumber },
    });
    await sleep(WARM_UP_MS);
    const under = await measure(service, seconds);
    const { statuses, worstMs } = await visiting.stop();
    const seen = `the visitor got ${said(statuses)}, the slowest after ${ms(worstMs)}`;
    yield { item, what: `${kind} ${name}`, seen };
    for (const paid of ['predict', 'share'] as const) {
      const { p99Ms, worstMs: worst, refused } = under[paid];
      const slower = p99Ms / alone[paid].p99Ms;
      yield {
        item,
        what: `  ${paid} beside it: p99 ÷ alone (≤ ${SLOWER_MAX[paid]}), refused`,
        seen: `${times(slower)} (${ms(p99Ms)}, worst ${ms(worst)}), ${said(refused)} refused`,
        held: slower <= SLOWER_MAX[paid] && Object.keys(refused).length === 0,
      };
    }
    yield loopHeld(item, '  service', await service.loop());
    await answersAgain(service);
  }
};

/** The first request of each kind of page since the start, one after the other. */
async function* coldRequests(service: AttackedService): AsyncGenerator<Finding> {
  for (const { name, path } of PUBLIC_PAGES) {
    await service.loop();
    const { status, ms: answeredMs } = await visit(service.address, path(0), '127.0.2.2');
    const held = loopHeld(item, `first request of ${name}`, await service.loop());
    yield { ...held, seen: `${held.seen}, status ${status} after ${ms(answeredMs)}` };
  }
}

/** Waits until the service has done what visitors left behind, a minute at most. */
async function answersAgain({ address }: AttackedService): Promise<void> {
  for (const deadlineMs = performance.now() + 60_000; performance.now() < deadlineMs; ) {
    const answer = await visit(address, '/ready', '127.0.0.1').catch(() => undefined);
    if (answer !== undefined && answer.ms < 100) return;
    await sleep(1000);
  }
}

const UNREAD_CONNECTIONS = 116;
const UNREAD_EACH = 20;
/**
 * Clients that read nothing lose their connections: after half a minute while an answer waits in the service, and after
 * 72 s, as idle ones, when the system has taken all answers.
 */
const UNREAD_MAX_S = 90;
const UNREAD_MAX_BYTES = 50e6;

/** Answers of a public page that nobody reads. */
async function* unreadPages(service: AttackedService): AsyncGenerator<Finding> {
  const before = service.memory();
  let peak = before;
  const sockets = Array.from({ length: UNREAD_CONNECTIONS }, () =>
    pipelined(service.address, '/openapi.json', UNREAD_EACH),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const clients = sockets.map(({ localPort }) => localPort as number);
  // A client that reads nothing does not see the end of a connection, but the system does.
  const port = Number(new URL(service.address).port);
  const seen = () => openConnections(port, clients);
  const begunMs = performance.now();
  const seconds = () => (performance.now() - begunMs) / 1000;
  while (seconds() < UNREAD_MAX_S && seen().open > 0) {
    await sleep(200);
    peak = Math.max(peak, service.memory());
  }
  const after = Math.round(seconds());
  const { open, unreadBytes } = seen();
  for (const socket of sockets) socket.destroy();
  yield {
    item,
    what: `${UNREAD_CONNECTIONS} connections of ${UNREAD_EACH} unread /openapi.json: closed`,
    seen: `${sockets.length - open} after ${after} s; the system keeps ${mb(unreadBytes)} of them`,
    held: open === 0,
  };
  yield {
    item,
    what: '  memory that they take',
    seen: mb(peak - before),
    held: peak - before <= UNREAD_MAX_BYTES,
  };
}
