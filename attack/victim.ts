import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ATTACKS, type AttackName, type Orders, type Statuses } from './attackers.js';
import { ask } from './client.js';
import { type Sent, VICTIM } from './requests.js';
import type { AttackedService } from './service.js';

/** What the victim measured of one request. */
export interface Measured {
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly answers: number;
  /** How often another status than 200 was answered, or nothing. */
  readonly refused: Statuses;
}

/** Answers that the victim waits for at least, if the time allows. */
const ANSWERS_MIN = 20;
/** The victim pauses between two requests; a customer does other things, too. */
const PAUSE_MS = 25;
const WARM_UP_MS = 2000;
/** Longest time of a measurement, however slow the service is. */
const LONGEST_MS = 120_000;

/** What the victim sees: a share of one country, and a prediction. */
export type Victim = Readonly<Record<keyof typeof VICTIM, Measured>>;

/** Measures both requests at once for some seconds. */
export async function measure(service: AttackedService, seconds: number): Promise<Victim> {
  const [share, predict] = await Promise.all([
    repeat(service, VICTIM.share, seconds, 0),
    repeat(service, VICTIM.predict, seconds, service.victimKeys.length / 2),
  ]);
  return { share, predict };
}

async function repeat(
  { address, victimKeys }: AttackedService,
  sent: Sent,
  seconds: number,
  firstKey: number,
): Promise<Measured> {
  const times: number[] = [];
  const refused: Record<string, number> = {};
  const startedMs = performance.now();
  const over = () => {
    const ms = performance.now() - startedMs;
    return ms > LONGEST_MS || (ms > seconds * 1000 && times.length >= ANSWERS_MIN);
  };
  for (let i = 0; !over(); i++) {
    const key = victimKeys[firstKey + (i % (victimKeys.length / 2))] as string;
    const begunMs = performance.now();
    const status = await ask({ address, key }, sent).then(
      (answer) => answer.status,
      () => 0,
    );
    times.push(performance.now() - begunMs);
    if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
    await sleep(PAUSE_MS);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return {
    p95Ms: quantile(0.95),
    p99Ms: quantile(0.99),
    worstMs: sorted.at(-1) ?? Number.NaN,
    answers: times.length,
    refused,
  };
}

/** Measures the victim while attackers, one account each, do their worst. */
export async function measureUnder(
  service: AttackedService,
  attack: AttackName,
  attackers: number,
  seconds: number,
): Promise<{ readonly victim: Victim; readonly attackers: Statuses }> {
  const { address, keys } = service;
  const script = fileURLToPath(new URL('./attackers.ts', import.meta.url));
  const child = fork(script, ['attack'], { execArgv: ['--import', 'tsx'] });
  try {
    // Accounts of their own for each attack: their limits and budgets are as of a new customer.
    const first = attackers * Object.keys(ATTACKS).indexOf(attack);
    const own = keys[ATTACKS[attack].purse].slice(first, first + attackers);
    child.send({ attack, address, keys: own } satisfies Orders);
    await sleep(WARM_UP_MS);
    const victim = await measure(service, seconds);
    const told = once(child, 'message');
    child.send('stop');
    const [statuses] = (await told) as [Statuses];
    return { victim, attackers: statuses };
  } finally {
    child.kill('SIGKILL');
  }
}
