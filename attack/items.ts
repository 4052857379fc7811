import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../src/accounts/api-key.js';
import { anonymous } from './anonymous.js';
import { ATTACKS, type AttackName, type Statuses } from './attackers.js';
import { type Answer, ask, open } from './client.js';
import {
  type Finding,
  first,
  type Item,
  loopHeld,
  mb,
  ms,
  type Plan,
  said,
  times,
} from './finding.js';
import { signIns } from './forms.js';
import { memory } from './memory.js';
import {
  FAULTY_ENTRIES,
  FEW_PEOPLE,
  LARGE,
  LARGEST,
  PEOPLE,
  type Sent,
  SMALL_COUNTRIES,
  smallCountry,
  TINY_IN_BATCH,
  TINY_TOLERANCE,
  UNKNOWN_NAMES,
  VICTIM,
} from './requests.js';
import { type AttackedService, cli, ended, serve } from './service.js';
import { type Measured, measure, measureUnder, type Victim } from './victim.js';

/** Longest time that a prediction may wait for the event loop while one body is read and refused. */
const STALL_MAX_MS = 150;
const REFUSED_ENTRIES_MAX_BYTES = 100_000;

/** Item 1: bodies that are dear to refuse. */
async function* eventLoop(service: AttackedService): AsyncGenerator<Finding> {
  const { address, victimKeys, keys } = service;
  const [victim, attacker] = [victimKeys[0] as string, keys.test[0] as string];
  const bodies: readonly (readonly [string, Sent, string])[] = [
    ['1 MB with a made-up key', UNKNOWN_NAMES, generateApiKey('live', 7)],
    ['1 MB of made-up countries', UNKNOWN_NAMES, attacker],
    ['1,000 faulty requests', FAULTY_ENTRIES, attacker],
  ];
  for (const [name, body, key] of bodies) {
    const before = service.memory();
    await service.loop();
    let worstMs = 0;
    let over = false;
    const watching = (async () => {
      while (!over) {
        worstMs = Math.max(worstMs, (await ask({ address, key: victim }, VICTIM.predict)).ms);
        await sleep(5);
      }
    })();
    const answer = await ask({ address, key }, body);
    over = true;
    await watching;
    const grown = service.memory() - before;
    yield {
      item: 1,
      what: `${name}: longest prediction meanwhile`,
      seen: `${ms(worstMs)} (status ${answer.status}, ${mb(grown)} more memory)`,
      held: worstMs <= STALL_MAX_MS,
    };
    yield loopHeld(1, name, await service.loop());
    yield {
      item: 1,
      what: `${name}: bytes of the answer`,
      seen: String(answer.bytes),
      held: answer.bytes <= REFUSED_ENTRIES_MAX_BYTES,
    };
  }
  let account = 0;
  for (const [name, body] of Object.entries(LARGE)) {
    const sender = { address, key: keys.paying[account++ % keys.paying.length] as string };
    await service.loop();
    const answer = await ask(sender, body);
    const held = loopHeld(1, name, await service.loop());
    yield { ...held, seen: `${held.seen}, status ${answer.status}, ${mb(answer.bytes)}` };
  }
}

const SHARE_SLOWER_MAX = 5;
const PREDICT_SLOWER_MAX = 2;

/** Item 2, and all other attacks: ten attackers, each with an account, against one customer. */
async function* fairness(
  service: AttackedService,
  { attackers, seconds, attacks }: Plan,
): AsyncGenerator<Finding> {
  await measure(service, 3);
  await service.loop();
  const alone = await measure(service, seconds);
  const loopAlone = await service.loop();
  yield { item: 2, what: 'share of one country, alone: p95', seen: shown(alone.share) };
  yield { item: 2, what: 'predict, alone: p95', seen: shown(alone.predict) };
  yield loopHeld(2, 'alone', loopAlone);
  for (const attack of attacks) {
    await service.loop();
    const found = await measureUnder(service, attack, attackers, seconds);
    yield* besideAttack(attack, alone, found.victim, found.attackers);
    yield loopHeld(2, '  service', await service.loop());
    await settled(service);
  }
}

function* besideAttack(attack: AttackName, alone: Victim, under: Victim, statuses: Statuses) {
  const what = `${ATTACKS[attack].says}`;
  const lines = [
    ['share', under.share, alone.share, SHARE_SLOWER_MAX],
    ['predict', under.predict, alone.predict, PREDICT_SLOWER_MAX],
  ] as const;
  yield { item: 2, what, seen: `the attackers got ${said(statuses)}` };
  for (const [name, now, before, slowerMax] of lines) {
    const slower = now.p95Ms / before.p95Ms;
    yield {
      item: 2,
      what: `  ${name} beside it: p95 ÷ alone (≤ ${slowerMax}), refused`,
      seen: `${times(slower)} (${shown(now)}), ${said(now.refused)} refused`,
      held: slower <= slowerMax && Object.keys(now.refused).length === 0,
    };
  }
}

const shown = ({ p95Ms, worstMs, answers }: Measured): string =>
  `${ms(p95Ms)}, worst ${ms(worstMs)}, ${answers} answers`;

/** Waits until the service answers at once again, a minute at most. */
async function settled({ address, victimKeys }: AttackedService): Promise<void> {
  for (let i = 0; i < 60; i++) {
    const key = victimKeys[i % victimKeys.length] as string;
    const answer = await ask({ address, key }, VICTIM.share).catch(() => undefined);
    if (answer?.status === 200 && answer.ms < 200) return;
    await sleep(1000);
  }
}

const WORK_MAX_MS = 5000;
const TEN_DIMENSIONS_MAX_MS = 500;
const WORK_MAX_BYTES = 150e6;

/** Item 3: the work of the largest requests, one after the other. */
async function* work(service: AttackedService): AsyncGenerator<Finding> {
  const { address, keys } = service;
  let account = 0;
  for (const [name, sent] of Object.entries(LARGEST)) {
    const before = service.memory();
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, service.memory());
    }, 50);
    const key = keys.paying[account++ % keys.paying.length] as string;
    const usedBefore = service.processorMs();
    const answer = await ask({ address, key }, sent);
    const usedMs = service.processorMs() - usedBefore;
    clearInterval(timer);
    const mostMs = name.startsWith('percentiles of 10') ? TEN_DIMENSIONS_MAX_MS : WORK_MAX_MS;
    const isRefused = answer.status === 422 && answer.text.includes('computation_too_large');
    yield {
      item: 3,
      what: name,
      seen: `status ${answer.status} after ${ms(answer.ms)}, ${ms(usedMs)} of processor time, ${mb(peak - before)} more memory`,
      held:
        isRefused || (answer.status === 200 && usedMs <= mostMs && peak - before <= WORK_MAX_BYTES),
    };
  }
}

/** Item 4: one Idempotency-Key, two requests at once. */
async function* oneSample(service: AttackedService): AsyncGenerator<Finding> {
  const { address, victimKeys } = service;
  const key = victimKeys[0] as string;
  const spentBefore = await service.spent();
  let same = 0;
  const tries = 5;
  const statuses: Record<string, number> = {};
  for (let i = 0; i < tries; i++) {
    const sender = { address, key, idempotencyKey: `attack-${i}` };
    const pair = await Promise.all([ask(sender, FEW_PEOPLE), ask(sender, FEW_PEOPLE)]);
    for (const { status } of pair) statuses[status] = (statuses[status] ?? 0) + 1;
    if (pair[0].text === pair[1].text) same++;
  }
  yield {
    item: 4,
    what: 'two requests at once with one Idempotency-Key: same answers',
    seen: `${same} of ${tries} pairs (${said(statuses)})`,
    held: same === tries,
  };
  const spent = (await service.spent()) - spentBefore;
  const price = Math.ceil(JSON.parse(FEW_PEOPLE.body).count / 10);
  yield {
    item: 4,
    what: 'each pair is charged once',
    seen: `${spent} credits for ${tries} × ${price}`,
    held: spent === tries * price,
  };
}

/** Item 5: a number that no arithmetic survives. */
async function* numbers({ address, victimKeys }: AttackedService): AsyncGenerator<Finding> {
  const key = victimKeys[1] as string;
  const alone = await ask({ address, key }, TINY_TOLERANCE);
  yield {
    item: 5,
    what: 'size_chart with a tolerance of 5e-324',
    seen: `status ${alone.status}: ${first(alone.text)}`,
    held: alone.status === 400,
  };
  const batch = await ask({ address, key }, TINY_IN_BATCH);
  const entries = batch.status === 200 ? statusesOf(batch) : [];
  yield {
    item: 5,
    what: 'the same in a batch, with a prediction',
    seen: `status ${batch.status}, entries ${entries.join(', ') || 'none'}`,
    held: entries.join() === '400,200',
  };
}

function statusesOf({ text }: Answer): number[] {
  const { answers } = JSON.parse(text) as { answers: { status: number }[] };
  return answers.map(({ status }) => status);
}

const PLACES = 2;
const UNREAD_MAX_S = 40;
const UNREAD_WATCH_S = 200;

/** Item 6: answers that nobody reads. */
async function* unread({ address, keys }: AttackedService): AsyncGenerator<Finding> {
  const key = keys.paying[0] as string;
  const begunMs = performance.now();
  const seconds = () => (performance.now() - begunMs) / 1000;
  const held = await Promise.all(
    Array.from({ length: PLACES }, () => open({ address, key }, PEOPLE)),
  );
  for (const response of held) response.on('error', () => undefined);
  let status = 0;
  while (seconds() < UNREAD_WATCH_S) {
    ({ status } = await ask({ address, key }, VICTIM.share));
    if (status !== 429) break;
    await sleep(1000);
  }
  const freeAfter = seconds();
  for (const response of held) response.destroy();
  yield {
    item: 6,
    what: 'two unread answers hold the places of their account',
    seen: `${Math.round(freeAfter)} s (then status ${status})`,
    held: status === 200 && freeAfter <= UNREAD_MAX_S,
  };
}

/** Item 7: small countries without `keep`. */
async function* smallCountries({ address, victimKeys }: AttackedService): AsyncGenerator<Finding> {
  for (const code of SMALL_COUNTRIES) {
    const answer = await ask({ address, key: victimKeys[2] as string }, smallCountry(code));
    const isAnswered = answer.status === 200;
    yield {
      item: 7,
      what: `percentiles of ${code}`,
      seen: isAnswered ? 'status 200' : `status ${answer.status}: ${first(answer.text)}`,
      held: isAnswered,
    };
  }
}

const SECOND_SERVER_MS = 15_000;

/** Item 8: a second server on the same file, and a command beside the first. */
async function* secondServer({ databaseUrl }: AttackedService): AsyncGenerator<Finding> {
  const second = serve(databaseUrl);
  const end = ended(second);
  const result = await Promise.race([end, sleep(SECOND_SERVER_MS, undefined)]);
  if (result === undefined) {
    second.kill('SIGTERM');
    await end;
  }
  yield {
    item: 8,
    what: 'a second server on the same SQLite file',
    seen: result === undefined ? 'it serves' : `exit code ${result.code}: ${first(result.text)}`,
    held: result !== undefined && result.code !== 0,
  };
  const command = await ended(cli(['accounts', 'create', '--name', 'beside'], databaseUrl));
  yield {
    item: 8,
    what: 'accounts create beside the server',
    seen: `exit code ${command.code}`,
    held: command.code === 0,
  };
}

/** All items by their name. */
export const ITEMS: Readonly<Record<string, Item>> = {
  ...{ 1: eventLoop, 2: fairness, 3: work, 4: oneSample, 5: numbers, 6: unread },
  ...{ 7: smallCountries, 8: secondServer, 9: signIns, anonymous, memory },
};
/** The order in which they run. Those that leave the service busy come last. */
export const ORDER = ['1', '3', '4', '5', '7', '8', '9', '6', '2', 'anonymous', 'memory'] as const;
