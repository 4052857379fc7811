import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type GateOutcome, modeOfAccount } from '../billing/gate.js';
import type { RateState } from '../core/billing-terms.js';
import type { Problem } from '../core/errors.js';
import { STORED_ANSWER_CHARS_MAX } from '../core/limits.js';
import { CHUNK_MS, CONTENT_TYPES } from '../operations/answer-formats.js';
import { type Operation, randomSeed } from '../operations/operation.js';
import type {
  Caller,
  EarlierRequest,
  MeteredResult,
  MeteredStream,
  PerformOptions,
} from './caller.js';
import { type Charging, type Replayed, stepOf } from './charging.js';
import { type Recipe, recipeOf, recipeText, seedOf } from './idempotency.js';
import { LargeText } from './large-text.js';
import type { Computer } from './pool.js';
import {
  accountBusy,
  answerTooLong,
  type MeteredRefusal,
  refusalOf,
  replayExpired,
  type StepOutcome,
  serviceBusy,
} from './refusals.js';
import {
  type AnswerChunk,
  type ComputeResult,
  type ComputeTask,
  type Facts,
  factsOf,
} from './tasks.js';

// The way of a request that takes long to compute (decision 0035):
//
//   counted ─▶ read ─▶ admitted ─▶ computed ─▶ charged ─▶ answered
//                         └──────────────────────┴─▶ replayed ─▶ answered
//
// counted   against the rate limit, before any work; then read: validated, with its price known (`meter.ts`).
// admitted  A gate step of cost 0 finds that the account can pay for it and for its computations under way.
//           Its price is reserved in memory.
// computed  A thread has made the answer, or the first chunk of it.
// charged   A gate step charges, and stores the answer, or how to make it again, under the idempotency key.
// replayed  One of these steps finds that the key was charged before. Its answer costs nothing.
// answered  The answer is sent, whole or chunk by chunk. If it breaks off by our fault, or because the service stops, the
//           charge is returned.
//
// In each state before `charged` the request may be refused, or its client may leave. Then nothing is charged.

/**
 * Maximum number of answers that this process sends chunk by chunk at once. Each holds about two
 * chunks, 2 MB.
 */
const OPEN_MAX = 64;
/** A longer first chunk counts as several answers. */
const OPEN_BYTES = 2 * 1024 * 1024;
/**
 * If this many answers are sent chunk by chunk, further answers to test keys are refused. The remaining places are for
 * live keys.
 */
const TEST_OPEN_MAX = 32;

/** Bytes of answers that a process keeps: 25 bodies as GLB. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Bytes of a kept answer besides its content. */
const ENTRY_BYTES = 1024;

function sizeOf(result: ComputeResult): number {
  if (result.kind === 'chunk') return ENTRY_BYTES + result.bytes.length;
  return ENTRY_BYTES + (result.kind === 'answer' ? 2 * result.json.length : 0);
}

type Counted = Extract<GateOutcome, { kind: 'counted' }>;
type Charged = Extract<GateOutcome, { kind: 'charged' }>;

/** An answer, or the first chunk of one, before its charge. */
type Computed = Extract<ComputeResult, { kind: 'answer' | 'chunk' }>;

/** Dependencies of the computed path. */
export interface ComputedPathParts {
  readonly charging: Charging;
  readonly computer: Computer;
  /** Version of the artifact that new answers are computed from. */
  readonly artifactVersion: () => string;
  /** Secret of the deployment; see `seedOf`. */
  readonly seedSecret: string;
}

/** A request that has been counted and read. */
export interface ReadRequest {
  readonly operation: Operation;
  readonly input: object | LargeText;
  readonly facts: Facts;
  /** All its hits are counted. */
  readonly caller: Caller;
  readonly options: PerformOptions;
}

/** A request under way. */
interface Job extends ReadRequest {
  /** Aborted when the client has hung up. */
  readonly left: AbortSignal | undefined;
  /** Undefined if the account already has as many computations as allowed. */
  readonly place: Reservation | undefined;
}

/** A request that its account can pay for, or that repeats a charged request. */
interface Admitted extends Job {
  readonly place: Reservation;
  readonly account: string;
  readonly recipe: Recipe;
  /** Earlier charge of the idempotency key. */
  readonly earlier: Replayed | undefined;
  readonly rate: RateState;
}

/** The path of the operations that compute for long; see the states above. */
export class ComputedPath {
  readonly #parts: ComputedPathParts;
  readonly #charging: Charging;
  readonly #reservations = new Reservations();
  /**
   * Answers of operations that are requested repeatedly (`Operation.cached`), by everything that they depend on. A kept
   * answer is charged like any other answer.
   */
  readonly #kept = new LRUCache<string, ComputeResult>({
    maxSize: KEPT_BYTES,
    sizeCalculation: sizeOf,
  });
  /** Answers that are being sent chunk by chunk. */
  #open = 0;
  /** Cuts each answer whose chunks the client does not have yet. */
  readonly #unsent = new Set<() => void>();
  /** Aborted when the answers are cut, so that no further one may begin. */
  readonly #stop = new AbortController();

  constructor(parts: ComputedPathParts) {
    this.#parts = parts;
    this.#charging = parts.charging;
  }

  /** Whether the account of a key already has as many computations in this process as allowed. */
  isBusy(caller: Caller): boolean {
    return this.#reservations.isFull(this.#charging.accountOf(caller));
  }

  /**
   * Cuts the answers that are still being sent, because the service stops, and returns their prices. Ends the
   * computations that are not charged; their requests are refused.
   *
   * @returns their number
   */
  cut(): number {
    this.#stop.abort();
    const { size } = this.#unsent;
    for (const cut of this.#unsent) cut();
    return size;
  }

  /** Answers a request that has been counted and read, or refuses it uncharged. Never rejects. */
  perform(request: ReadRequest): Promise<MeteredResult> {
    return this.#holding(request, (job) => this.#admit(job));
  }

  /**
   * The file of an earlier request of the same account, without charge; undefined if there is none.
   *
   * @param earlier key and fingerprint under which that request was charged
   */
  async file(
    operation: Operation,
    earlier: EarlierRequest,
    caller: Caller,
  ): Promise<MeteredStream | MeteredRefusal | undefined> {
    const { keyHash, partition, requestId } = caller;
    const idempotency = { ...earlier, answerJson: '' };
    const plain = { keyHash, partition, requestId, operation: operation.name, idempotency };
    const outcome = await this.#charging.step({ ...plain, cost: 0, affords: 0, hits: 0 }, caller);
    if (outcome.kind === 'counted' || outcome.kind === 'idempotency_conflict') return undefined;
    if (outcome.kind !== 'replayed') {
      return this.#charging.refused(operation.name, refusalOf(outcome));
    }
    const input = recipeOf(outcome.answerJson)?.input;
    const facts = input === undefined ? undefined : factsOf(operation, input);
    if (input === undefined || facts?.isStreamed !== true) return undefined;
    const request = { operation, input, caller, options: {}, facts: { ...facts, cost: 0 } };
    const result = await this.#holding(request, (job) => this.#replay(job, outcome));
    return result.kind === 'answer' ? undefined : result;
  }

  /**
   * Holds a place of the account until the request is over. An answer in chunks is over after its
   * last chunk.
   */
  async #holding(
    request: ReadRequest,
    perform: (job: Job) => Promise<MeteredResult>,
  ): Promise<MeteredResult> {
    const { caller, facts } = request;
    const place = this.#reservations.take(this.#charging.accountOf(caller), facts.cost);
    let isOver = true;
    try {
      const result = await perform({ ...request, place, left: caller.left?.() });
      isOver = result.kind !== 'stream';
      return result;
    } finally {
      if (isOver) place?.release();
    }
  }

  /** counted, read ─▶ admitted or replayed. Without a place, only an earlier answer is found. */
  async #admit(job: Job): Promise<MeteredResult> {
    const { operation, facts, caller, place } = job;
    const affords = place?.total ?? 0;
    const step = { ...stepOf(operation, caller, 0, hashOf(job)), affords };
    const outcome = await this.#charging.step(step, caller);
    if (outcome.kind === 'replayed') return this.#replay(job, outcome);
    if (outcome.kind !== 'counted') {
      return this.#refused(job, refusalOf(outcome, facts.cost, Math.max(0, affords - facts.cost)));
    }
    const { rate } = outcome;
    if (place === undefined) return this.#refused(job, accountBusy(rate));
    const account = this.#accountOf(outcome, caller);
    const recipe: Recipe = {
      artifactVersion: this.#parts.artifactVersion(),
      drawn: operation.drawsSeed === true ? { seed: this.#seed(job, account) } : {},
    };
    return this.#compute({ ...job, place, account, recipe, rate, earlier: undefined });
  }

  #accountOf({ account }: Counted | Replayed, caller: Caller): string {
    return account ?? this.#charging.accountOf(caller);
  }

  /** Two concurrent requests under one idempotency key get the same seed, on any node. */
  #seed({ operation, caller, facts }: Job, account: string): number {
    const { idempotencyKey: key } = caller;
    if (key === undefined) return randomSeed();
    const { path } = operation;
    return seedOf(this.#parts.seedSecret, { account, path, key, fingerprint: facts.fingerprint });
  }

  /** replayed ─▶ answered: as the earlier request with this idempotency key. */
  async #replay(job: Job, earlier: Replayed): Promise<MeteredResult> {
    const { operation, facts, caller, options, place } = job;
    const { rate, answerJson } = earlier;
    const recipe = recipeOf(answerJson);
    if (recipe !== undefined) {
      if (place === undefined) return this.#refused(job, accountBusy(rate));
      const account = this.#accountOf(earlier, caller);
      return this.#compute({ ...job, place, account, recipe, rate, earlier });
    }
    if (isTooLong(answerJson, options))
      return this.#refused(job, refusal(answerTooLong(options.answerBytesMax), rate));
    return this.#charging.replay(operation.name, earlier, facts.cost);
  }

  /** admitted or replayed ─▶ computed. */
  async #compute(job: Admitted): Promise<MeteredResult> {
    const { options, facts, recipe, account, rate, caller, left, earlier } = job;
    const isStreamed = facts.isStreamed && options.inJson !== true;
    const openMax = modeOfAccount(account) === 'live' ? OPEN_MAX : TEST_OPEN_MAX;
    if (isStreamed && this.#open >= openMax) return this.#refused(job, serviceBusy(rate));
    const made = await this.#charging.computed(
      () => this.#made(job, isStreamed ? 0 : undefined),
      ...([rate, caller, left] as const),
    );
    if (made.kind === 'refusal') return this.#refused(job, made);
    if (made.kind === 'no_such_version' && earlier !== undefined) {
      return this.#refused(job, refusal(replayExpired(recipe.artifactVersion), rate));
    }
    if (made.kind !== 'answer' && made.kind !== 'chunk') {
      const fault = new Error(`artifact ${recipe.artifactVersion} gave ${made.kind}`);
      return this.#refused(job, refusal(this.#charging.inferenceError(fault, caller), rate));
    }
    if (made.kind === 'answer' && isTooLong(made.json, options)) {
      return this.#refused(job, refusal(answerTooLong(options.answerBytesMax), rate));
    }
    return this.#charge(job, made);
  }

  /** computed ─▶ charged ─▶ answered. A repeated answer is already charged. */
  async #charge(job: Admitted, made: Computed): Promise<MeteredResult> {
    const { operation, facts, caller, recipe, place, earlier } = job;
    if (this.#stop.signal.aborted && made.kind === 'chunk')
      return this.#refused(job, serviceBusy(job.rate));
    const { cost = facts.cost } = made;
    const json = made.kind === 'answer' ? made.json : '{}';
    let outcome: StepOutcome;
    if (earlier !== undefined) outcome = { ...earlier, answerJson: json };
    else {
      // A file may be asked for later under this key.
      const isShort = json.length <= STORED_ANSWER_CHARS_MAX && operation.file === undefined;
      const stored = made.kind === 'answer' && isShort ? json : recipeText(recipe, facts.json);
      place.charge();
      const step = stepOf(operation, caller, cost, hashOf(job), stored);
      outcome = await this.#charging.step(step, caller);
      // Another request under this key has been charged meanwhile.
      if (outcome.kind === 'replayed') return this.#replay(job, outcome);
    }
    const result = this.#charging.settled(operation.name, outcome, json, cost);
    if (result.kind !== 'answer' || made.kind === 'answer') return result;
    place.charge();
    const { remainingFreeCalls } = outcome as Charged | Replayed;
    const { rate, replayed } = result;
    return { ...this.#chunks(job, made, cost, remainingFreeCalls), rate, replayed };
  }

  /**
   * charged ─▶ answered, chunk by chunk. If the answer breaks off while the client is there, the
   * price is returned.
   */
  #chunks(
    job: Admitted,
    first: Extract<Computed, { kind: 'chunk' }>,
    cost: number,
    remainingFreeCalls: number | undefined,
  ): Pick<
    MeteredStream,
    'kind' | 'contentType' | 'headers' | 'chunks' | 'follow' | 'remainingFreeCalls'
  > {
    const { contentType, headers } = first;
    const sent = (chunk: Chunk): Chunk =>
      contentType === CONTENT_TYPES.json && chunk.last
        ? withFreeCalls(chunk, remainingFreeCalls)
        : chunk;
    const compute = async (index: number) => {
      const chunk = await this.#made(job, index);
      if (chunk.kind !== 'chunk') throw new Error(`chunk ${index} is a ${chunk.kind}`);
      return sent(chunk);
    };
    // Nothing is returned for a replay, which cost nothing, or for free calls, which return by themselves.
    let paid = job.earlier === undefined && remainingFreeCalls === undefined ? cost : 0;
    const places = Math.max(1, Math.ceil(first.bytes.length / OPEN_BYTES));
    this.#open += places;
    const chunks = chunksInOrder(sent(first), compute, (end) => {
      this.#open -= places;
      job.place.release();
      if (end.kind !== 'failed' || job.left?.aborted === true) return;
      this.#charging.inferenceError(end.error, job.caller);
      giveBack();
    });
    const giveBack = () => {
      if (paid > 0) this.#charging.giveBack(job.account, paid, job.caller);
      paid = 0;
    };
    const follow = (answer: ServerResponse) => {
      if (answer.closed) return;
      const cut = () => {
        this.#unsent.delete(cut);
        // The connection is closed first, because nobody may have both the whole answer and its price.
        answer.destroy();
        giveBack();
      };
      // It was charged while the others were cut.
      if (this.#stop.signal.aborted) return cut();
      this.#unsent.add(cut);
      answer.once('close', () => this.#unsent.delete(cut));
    };
    return { kind: 'stream', contentType, headers, chunks, follow, remainingFreeCalls };
  }

  /** Work of a thread: the whole answer, or a chunk of it. */
  async #made(job: Admitted, index?: number): Promise<ComputeResult> {
    const { operation, input, facts, left, account, recipe } = job;
    const { artifactVersion, drawn: extra } = recipe;
    // Two requests for the same answer share it, so that a thread can reuse the open answer.
    const answer = () =>
      [operation.name, artifactVersion, facts.fingerprint, JSON.stringify(extra)].join(' ');
    const chunk: AnswerChunk | undefined =
      index === undefined ? undefined : { answer: answer(), index };
    const asked =
      input instanceof LargeText
        ? { input: extra, large: input }
        : { input: { ...extra, ...input } };
    const task: ComputeTask = {
      ...{ operation: operation.name, ...asked, artifactVersion },
      account: { id: account, priority: modeOfAccount(account) },
      // The first chunk decides whether the whole answer can be made.
      estimateMs: (index ?? 0) === 0 ? facts.estimateMs : CHUNK_MS,
      ...(chunk === undefined ? {} : { chunk }),
    };
    const key = operation.cached === true ? `${index ?? 'whole'} ${answer()}` : undefined;
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (kept !== undefined) return kept;
    const { signal: stop } = this.#stop;
    const ended = left === undefined ? stop : AbortSignal.any([left, stop]);
    const result = await this.#parts.computer.compute(task, ended);
    const isWhole = result.kind === 'answer' || (result.kind === 'chunk' && result.last);
    if (key !== undefined && isWhole) this.#kept.set(key, result);
    return result;
  }

  #refused({ operation, left }: Job, why: MeteredRefusal): MeteredRefusal {
    return left?.aborted === true ? why : this.#charging.refused(operation.name, why);
  }
}

/** The fingerprint, which only a request with an idempotency key needs in its steps. */
function hashOf({ caller, facts }: Job): string {
  return caller.idempotencyKey === undefined ? '' : facts.fingerprint;
}

function refusal(problem: Problem, rate: RateState): MeteredRefusal {
  return { kind: 'refusal', problem, rate };
}

/** The last chunk of a JSON answer with the number of free calls left. */
function withFreeCalls(chunk: Chunk, remainingFreeCalls: number | undefined): Chunk {
  if (remainingFreeCalls === undefined) return chunk;
  const end = Buffer.from(`,"remaining_free_calls":${remainingFreeCalls}}`);
  return { ...chunk, bytes: Buffer.concat([chunk.bytes.subarray(0, -1), end]) };
}

function isTooLong(json: string, { answerBytesMax }: PerformOptions): boolean {
  return answerBytesMax !== undefined && Buffer.byteLength(json) > answerBytesMax;
}

/** A chunk of an answer. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/** How the sending of an answer ended: its last chunk was sent, its reader left, or an error occurred. */
export type StreamEnd =
  | { readonly kind: 'sent' | 'left' }
  | { readonly kind: 'failed'; error: unknown };

/**
 * The chunks of an answer in order. The next chunk is computed while the reader takes the chunk
 * before it. Nothing is computed further ahead, so a slow reader slows the computation down.
 *
 * @param compute makes a chunk by its number, 1 or more
 * @param ended called once, also when nobody reads
 */
export function chunksInOrder(
  first: Chunk,
  compute: (index: number) => Promise<Chunk>,
  ended: (end: StreamEnd) => void,
): AsyncIterableIterator<Uint8Array> {
  let ahead: Promise<Chunk> | undefined = Promise.resolve(first);
  let index = 0;
  let isOver = false;
  const finish = (end: StreamEnd) => {
    if (isOver) return;
    isOver = true;
    ended(end);
  };
  const done = { done: true, value: undefined } as const;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (ahead === undefined) finish({ kind: 'sent' });
      if (ahead === undefined || isOver) return done;
      try {
        const { bytes, last } = await ahead;
        ahead = last ? undefined : compute(++index);
        // The next call reports its error.
        ahead?.catch(() => undefined);
        return { done: false, value: bytes };
      } catch (error) {
        finish({ kind: 'failed', error });
        throw error;
      }
    },
    async return() {
      finish({ kind: 'left' });
      return done;
    },
  };
}

/** Computations that an account may have under way at once, in each mode. */
export const COMPUTATIONS_MAX = 2;

/** A computation under way. */
interface Entry {
  /** Rises with each computation. */
  readonly number: number;
  cost: number;
}

/** The price of a computation under way. */
export interface Reservation {
  /**
   * The price of this computation and of the account's earlier computations together. Later
   * computations do not count.
   */
  readonly total: number;
  /**
   * The price is being charged. The gate decides steps in order, so later steps see the remaining
   * funds. The computation still counts.
   */
  charge(): void;
  /** Releases the price and the place. Further calls do nothing. */
  release(): void;
}

/**
 * Holds the prices of the computations under way in memory. No computation begins unless the
 * account can pay for all of them.
 */
export class Reservations {
  readonly #accounts = new Map<string, Set<Entry>>();
  #last = 0;

  /** Whether an account has as many computations as allowed. */
  isFull(account: string): boolean {
    return (this.#accounts.get(account)?.size ?? 0) >= COMPUTATIONS_MAX;
  }

  /** Reserves a price. Returns undefined if the account already has as many computations as allowed. */
  take(account: string, cost: number): Reservation | undefined {
    if (this.isFull(account)) return undefined;
    const entry: Entry = { number: ++this.#last, cost };
    const entries = this.#accounts.get(account) ?? new Set();
    this.#accounts.set(account, entries.add(entry));
    return {
      get total() {
        let total = 0;
        for (const one of entries) if (one.number <= entry.number) total += one.cost;
        return total;
      },
      charge() {
        entry.cost = 0;
      },
      release: () => {
        if (entries.delete(entry) && entries.size === 0) this.#accounts.delete(account);
      },
    };
  }
}
