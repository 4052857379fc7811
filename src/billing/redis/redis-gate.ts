import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, ReplyError } from 'ioredis';
import {
  type AccountFunds,
  ANSWERS_BYTES_MAX_DEFAULT,
  type KeyIdentity,
  type Mode,
  RATE_LIMIT_DEFAULT,
} from '../../core/billing-terms.js';
import type { Database } from '../../database/schema.js';
import {
  type AccountPlace,
  accountText,
  type Clock,
  countFault,
  type Gate,
  GateError,
  type GateOutcome,
  type GateStep,
  withAccount,
} from '../gate.js';
import { closeSilent, connectRedis } from './connect.js';
import { Deadlines } from './deadlines.js';
import { MISSING, type Missing } from './decode-reply.js';
import { KeyCache, type KnownKey } from './key-cache.js';
import { type BookedAnswer, LedgerBooks } from './ledger-books.js';
import { Loader, type RedisGateObserver } from './loader.js';
import { defineScripts, type GateClient } from './scripts.js';
import { type SettingsFault, SettingsWatch } from './settings.js';
import { StepCalls } from './step-calls.js';

/** Settings of the gate for many nodes. */
export interface RedisGateOptions {
  /** See `connectRedis`. */
  readonly redisUrl: string;
  /** The ledger, on PostgreSQL; stays open when the gate closes. */
  readonly db: Database;
  /** Requests per key in 60 s; 120 by default. */
  readonly rateLimitMax?: number;
  /**
   * While the oldest charge that is not in the ledger is older than this, nothing is charged; 15
   * minutes by default.
   */
  readonly backlogMaxAgeMs?: number;
  /** Wall clock, ms since the epoch; by default the clock of Redis. */
  readonly clock?: Clock;
  /** Maximum number of steps under way, 10,000 by default. Further steps are refused. */
  readonly queueMax?: number;
  /** How long Redis may take to answer; 150 ms by default. */
  readonly answerMaxMs?: number;
  /** Bytes of stored answers that an account may keep in a mode; 64 MiB by default. */
  readonly answersBytesMax?: number;
  readonly observer?: RedisGateObserver | undefined;
  /** Whether settings of Redis that can lose charges make the gate not ready; false by default. */
  readonly production?: boolean;
  /** Is told when other faults are found in the settings of Redis than before. */
  readonly onSettings?: (faults: readonly SettingsFault[]) => void;
}

const BACKLOG_MAX_AGE_MS = 15 * 60 * 1000;
/** A caller gets a refusal within 200 ms. This limit leaves the rest of the work some of that time. */
const ANSWER_MAX_MS = 150;
/** A connection with a late call is closed if it gives no sign of life within this time. */
const SIGN_OF_LIFE_MAX_MS = 850;
/** Longer than nearly all pauses of this process, because a pause counts as silence of a connection. */
const SILENCE_MAX_MS = 10_000;
const QUEUE_MAX_DEFAULT = 10_000;
/**
 * Maximum number of times a step is sent. The first step of an account may lack key, funds and
 * answer, one after the other.
 */
const ASKS_MAX = 6;
const CONNECT_WAIT_MS = 1000;
const CLOSE_POLL_MS = 5;
/**
 * Script that does nothing, but Redis does not know that it writes nothing. Unlike PING, Redis
 * refuses it when its memory is full or when it is a replica.
 */
const WRITE_PROBE = '#!lua\nreturn 1';

/** Opens the gate for many nodes, even while Redis is down. Steps are refused until Redis is back. */
export async function createRedisGate(options: RedisGateOptions): Promise<RedisGate> {
  const gate = new RedisGate(options);
  await gate.open();
  return gate;
}

/**
 * The gate on Redis and PostgreSQL. A script (`steps.lua`) decides and charges each step atomically
 * in Redis. The steps of one turn of the event loop share a call. PostgreSQL is asked only for data
 * that are missing in Redis.
 */
export class RedisGate implements Gate {
  readonly #redis: GateClient;
  readonly #loader: Loader;
  readonly #keys = new KeyCache();
  readonly #charging = new RecentIds();
  readonly #deadlines: Deadlines;
  readonly #signsOfLife = new Deadlines(
    SIGN_OF_LIFE_MAX_MS,
    () => new Error('The connection to Redis is silent.'),
  );
  readonly #calls: StepCalls;
  readonly #settings: SettingsWatch;
  readonly #queueMax: number;
  readonly #observer: RedisGateObserver | undefined;
  #pending = 0;
  #closing = false;
  #pinging: Promise<boolean> | undefined;
  #probing: Promise<void> | undefined;

  constructor(options: RedisGateOptions) {
    const { redisUrl, db, clock, observer } = options;
    const rateLimitMax = options.rateLimitMax ?? RATE_LIMIT_DEFAULT;
    const answerMaxMs = options.answerMaxMs ?? ANSWER_MAX_MS;
    this.#queueMax = options.queueMax ?? QUEUE_MAX_DEFAULT;
    this.#observer = observer;
    this.#deadlines = new Deadlines(
      answerMaxMs,
      () => new GateError('unanswered', 'Redis did not answer in time.'),
      () => this.#closeSilent(),
    );
    const silenceMaxMs = Math.max(SILENCE_MAX_MS, 2 * answerMaxMs);
    this.#redis = defineScripts(connectRedis(redisUrl, silenceMaxMs), {
      rateLimitMax,
      backlogMaxAgeMs: options.backlogMaxAgeMs ?? BACKLOG_MAX_AGE_MS,
      answersBytesMax: options.answersBytesMax ?? ANSWERS_BYTES_MAX_DEFAULT,
    });
    const { production = false, onSettings = () => undefined } = options;
    this.#settings = new SettingsWatch(this.#redis, production, onSettings);
    this.#calls = new StepCalls({
      redis: this.#redis,
      deadlines: this.#deadlines,
      rateLimitMax,
      answerMaxMs,
      clock,
    });
    this.#loader = new Loader({
      redis: this.#redis,
      books: new LedgerBooks(db),
      deadlines: this.#deadlines,
      clock: clock ?? Date.now,
      onLoad: (what) => observer?.loaded(what),
    });
  }

  /** Waits for the connection, one second at most, and for the settings of a Redis that answers. */
  async open(): Promise<void> {
    const deadlineMs = performance.now() + CONNECT_WAIT_MS;
    while (this.#redis.status !== 'ready' && performance.now() < deadlineMs) {
      await sleep(CLOSE_POLL_MS);
    }
    const settings = this.#settings.start();
    if (this.#redis.status === 'ready') await settings;
  }

  knows(keyHash: string): boolean | undefined {
    const key = this.#keys.get(keyHash);
    return key === undefined ? undefined : key !== null;
  }

  accountOf(keyHash: string): string | undefined {
    const key = this.#keys.get(keyHash);
    return key ? accountText(key) : undefined;
  }

  async lookUp(key: KeyIdentity): Promise<boolean> {
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
    try {
      return (await this.#findKey(key)) !== null;
    } catch (error) {
      throw this.#asGateError(error);
    }
  }

  /**
   * Decides one request; see `Gate`.
   *
   * @throws RangeError for a cost or hits that are not counts
   * @throws GateError when the step could not be decided, or its reply was lost
   */
  async step(step: GateStep): Promise<GateOutcome> {
    const fault = countFault(step) ?? this.#refusal() ?? this.#duplicate(step);
    if (fault !== undefined) throw fault;
    this.#pending++;
    const begunMs = this.#observer === undefined ? 0 : performance.now();
    let seen = 'fault';
    try {
      const outcome = await this.#decide(step);
      seen = outcome.kind;
      return outcome;
    } catch (error) {
      const known = this.#asGateError(error);
      seen = known.reason;
      throw known;
    } finally {
      this.#pending--;
      this.#observer?.stepped(seen, (performance.now() - begunMs) / 1000);
    }
  }

  /** Asks Redis whether it accepts writes, and whether it keeps them. Concurrent calls share one answer. */
  ready(): Promise<boolean> {
    const refuses = this.#closing || this.#settings.refuses;
    if (refuses || this.#redis.status !== 'ready') return Promise.resolve(false);
    const nodes = this.#redis instanceof Cluster ? this.#redis.nodes('master') : [this.#redis];
    // A cluster that has lost a node still serves the partitions of the other nodes.
    this.#pinging ??= Promise.any(
      nodes.map((node) => this.#deadlines.watch(node.eval(WRITE_PROBE, 0))),
    )
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#pinging = undefined;
      });
    return this.#pinging;
  }

  async funds({ id, partition }: AccountPlace, mode: Mode): Promise<AccountFunds> {
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
    try {
      return await this.#loader.funds(partition, id, mode);
    } catch (error) {
      throw this.#asGateError(error);
    }
  }

  /** Finishes the steps under way, which end soon, and disconnects. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#settings.close();
    while (this.#pending > 0) await sleep(CLOSE_POLL_MS);
    this.#redis.disconnect();
  }

  #closeSilent(): void {
    this.#probing ??= closeSilent(this.#redis, this.#signsOfLife).finally(() => {
      this.#probing = undefined;
    });
  }

  #duplicate({ requestId, cost }: GateStep): GateError | undefined {
    if (cost === 0 || this.#charging.add(requestId)) return undefined;
    return new GateError('duplicate_request', 'This request id has been charged before.');
  }

  #refusal(): GateError | undefined {
    if (this.#closing) return new GateError('unavailable', 'The gate is closed.');
    if (this.#pending < this.#queueMax) return undefined;
    return new GateError('overloaded', 'Too many steps are under way.');
  }

  async #decide(step: GateStep): Promise<GateOutcome> {
    let key = this.#keys.get(step.keyHash);
    if (key === undefined) key = await this.#findKey(step);
    if (key === null) return { kind: 'unauthorized' };
    let booked: BookedAnswer | null | undefined;
    for (let asks = 0; asks < ASKS_MAX; asks++) {
      const outcome = await this.#calls.ask(step, key, booked);
      if (typeof outcome === 'object') {
        // Revoked since it was looked up.
        if (outcome.kind === 'unauthorized') this.#keys.addUnknown(step.keyHash);
        return step.affords === undefined ? outcome : withAccount(outcome, key);
      }
      const supplied = await this.#supply(outcome, step, key);
      if (supplied !== undefined) booked = supplied;
    }
    throw new GateError('unavailable', 'Redis keeps losing its data.');
  }

  async #findKey({ keyHash, partition }: KeyIdentity): Promise<KnownKey | null> {
    const facts = await this.#loader.key(partition, keyHash);
    if (facts !== null) return this.#keys.add(keyHash, partition, facts);
    this.#keys.addUnknown(keyHash);
    return null;
  }

  /**
   * Loads into Redis what a step did not find there. An idempotent answer is not loaded but
   * returned, for the next attempt; null if the ledger's database has none.
   */
  async #supply(
    missing: Missing,
    step: GateStep,
    key: KnownKey,
  ): Promise<BookedAnswer | null | undefined> {
    const { partition, accountId, mode } = key;
    if (missing === MISSING.key) await this.#loader.key(partition, step.keyHash);
    if (missing === MISSING.account) await this.#loader.account(partition, accountId, mode);
    if (missing === MISSING.answer && step.idempotency !== undefined) {
      const { key: name } = step.idempotency;
      return this.#loader.answer({ accountId, mode, operation: step.operation, key: name });
    }
    return undefined;
  }

  #asGateError(error: unknown): GateError {
    if (error instanceof GateError) return error;
    const message = error instanceof Error ? error.message : String(error);
    if (this.#redis instanceof Cluster && message.startsWith('MOVED')) {
      this.#redis.refreshSlotsCache();
    }
    // Redis refused the call, or the call was never sent. Otherwise it is unknown whether the step
    // was charged.
    const notCharged = error instanceof ReplyError || message.startsWith("Stream isn't writeable");
    return new GateError(notCharged ? 'unavailable' : 'unanswered', message, { cause: error });
  }
}

/** At least this many ids are remembered, and at most twice as many. */
const REMEMBERED_MIN = 10_000;

/**
 * Recognises a request id that was just used. Ids are made to be unique, so a repeated id is a
 * mistake in the program, which is found early here. The unique cause of the ledger finds all other
 * duplicates.
 */
class RecentIds {
  #current = new Set<string>();
  #previous = new Set<string>();

  /** Remembers an id. Returns false if the id was remembered already. */
  add(id: string): boolean {
    if (this.#current.has(id) || this.#previous.has(id)) return false;
    if (this.#current.size >= REMEMBERED_MIN) {
      this.#previous = this.#current;
      this.#current = new Set();
    }
    this.#current.add(id);
    return true;
  }
}
