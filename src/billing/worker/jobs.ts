import { randomUUID } from 'node:crypto';
import { type Job, type JobSchedulerTemplateOptions, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { IDEMPOTENCY_TTL_MS } from '../../core/billing-terms.js';
import { throttledLog } from '../../core/throttled-log.js';
import type { Database } from '../../database/schema.js';
import type { WorkerObserver } from './drain.js';
import { allGroups } from './groups.js';
import { runLoop } from './loop.js';

/** The work of the jobs. At the signal, they return early, at a point where nothing is half done. */
export interface JobHandlers {
  reconcile(group: number, stop: AbortSignal): Promise<unknown>;
  expire(stop: AbortSignal): Promise<unknown>;
}

/** The runner of the jobs. */
export interface JobParts {
  /** A connection that waits for Redis without a time limit. It is closed with the jobs. */
  readonly connection: Redis | Cluster;
  readonly handlers: JobHandlers;
  readonly log: Logger;
  readonly observer: Pick<WorkerObserver, 'jobFailed'>;
  /** Time between two reconciliations of a group, ms. */
  readonly reconcileEveryMs: number;
}

/** Running jobs. */
export interface Jobs {
  /** Has groups reconciled soon, by whichever worker is free. */
  reconcileSoon(groups: readonly number[]): Promise<void>;
  /** Starts no more jobs. Ends the running jobs at the next point where nothing is half done. */
  close(): Promise<void>;
}

type WorkerJob = Job<{ readonly group: number }>;

const QUEUE = 'maintenance';
/** All keys have one hash tag. BullMQ's scripts use all keys of a queue at once, on a cluster too. */
const PREFIX = '{vitruvia}';
const EXPIRE_EVERY_MS = 60_000;
/** How long a worker waits before it asks again if there was no job. */
const POLL_MS = 1000;
/** A worker checks at this interval that the schedules exist. An emptied Redis has lost them. */
const CHECK_SCHEDULES_MS = 5000;
/** One schedule per group, and one for expiry. */
const SCHEDULES = allGroups().length + 1;
/** Jobs that one worker runs at once. */
const CONCURRENCY = 4;
/** After this time, another worker takes over the job of a killed worker. */
const LOCK_MS = 15_000;
const CLOSE_MAX_MS = 8000;
const RETRIES: JobSchedulerTemplateOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: true,
  removeOnFail: { count: 100 },
};

/**
 * Starts to run reconciliation and expiry, together with any number of other workers. Loops of our
 * own fetch the jobs. BullMQ's loop would repeat a fetch that Redis refuses (OOM, MISCONF) at once,
 * thousands of times a second.
 */
export function startJobs(parts: JobParts): Jobs {
  const { connection, log } = parts;
  const stop = new AbortController();
  const queue = new Queue(QUEUE, {
    connection,
    prefix: PREFIX,
    streams: { events: { maxLen: 100 } },
  });
  const worker = new Worker<{ readonly group: number }>(QUEUE, null, {
    connection,
    prefix: PREFIX,
    stalledInterval: 5000,
    lockDuration: LOCK_MS,
    maxStalledCount: 10,
  });
  const onFailure = throttledLog<unknown>((err, omitted) => {
    if (!stop.signal.aborted) log.warn({ err, omitted }, 'the job queue cannot use Redis');
  });
  queue.on('error', onFailure);
  worker.on('error', onFailure);
  void worker.startStalledCheckTimer();
  const loops = [
    runLoop(stop.signal, scheduleKeeper(queue, parts.reconcileEveryMs), onFailure),
    ...Array.from({ length: CONCURRENCY }, () =>
      runLoop(stop.signal, () => runJobs(worker, parts, stop.signal), onFailure),
    ),
  ];
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
      stop.abort();
      const closing = Promise.all(loops).then(() =>
        Promise.allSettled([worker.close(), queue.close()]),
      );
      // Without Redis, a job cannot be given back. Its lock expires by itself.
      if (connection.status === 'ready') await Promise.race([closing, timeout(CLOSE_MAX_MS)]);
      connection.disconnect();
    },
  };
}

/** Runs jobs until there is none; returns the pause, ms. */
async function runJobs(
  worker: Worker<{ readonly group: number }>,
  parts: JobParts,
  stop: AbortSignal,
): Promise<number> {
  while (!stop.aborted) {
    const token = randomUUID();
    const job = await worker.getNextJob(token, { block: false });
    // There may be no job, although the type does not say so.
    if ((job as WorkerJob | undefined) === undefined) break;
    await runJob(job, token, parts, stop);
  }
  return POLL_MS;
}

async function runJob(
  job: WorkerJob,
  token: string,
  { handlers, log, observer }: JobParts,
  stop: AbortSignal,
): Promise<void> {
  const renewal = setInterval(() => {
    // If its lock is lost, the job may run twice, which does no harm.
    job.extendLock(token, LOCK_MS).catch(() => undefined);
  }, LOCK_MS / 3);
  const { group } = job.data;
  try {
    if (job.name === 'expire') await handlers.expire(stop);
    else if (job.name === 'reconcile') await handlers.reconcile(group, stop);
  } catch (err) {
    observer.jobFailed(job.name);
    log.error({ err, job: job.name, group }, 'a job failed');
    await job.moveToFailed(err instanceof Error ? err : new Error(String(err)), token, false);
    return;
  } finally {
    clearInterval(renewal);
  }
  await job.moveToCompleted(undefined, token, false);
}

/** One turn of a loop. It schedules the jobs at first, and again whenever Redis has lost a schedule. */
function scheduleKeeper(queue: Queue, reconcileEveryMs: number): () => Promise<number> {
  let first = true;
  return async () => {
    if (first || (await queue.getJobSchedulersCount()) < SCHEDULES) {
      await scheduleJobs(queue, reconcileEveryMs);
      first = false;
    }
    return CHECK_SCHEDULES_MS;
  };
}

/** Adds the missing schedules. The others keep their times. */
async function scheduleJobs(queue: Queue, reconcileEveryMs: number): Promise<void> {
  const schedule = (id: string, every: number, name: string, group?: number) =>
    queue.upsertJobScheduler(id, { every }, { name, data: { group }, opts: RETRIES });
  await Promise.all([
    ...allGroups().map((group) =>
      schedule(`reconcile-${group}`, reconcileEveryMs, 'reconcile', group),
    ),
    schedule('expire', EXPIRE_EVERY_MS, 'expire'),
    // Of workers from before 2026-11-26.
    queue.removeJobScheduler('partition'),
  ]);
}

function timeout(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** Rows that one statement deletes. They are so few that nobody waits long for their locks. */
const BATCH_ROWS = 2000;

/**
 * Deletes idempotent answers older than 24 hours, some rows at a time.
 *
 * @param stop ends the deletion after the current statement
 * @returns number of deleted answers
 */
export async function expireAnswers(
  db: Database,
  nowMs: number,
  stop?: AbortSignal,
): Promise<number> {
  let answers = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from idempotent_answers where ctid = any(array(
        select ctid from idempotent_answers where at_ms <= ${nowMs - IDEMPOTENCY_TTL_MS}
        order by at_ms limit ${BATCH_ROWS} for update skip locked))`.execute(db);
    answers += Number(numAffectedRows);
    if (numAffectedRows < BATCH_ROWS || stop?.aborted) return answers;
  }
}
