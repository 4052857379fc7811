import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../src/accounts/api-key.js';
import { ask, every, open, type Running, repeat, type Seen, type Sender } from './clients.js';
import { PUBLIC_PAGES } from './public-pages.js';
import {
  FAULTY_ENTRIES,
  FEW_PEOPLE,
  LARGEST,
  PEOPLE,
  type Sent,
  TINY_IN_BATCH,
  UNKNOWN_NAMES,
} from './requests.js';
import { answerOf, type Purse, startChild } from './service.js';

// Attackers with keys and visitors without keys. They run in a process of their own, so that reading answers does not
// slow the measurement.

/** A way to attack: one request again and again. */
interface Attack {
  readonly says: string;
  readonly purse: Purse;
  readonly sent: Sent;
  /** Requests that each attacker has under way at once; 2 by default. */
  readonly atOnce?: number;
  /**
   * `keys`: made-up keys. `pairs`: two requests share an idempotency key. `unread`: the attacker does not read the
   * answer.
   */
  readonly trick?: 'keys' | 'pairs' | 'unread';
}

/** Ways to attack, by name. */
export const ATTACKS = {
  unknown_keys: {
    says: 'a batch of 1 MB with made-up keys and countries',
    ...{ purse: 'test', sent: UNKNOWN_NAMES, trick: 'keys' },
  },
  unknown_names: {
    says: 'a batch of 1 MB with made-up countries',
    ...{ purse: 'test', sent: UNKNOWN_NAMES },
  },
  faulty_entries: {
    says: 'a batch of 1,000 faulty requests',
    ...{ purse: 'test', sent: FAULTY_ENTRIES },
  },
  sizes_test: {
    says: 'sizes of 6 × 30 with keep, test keys',
    ...{ purse: 'test', sent: LARGEST['sizes of 6 × 30, narrow keep'] },
  },
  sizes_free: {
    says: 'sizes of 6 × 30, 50 groups of World, live keys without credits',
    ...{ purse: 'free', sent: LARGEST['sizes of 6 × 30, 50 groups of World'] },
  },
  sheets_paid: {
    says: 'percentiles of 149 × 20, live keys with credits',
    ...{ purse: 'paying', sent: LARGEST['percentiles of 149 × 20'] },
  },
  worlds_paid: {
    says: 'one percentile of 50 × World, live keys with credits, three at once',
    ...{ purse: 'paying', sent: LARGEST['one percentile of one, 50 groups of World'], atOnce: 3 },
  },
  one_key_twice: {
    says: 'people without a seed, two at once under one Idempotency-Key',
    ...{ purse: 'test', sent: FEW_PEOPLE, trick: 'pairs' },
  },
  tiny_tolerance: {
    says: 'a batch with a tolerance of 5e-324',
    ...{ purse: 'test', sent: TINY_IN_BATCH },
  },
  unread: { says: '4,000 people, not read', purse: 'test', sent: PEOPLE, trick: 'unread' },
} as const satisfies Readonly<Record<string, Attack>>;

/** One of them. */
export type AttackName = keyof typeof ATTACKS;

/** What a crowd does. */
export type Crowd = { readonly address: string } & (
  | {
      readonly attack: AttackName;
      /** One for each attacker. */
      readonly keys: readonly string[];
    }
  | {
      /** Indices in `PUBLIC_PAGES`. The crowd requests these pages in turn. */
      readonly pages: readonly number[];
      /** Loopback addresses of the visitors, in turn. */
      readonly from: readonly string[];
      /** The number of the first request; larger ones follow. */
      readonly firstNumber: number;
    }
);

/** Visits a second. */
const VISITS = 10;
/** Requests of an attacker within this time share an Idempotency-Key. */
const PAIR_MS = 500;
const UNREAD_MS = 10_000;
/**
 * Pause of an attacker whose request was refused at once. An attacker that never pauses would only load its own
 * process.
 */
const PAUSE_MS = 50;

/** Starts a crowd. `stop` resolves to its statuses and times. */
export async function startCrowd(crowd: Crowd): Promise<{ stop(): Promise<Seen> }> {
  const { child, stop } = await startChild('crowd-child');
  child.send(crowd);
  return {
    async stop() {
      const seen = await answerOf<Seen>(child, 'stop');
      await stop();
      return seen;
    },
  };
}

/** Runs a crowd in this process. */
export function run(crowd: Crowd): Running {
  const { address } = crowd;
  if ('pages' in crowd) {
    const { pages, from, firstNumber } = crowd;
    return every(VISITS, (count) => {
      const number = firstNumber + count;
      const page = PUBLIC_PAGES[pages[number % pages.length] as number];
      const visitor = { address, from: from[number % from.length] as string };
      return ask(visitor, { path: page?.path(number) ?? '/' });
    });
  }
  const { keys } = crowd;
  const attack: Attack = ATTACKS[crowd.attack];
  const send = (count: number, client: number) => {
    const attacker = client % keys.length;
    const own = { address, key: keys[attacker] as string, from: `127.0.1.${attacker + 1}` };
    return attackOnce(attack, own, count);
  };
  const pause = (status: number) => (status === 200 ? 0 : PAUSE_MS);
  return repeat((attack.atOnce ?? 2) * keys.length, send, pause);
}

async function attackOnce({ sent, trick }: Attack, sender: Sender, count: number) {
  if (trick === 'keys') return ask({ ...sender, key: generateApiKey('live', count % 1024) }, sent);
  if (trick === 'pairs') {
    const headers = { 'idempotency-key': `pair-${Math.floor(Date.now() / PAIR_MS)}` };
    return ask({ ...sender, headers }, sent);
  }
  if (trick === undefined) return ask(sender, sent);
  const response = await open(sender, sent);
  const closed = new Promise((resolve) => response.on('close', resolve));
  await Promise.race([sleep(UNREAD_MS), closed]);
  response.destroy();
  return { status: response.statusCode ?? 0 };
}
