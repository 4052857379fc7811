import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { POPULATION_BODY_BYTES_MAX } from '../core/limits.js';
import { programThread } from '../core/program-thread.js';
import { type Mapping, mappingsIn, removeMapping, type SharedMapping } from '../lookup/map-file.js';
import { SHORT_WORK_MS } from '../operations/work.js';
import {
  type ComputeBudget,
  ComputeQueue,
  processorMs,
  type Queued,
  type QueueRequest,
} from './queue.js';
import {
  BEGUN,
  type ComputeDone,
  type ComputeResult,
  type ComputeTask,
  type MappedMessage,
  type ThreadOptions,
  type ThreadTask,
} from './tasks.js';

/**
 * Why there is no result. `full`: too many computations wait; `waited`: it waited too long;
 * `spent`: the account has used its processor time; `too_long`: it took too long; `left`: nobody
 * waits for it.
 */
export type ComputeFailure = 'full' | 'waited' | 'spent' | 'too_long' | 'left';

/**
 * Share of a machine for one of several processes. All processes together use as much as a
 * single process would.
 */
export function shareOfProcess(cores: number, processes: number) {
  return {
    threads: Math.max(1, Math.round((cores - 1) / processes)),
    waitingMax: Math.ceil(WAITING_MAX / processes),
  };
}

/** Estimated processor time for reading so many characters. */
export function readMs(characters: number): number {
  return characters * READ_MS;
}

/** A computation that did not end by itself. */
export class ComputeError extends Error {
  /**
   * @param seconds after `spent`: when the account may compute again; after `too_long`: the limit
   */
  constructor(
    readonly reason: ComputeFailure,
    readonly seconds = 1,
  ) {
    super(`the computation is ${reason}`);
    this.name = 'ComputeError';
  }
}

/** Computes answers beside the event loop. */
export interface Computer {
  /**
   * Computes the answer to a validated request, or reads a large one.
   *
   * @param left aborted when nobody waits for the answer any more; this ends the computation
   * @throws ComputeError when it was not begun, took too long or was left
   * @throws the error of an operation that failed
   */
  compute(task: ComputeTask, left?: AbortSignal): Promise<ComputeResult>;
}

/** Loads what a pool needs, so that its first computation does not hold the event loop for that. */
export async function loadPool(): Promise<void> {
  await import('piscina');
}

/** Settings of a pool. */
export interface ComputePoolOptions {
  readonly artifactsDir: string;
  /** Limits the processor time of accounts; without it, there is no limit. */
  readonly budget?: ComputeBudget | undefined;
  /** Processes that share the machine, each with a pool; 1 by default. */
  readonly processes?: number | undefined;
  /**
   * Threads for computations of any length; by default one less than the machine has cores, divided among the
   * processes, at least one. There is one more for short ones, one for chunks of answers, one for free ones beside payers,
   * and two for large bodies.
   */
  readonly threads?: number | undefined;
  /** Processor time of a computation; 20 by default. It may take a few times as long by the clock. */
  readonly timeLimitSeconds?: number | undefined;
  /** How long a computation may wait in the queue; 10 by default. */
  readonly waitLimitSeconds?: number | undefined;
  /** Computations that may wait; 64 by default. */
  readonly waitingMax?: number | undefined;
  /** Memory of a thread for objects, in MiB; 1,024 by default. A computation that needs more fails. */
  readonly heapMib?: number | undefined;
  /** Module with the operations, if they are not the service's own; for tests. */
  readonly operationsModule?: string | undefined;
}

const TIME_LIMIT_SECONDS = 20;
/**
 * A computation may take this many times its processor time by the clock. So a request that was
 * admitted is not refused sooner on a slower machine, or while other programs use the processors.
 */
const CLOCK_FACTOR = 3;
const WAIT_LIMIT_SECONDS = 10;
/** Two computations for each of 32 accounts. A waiting request holds its input in memory, at most 1 MB. */
const WAITING_MAX = 64;
/** Number of large bodies that are read at once. One more may be read if it is not very large. */
const READ_AT_ONCE = 1;
/** Large bodies that wait for that. */
const READ_WAITING_MAX = 32;
/** Reading and validating one character takes about so long. */
const READ_MS = 1.5e-4;
/** Work of a body that is not very large. */
const SHORT_READ_MS = readMs(POPULATION_BODY_BYTES_MAX);
/** Free computations that may wait for each thread: what the pages of two visitors ask for at once. */
const FREE_PER_THREAD = 8;
/** How much longer the further chunks of an answer may wait. */
const PAID_PATIENCE = 12;
/** How much longer free computations may wait: beside payers they have a tenth of the processor time. */
const FREE_PATIENCE = 2;
/** A short computation that takes longer than this counts as a long one: estimates are not exact. */
const OVERRUN_MS = 3 * SHORT_WORK_MS;
/** An idle thread ends after this time, and its memory is free. */
const IDLE_MS = 60_000;
/** The pool checks at this interval whether a thread that shall end has begun its task. */
const BEGIN_POLL_MS = 10;
/** How long a pool that closes waits for threads that still load. */
const LOADING_MS = 5000;
/** Threads yield to the event loop, which answers all other requests (Linux; nice(2)). */
const NICE = 10;
const HEAP_MIB = 1024;
/**
 * Memory of a thread for new objects, in MiB; by default Node takes 48. Threads with 12 take less, and the arrays of what
 * is left are freed sooner. No difference in speed was found.
 */
const YOUNG_MIB = 12;

/**
 * A pool of threads, which starts with the first computation. `ComputeQueue` says which computation comes next,
 * and keeps threads for short ones and for free ones, so that they do not wait for long ones. A running computation is
 * ended by terminating its thread.
 */
export class ComputePool implements Computer {
  readonly #timeLimitSeconds: number;
  readonly #options: ComputePoolOptions;
  readonly #waitLimitMs: number;
  // Piscina (5.3.2) has a queue, but it reorders tasks that can be aborted, and it knows no accounts.
  readonly #queue: ComputeQueue;
  /** Large bodies that are read, or wait for that. */
  readonly #reading = new ComputeQueue({
    places: READ_AT_ONCE,
    waitingMax: READ_WAITING_MAX,
    freeMax: 0,
  });
  readonly #watched = new WeakSet<Worker>();
  /** For each computation under way, whether its thread has begun it. */
  readonly #running = new Set<Int32Array>();
  readonly #mappings = new Map<number, Mapping[]>();
  /** Mappings of this thread that the threads of the pool view. */
  readonly #viewed = new Set<ArrayBuffer>();
  #pool: Promise<Piscina<ThreadTask, ComputeDone>> | undefined;
  #closed = false;

  constructor(options: ComputePoolOptions) {
    this.#options = options;
    const share = shareOfProcess(availableParallelism(), options.processes ?? 1);
    const threads = options.threads ?? share.threads;
    this.#queue = new ComputeQueue({
      places: threads,
      waitingMax: options.waitingMax ?? share.waitingMax,
      freeMax: threads * FREE_PER_THREAD,
    });
    this.#timeLimitSeconds = options.timeLimitSeconds ?? TIME_LIMIT_SECONDS;
    this.#waitLimitMs = (options.waitLimitSeconds ?? WAIT_LIMIT_SECONDS) * 1000;
  }

  /** Computations and large bodies that wait in their queues. */
  get waiting(): number {
    return this.#queue.waiting + this.#reading.waiting;
  }

  /** Computations whose threads still load what they need. */
  get loading(): number {
    return [...this.#running].filter((begun) => Atomics.load(begun, BEGUN.flag) === 0).length;
  }

  async compute(task: ComputeTask, left?: AbortSignal): Promise<ComputeResult> {
    if (this.#closed) throw new ComputeError('full');
    const { account } = task;
    // Chunks after the first belong to an answer that is already paid, so nothing refuses them.
    const isPaid = task.chunk !== undefined && task.chunk.index > 0;
    const budget = account.priority === 'free' ? undefined : this.#options.budget;
    const emptyMs = isPaid ? 0 : ((await budget?.waitMs(account)) ?? 0);
    if (emptyMs > 0) throw new ComputeError('spent', Math.ceil(emptyMs / 1000));
    this.#pool ??= this.#start();
    const pool = await this.#pool;
    const { estimateMs } = task;
    const [queue, shortMs] =
      task.reads === undefined ? [this.#queue, SHORT_WORK_MS] : [this.#reading, SHORT_READ_MS];
    const isShort = isPaid || (estimateMs !== undefined && estimateMs <= shortMs);
    const { id, priority } = account;
    const patience = isPaid ? PAID_PATIENCE : priority === 'free' ? FREE_PATIENCE : 1;
    const waitMs = this.#waitLimitMs * patience;
    const request = { account: id, priority, isShort, isPaid, estimateMs };
    const queued = await waitInQueue(queue, request, waitMs, left);
    const begunMs = performance.now();
    const overrun = setTimeout(() => queued.overrun(), OVERRUN_MS);
    let usedMs: number | undefined;
    try {
      const done = await this.#run(pool, task, task.goesOn === true ? undefined : left);
      ({ usedMs } = done);
      return done.result;
    } finally {
      clearTimeout(overrun);
      // The processor time of a terminated thread is unknown, so elapsed time is used.
      const spentMs = usedMs ?? performance.now() - begunMs;
      queued.end(spentMs);
      void budget?.take(account, spentMs);
    }
  }

  async #run(
    pool: Piscina<ThreadTask, ComputeDone>,
    task: ComputeTask,
    left?: AbortSignal,
  ): Promise<ComputeDone> {
    const slots = Object.keys(BEGUN).length;
    const begun = new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT));
    const poolMs = this.#timeLimitSeconds * 1000;
    const limitMs = task.limitMs ?? poolMs;
    const late = afterProcessorTime(begun, limitMs, CLOCK_FACTOR * poolMs);
    const wanted = left === undefined ? late.signal : AbortSignal.any([left, late.signal]);
    const ending = new AbortController();
    let again: NodeJS.Timeout | undefined;
    // A thread that is ended while it loads a native library ends the whole process.
    const end = () => {
      if (Atomics.load(begun, BEGUN.flag) === 1) ending.abort();
      else again = setTimeout(end, BEGIN_POLL_MS);
    };
    wanted.addEventListener('abort', end, { once: true });
    this.#running.add(begun);
    try {
      const mapped = this.#mappedOf(task.artifactVersion);
      const result = pool.run({ ...task, begun, mapped }, { signal: ending.signal });
      this.#watchThreads(pool);
      return await result;
    } catch (error) {
      if (left?.aborted === true) throw new ComputeError('left');
      if (late.signal.aborted) throw new ComputeError('too_long', limitMs / 1000);
      throw error;
    } finally {
      clearTimeout(again);
      late.clear();
      wanted.removeEventListener('abort', end);
      this.#running.delete(begun);
    }
  }

  /** Ends all threads, and with them the computations under way. */
  async close(): Promise<void> {
    this.#closed = true;
    const pool = await this.#pool;
    const deadlineMs = performance.now() + LOADING_MS;
    while (this.loading > 0 && performance.now() < deadlineMs) await sleep(BEGIN_POLL_MS);
    await pool?.destroy();
  }

  async #start(): Promise<Piscina<ThreadTask, ComputeDone>> {
    const { Piscina } = await import('piscina');
    const { artifactsDir } = this.#options;
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const operations = new URL(`../operations/index.${extension}`, import.meta.url).href;
    const thread = programThread('./task-thread', import.meta.url);
    const operationsModule = this.#options.operationsModule ?? operations;
    const pool = new Piscina<ThreadTask, ComputeDone>({
      filename: fileURLToPath(thread.file),
      name: 'runTask',
      minThreads: 0,
      maxThreads: this.#queue.runningMax + this.#reading.runningMax,
      idleTimeout: IDLE_MS,
      niceIncrement: NICE,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#options.heapMib ?? HEAP_MIB,
        maxYoungGenerationSizeMb: YOUNG_MIB,
      },
      workerData: { artifactsDir, operationsModule } satisfies ThreadOptions,
      ...thread.options,
    });
    // Without a listener, the process would end. A thread that is ended may have sent its answer just before, and piscina
    // (5.3.2) reports this answer as an error of the pool.
    pool.on('error', (error: Error) => {
      if (!error.message.startsWith('Unexpected message from Worker')) console.error(error);
    });
    pool.on('message', ({ threadId, mapping }: MappedMessage) => {
      const known = this.#mappings.get(threadId);
      if (known === undefined) this.#mappings.set(threadId, [mapping]);
      else known.push(mapping);
    });
    return pool;
  }

  /** Where this thread has mapped the files of a version; it keeps them until all threads have ended. */
  #mappedOf(version: string): SharedMapping[] {
    return mappingsIn(join(this.#options.artifactsDir, version)).map(({ shared, buffer }) => {
      this.#viewed.add(buffer);
      return shared;
    });
  }

  /** Removes the mappings of threads once they have ended. */
  #watchThreads(pool: Piscina<ThreadTask, ComputeDone>): void {
    for (const thread of pool.threads) {
      if (this.#watched.has(thread)) continue;
      this.#watched.add(thread);
      const { threadId } = thread;
      thread.once('exit', () => {
        for (const mapping of this.#mappings.get(threadId) ?? []) removeMapping(mapping);
        this.#mappings.delete(threadId);
        if (pool.threads.length === 0 && this.#running.size === 0) this.#viewed.clear();
      });
    }
  }
}

/**
 * A signal that is aborted when a thread has used the given processor time for its task, or after a
 * time by the clock.
 *
 * @param begun what the thread reports; see `BEGUN`
 */
export function afterProcessorTime(
  begun: Int32Array,
  limitMs: number,
  clockMs = CLOCK_FACTOR * limitMs,
): { readonly signal: AbortSignal; clear(): void } {
  const late = new AbortController();
  let sinceMs = performance.now();
  const check = (): void => {
    // A thread that still loads has not begun.
    if (Atomics.load(begun, BEGUN.flag) === 0) sinceMs = performance.now();
    const passedMs = performance.now() - sinceMs;
    const usedMs = Math.min(passedMs, usedSince(begun) ?? passedMs);
    const leftMs = Math.min(limitMs - usedMs, clockMs - passedMs);
    if (leftMs <= 0) late.abort();
    else timer = setTimeout(check, Math.ceil(leftMs));
  };
  let timer = setTimeout(check, limitMs);
  return { signal: late.signal, clear: () => clearTimeout(timer) };
}

/** Processor time that a thread has used for its task, in ms; undefined where that is not known. */
function usedSince(begun: Int32Array): number | undefined {
  const [threadId = 0, atMs = 0] = [begun[BEGUN.threadId], begun[BEGUN.atMs]];
  const nowMs = threadId === 0 ? undefined : processorMs(threadId);
  return nowMs === undefined ? undefined : nowMs - atMs;
}

/**
 * Waits in a queue.
 *
 * @param left aborted when nobody waits any more
 * @throws ComputeError `full`, `waited` or `left`
 */
function waitInQueue(
  queue: ComputeQueue,
  request: Omit<QueueRequest, 'begin' | 'displaced'>,
  waitMs: number,
  left?: AbortSignal,
): Promise<Queued> {
  return new Promise((resolve, reject) => {
    if (left?.aborted === true) {
      reject(new ComputeError('left'));
      return;
    }
    let [queued, hasBegun]: [Queued | undefined, boolean] = [undefined, false];
    const settle = () => {
      clearTimeout(late);
      left?.removeEventListener('abort', leave);
    };
    const refuse = (reason: ComputeFailure) => {
      settle();
      queued?.leave();
      reject(new ComputeError(reason));
    };
    const leave = () => refuse('left');
    const late = setTimeout(() => refuse('waited'), waitMs);
    left?.addEventListener('abort', leave, { once: true });
    queued = queue.add({
      ...request,
      begin: () => {
        hasBegun = true;
        settle();
        if (queued !== undefined) resolve(queued);
      },
      displaced: () => refuse('full'),
    });
    if (queued === undefined) refuse('full');
    // The turn came at once, before `queued` was known.
    else if (hasBegun) resolve(queued);
  });
}
