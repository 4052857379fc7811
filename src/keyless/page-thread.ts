import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem } from '../core/errors.js';
import { programThread } from '../core/program-thread.js';
import { type Mapping, mappingsIn, removeMapping } from '../lookup/map-file.js';
import type { FaultLog } from '../request/charging.js';
import type { Computer } from '../request/pool.js';
import { Calls } from './calls.js';
import type {
  OfPages,
  OfService,
  PageAnswer,
  PageContext,
  PageRequest,
  PageThreadOptions,
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

/** A running thread. */
interface Running {
  readonly worker: Worker;
  readonly calls: Calls<OfPages>;
  /** Requests that wait or are under way. */
  open: number;
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
    const running = this.#running;
    if (running.open >= UNDER_WAY_MAX) throw new Problem('service_busy', BUSY);
    const context = this.#parts.context();
    const found = mappingsIn(join(this.#parts.artifactsDir, context.artifactVersion));
    running.viewed.set(
      context.artifactVersion,
      found.map(({ buffer }) => buffer),
    );
    const mapped = found.map(({ shared }) => shared);
    let leave = () => {};
    const gone = new Promise<never>((_, reject) => {
      leave = () => reject(new Error('the client has left'));
    });
    left.addEventListener('abort', leave, { once: true });
    running.open += 1;
    try {
      const answer = running.calls.call('answer', { request, context, mapped }, left);
      return this.#withSharedText(await Promise.race([answer, gone]));
    } finally {
      left.removeEventListener('abort', leave);
      running.open -= 1;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#running === undefined) return;
    const { worker, calls } = this.#running;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    calls.tell('close', null);
    await ended;
  }

  #start(): Running {
    const { artifactsDir, env, rateLimitMax, store, log, heapMib, computer } = this.#parts;
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
    const mappings: Mapping[] = [];
    const calls = new Calls<OfPages>(worker, {
      compute: (task, left) => computer.compute(task, left),
      fault: ({ details, message }) => log.error(details, message),
      mapped: (mapping) => void mappings.push(mapping),
    } satisfies OfService);
    const running: Running = { worker, calls, open: 0, viewed: new BoundedMap(VIEWED_MAX) };
    worker.on('error', (err) => log.error({ err }, 'the thread of the pages failed'));
    worker.once('exit', () => {
      if (this.#running === running) this.#running = undefined;
      calls.end(new Problem('service_busy', BUSY));
      mappings.forEach(removeMapping);
    });
    return running;
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
}
