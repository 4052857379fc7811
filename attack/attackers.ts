import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../src/accounts/api-key.js';
import { ask, open } from './client.js';
import {
  FAULTY_ENTRIES,
  FEW_PEOPLE,
  LARGEST,
  PEOPLE,
  type Sent,
  TINY_IN_BATCH,
  UNKNOWN_NAMES,
} from './requests.js';
import type { Purse } from './service.js';

// A process of its own sends the attacks, so that their answers do not slow the measurement down.

/** One attacker: it sends one thing again and again. */
interface Attacker {
  readonly key: string;
  /** Its loopback address. */
  readonly from: string;
}

/** A way to attack. */
interface Attack {
  readonly says: string;
  readonly purse: Purse;
  /** Requests that each attacker has under way at once. */
  readonly atOnce: number;
  send(attacker: Attacker, address: string, count: number): Promise<number>;
}

const one =
  (sent: Sent) =>
  async ({ key, from }: Attacker, address: string): Promise<number> =>
    (await ask({ address, key, from }, sent)).status;

/** Requests of an attacker within this time share an Idempotency-Key. */
const PAIR_MS = 500;

const largest = (name: string): Sent => LARGEST[name] as Sent;

/** Ways to attack, by name. */
export const ATTACKS = {
  unknown_keys: {
    says: 'a batch of 1 MB with made-up keys and countries',
    purse: 'test',
    atOnce: 2,
    send: (attacker, address, count) =>
      one(UNKNOWN_NAMES)({ ...attacker, key: generateApiKey('live', count % 1024) }, address),
  },
  unknown_names: {
    says: 'a batch of 1 MB with made-up countries',
    purse: 'test',
    atOnce: 2,
    send: one(UNKNOWN_NAMES),
  },
  faulty_entries: {
    says: 'a batch of 1,000 faulty requests',
    purse: 'test',
    atOnce: 2,
    send: one(FAULTY_ENTRIES),
  },
  sizes_test: {
    says: 'sizes of 6 × 30 with keep, test keys',
    purse: 'test',
    atOnce: 2,
    send: one(largest('sizes of 6 × 30, narrow keep')),
  },
  sizes_free: {
    says: 'sizes of 6 × 30, 50 groups of World, live keys without credits',
    purse: 'free',
    atOnce: 2,
    send: one(largest('sizes of 6 × 30, 50 groups of World')),
  },
  sheets_paid: {
    says: 'percentiles of 149 × 20, live keys with credits',
    purse: 'paying',
    atOnce: 2,
    send: one(largest('percentiles of 149 × 20')),
  },
  worlds_paid: {
    says: 'one percentile of 50 × World, live keys with credits, three at once',
    purse: 'paying',
    atOnce: 3,
    send: one(largest('one percentile of one, 50 groups of World')),
  },
  one_key_twice: {
    says: 'people without a seed, two at once under one Idempotency-Key',
    purse: 'test',
    atOnce: 2,
    async send({ key, from }, address) {
      const idempotencyKey = `pair-${Math.floor(Date.now() / PAIR_MS)}`;
      const sender = { address, key, from, idempotencyKey };
      return (await ask(sender, FEW_PEOPLE)).status;
    },
  },
  tiny_tolerance: {
    says: 'a batch with a tolerance of 5e-324',
    purse: 'test',
    atOnce: 2,
    send: one(TINY_IN_BATCH),
  },
  unread: {
    says: '4,000 people, not read',
    purse: 'test',
    atOnce: 2,
    async send({ key, from }, address) {
      const response = await open({ address, key, from }, PEOPLE);
      await Promise.race([sleep(10_000), new Promise((closed) => response.on('close', closed))]);
      response.destroy();
      return response.statusCode ?? 0;
    },
  },
} as const satisfies Readonly<Record<string, Attack>>;

/** One of them. */
export type AttackName = keyof typeof ATTACKS;

/** What an attacking process gets, and what it tells when it is told to stop. */
export interface Orders {
  readonly attack: AttackName;
  readonly address: string;
  readonly keys: readonly string[];
}
/** How often each status was answered; 0 where there was no answer. */
export type Statuses = Readonly<Record<string, number>>;

/** An attacker that is refused at once waits a little: it wants to stop others, not itself. */
const PAUSE_MS = 50;
/** Most requests of an attack. */
const REQUESTS_MAX = 20_000;

function run({ attack, address, keys }: Orders): () => Statuses {
  const { atOnce, send } = ATTACKS[attack] as Attack;
  const statuses: Record<string, number> = {};
  let [ended, count] = [false, 0];
  const client = async (attacker: Attacker): Promise<void> => {
    while (!ended && count < REQUESTS_MAX) {
      const status = await send(attacker, address, count++).catch(() => 0);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 200) await sleep(PAUSE_MS);
    }
  };
  keys.forEach((key, index) => {
    const attacker = { key, from: `127.0.1.${index + 1}` };
    for (let i = 0; i < atOnce; i++) void client(attacker);
  });
  return () => {
    ended = true;
    return statuses;
  };
}

if (process.argv[2] === 'attack') {
  let stop: (() => Statuses) | undefined;
  process.on('message', (orders: Orders | 'stop') => {
    if (orders !== 'stop') {
      stop = run(orders);
      return;
    }
    process.send?.(stop?.() ?? {}, () => process.exit(0));
  });
}
