import { fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { RateState } from '../../core/billing-terms.js';
import { programThread } from '../../core/program-thread.js';
import type { KeyInfo } from '../../ledger/sqlite-ledger.js';
import {
  type Clock,
  decodeOutcome,
  encodeStep,
  type Field,
  FieldReader,
  GateError,
  type GateOutcome,
  type GateStep,
} from '../gate.js';
import type { Blockage } from './storage.js';

/**
 * Messages between the gate and its writer thread. Steps and outcomes are flat arrays of strings
 * and numbers. Cloning such an array costs a fraction of cloning an object per step, and every
 * request needs it.
 */

/** How the writer thread is started. */
export interface WriterOptions {
  readonly path: string;
  readonly nowMs: number;
  /** Bytes of stored answers that an account may keep in a mode. */
  readonly answersBytesMax: number;
}

/** Work for the writer: keys to look up by hash, then steps to decide in one transaction. */
export interface WorkMessage {
  readonly kind: 'work';
  readonly hashes: readonly string[];
  readonly steps: readonly Field[];
}

/**
 * Ends the writer. `close` ends it in order; `crash` (in tests of recovery) ends it at once,
 * without a reply.
 */
export interface EndMessage {
  readonly kind: 'close' | 'crash';
}

/** Answers work messages that were done in one transaction. */
export interface DoneMessage {
  readonly kind: 'done';
  /** Number of requests. Their keys and outcomes follow one another. */
  readonly messages: number;
  readonly keys: readonly (KeyInfo | null)[];
  readonly outcomes: readonly Field[];
  /** Why the transaction was not committed. */
  readonly error: string | null;
  /** Whether another connection has written, so that cached keys may be out of date. */
  readonly changed: boolean;
  /** How long the last flush took. If this work was committed, the flush covers it. */
  readonly flushMs: number;
}

/** Messages of the writer. */
export type WriterMessage =
  | {
      readonly kind: 'ready';
      /** Rate-limit hits of the last 60 s, oldest first: `id of the key, hits, made at` of each. */
      readonly hits: readonly Field[];
    }
  | { readonly kind: 'failed_start'; readonly error: Error }
  | DoneMessage
  | { readonly kind: 'changed' }
  /** Why nothing can be committed; null once commits are possible again. */
  | { readonly kind: 'blocked'; readonly blockage: Blockage | null }
  | { readonly kind: 'closed' };

/** Settings of a client that runs a writer. */
export interface WriterClientOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Maximum number of steps that wait for a commit. Further steps are refused. */
  readonly queueMax: number;
  /** Bytes of stored answers that an account may keep in a mode. */
  readonly answersBytesMax: number;
  /** Called when cached keys may be out of date. */
  readonly onChanged: () => void;
  /** Is told the reason when nothing can be committed, and null when commits are possible again. */
  readonly onBlocked: (blockage: Blockage | null) => void;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

interface WaitingStep extends Waiting<GateOutcome> {
  readonly rate: RateState;
}

/** Steps and look-ups that go to the writer as one message. */
class Batch {
  readonly fields: Field[] = [];
  readonly steps: WaitingStep[] = [];
  readonly hashes: string[] = [];
  readonly lookups: Waiting<KeyInfo | null>[] = [];

  get empty(): boolean {
    return this.steps.length === 0 && this.lookups.length === 0;
  }

  /** @param ofLookups the error for the look-ups, which never charge anything */
  reject(error: Error, ofLookups: Error = error): void {
    for (const step of this.steps) step.reject(error);
    for (const lookup of this.lookups) lookup.reject(ofLookups);
  }
}

const RESTART_DELAY_MS = 250;
/** Maximum number of messages under way. Further steps wait here, so the writer's queue stays short. */
const MESSAGES_MAX = 12;
/**
 * A message with this many steps is sent before the turn of the event loop ends. The writer then
 * works on it while this thread reads further requests. Sending a message takes about as long as a
 * request.
 */
const FULL_STEPS = 16;

/**
 * The gate's side of the writer thread. The steps of one turn of the event loop are sent as one
 * message. The writer takes all messages that came while it was busy into one transaction (group
 * commit). When the writer dies, its unfinished steps fail and it is started again. Until it is
 * ready, every step is refused.
 */
export class WriterClient {
  /** Is told how long a committed batch waited for the disk. */
  onFlush: ((seconds: number) => void) | undefined;
  readonly #options: WriterClientOptions;
  #worker: Worker | undefined;
  #ready = false;
  #blockage: Blockage | null = null;
  #closing = false;
  #scheduled = false;
  #queued = new Batch();
  readonly #underWay: Batch[] = [];
  #onIdle: (() => void) | undefined;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: WriterClientOptions) {
    this.#options = options;
  }

  /**
   * Starts the thread.
   *
   * @returns `id of the key, hits, made at` of the rate-limit hits of the last 60 s, oldest first
   * @throws the error with which the thread failed to open the database
   */
  start(): Promise<readonly Field[]> {
    return new Promise((resolve, reject) => {
      const { path, clock, answersBytesMax } = this.#options;
      const worker = startThread({ path, nowMs: clock(), answersBytesMax });
      this.#worker = worker;
      worker.on('message', (message: WriterMessage) => {
        if (message.kind === 'ready') {
          this.#ready = true;
          resolve(message.hits);
        } else if (message.kind === 'failed_start') {
          reject(message.error);
        } else if (message.kind === 'changed') {
          this.#options.onChanged();
        } else if (message.kind === 'blocked') {
          this.#blockage = message.blockage;
          this.#options.onBlocked(message.blockage);
        } else if (message.kind === 'done') {
          this.#settle(message);
        }
      });
      worker.on('error', reject);
      worker.on('exit', () => {
        reject(new GateError('unavailable', 'The ledger writer stopped while it started.'));
        if (this.#worker === worker) this.#onExit();
      });
    });
  }

  /** Finds a key by its hash, or null. */
  lookup(hash: string): Promise<KeyInfo | null> {
    return new Promise((resolve, reject) => {
      if (!this.#accepts(reject)) return;
      this.#queued.hashes.push(hash);
      this.#queued.lookups.push({ resolve, reject });
      this.#schedule();
    });
  }

  /** Whether the thread runs, can commit and takes steps. */
  get ready(): boolean {
    return this.#ready && !this.#closing && this.#blockage === null;
  }

  /** True when one more step would exceed the queue. */
  get full(): boolean {
    return this.#queued.steps.length >= this.#options.queueMax;
  }

  /** Sends a step, which the writer decides and books. Rejects when that failed. */
  submit(keyId: string, atMs: number, step: GateStep, rate: RateState): Promise<GateOutcome> {
    return new Promise((resolve, reject) => {
      if (!this.#accepts(reject)) return;
      encodeStep(this.#queued.fields, keyId, atMs, step);
      this.#queued.steps.push({ rate, resolve, reject });
      this.#schedule();
    });
  }

  /** Finishes what is queued, then stops the thread. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#restart);
    const worker = this.#worker;
    if (!this.#ready || worker === undefined) return;
    if (this.#underWay.length > 0 || !this.#queued.empty) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    if (this.#worker === undefined) return;
    await endThread(worker, 'close');
  }

  /** Ends the thread between two batches without a reply, like a crash; for tests of recovery. */
  async kill(): Promise<void> {
    if (this.#worker !== undefined) await endThread(this.#worker, 'crash');
  }

  #accepts(reject: (error: Error) => void): boolean {
    if (this.ready) return true;
    const state = this.#closing ? 'closed' : 'restarting';
    const text = this.#blockage?.text ?? `The ledger writer is ${state}.`;
    reject(new GateError('unavailable', text));
    return false;
  }

  /** Sends after this turn of the event loop, so that all requests of the turn join the message. */
  #schedule(): void {
    if (this.#queued.steps.length >= FULL_STEPS) this.#send();
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  #send(): void {
    const batch = this.#queued;
    if (batch.empty || this.#worker === undefined) return;
    if (this.#underWay.length >= MESSAGES_MAX) return;
    this.#queued = new Batch();
    this.#underWay.push(batch);
    const message: WorkMessage = { kind: 'work', hashes: batch.hashes, steps: batch.fields };
    this.#worker.postMessage(message);
  }

  #settle({ messages, keys, outcomes, error, changed, flushMs }: DoneMessage): void {
    if (outcomes.length > 0) this.onFlush?.(flushMs / 1000);
    const batches = this.#underWay.splice(0, messages);
    // Comes before the keys are returned, because they were read after that change.
    if (changed) this.#options.onChanged();
    this.#send();
    if (this.#underWay.length === 0) this.#onIdle?.();
    const failure =
      error === null
        ? undefined
        : new GateError('not_committed', `The charge was not committed: ${error}`);
    const reader = new FieldReader(outcomes);
    let lookups = 0;
    for (const batch of batches) {
      if (failure !== undefined) {
        batch.reject(failure);
        continue;
      }
      for (const lookup of batch.lookups) lookup.resolve(keys[lookups++] ?? null);
      for (const step of batch.steps) {
        const outcome = decodeOutcome(reader.number(), step.rate, reader);
        if (outcome instanceof GateError) step.reject(outcome);
        else step.resolve(outcome);
      }
    }
  }

  #onExit(): void {
    const stopped = 'The ledger writer stopped unexpectedly.';
    const unavailable = new GateError('unavailable', stopped);
    // The writer may have committed these steps and died before it replied.
    const unanswered = new GateError('unanswered', stopped);
    const wasReady = this.#ready;
    const underWay = this.#underWay.splice(0);
    const queued = this.#queued;
    this.#worker = undefined;
    this.#ready = false;
    this.#blockage = null;
    this.#queued = new Batch();
    for (const batch of underWay) batch.reject(unanswered, unavailable);
    queued.reject(unavailable);
    this.#onIdle?.();
    this.#options.onChanged();
    if (!this.#closing && wasReady) this.#restartLater();
  }

  #restartLater(): void {
    this.#restart = setTimeout(() => {
      this.start().catch(() => {
        if (!this.#closing) this.#restartLater();
      });
    }, RESTART_DELAY_MS);
    this.#restart.unref();
  }
}

function endThread(worker: Worker, kind: EndMessage['kind']): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => {
      resolve();
    });
    worker.postMessage({ kind } satisfies EndMessage);
  });
}

function startThread(options: WriterOptions): Worker {
  const thread = programThread('./writer-thread', import.meta.url);
  return new Worker(thread.file, { workerData: options, ...thread.options });
}

/** Flushes the log to the disk. Calls back with an error if the flush failed, otherwise with null. */
export type Flush = (done: (error: Error | null) => void) => void;

/** Maximum number of flushes under way. libuv has four threads for file operations by default. */
const FLUSHES_MAX = 4;

interface Held<Reply> {
  readonly reply: Reply;
  /** The reply may be sent once this many writes are on the disk. */
  readonly writes: number;
}

/**
 * Holds each reply back until the writes that it reports are on the disk. Sends the replies in the
 * order in which they came. A flush covers every write made before it began. Up to four flushes
 * overlap, so a slow disk delays replies but not the commits behind them. Further writes share a
 * flush.
 */
export class DurableReplies<Reply> {
  readonly #flush: Flush;
  readonly #send: (reply: Reply) => void;
  readonly #fail: (error: Error) => void;
  readonly #held: Held<Reply>[] = [];
  #writes = 0;
  #covered = 0;
  #durable = 0;
  #flushing = 0;
  #failed = false;

  /**
   * @param send sends a reply
   * @param fail called once when a flush fails. No reply may be sent after that, because it is
   *   unknown which writes will survive.
   */
  constructor(flush: Flush, send: (reply: Reply) => void, fail: (error: Error) => void) {
    this.#flush = flush;
    this.#send = send;
    this.#fail = fail;
  }

  /** Sends a reply once it is durable. A reply without a write only waits for its turn. */
  add(reply: Reply, wrote: boolean): void {
    if (wrote) this.#writes += 1;
    this.#held.push({ reply, writes: this.#writes });
    if (wrote) this.#start();
    else this.#release();
  }

  /** True when nothing is held back. */
  get idle(): boolean {
    return this.#held.length === 0;
  }

  #start(): void {
    if (this.#covered === this.#writes || this.#flushing >= FLUSHES_MAX || this.#failed) return;
    const covered = this.#writes;
    this.#covered = covered;
    this.#flushing += 1;
    this.#flush((error) => {
      this.#flushing -= 1;
      if (this.#failed) return;
      if (error !== null) {
        this.#failed = true;
        this.#fail(error);
        return;
      }
      this.#durable = Math.max(this.#durable, covered);
      this.#release();
      this.#start();
    });
  }

  #release(): void {
    if (this.#failed) return;
    let count = 0;
    for (const { reply, writes } of this.#held) {
      if (writes > this.#durable) break;
      count += 1;
      this.#send(reply);
    }
    this.#held.splice(0, count);
  }
}

/**
 * A flush that takes at least this long overlaps with other work. The writer needs about 0.25 ms
 * for a batch, and a callback from the thread pool costs 0.02 to 0.05 ms.
 */
const SLOW_FLUSH_MS = 0.15;

/**
 * Flushes the write-ahead log of a database through its own file descriptor. With `synchronous =
 * FULL`, SQLite flushes it inside COMMIT (sqlite.org/pragma.html, synchronous). Here, a flush of a
 * slow disk overlaps with the next batches. A flush of a fast disk is awaited synchronously, which
 * takes less time than a callback. The log file stays the same while the writing connection is
 * open.
 */
export class LogDisk {
  readonly #path: string;
  #descriptor: number | undefined;
  #lastMs = 0;

  /** @param path file name of the database */
  constructor(path: string) {
    this.#path = path;
  }

  /** How long the last flush took. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Whether the last flush was slow. */
  get slow(): boolean {
    return this.#lastMs >= SLOW_FLUSH_MS;
  }

  /** Flushes everything written so far and waits for it; returns the error, or null. */
  flushNow(): Error | null {
    return flushNow(this.#open());
  }

  /** Flushes everything written so far. */
  readonly flush: Flush = (done) => {
    const descriptor = this.#open();
    const begunMs = performance.now();
    const ended = (error: Error | null): void => {
      this.#lastMs = performance.now() - begunMs;
      done(error);
    };
    if (this.slow) fdatasync(descriptor, ended);
    else ended(flushNow(descriptor));
  };

  #open(): number {
    this.#descriptor ??= openSync(`${this.#path}-wal`, 'r');
    return this.#descriptor;
  }
}

function flushNow(descriptor: number): Error | null {
  try {
    fdatasyncSync(descriptor);
    return null;
  } catch (error) {
    return error as Error;
  }
}
