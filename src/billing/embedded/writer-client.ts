import { Worker } from 'node:worker_threads';
import type { Mode, RateState } from '../../core/billing-terms.js';
import { programThread } from '../../core/program-thread.js';
import {
  type Clock,
  decodeOutcome,
  type Field,
  FieldReader,
  GateError,
  type GateOutcome,
  type GateStep,
} from '../gate.js';
import type { Blockage } from './storage.js';

/**
 * Messages between the gate and its writer thread. Steps and outcomes are flat arrays of strings
 * and numbers: cloning those costs a fraction of cloning an object per step, on the hot path.
 */

/** What the gate knows of an API key. */
export interface KeyInfo {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly revoked: boolean;
}

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

/** Ends the writer: `close` in order, `crash` (in tests of recovery) at once, without a reply. */
export interface EndMessage {
  readonly kind: 'close' | 'crash';
}

/** Answers work messages that were done in one transaction. */
export interface DoneMessage {
  readonly kind: 'done';
  /** How many; their keys and outcomes follow one another. */
  readonly messages: number;
  readonly keys: readonly (KeyInfo | null)[];
  readonly outcomes: readonly Field[];
  /** Why the transaction was not committed. */
  readonly error: string | null;
  /** Another connection has written: cached keys may be out of date. */
  readonly changed: boolean;
  /** How long the last flush took; it covers this work if the work was committed. */
  readonly flushMs: number;
}

/** What the writer sends. */
export type WriterMessage =
  | {
      readonly kind: 'ready';
      /** `id, hits, made at` of the rate-limit hits of the last 60 s, oldest first. */
      readonly hits: readonly Field[];
    }
  | { readonly kind: 'failed_start'; readonly error: Error }
  | DoneMessage
  | { readonly kind: 'changed' }
  /** Why nothing can be committed; null once commits are possible again. */
  | { readonly kind: 'blocked'; readonly blockage: Blockage | null }
  | { readonly kind: 'closed' };

/** A step as the writer gets it; the rate limit has admitted it. */
export interface WriterStep {
  readonly keyId: string;
  readonly atMs: number;
  readonly requestId: string;
  readonly operation: string;
  readonly cost: number;
  readonly affords: number;
  readonly hits: number;
  readonly idempotency: GateStep['idempotency'];
}

/** Appends a step to a message. */
function encodeStep(fields: Field[], keyId: string, atMs: number, step: GateStep): void {
  const { idempotency, affords = 0 } = step;
  fields.push(keyId, atMs, step.requestId, step.operation, step.cost, affords, step.hits);
  if (idempotency === undefined) fields.push(null);
  else fields.push(idempotency.key, idempotency.fingerprint, idempotency.answerJson);
}

/** Reads the next step of a message. */
export function decodeStep(reader: FieldReader): WriterStep {
  const keyId = reader.text();
  const atMs = reader.number();
  const requestId = reader.text();
  const operation = reader.text();
  const cost = reader.number();
  const affords = reader.number();
  const hits = reader.number();
  const key = reader.textOrNull();
  const idempotency =
    key === null ? undefined : { key, fingerprint: reader.text(), answerJson: reader.text() };
  return { keyId, atMs, requestId, operation, cost, affords, hits, idempotency };
}

/** What the client needs to run a writer. */
export interface WriterClientOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Steps that may wait for a commit; further ones are refused. */
  readonly queueMax: number;
  /** Bytes of stored answers that an account may keep in a mode. */
  readonly answersBytesMax: number;
  /** Called when cached keys may be out of date. */
  readonly onChanged: () => void;
  /** Is told why nothing can be committed; null once commits are possible again. */
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

  /** @param ofLookups the error of the look-ups, which never charge anything */
  reject(error: Error, ofLookups: Error = error): void {
    for (const step of this.steps) step.reject(error);
    for (const lookup of this.lookups) lookup.reject(ofLookups);
  }
}

const RESTART_DELAY_MS = 250;
/** Messages under way at once; further steps wait here, so that the writer's queue stays short. */
const MESSAGES_MAX = 12;
/**
 * A message with so many steps is sent before the end of the turn, so that the writer works on it
 * while this thread goes on reading. Sending a message takes about as long as a request.
 */
const FULL_STEPS = 16;

/**
 * The gate's side of the writer thread. The steps of one turn of the event loop are sent as one
 * message. The writer takes all messages that have come while it was busy into one transaction
 * (group commit). When the writer dies, the steps it held fail and it is started again; until then
 * every step is refused.
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
   * @returns `id, hits, made at` of the rate-limit hits of the last 60 s, oldest first
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

  /** Sends a step to be decided and booked; rejects when that failed. */
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

  /** Sends after this turn of the event loop, so that all of its requests join the message. */
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
    // Before the keys are returned: they were read after that change.
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
    // The writer may have committed these and died before it replied.
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
