import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../src/accounts/api-key.js';
import { run } from '../test/support/cli.js';
import { type Answer, ask, open, repeat } from './clients.js';
import { ATTACKS } from './crowd.js';
import { besideCrowds, holdOfEach, type Item, loopHeld } from './customer.js';
import { anonymous, memory, signIns } from './keyless.js';
import { forged, freeWork } from './pictures.js';
import { watchMemory } from './process.js';
import {
  CUSTOMER,
  FAULTY_ENTRIES,
  FEW_PEOPLE,
  LARGE,
  LARGEST,
  PEOPLE,
  SMALL_COUNTRIES,
  TINY_IN_BATCH,
  TINY_TOLERANCE,
  UNKNOWN_NAMES,
} from './requests.js';
import { plannedStop } from './stops.js';
import { first, mb, ms } from './table.js';

/** Time limit of a prediction that waits for the event loop while a body is read and refused. */
const STALL_MAX_MS = 150;
const REFUSED_ENTRIES_MAX_BYTES = 100_000;

/** Item 1: bodies that take long to refuse. */
const eventLoop: Item = async function* (service) {
  const { address, keys, others } = service;
  const customer = { address, key: keys[0] as string };
  const bodies = [
    ['1 MB with a made-up key', UNKNOWN_NAMES, generateApiKey('live', 7)],
    ['1 MB of made-up countries', UNKNOWN_NAMES, others.test[0] as string],
    ['1,000 faulty requests', FAULTY_ENTRIES, others.test[0] as string],
  ] as const;
  for (const [name, body, key] of bodies) {
    const before = service.memory();
    await service.loop();
    const send = () => ask(customer, CUSTOMER.predict);
    const watching = repeat(1, send, () => 5);
    const { status, bytes } = await ask({ address, key }, body);
    const worstMs = Math.max(...(await watching.stop()).timesMs);
    yield {
      what: `${name}: longest prediction meanwhile`,
      seen: `${ms(worstMs)} (status ${status}, ${mb(service.memory() - before)} more memory)`,
      held: worstMs <= STALL_MAX_MS,
    };
    yield loopHeld(name, await service.loop());
    const held = bytes <= REFUSED_ENTRIES_MAX_BYTES;
    yield { what: `${name}: bytes of the answer`, seen: String(bytes), held };
  }
  const paying = (i: number) => ({
    address,
    key: others.paying[i % others.paying.length] as string,
  });
  yield* holdOfEach(service, paying, Object.entries(LARGE));
};

/** Item 2 and all other attacks: ten attackers, each with an account, beside one customer. */
const fairness: Item = async function* (service, { attackers, seconds, attacks }) {
  const { address, others } = service;
  const crowds = attacks.map((attack) => {
    const { says, purse } = ATTACKS[attack];
    // Each attack has its own accounts. Their limits and budgets are therefore unused.
    const from = attackers * Object.keys(ATTACKS).indexOf(attack);
    return { says, crowd: { address, attack, keys: others[purse].slice(from, from + attackers) } };
  });
  yield* besideCrowds(service, seconds, 95, crowds);
};

const WORK_MAX_MS = 5000;
const TEN_DIMENSIONS_MAX_MS = 500;
const WORK_MAX_BYTES = 150e6;

/** Item 3: the work of the largest requests, one after the other. */
const work: Item = async function* (service) {
  const { address, others } = service;
  for (const [i, [name, sent]] of Object.entries(LARGEST).entries()) {
    const key = others.paying[i % others.paying.length] as string;
    const usedBefore = service.processorMs();
    const { done, moreBytes } = await watchMemory(50, service.memory, () =>
      ask({ address, key }, sent),
    );
    const usedMs = service.processorMs() - usedBefore;
    const mostMs = name.startsWith('percentiles of 10') ? TEN_DIMENSIONS_MAX_MS : WORK_MAX_MS;
    const isRefused = done.status === 422 && done.text.includes('computation_too_large');
    const isBounded = usedMs <= mostMs && moreBytes <= WORK_MAX_BYTES;
    yield {
      what: name,
      seen: `status ${done.status} after ${ms(done.ms)}, ${ms(usedMs)} of processor time, ${mb(moreBytes)} more memory`,
      held: isRefused || (done.status === 200 && isBounded),
    };
  }
};

const PAIRS = 5;

/** Item 4: one Idempotency-Key, two requests at once. */
const oneSample: Item = async function* (service) {
  const { address, keys } = service;
  const spentBefore = await service.spent();
  const answers: Answer[] = [];
  let same = 0;
  for (let i = 0; i < PAIRS; i++) {
    const sender = {
      address,
      key: keys[0] as string,
      headers: { 'idempotency-key': `attack-${i}` },
    };
    const [one, other] = await Promise.all([ask(sender, FEW_PEOPLE), ask(sender, FEW_PEOPLE)]);
    answers.push(one, other);
    if (one.text === other.text) same++;
  }
  yield {
    what: 'two requests at once with one Idempotency-Key: same answers',
    seen: `${same} of ${PAIRS} pairs (status ${answers.map(({ status }) => status).join(', ')})`,
    held: same === PAIRS,
  };
  const spent = (await service.spent()) - spentBefore;
  const price = Math.ceil(JSON.parse(FEW_PEOPLE.body).count / 10);
  yield {
    what: 'each pair is charged once',
    seen: `${spent} credits for ${PAIRS} × ${price}`,
    held: spent === PAIRS * price,
  };
};

/** Item 5: a number so small that computations with it fail. */
const numbers: Item = async function* ({ address, keys }) {
  const sender = { address, key: keys[1] as string };
  const { status, text } = await ask(sender, TINY_TOLERANCE);
  const seen = `status ${status}: ${first(text)}`;
  yield { what: 'size_chart with a tolerance of 5e-324', seen, held: status === 400 };
  const batch = await ask(sender, TINY_IN_BATCH);
  const answers: { status: number }[] = batch.status === 200 ? JSON.parse(batch.text).answers : [];
  const entries = answers.map((answer) => answer.status).join(', ');
  yield {
    what: 'the same in a batch, with a prediction',
    seen: `status ${batch.status}, entries ${entries || 'none'}`,
    held: entries === '400, 200',
  };
};

const PLACES = 2;
const UNREAD_MAX_S = 40;
const UNREAD_WATCH_S = 200;

/** Item 6: answers that nobody reads. */
const unread: Item = async function* ({ address, others }) {
  const sender = { address, key: others.paying[0] as string };
  const begunMs = performance.now();
  const seconds = () => (performance.now() - begunMs) / 1000;
  const held = await Promise.all(Array.from({ length: PLACES }, () => open(sender, PEOPLE)));
  for (const response of held) response.on('error', () => undefined);
  let status = 0;
  while (seconds() < UNREAD_WATCH_S) {
    ({ status } = await ask(sender, CUSTOMER.share));
    if (status !== 429) break;
    await sleep(1000);
  }
  const freeAfter = seconds();
  for (const response of held) response.destroy();
  yield {
    what: 'two unread answers hold the places of their account',
    seen: `${Math.round(freeAfter)} s (then status ${status})`,
    held: status === 200 && freeAfter <= UNREAD_MAX_S,
  };
};

/** Item 7: small countries without `keep`. */
const smallCountries: Item = async function* ({ address, keys }) {
  for (const { code, request } of SMALL_COUNTRIES) {
    const { status, text } = await ask({ address, key: keys[2] as string }, request);
    const held = status === 200;
    const seen = held ? 'status 200' : `status ${status}: ${first(text)}`;
    yield { what: `percentiles of ${code}`, seen, held };
  }
};

const SECOND_SERVER_MS = 15_000;

/** Item 8: a second server on the same database file, and a command that runs beside the first server. */
const secondServer: Item = async function* ({ env }) {
  const under = ['timeout', String(SECOND_SERVER_MS / 1000)];
  const second = await run('serve', { ...env, PORT: '0', LOG_LEVEL: 'silent' }, under);
  const serves = second.stdout.includes('listening');
  yield {
    what: 'a second server on the same SQLite file',
    seen: serves
      ? 'it serves'
      : `exit code ${second.code}: ${first(second.stdout + second.stderr)}`,
    held: !serves && second.code !== 0,
  };
  const command = await run('accounts create --name beside', env);
  yield {
    what: 'accounts create beside the server',
    seen: `exit code ${command.code}`,
    held: command.code === 0,
  };
};

/** All items by name, in the order in which they run. Items that leave the service busy come last. */
export const ITEMS = new Map<string, Item>([
  ['1', eventLoop],
  ['3', work],
  ['4', oneSample],
  ['5', numbers],
  ['7', smallCountries],
  ['8', secondServer],
  ['9', signIns],
  ['6', unread],
  ['forged', forged],
  ['free', freeWork],
  ['stop', plannedStop],
  ['2', fairness],
  ['anonymous', anonymous],
  ['memory', memory],
]);
