import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { type Mapping, removeMapping } from '../lookup/map-file.js';
import type { ComputeResult, ComputeTask, MappedMessage, ThreadOptions } from './tasks.js';

/** Why there is no result. */
export type ComputeFailure = 'full' | 'too_long' | 'left';

/** A computation that did not end by itself. */
export class ComputeError extends Error {
  readonly reason: ComputeFailure;

  constructor(reason: ComputeFailure) {
    super(`the computation is ${reason}`);
    this.name = 'ComputeError';
    this.reason = reason;
  }
}

/** Computes answers beside the event loop. */
export interface Computer {
  /** Longest time of a computation, with its time in the queue. */
  readonly timeLimitSeconds: number;
  /**
   * Computes the answer to a validated request.
   *
   * @param left aborted when nobody waits for the answer any more; this ends the computation
   * @throws ComputeError when it was not begun, took too long or was left
   * @throws the error of an operation that failed
   */
  compute(task: ComputeTask, left?: AbortSignal): Promise<ComputeResult>;
}

/** Settings of a pool. */
export interface ComputePoolOptions {
  readonly artifactsDir: string;
  /** Threads; by default one less than the machine has cores, at least one. */
  readonly threads?: number | undefined;
  /** 20 by default. */
  readonly timeLimitSeconds?: number | undefined;
  /** Module with the operations, if they are not the service's own; for tests. */
  readonly operationsModule?: string | undefined;
}

const TIME_LIMIT_SECONDS = 20;
/** Computations that may wait for each thread. */
const QUEUE_PER_THREAD = 8;
/** Free computations that may wait or run for each thread. */
const FREE_PER_THREAD = 3;
/** How much longer the further parts of an answer may wait. */
const PAID_PATIENCE = 6;
/** An idle thread ends after this time, and its memory is free. */
const IDLE_MS = 60_000;
/** Threads yield to the event loop, which answers all other requests (Linux; nice(2)). */
const NICE = 10;
const HEAP_MIB = 1024;

/**
 * A pool of threads, which starts with the first computation. A running computation is ended by
 * terminating its thread.
 */
export class ComputePool implements Computer {
  readonly timeLimitSeconds: number;
  readonly #options: ComputePoolOptions;
  readonly #threads: number;
  readonly #watched = new WeakSet<Worker>();
  readonly #mappings = new Map<number, Mapping[]>();
  #pool: Promise<Piscina<ComputeTask, ComputeResult>> | undefined;
  #underWay = 0;
  #freeUnderWay = 0;
  #running = 0;
  // Computations that wait for a thread, first come first. Piscina (5.3.2) has a queue, but it reorders
  // tasks that can be aborted and gives them no priorities.
  readonly #paidWaiting: (() => void)[] = [];
  readonly #freeWaiting: (() => void)[] = [];
  #closed = false;

  constructor(options: ComputePoolOptions) {
    this.#options = options;
    this.#threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.timeLimitSeconds = options.timeLimitSeconds ?? TIME_LIMIT_SECONDS;
  }

  async compute(task: ComputeTask, left?: AbortSignal): Promise<ComputeResult> {
    // Parts after the first belong to an answer that is already paid, so a full queue does not refuse them.
    const isPaid = task.part !== undefined && task.part.index > 0;
    const isFree = task.free === true;
    const most = this.#threads * (1 + QUEUE_PER_THREAD);
    // Free computations have their own limit, so they never fill the queue of paid ones.
    const isFull = isFree
      ? this.#freeUnderWay >= this.#threads * FREE_PER_THREAD
      : this.#underWay >= most && !isPaid;
    if (this.#closed || isFull) throw new ComputeError('full');
    const late = AbortSignal.timeout(this.timeLimitSeconds * (isPaid ? PAID_PATIENCE : 1) * 1000);
    if (isFree) this.#freeUnderWay++;
    else this.#underWay++;
    try {
      this.#pool ??= this.#start();
      const pool = await this.#pool;
      const signal = left === undefined ? late : AbortSignal.any([left, late]);
      await this.#turn(isFree, signal);
      try {
        const result = pool.run(task, { signal });
        this.#watchThreads(pool.threads);
        return await result;
      } finally {
        this.#running--;
        this.#begin();
      }
    } catch (error) {
      if (left?.aborted === true) throw new ComputeError('left');
      if (late.aborted) throw new ComputeError('too_long');
      throw error;
    } finally {
      if (isFree) this.#freeUnderWay--;
      else this.#underWay--;
    }
  }

  /**
   * Waits for a thread. What is paid for comes before what is free. A computation whose signal is aborted
   * waits no longer; the pool refuses to run it.
   */
  #turn(isFree: boolean, signal: AbortSignal): Promise<void> {
    const list = isFree ? this.#freeWaiting : this.#paidWaiting;
    return new Promise((resolve) => {
      const begin = () => {
        signal.removeEventListener('abort', leave);
        this.#running++;
        resolve();
      };
      const leave = () => {
        list.splice(list.indexOf(begin), 1);
        this.#running++;
        resolve();
      };
      list.push(begin);
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      this.#begin();
    });
  }

  /** Begins what waits while there are threads for it. */
  #begin(): void {
    while (this.#running < this.#threads) {
      const next = this.#paidWaiting.shift() ?? this.#freeWaiting.shift();
      if (next === undefined) return;
      next();
    }
  }

  /** Ends all threads, and with them the computations under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#pool)?.destroy();
  }

  async #start(): Promise<Piscina<ComputeTask, ComputeResult>> {
    const { Piscina } = await import('piscina');
    const { artifactsDir } = this.#options;
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const operations = new URL(`../operations/index.${extension}`, import.meta.url).href;
    const operationsModule = this.#options.operationsModule ?? operations;
    const pool = new Piscina<ComputeTask, ComputeResult>({
      filename: fileURLToPath(new URL(`./task-thread.${extension}`, import.meta.url)),
      name: 'runTask',
      minThreads: 0,
      maxThreads: this.#threads,
      idleTimeout: IDLE_MS,
      niceIncrement: NICE,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
      workerData: { artifactsDir, operationsModule } satisfies ThreadOptions,
      ...(extension === 'ts' ? { execArgv: loaderWords() } : {}),
    });
    pool.on('message', ({ threadId, mapping }: MappedMessage) => {
      const known = this.#mappings.get(threadId);
      if (known === undefined) this.#mappings.set(threadId, [mapping]);
      else known.push(mapping);
    });
    return pool;
  }

  /** Removes the mappings of threads once they have ended. */
  #watchThreads(threads: readonly Worker[]): void {
    for (const thread of threads) {
      if (this.#watched.has(thread)) continue;
      this.#watched.add(thread);
      const { threadId } = thread;
      thread.once('exit', () => {
        for (const mapping of this.#mappings.get(threadId) ?? []) removeMapping(mapping);
        this.#mappings.delete(threadId);
      });
    }
  }
}

/** Arguments with which a thread can run the sources (tests, tsx). */
export function loaderWords(): string[] {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx'));
  const tsx = new URL('./esm/api/index.mjs', loader).href;
  const code = `import { register } from '${tsx}'; register();`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}
