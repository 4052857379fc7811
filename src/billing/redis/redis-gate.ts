import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, ReplyError } from 'ioredis';
import {
  type AccountFunds,
  type Mode,
  PARTITIONS,
  RATE_LIMIT_DEFAULT,
} from '../../core/billing-terms.js';
import type { Database } from '../../database/schema.js';
import type { Clock } from '../clock.js';
import { countFault } from '../count-fault.js';
import { GateError } from '../errors.js';
import type { AccountPlace, Gate, GateOutcome, GateStep } from '../gate.js';
import { connectRedis } from './connect.js';
import { Deadlines } from './deadlines.js';
import { decodeReply, MISSING, type Missing } from './decode-reply.js';
import { packOrigin } from './event.js';
import { KeyCache, type KnownKey } from './key-cache.js';
import { answerKey } from './keys.js';
import { LedgerBooks } from './ledger-books.js';
import { Loader } from './loader.js';
import type { RedisGateObserver } from './observer.js';
import { RecentIds } from './recent-ids.js';
import { defineScripts, type GateClient, type Reply } from './scripts.js';
import { TurnWrites } from './turn-writes.js';

/** Settings of the gate of many nodes. */
export interface RedisGateOptions {
  /** See `connectRedis`. */
  readonly redisUrl: string;
  /** The ledger, on PostgreSQL; stays open when the gate closes. */
  readonly db: Database;
  /** Requests per key in 60 s; 120 by default. */
  readonly rateLimitMax?: number;
  /** Age of the oldest charge not in the ledger from which on nothing is charged; 15 min. */
  readonly backlogMaxAgeMs?: number;
  /** Wall clock, ms since the epoch; Redis' own when left out. */
  readonly clock?: Clock;
  /** Steps that may be under way at once, 10,000 by default; further ones are refused. */
  readonly queueMax?: number;
  /** How long Redis may take to answer; 150 ms. */
  readonly answerMaxMs?: number;
  readonly observer?: RedisGateObserver | undefined;
}

const BACKLOG_MAX_AGE_MS = 15 * 60 * 1000;
/** Leaves a caller, who gets his refusal within 200 ms, some of them for the rest. */
const ANSWER_MAX_MS = 150;
/** Longer than this process itself may stand still, which must not cost it the connection. */
const SILENCE_MAX_MS = 1000;
const QUEUE_MAX_DEFAULT = 10_000;
/** A first step may find key, account and answer missing, one after the other. */
const ASKS_MAX = 6;
const CONNECT_WAIT_MS = 1000;
const CLOSE_POLL_MS = 5;

/**
 * Opens the gate of many nodes. A Redis that is away is no fault: steps are refused until it is
 * there.
 */
export async function createRedisGate(options: RedisGateOptions): Promise<RedisGate> {
  const gate = new RedisGate(options);
  await gate.open();
  return gate;
}

/**
 * The gate on Redis and PostgreSQL. Each step is one script call (`step.lua`) that decides and books
 * everything atomically in Redis; PostgreSQL is asked only for what Redis does not know yet.
 */
export class RedisGate implements Gate {
  readonly #redis: GateClient;
  readonly #loader: Loader;
  readonly #keys = new KeyCache();
  readonly #charging = new RecentIds();
  readonly #deadlines: Deadlines;
  readonly #writes: TurnWrites;
  readonly #limit: number;
  readonly #queueMax: number;
  readonly #answerMaxMs: number;
  readonly #clock: Clock | undefined;
  readonly #observer: RedisGateObserver | undefined;
  /** By partition: Redis' clock less this process' own, in ms, as of its latest reply. */
  readonly #clockOffsetsMs = new Float64Array(PARTITIONS).fill(Number.NaN);
  #pending = 0;
  #closing = false;
  #pinging: Promise<boolean> | undefined;

  constructor(options: RedisGateOptions) {
    const { redisUrl, db, clock, observer } = options;
    this.#limit = options.rateLimitMax ?? RATE_LIMIT_DEFAULT;
    this.#queueMax = options.queueMax ?? QUEUE_MAX_DEFAULT;
    this.#clock = clock;
    this.#observer = observer;
    this.#answerMaxMs = options.answerMaxMs ?? ANSWER_MAX_MS;
    this.#deadlines = new Deadlines(
      this.#answerMaxMs,
      () => new GateError('unanswered', 'Redis did not answer in time.'),
    );
    this.#redis = defineScripts(
      connectRedis(redisUrl, Math.max(SILENCE_MAX_MS, this.#answerMaxMs)),
      {
        rateLimitMax: this.#limit,
        backlogMaxAgeMs: options.backlogMaxAgeMs ?? BACKLOG_MAX_AGE_MS,
      },
    );
    this.#writes = new TurnWrites(this.#redis);
    this.#loader = new Loader({
      redis: this.#redis,
      books: new LedgerBooks(db),
      deadlines: this.#deadlines,
      clock: clock ?? Date.now,
      onLoad: (what) => observer?.loaded(what),
    });
  }

  /** Waits for the connection, a moment only. */
  async open(): Promise<void> {
    const deadlineMs = performance.now() + CONNECT_WAIT_MS;
    while (this.#redis.status !== 'ready' && performance.now() < deadlineMs) {
      await sleep(CLOSE_POLL_MS);
    }
  }

  /**
   * Decides one request; see the port.
   *
   * @throws RangeError for a cost or hits that are no counts
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

  /** Asks Redis, but once at a time. */
  ready(): Promise<boolean> {
    if (this.#closing || this.#redis.status !== 'ready') return Promise.resolve(false);
    const nodes = this.#redis instanceof Cluster ? this.#redis.nodes('master') : [this.#redis];
    // A cluster that has lost a node still serves the others' partitions.
    this.#pinging ??= Promise.any(nodes.map((node) => this.#deadlines.watch(node.ping())))
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

  /** Finishes the steps under way, each of which ends within moments, and disconnects. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    while (this.#pending > 0) await sleep(CLOSE_POLL_MS);
    this.#redis.disconnect();
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
    let answer = '';
    for (let asks = 0; asks < ASKS_MAX; asks++) {
      const reply = await this.#ask(step, key, answer);
      const outcome = decodeReply(reply, this.#limit);
      if (typeof outcome === 'object') return outcome;
      answer = (await this.#supply(outcome, step, key)) ?? answer;
    }
    throw new GateError('unavailable', 'Redis keeps losing its data.');
  }

  async #findKey({ keyHash, partition }: GateStep): Promise<KnownKey | null> {
    const facts = await this.#loader.key(partition, keyHash);
    if (facts !== null) return this.#keys.add(keyHash, partition, facts);
    this.#keys.addUnknown(keyHash);
    return null;
  }

  async #ask(step: GateStep, key: KnownKey, answer: string): Promise<Reply> {
    const { requestId, hits, cost, operation, idempotency } = step;
    const { partition, accountId, mode } = key;
    const now = this.#clock === undefined ? '' : this.#clock();
    const offsetMs = this.#clockOffsetsMs[partition] ?? Number.NaN;
    // What Redis gets to only after the caller has been told of a failure must not charge him.
    const lateMs = Number.isNaN(offsetMs)
      ? ''
      : Math.floor(performance.now() + offsetMs + this.#answerMaxMs);
    const { stateKey, apiKeyKey, rateKey, fundsKey, eventsKey } = key;
    const origin = packOrigin({ requestId, accountId, mode, keyId: key.id, operation, hits });
    const redis = this.#redis;
    this.#writes.gather();
    // biome-ignore format: keys, then arguments, as step.lua lists them.
    const called = idempotency === undefined
      ? redis.gateStep(stateKey, apiKeyKey, rateKey, fundsKey, eventsKey,
          now, lateMs, hits, cost, origin)
      : redis.gateStepIdempotent(stateKey, apiKeyKey, rateKey, fundsKey, eventsKey,
          answerKey(partition, accountId, mode, operation, idempotency.key),
          now, lateMs, hits, cost, origin,
          idempotency.key, idempotency.fingerprint, idempotency.answerJson, answer);
    const reply = await this.#deadlines.watch(called);
    this.#clockOffsetsMs[partition] = Number(reply[1]) - performance.now();
    return reply;
  }

  /** Brings into Redis what a step found missing; an answer is handed to the next try. */
  async #supply(missing: Missing, step: GateStep, key: KnownKey): Promise<string | undefined> {
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
    // Redis itself refused it, or it was never sent; else nobody knows what became of it.
    const undone = error instanceof ReplyError || message.startsWith("Stream isn't writeable");
    return new GateError(undone ? 'unavailable' : 'unanswered', message, { cause: error });
  }
}
