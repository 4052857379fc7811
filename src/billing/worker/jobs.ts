import { type Job, type JobSchedulerTemplateOptions, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { Logger } from 'pino';
import { BackOff } from './back-off.js';
import { allGroups } from './groups.js';
import { drainWhenIdle } from './idle-drain.js';
import type { WorkerObserver } from './observer.js';
import { sparingly } from './sparingly.js';

/** What the jobs do; each is given up at the signal, at a point where nothing is half done. */
export interface JobHandlers {
  drain(group: number, stop: AbortSignal): Promise<unknown>;
  reconcile(group: number, stop: AbortSignal): Promise<unknown>;
  expire(stop: AbortSignal): Promise<unknown>;
}

/** What runs the jobs. */
export interface JobParts {
  /** A connection that waits for Redis as long as it takes; it is closed with the jobs. */
  readonly connection: Redis | Cluster;
  readonly handlers: JobHandlers;
  readonly log: Logger;
  readonly observer: WorkerObserver;
  /** Time between two reconciliations of a group, ms. */
  readonly reconcileEveryMs: number;
}

/** Jobs under way, until they are closed. */
export interface Jobs {
  /** Has a group reconciled soon, by whichever worker is free. */
  reconcileSoon(groups: readonly number[]): Promise<void>;
  /** Ends the jobs under way at the next good point, and starts no more. */
  close(): Promise<void>;
}

const QUEUE = 'worker';
/** One hash tag: BullMQ's scripts take all keys of a queue at once, on a cluster too. */
const PREFIX = '{vitruvia}';
const DRAIN_EVERY_MS = 500;
const EXPIRE_EVERY_MS = 60_000;
/** An emptied Redis has forgotten the schedules too. */
const ENSURE_EVERY_MS = 5000;
/** Jobs a worker runs at once. */
const CONCURRENCY = 4;
const CLOSE_MAX_MS = 8000;
const REST_MS = 1000;
/** How Redis begins to say that it cannot: OOM (memory), MISCONF (disk), READONLY and others. */
const REFUSAL = /^[A-Z]{3,} /;
const RETRIES: JobSchedulerTemplateOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: true,
  removeOnFail: { count: 100 },
};
/** A drain that fails is not repeated but left to the next one, which `BackOff` holds back. */
const ONCE: JobSchedulerTemplateOptions = { removeOnComplete: true, removeOnFail: { count: 100 } };

/** Starts to run jobs, with any number of other workers. */
export function startJobs(parts: JobParts): Jobs {
  const { connection, log, observer } = parts;
  const stop = new AbortController();
  const queue = new Queue(QUEUE, {
    connection,
    prefix: PREFIX,
    streams: { events: { maxLen: 100 } },
  });
  let drainedMs = performance.now();
  const run = runner(parts, stop.signal, () => {
    drainedMs = performance.now();
  });
  const worker = new Worker(QUEUE, run, {
    connection,
    prefix: PREFIX,
    concurrency: CONCURRENCY,
    // A killed worker's jobs are another's soon.
    stalledInterval: 5000,
    lockDuration: 15_000,
    maxStalledCount: 10,
    runRetryDelay: 1000,
  });
  worker.on('failed', (job, err) => {
    observer.jobFailed(job?.name ?? 'unknown');
    log.error({ err, job: job?.name, group: job?.data.group }, 'a job failed');
  });
  const trouble = sparingly((err, more) =>
    log.warn({ err, more }, 'the job queue has trouble with Redis'),
  );
  queue.on('error', trouble);
  worker.on('error', (error) => {
    trouble(error);
    if (REFUSAL.test(error.message)) rest(worker, stop.signal);
  });
  const scheduleFails = sparingly((err, more) => log.warn({ err, more }, 'no jobs are scheduled'));
  let scheduling = false;
  const ensure = async () => {
    // While Redis is away one waits for it; others must not queue up behind.
    if (scheduling) return;
    scheduling = true;
    try {
      await ensureSchedules(queue, parts.reconcileEveryMs);
    } catch (error) {
      if (!stop.signal.aborted) scheduleFails(error);
    } finally {
      scheduling = false;
    }
  };
  void ensure();
  const timer = setInterval(() => void ensure(), ENSURE_EVERY_MS);
  const idleFails = sparingly((err, more) =>
    log.error({ err, more }, 'a drain without job failed'),
  );
  const idle = drainWhenIdle(
    (group) => parts.handlers.drain(group, stop.signal),
    () => drainedMs,
    stop.signal,
    idleFails,
  );
  return {
    async reconcileSoon(groups) {
      await queue.addBulk(
        groups.map((group) => ({
          name: 'reconcile',
          data: { group },
          opts: { ...RETRIES, deduplication: { id: `reconcile-${group}` } },
        })),
      );
    },
    async close() {
      clearInterval(timer);
      stop.abort();
      const closing = Promise.allSettled([worker.close(), queue.close(), idle]);
      // Without Redis there is nobody to give jobs back to; their locks run out by themselves.
      await Promise.race([closing, timeout(CLOSE_MAX_MS)]);
      connection.disconnect();
    },
  };
}

/** BullMQ asks a Redis that refuses again at once, thousands of times a second. */
function rest(worker: Worker, stop: AbortSignal): void {
  if (worker.isPaused()) return;
  void worker.pause(true);
  setTimeout(() => {
    if (!stop.aborted) worker.resume();
  }, REST_MS).unref();
}

function runner({ handlers }: JobParts, stop: AbortSignal, onDrain: () => void) {
  const backOff = new BackOff();
  return async (job: Job<{ readonly group: number }>): Promise<void> => {
    const { group } = job.data;
    if (job.name === 'expire') {
      await handlers.expire(stop);
    } else if (job.name === 'reconcile') {
      await handlers.reconcile(group, stop);
    } else {
      onDrain();
      if (backOff.waits(group)) return;
      try {
        await handlers.drain(group, stop);
        backOff.succeeded(group);
      } catch (error) {
        backOff.failed(group);
        throw error;
      }
    }
  };
}

/** Schedules what is not scheduled; what is keeps its times. */
async function ensureSchedules(queue: Queue, reconcileEveryMs: number): Promise<void> {
  const schedule = (
    name: string,
    every: number,
    opts: JobSchedulerTemplateOptions,
    group?: number,
  ) => {
    const id = group === undefined ? name : `${name}-${group}`;
    return queue.upsertJobScheduler(id, { every }, { name, data: { group }, opts });
  };
  await Promise.all([
    ...allGroups().map((group) => schedule('drain', DRAIN_EVERY_MS, ONCE, group)),
    ...allGroups().map((group) => schedule('reconcile', reconcileEveryMs, RETRIES, group)),
    schedule('expire', EXPIRE_EVERY_MS, RETRIES),
  ]);
}

function timeout(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
