import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem } from '../core/errors.js';
import { programThread } from '../core/program-thread.js';
import { type Mapping, mappingsIn, removeMapping } from '../lookup/map-file.js';
import type { FaultLog } from '../request/charging.js';
import { ComputeError, type Computer } from '../request/pool.js';
import type {
  FromThread,
  PageAnswer,
  PageContext,
  PageRequest,
  PageThreadOptions,
  ToThread,
} from './messages.js';
import type { PageServer } from './page-app.js';

/** Dependencies of the page thread. */
export interface PageThreadParts extends PageThreadOptions {
  readonly computer: Computer;
  readonly context: () => PageContext;
  readonly log: FaultLog;
  /** For tests: heap memory of the thread in MiB, in place of `HEAP_MIB`. */
  readonly heapMib?: number | undefined;
}

/** Maximum number of requests that wait or are under way. */
export const UNDER_WAY_MAX = 64;
/**
 * Heap memory of the thread, in MiB. It holds cached texts, answers, bodies, drawings and the work in hand.
 */
const HEAP_MIB = 512;
/** Heap memory of the thread for new objects, in MiB. The threads of the pool have the same value. */
const YOUNG_MIB = 12;

const BUSY = 'Many people are reading pages at this moment. Please try again in a few seconds.';

/** A running thread with its open requests and computations. */
interface Running {
  readonly worker: Worker;
  readonly jobs: Map<number, { resolve(answer: PageAnswer): void; reject(error: Error): void }>;
  /** Computations that the pool does for the thread. */
  readonly computations: Map<number, AbortController>;
  readonly mappings: Mapping[];
  /** By artifact version: mappings of this thread that the thread of the pages also uses. */
  readonly viewed: BoundedMap<string, readonly ArrayBuffer[]>;
}

/** Number of versions whose mappings are kept for the thread. The thread has fewer models open. */
const VIEWED_MAX = 4;
/** Number of texts that answers to slow clients share. */
const SHARED_MAX = 64;

/**
 * Makes all pages that need no key, in a thread of their own. So a page never blocks the event loop. The
 * first request starts the thread. If the thread fails, its open requests are refused and the next request
 * starts a new thread.
 */
export class PageThread implements PageServer {
  readonly #parts: PageThreadParts;
  #running: Running | undefined;
  #jobs = 0;
  #closed = false;
  /** Texts that still wait for clients. Answers with the same text share one copy. */
  readonly #shared = new BoundedMap<string, WeakRef<Uint8Array>>(SHARED_MAX);

  constructor(parts: PageThreadParts) {
    this.#parts = parts;
  }

  async answer(request: PageRequest, left: AbortSignal): Promise<PageAnswer> {
    left.throwIfAborted();
    if (this.#closed) throw new Problem('service_busy', BUSY);
    this.#running ??= this.#start();
    const { worker, jobs, viewed } = this.#running;
    if (jobs.size >= UNDER_WAY_MAX) throw new Problem('service_busy', BUSY);
    const job = ++this.#jobs;
    const tell = (message: ToThread) => worker.postMessage(message);
    const leave = () => {
      tell({ kind: 'left', job });
      jobs.get(job)?.reject(new Error('the client has left'));
    };
    try {
      return await new Promise((resolve, reject) => {
        jobs.set(job, { resolve, reject });
        left.addEventListener('abort', leave, { once: true });
        const context = this.#parts.context();
        const mapped = mappingsIn(join(this.#parts.artifactsDir, context.artifactVersion));
        const buffers = mapped.map(({ buffer }) => buffer);
        viewed.set(context.artifactVersion, buffers);
        tell({
          kind: 'request',
          job,
          request,
          context,
          mapped: mapped.map(({ shared }) => shared),
        });
      });
    } finally {
      jobs.delete(job);
      left.removeEventListener('abort', leave);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#running?.worker;
    if (worker === undefined) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ kind: 'close' } satisfies ToThread);
    await ended;
  }

  #start(): Running {
    const { artifactsDir, env, rateLimitMax, store, log, heapMib } = this.#parts;
    const { file, options } = programThread('./thread', import.meta.url);
    const worker = new Worker(file, {
      ...options,
      name: 'pages',
      workerData: { artifactsDir, env, rateLimitMax, store } satisfies PageThreadOptions,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMib ?? HEAP_MIB,
        maxYoungGenerationSizeMb: YOUNG_MIB,
      },
    });
    const running: Running = {
      ...{ worker, jobs: new Map(), computations: new Map(), mappings: [] },
      viewed: new BoundedMap(VIEWED_MAX),
    };
    worker.on('message', (message: FromThread) => this.#hear(running, message));
    worker.on('error', (err) => log.error({ err }, 'the thread of the pages failed'));
    worker.once('exit', () => {
      if (this.#running === running) this.#running = undefined;
      for (const { reject } of running.jobs.values()) reject(new Problem('service_busy', BUSY));
      for (const left of running.computations.values()) left.abort();
      running.mappings.forEach(removeMapping);
    });
    return running;
  }

  #hear(running: Running, message: FromThread): void {
    const { jobs, computations, mappings } = running;
    switch (message.kind) {
      case 'answer':
        jobs.get(message.job)?.resolve(this.#withSharedText(message.answer));
        break;
      case 'failed':
        jobs.get(message.job)?.reject(new Error(message.message));
        break;
      case 'compute':
        void this.#compute(running, message);
        break;
      case 'leave':
        computations.get(message.computation)?.abort();
        break;
      case 'fault':
        this.#parts.log.error(message.details, message.message);
        break;
      case 'mapped':
        mappings.push(message.mapping);
    }
  }

  #withSharedText(answer: PageAnswer): PageAnswer {
    const { status, headers, body } = answer;
    if (status !== 200 || headers.etag === undefined) return answer;
    const key = `${headers['content-type']} ${headers['content-encoding']} ${headers.etag}`;
    const known = this.#shared.get(key)?.deref();
    if (known !== undefined) return { ...answer, body: known };
    this.#shared.set(key, new WeakRef(body));
    return answer;
  }

  async #compute(
    { worker, computations }: Running,
    { computation, task }: Extract<FromThread, { kind: 'compute' }>,
  ): Promise<void> {
    const left = new AbortController();
    computations.set(computation, left);
    const tell = (message: ToThread) => worker.postMessage(message);
    try {
      const result = await this.#parts.computer.compute(task, left.signal);
      tell({ kind: 'computed', computation, result });
    } catch (error) {
      const reason = error instanceof ComputeError ? error.reason : undefined;
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      tell({ kind: 'not computed', computation, message, ...(reason && { reason }) });
    } finally {
      computations.delete(computation);
    }
  }
}
