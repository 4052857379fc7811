import { Cluster } from 'ioredis';
import type { Clock, GateOutcome, GateStep } from '../gate.js';
import type { Deadlines } from './deadlines.js';
import { decodeReply, type Missing } from './decode-reply.js';
import type { KnownKey } from './key-cache.js';
import { answerKey } from './keys.js';
import type { BookedAnswer } from './ledger-books.js';
import type { Argument, GateClient } from './scripts.js';

/** Dependencies of the calls. */
export interface StepCallsParts {
  readonly redis: GateClient;
  readonly deadlines: Deadlines;
  /** Requests per key in the rate limit's window. */
  readonly rateLimitMax: number;
  /** How long Redis may take to answer. */
  readonly answerMaxMs: number;
  /** Wall clock, ms since the epoch; by default the clock of Redis. */
  readonly clock: Clock | undefined;
}

/** Maximum number of steps in a call. A step takes Redis about 20 µs, and other calls wait meanwhile. */
const STEPS_MAX = 100;

interface Waiting {
  readonly step: GateStep;
  readonly key: KnownKey;
  readonly booked: BookedAnswer | null | undefined;
  readonly resolve: (outcome: GateOutcome | Missing) => void;
  readonly reject: (error: unknown) => void;
}

/** Steps that share a call. */
interface Group {
  readonly waiting: Waiting[];
  /** Redis' clock minus `performance.now()`, in ms, as of the latest reply. */
  clockOffsetMs: number;
}

/**
 * Asks Redis to decide steps. The steps of one turn of the event loop share a call of `steps.lua`.
 * This saves a command, a promise and a deadline for each step. On a cluster, only steps of one
 * partition can share a call, because a script may only use keys of one hash slot.
 */
export class StepCalls {
  readonly #parts: StepCallsParts;
  readonly #groups = new Map<number, Group>();
  #due: Group[] = [];

  constructor(parts: StepCallsParts) {
    this.#parts = parts;
  }

  /**
   * Asks for the decision of a step. Resolves to the decision, or to the missing data of the step.
   *
   * @param booked what the ledger's database has under the step's idempotency key: null for
   * nothing, undefined when it was not asked
   * @throws the error with which the call failed
   */
  ask(
    step: GateStep,
    key: KnownKey,
    booked: BookedAnswer | null | undefined,
  ): Promise<GateOutcome | Missing> {
    return new Promise((resolve, reject) => {
      const group = this.#groupOf(key.partition);
      if (group.waiting.length === 0) this.#schedule(group);
      group.waiting.push({ step, key, booked, resolve, reject });
      if (group.waiting.length === STEPS_MAX) void this.#send(group);
    });
  }

  #groupOf(partition: number): Group {
    const name = this.#parts.redis instanceof Cluster ? partition : 0;
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group = { waiting: [], clockOffsetMs: Number.NaN };
    this.#groups.set(name, group);
    return group;
  }

  /** Sends after this turn of the event loop, so that the steps of all its requests join the call. */
  #schedule(group: Group): void {
    if (this.#due.length === 0) {
      setImmediate(() => {
        const due = this.#due;
        this.#due = [];
        for (const one of due) void this.#send(one);
      });
    }
    this.#due.push(group);
  }

  async #send(group: Group): Promise<void> {
    const waiting = group.waiting.splice(0);
    if (waiting.length === 0) return; // The call was full before the turn ended.
    const { redis, deadlines, rateLimitMax, answerMaxMs, clock } = this.#parts;
    const keys: string[] = [];
    // A caller that was told of a failure must not be charged, so Redis must not run its step later.
    const lateMs = Math.floor(performance.now() + group.clockOffsetMs + answerMaxMs);
    const args: Argument[] = [clock === undefined ? '' : clock(), lateMs || ''];
    for (const one of waiting) addStep(keys, args, one);
    try {
      const replies = await deadlines.watch(redis.gateSteps(keys.length, keys, args));
      group.clockOffsetMs = Number(replies[0]?.[1]) - performance.now();
      waiting.forEach(({ resolve, reject }, index) => {
        try {
          resolve(decodeReply(replies[index] ?? [], rateLimitMax));
        } catch (error) {
          reject(error);
        }
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

/** Adds a step's keys and arguments, as the head of `steps.lua` lists them. */
function addStep(keys: string[], args: Argument[], { step, key, booked }: Waiting): void {
  const { requestId, hits, cost, affords = 0, operation, idempotency } = step;
  const { partition, accountId, mode } = key;
  keys.push(key.stateKey, key.apiKeyKey, key.rateKey, key.fundsKey, key.eventsKey);
  const head = `${hits} ${cost} ${affords} ${requestId} ${accountId} ${mode} ${key.id} ${operation}`;
  if (idempotency === undefined) {
    args.push(`${head} 0`);
    return;
  }
  const { key: name, fingerprint, answerJson } = idempotency;
  const found = answerArguments(booked);
  keys.push(answerKey(partition, accountId, mode, operation, name));
  args.push(`${head} ${3 + found.length}`, name, fingerprint, answerJson, ...found);
}

function answerArguments(booked: BookedAnswer | null | undefined): Argument[] {
  if (booked === undefined) return ['unknown'];
  if (booked === null) return ['none'];
  const { fingerprint, json, remainingFreeCalls, atMs } = booked;
  return ['found', fingerprint, json, remainingFreeCalls ?? '', atMs];
}
