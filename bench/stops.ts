import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from '../src/operations/index.js';
import { until } from '../test/support/until.js';
import { ask, open, repeat, said } from './clients.js';
import type { Item } from './customer.js';
import { CUSTOMER, LARGE, MANY_PEOPLE, ONE_BODY, PEOPLE, reachOf } from './requests.js';
import { ms } from './table.js';

const BODIES = LARGE['20 bodies with 20 known values each'];
const UNDER_WAY = [PEOPLE, reachOf(1), MANY_PEOPLE, ONE_BODY, CUSTOMER.share, BODIES];
const CLIENTS = 12;
const STOP_AFTER_MS = 4000;
const FIRST_MAX_MS = 60_000;
/** A reader that pauses for so long before each piece is not at the end when the service cuts it. */
const SLOW_MS = 200;

/** A planned stop while answers are sent: each is whole, or its price is booked back. */
export const plannedStop: Item = async function* (service) {
  const { address, others } = service;
  const before = await service.spent();
  let answered = 0;
  const clients = repeat(
    CLIENTS,
    async (_, client) => {
      const sent = UNDER_WAY[client % UNDER_WAY.length] as typeof PEOPLE;
      const sender = { address, key: others.paying[client] as string };
      const price = OPERATIONS.find(({ name }) => name === sent.operation)?.cost(
        sent.input as never,
      );
      const isSlow = client >= UNDER_WAY.length && sent === PEOPLE;
      const { status } = await (isSlow ? readSlowly : ask)(sender, sent);
      if (status === 200) answered += price ?? Number.NaN;
      return { status };
    },
    (status) => (status === 200 ? 0 : 50),
  );
  await sleep(STOP_AFTER_MS);
  await until(() => (clients.seen.statuses[200] ?? 0) > 0, FIRST_MAX_MS);
  const wholeBefore = clients.seen.statuses[200] ?? 0;
  const begunMs = performance.now();
  const [code] = (await service.stop()) as [number | null];
  const endMs = performance.now() - begunMs;
  const seen = await clients.stop();
  yield {
    what: `a planned stop while ${CLIENTS} clients get people, bodies and shares: exit code`,
    seen: `${code} after ${ms(endMs)}; ${(seen.statuses[200] ?? 0) - wholeBefore} answers became whole in this time (of ${said(seen)})`,
    held: code === 0,
  };
  const spent = (await service.spent()) - before;
  yield {
    what: '  the ledger has the prices of the whole answers',
    seen: `${spent} credits for answers of ${answered}`,
    held: spent === answered,
  };
};

/** @throws Error if the answer is cut */
async function readSlowly(...asked: Parameters<typeof open>) {
  const response = await open(...asked);
  for await (const _ of response) await sleep(SLOW_MS);
  return { status: response.statusCode ?? 0 };
}
