import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../test/support/until.js';
import { ask, quantile, refusals, repeat, type Seen, type Sender, said } from './clients.js';
import { type AttackName, type Crowd, startCrowd } from './crowd.js';
import { CUSTOMER, type Sent } from './requests.js';
import type { Attacked, LoopHold } from './service.js';
import { type Finding, mb, ms, times } from './table.js';

/** How long to attack. */
export interface AttackPlan {
  readonly attackers: number;
  readonly seconds: number;
  /** Minutes of the item `memory`. */
  readonly minutes: number;
  /** Those of item 2. */
  readonly attacks: readonly AttackName[];
}

/** An item of the attack. It attacks a service and yields each finding. */
export type Item = (service: Attacked, plan: AttackPlan) => AsyncGenerator<Finding>;

// A paying customer, who asks for a prediction and a share while others attack.

/** What a client sends may hold the event loop for this long at most. */
export const HOLD_MAX_MS = 20;

/** Whether the event loop was held too long. */
export function loopHeld(name: string, { heldMs, delayMs }: LoopHold, more = ''): Finding {
  const what = `${name}: longest hold of the event loop (≤ ${HOLD_MAX_MS} ms of processor time)`;
  const seen = `${ms(heldMs)} (longest delay by its metric ${ms(delayMs)})${more}`;
  return { what, seen, held: heldMs <= HOLD_MAX_MS };
}

/** Sends requests one after the other. Yields how long each request held the event loop, and its answer. */
export async function* holdOfEach(
  service: Attacked,
  sender: (i: number) => Sender,
  requests: readonly (readonly [string, Sent])[],
): AsyncGenerator<Finding> {
  for (const [i, [name, sent]] of requests.entries()) {
    await service.loop();
    const answer = await ask(sender(i), sent);
    const more = `, status ${answer.status} after ${ms(answer.ms)}, ${mb(answer.bytes)}`;
    yield loopHeld(name, await service.loop(), more);
  }
}

/** Factor by which the customer's requests may slow down beside others. */
const SLOWER_MAX = { share: 5, predict: 2 } as const;
const PAID = ['share', 'predict'] as const;
type Customer = Readonly<Record<(typeof PAID)[number], Seen>>;

/** The customer pauses between two requests, because customers do other things, too. */
const PAUSE_MS = 25;
/** Answers that the customer waits for, if the time allows. */
const ANSWERS_MIN = 20;
/** Time limit of a measurement, and of the wait until the service answers at once again. */
const LONGEST_MS = 120_000;
const SETTLED_MAX_MS = 60_000;
const SETTLED_MS = 200;
const WARM_UP_MS = 2000;

/** Sends both requests at once for some seconds, each with half of the keys. */
async function measure({ address, keys }: Attacked, seconds: number): Promise<Customer> {
  const half = keys.length / 2;
  const running = PAID.map((name, i) => {
    const key = (count: number) => keys[i * half + (count % half)] as string;
    const send = (count: number) => ask({ address, key: key(count) }, CUSTOMER[name]);
    return repeat(1, send, () => PAUSE_MS);
  });
  await sleep(seconds * 1000);
  const enough = () => running.every(({ seen }) => seen.timesMs.length >= ANSWERS_MIN);
  await until(enough, LONGEST_MS - seconds * 1000).catch(() => undefined);
  const [share, predict] = await Promise.all(running.map((one) => one.stop()));
  return { share, predict } as Customer;
}

/** Waits until the service answers at once again, a minute at most. */
async function settled({ address, keys }: Attacked): Promise<void> {
  let count = 0;
  const atOnce = async () => {
    const key = keys[count++ % keys.length] as string;
    const answer = await ask({ address, key }, CUSTOMER.share).catch(() => undefined);
    if (answer?.status === 200 && answer.ms < SETTLED_MS) return true;
    await sleep(1000);
    return false;
  };
  await until(atOnce, SETTLED_MAX_MS).catch(() => undefined);
}

/** Compares the customer's response times at a percentile: alone, and beside each of the crowds. */
export async function* besideCrowds(
  service: Attacked,
  seconds: number,
  percentile: 95 | 99,
  crowds: readonly { readonly says: string; readonly crowd: Crowd }[],
): AsyncGenerator<Finding> {
  const at = (seen: Seen) => quantile(seen, percentile / 100);
  const shown = (seen: Seen) =>
    `${ms(at(seen))}, worst ${ms(quantile(seen, 1))}, ${seen.timesMs.length} answers`;
  await measure(service, 3);
  await service.loop();
  const alone = await measure(service, seconds);
  for (const name of PAID)
    yield { what: `${name}, alone: p${percentile}`, seen: shown(alone[name]) };
  yield loopHeld('alone', await service.loop());
  for (const { says, crowd } of crowds) {
    await service.loop();
    const started = await startCrowd(crowd);
    await sleep(WARM_UP_MS);
    const under = await measure(service, seconds);
    const got = await started.stop();
    yield { what: says, seen: `they got ${said(got)}, the slowest after ${ms(quantile(got, 1))}` };
    for (const name of PAID) {
      const slower = at(under[name]) / at(alone[name]);
      const refused = refusals(under[name]);
      yield {
        what: `  ${name} beside it: p${percentile} ÷ alone (≤ ${SLOWER_MAX[name]}), refused`,
        seen: `${times(slower)} (${shown(under[name])}), ${said(refused)} refused`,
        held: slower <= SLOWER_MAX[name] && Object.keys(refused.statuses).length === 0,
      };
    }
    yield loopHeld('  service', await service.loop());
    await settled(service);
  }
}
