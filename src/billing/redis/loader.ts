import { type AccountFunds, FREE_WINDOW_MS, type Mode } from '../../core/billing-terms.js';
import type { AnswerScope } from '../../ledger/charge.js';
import type { Clock } from '../clock.js';
import { GateError } from '../errors.js';
import type { Deadlines } from './deadlines.js';
import { unpackFreeUses } from './free-uses.js';
import { apiKeyKey, fundsKey, stateKey } from './keys.js';
import type { BookedKey, LedgerBooks } from './ledger-books.js';
import { Limiter } from './limiter.js';
import type { Loaded } from './observer.js';
import type { GateClient } from './scripts.js';

/** What a loader works with. */
export interface LoaderParts {
  readonly redis: GateClient;
  readonly books: LedgerBooks;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  /** Told of each look-up in the ledger's database. */
  readonly onLoad: (what: Loaded) => void;
}

type KeyFacts = Omit<BookedKey, 'revoked'>;

/** A generation may change while something is loaded under it; several times, hardly. */
const TRIES_MAX = 3;
/**
 * How long a look-up may take. Well below the three seconds after which the outbox tells Redis of
 * revocations and credits a second time: what was read before the first telling is written by then.
 */
const LOOKUP_MAX_MS = 1000;

/**
 * Brings into Redis what a step found missing there. Each thing is read in PostgreSQL after the
 * partition's generation was noted, and written only under that generation and where it is still
 * missing, so a late writer undoes nothing.
 */
export class Loader {
  readonly #parts: LoaderParts;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** Made-up keys must not keep accounts from being loaded, so keys have turns of their own. */
  readonly #keyTurns = new Limiter({ runningMax: 3, waitingMax: 200, timeoutMs: LOOKUP_MAX_MS });
  readonly #turns = new Limiter({ runningMax: 5, waitingMax: 1000, timeoutMs: LOOKUP_MAX_MS });

  constructor(parts: LoaderParts) {
    this.#parts = parts;
  }

  /** The partition's generation; a new one where there is none, as after Redis was emptied. */
  generation(partition: number): Promise<string> {
    return this.#once(`generation ${partition}`, async () => {
      const { redis, books, deadlines, onLoad } = this.#parts;
      const name = stateKey(partition);
      const read = () => deadlines.watch(redis.hget(name, 'generation'));
      const known = await read();
      if (known !== null) return known;
      onLoad('generation');
      const next = await this.#turns.run(() => books.nextGeneration());
      await deadlines.watch(redis.hsetnx(name, 'generation', String(next)));
      const made = await read();
      if (made === null) throw new GateError('unavailable', 'Redis keeps losing its data.');
      return made;
    });
  }

  /** Finds a key by its hash, in Redis or else in PostgreSQL; null for none, or one revoked. */
  key(partition: number, keyHash: string): Promise<KeyFacts | null> {
    return this.#once(`key ${keyHash}`, async () => {
      const { redis, books, deadlines, onLoad } = this.#parts;
      const name = apiKeyKey(partition, keyHash);
      const [id, accountId, mode, revoked] = await deadlines.watch(
        redis.hmget(name, 'id', 'account', 'mode', 'revoked'),
      );
      if (id && accountId && mode) return { id, accountId, mode: mode as Mode };
      if (revoked === '1') return null;
      return await this.#fenced(partition, async (generation) => {
        onLoad('key');
        const booked = await this.#keyTurns.run(() => books.key(keyHash));
        if (booked === null) return { value: null };
        const flag = booked.revoked ? '1' : '0';
        const facts = [booked.id, booked.accountId, booked.mode, flag];
        const written = await deadlines.watch(
          redis.gateLoadKey(stateKey(partition), name, generation, ...facts),
        );
        return written === 1 ? { value: booked } : undefined;
      });
    });
  }

  /** Loads an account's funds; false when there is no such account. */
  account(partition: number, accountId: string, mode: Mode): Promise<boolean> {
    const name = fundsKey(partition, accountId, mode);
    return this.#once(name, () =>
      this.#fenced(partition, async (generation) => {
        const { redis, books, deadlines, clock, onLoad } = this.#parts;
        onLoad('account');
        const nowMs = clock();
        const booked = await this.#turns.run(() => books.funds(accountId, mode, nowMs));
        if (booked === null) return { value: false };
        const { credited, version, spent, free, recentUsage } = booked;
        const counters = [credited, version, spent, free];
        const answersFrom = recentUsage ? nowMs : '';
        const written = await deadlines.watch(
          redis.gateLoadAccount(stateKey(partition), name, generation, ...counters, answersFrom),
        );
        return written === 1 ? { value: true } : undefined;
      }),
    );
  }

  /** What Redis counts of an account's funds, loading them if need be. */
  async funds(partition: number, accountId: string, mode: Mode): Promise<AccountFunds> {
    const { redis, deadlines, clock } = this.#parts;
    const name = fundsKey(partition, accountId, mode);
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const [credited, spent, free] = await deadlines.watch(
        redis.hmget(name, 'credited', 'spent', 'free'),
      );
      if (credited && spent) {
        const paidCredits = Math.max(0, Number(credited) - Number(spent));
        const fromMs = clock() - FREE_WINDOW_MS;
        const freeUses = unpackFreeUses(free ?? '').filter(({ atMs }) => atMs > fromMs);
        return { paidCredits, freeUses };
      }
      if (!(await this.account(partition, accountId, mode))) {
        return { paidCredits: 0, freeUses: [] };
      }
    }
    throw new GateError('unavailable', 'Redis keeps losing its data.');
  }

  /** The answer PostgreSQL has under an idempotency key, as Redis would hold it; `-` for none. */
  async answer(scope: AnswerScope): Promise<string> {
    const { books, clock, onLoad } = this.#parts;
    onLoad('answer');
    return (await this.#turns.run(() => books.answer(scope, clock()))) ?? '-';
  }

  /** Loads under a generation, again under the next when that one ended meanwhile. */
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

  /** However many ask for a thing at once, it is loaded once. */
  #once<T>(name: string, load: () => Promise<T>): Promise<T> {
    const running = this.#underWay.get(name);
    if (running !== undefined) return running as Promise<T>;
    const loading = load().finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, loading);
    return loading;
  }
}
