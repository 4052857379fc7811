import { type Job, type JobSchedulerTemplateOptions, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import type { Logger } from 'pino';
import { BackOff } from './back-off.js';
import { allGroups } from './groups.js';
import type { WorkerObserver } from './observer.js';

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
  const run = runner(parts, stop.signal);
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
  const trouble = (err: Error) => log.warn({ err }, 'the job queue has trouble with Redis');
  queue.on('error', trouble);
  worker.on('error', trouble);
  const ensure = () =>
    ensureSchedules(queue, parts.reconcileEveryMs).catch((err: unknown) => {
      if (!stop.signal.aborted) log.warn({ err }, 'jobs could not be scheduled');
    });
  void ensure();
  const ensuring = setInterval(ensure, ENSURE_EVERY_MS);
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
      clearInterval(ensuring);
      stop.abort();
      const closing = Promise.allSettled([worker.close(), queue.close()]);
      // Without Redis there is nobody to give jobs back to; their locks run out by themselves.
      await Promise.race([closing, timeout(CLOSE_MAX_MS)]);
      connection.disconnect();
    },
  };
}

function runner({ handlers }: JobParts, stop: AbortSignal) {
  const backOff = new BackOff();
  return async (job: Job<{ readonly group: number }>): Promise<void> => {
    const { group } = job.data;
    if (job.name === 'expire') {
      await handlers.expire(stop);
    } else if (job.name === 'reconcile') {
      await handlers.reconcile(group, stop);
    } else if (!backOff.waits(group)) {
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
