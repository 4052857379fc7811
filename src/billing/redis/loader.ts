import { type AccountFunds, type Mode, usesInWindow } from '../../core/billing-terms.js';
import { FairQueue } from '../../core/fair-queue.js';
import type { AnswerScope } from '../../ledger/charge.js';
import { type Clock, GateError } from '../gate.js';
import type { Deadlines } from './deadlines.js';
import { apiKeyKey, fundsKey, stateKey, unpackFreeUses } from './keys.js';
import type { BookedAnswer, BookedKey, LedgerBooks } from './ledger-books.js';
import type { GateClient } from './scripts.js';

/** Parts of a loader. */
interface LoaderParts {
  readonly redis: GateClient;
  readonly books: LedgerBooks;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  /** Called at each look-up in the ledger's database. */
  readonly onLoad: (what: Loaded) => void;
}

type KeyFacts = Omit<BookedKey, 'revoked'>;

/** Maximum number of attempts. The generation may change during a load, but hardly several times. */
const TRIES_MAX = 3;
/**
 * Time limit of a look-up. The outbox applies each revocation and credit to Redis twice, three
 * seconds apart. A look-up that read its data before the first application must have written them
 * before the second.
 */
const LOOKUP_MAX_MS = 1000;

/**
 * Loads into Redis what a step did not find there. The loader notes the partition's generation and
 * reads PostgreSQL. It writes only if the generation is unchanged and the data are still missing,
 * so a late write undoes nothing.
 */
export class Loader {
  readonly #parts: LoaderParts;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** Keys have their own limit, so that requests with invented keys cannot block the accounts. */
  readonly #keyTurns = new FairQueue(3, 200, overloaded);
  readonly #turns = new FairQueue(5, 1000, overloaded);

  constructor(parts: LoaderParts) {
    this.#parts = parts;
  }

  /**
   * The partition's generation. Creates a new generation if there is none, for example after Redis
   * was emptied.
   */
  generation(partition: number): Promise<string> {
    return this.#once(`generation ${partition}`, async () => {
      const { redis, books, deadlines, onLoad } = this.#parts;
      const name = stateKey(partition);
      const read = () => deadlines.watch(redis.hget(name, 'generation'));
      const known = await read();
      if (known !== null) return known;
      onLoad('generation');
      const next = await inTime(this.#turns, () => books.nextGeneration());
      await deadlines.watch(redis.hsetnx(name, 'generation', String(next)));
      const made = await read();
      if (made === null) throw new GateError('unavailable', 'Redis keeps losing its data.');
      return made;
    });
  }

  /** Finds a key by its hash, in Redis or else in PostgreSQL; null for an unknown or revoked key. */
  key(partition: number, keyHash: string): Promise<KeyFacts | null> {
    return this.#once(`key ${keyHash}`, async () => {
      const { redis, books, deadlines, onLoad } = this.#parts;
      const name = apiKeyKey(partition, keyHash);
      const [id, accountId, mode, revoked] = await deadlines.watch(
        redis.hmget(name, 'id', 'account', 'mode', 'revoked'),
      );
      if (revoked === '1') return null;
      if (id && accountId && mode) return { id, accountId, mode: mode as Mode };
      return await this.#fenced(partition, async (generation) => {
        onLoad('key');
        const booked = await inTime(this.#keyTurns, () => books.key(keyHash));
        if (booked === null) return { value: null };
        const flag = booked.revoked ? '1' : '0';
        const facts = [booked.id, booked.accountId, booked.mode, flag];
        const written = await deadlines.watch(
          redis.gateLoadKey(stateKey(partition), name, generation, ...facts),
        );
        return written === 1 ? { value: booked.revoked ? null : booked } : undefined;
      });
    });
  }

  /** Loads an account's funds; false if there is no such account. */
  account(partition: number, accountId: string, mode: Mode): Promise<boolean> {
    const name = fundsKey(partition, accountId, mode);
    return this.#once(name, () =>
      this.#fenced(partition, async (generation) => {
        const { redis, books, deadlines, clock, onLoad } = this.#parts;
        onLoad('account');
        const nowMs = clock();
        const booked = await inTime(this.#turns, () => books.funds(accountId, mode, nowMs));
        if (booked === null) return { value: false };
        const { credited, version, spent, free, recentUsage, debt, debtVersion } = booked;
        const answersFrom = recentUsage ? nowMs : '';
        const fields = [credited, version, spent, free, answersFrom, debt, debtVersion];
        const written = await deadlines.watch(
          redis.gateLoadAccount(stateKey(partition), name, generation, ...fields),
        );
        return written === 1 ? { value: true } : undefined;
      }),
    );
  }

  /** An account's funds in Redis. Loads them first if they are missing. */
  async funds(partition: number, accountId: string, mode: Mode): Promise<AccountFunds> {
    const { redis, deadlines, clock } = this.#parts;
    const name = fundsKey(partition, accountId, mode);
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const [credited, spent, free, debt] = await deadlines.watch(
        redis.hmget(name, 'credited', 'spent', 'free', 'debt'),
      );
      if (credited && spent) {
        const paidCredits = Math.max(0, Number(credited) - Number(spent));
        const freeUses = usesInWindow(unpackFreeUses(free ?? ''), clock());
        return { paidCredits, debtCredits: Number(debt ?? 0), freeUses };
      }
      if (!(await this.account(partition, accountId, mode))) {
        return { paidCredits: 0, debtCredits: 0, freeUses: [] };
      }
    }
    throw new GateError('unavailable', 'Redis keeps losing its data.');
  }

  /** The answer that PostgreSQL has under an idempotency key, or null if it has none. */
  answer(scope: AnswerScope): Promise<BookedAnswer | null> {
    const { books, clock, onLoad } = this.#parts;
    onLoad('answer');
    return inTime(this.#turns, () => books.answer(scope, clock()));
  }

  /** Loads under a generation. Loads again if the generation changed during the load. */
  async #fenced<T>(
    partition: number,
    load: (generation: string) => Promise<{ readonly value: T } | undefined>,
  ): Promise<T> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const loaded = await load(await this.generation(partition));
      if (loaded !== undefined) return loaded.value;
    }
    throw new GateError('unavailable', 'Redis keeps losing its data.');
  }

  /** Loads a thing once for all callers that ask for it at the same time. */
  #once<T>(name: string, load: () => Promise<T>): Promise<T> {
    const running = this.#underWay.get(name);
    if (running !== undefined) return running as Promise<T>;
    const loading = load().finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, loading);
    return loading;
  }
}

function overloaded(): GateError {
  return new GateError('overloaded', 'Too many look-ups in the ledger.');
}

/**
 * Looks something up in the ledger's database in its turn. A look-up that timed out still counts as running, so a
 * database that hangs gets no more of them.
 *
 * @throws GateError `overloaded` when too many look-ups wait, `unavailable` when the look-up fails or takes too long,
 * including the wait
 */
async function inTime<T>(turns: FairQueue, lookUp: () => Promise<T>): Promise<T> {
  const unavailable = (cause?: unknown) =>
    new GateError('unavailable', 'The ledger’s database did not answer.', { cause });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(unavailable()), LOOKUP_MAX_MS);
  const timeout = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason));
  });
  const found = turns.run(async () => {
    late.signal.throwIfAborted();
    return lookUp().catch((error) => Promise.reject(unavailable(error)));
  });
  return Promise.race([found, timeout]).finally(() => clearTimeout(timer));
}

/** Entries that are looked up in the ledger's database when they are missing in Redis. */
export type Loaded = 'generation' | 'key' | 'account' | 'answer';

/** Counts what the Redis gate does. */
export interface RedisGateObserver {
  /** A step ended with this kind of outcome or with this reason of failure. */
  stepped(outcome: string, seconds: number): void;
  /** Something was looked up in the ledger's database. */
  loaded(what: Loaded): void;
}
