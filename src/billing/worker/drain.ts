import { setMaxListeners } from 'node:events';
import type { Cluster, Redis } from 'ioredis';
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { throttledLog } from '../../core/throttled-log.js';
import { isDataError } from '../../database/errors.js';
import type { Database, Schema } from '../../database/schema.js';
import { type Booked, bookCharges, bookInPieces } from '../../ledger/book-charges.js';
import { dateFreeUses } from '../../ledger/free-use-dates.js';
import type { UsageEvent } from '../redis/event.js';
import { allGroups, partitionsOf, tryLockGroup } from './groups.js';
import { runLoop } from './loop.js';
import {
  reachableStreams,
  readStream,
  type StreamEntry,
  type StreamStatus,
  trimStream,
} from './streams.js';

/** A committed batch. */
export interface CommittedBatch {
  /** Events booked by it. */
  readonly booked: number;
  /** Events that were in the ledger before. */
  readonly known: number;
  /** Credits forgiven by corrections. */
  readonly forgiven: number;
  /** Events that went to the dead letters. */
  readonly dead: number;
  readonly seconds: number;
}

/** Is told what the worker does, for its metrics. */
export interface WorkerObserver {
  /** A batch is in the ledger. Its events are still in their streams. */
  batchCommitted(batch: CommittedBatch): void;
  /** A number in Redis differed from the ledger and the events, and was repaired. */
  driftRepaired(counter: string): void;
  /** A drain failed, or an attempt at a job. */
  jobFailed(job: string): void;
}

/** Dependencies of a drain. */
export interface DrainParts {
  readonly db: Database;
  readonly redis: Redis | Cluster;
  readonly log: Logger;
  readonly observer: WorkerObserver;
  /**
   * How long an event stays in Redis before it is booked, ms. A Redis that restarts from its
   * append-only file loses about the last second, and the ledger must not hold anything that Redis
   * has lost.
   */
  readonly lagMs: number;
  /** Called when the data of a partition in Redis have a new generation. */
  readonly onNewGeneration?: ((group: number) => void) | undefined;
}

/** Result of one call of `drainGroup`. */
export interface Drained {
  /** Events booked. */
  readonly events: number;
  /** The batch was full, so more events may be due. */
  readonly more: boolean;
}

/** Pause between two checks of a group that has nothing due, ms. */
const IDLE_PAUSE_MS = 500;
/** Number of groups that one worker drains at once. Each holds a transaction and a batch in memory. */
const CONCURRENCY = 4;
const NOTHING: Drained = { events: 0, more: false };
/** Maximum number of events booked in one transaction. More would save little and hold locks for longer. */
const BATCH_EVENTS = 4000;

/** An entry that cannot be booked, and why. */
interface DeadEntry {
  readonly entry: StreamEntry;
  readonly reason: string;
}

interface Batch {
  readonly entries: readonly StreamEntry[];
  readonly booked: Booked;
  readonly dead: readonly DeadEntry[];
  /** More events may be due. */
  readonly full: boolean;
}

/**
 * Moves usage events from Redis into the ledger, each exactly once. A batch is booked in one
 * transaction under the group's lock. It is removed from the streams only after the commit. If a
 * worker dies in between, the next worker finds the causes of these events in the ledger.
 */
export class Drain {
  readonly #parts: DrainParts;
  readonly #generations = new Map<number, string>();

  constructor(parts: DrainParts) {
    this.#parts = parts;
  }

  /**
   * Books one batch of the group's events that are due. Does nothing while another worker has the
   * group's lock.
   *
   * @throws the error of PostgreSQL or Redis; the remaining events stay in the streams. If nodes of
   * a cluster are away, the events on the other nodes are booked first
   */
  async drainGroup(group: number): Promise<Drained> {
    const { redis, lagMs } = this.#parts;
    const { streams, fault } = await reachableStreams(redis, partitionsOf(group), lagMs);
    this.#watchGenerations(group, streams);
    const due = streams.filter(({ dueUpTo }) => dueUpTo !== undefined);
    const batch = due.length === 0 ? undefined : await this.#drainBatch(group, due);
    const more = batch?.full ?? false;
    if (fault !== undefined && !more) throw fault;
    return { events: batch?.booked.booked ?? 0, more };
  }

  async #drainBatch(group: number, streams: readonly StreamStatus[]): Promise<Batch | undefined> {
    const { log } = this.#parts;
    const startedMs = performance.now();
    const batch = await this.#commitBatch(group, streams);
    if (batch === undefined) return undefined;
    const { booked, known, forgiven } = batch.booked;
    const { dead } = batch;
    const seconds = (performance.now() - startedMs) / 1000;
    this.#parts.observer.batchCommitted({ booked, known, forgiven, dead: dead.length, seconds });
    if (forgiven > 0) log.warn({ group, credits: forgiven }, 'forgave charges beyond a balance');
    for (const { entry, reason } of dead) {
      const { partition, streamId } = entry;
      log.error({ partition, stream_id: streamId, reason }, 'an event went to the dead letters');
    }
    await this.#trim(streams, batch.entries);
    return batch;
  }

  async #commitBatch(group: number, streams: readonly StreamStatus[]): Promise<Batch | undefined> {
    try {
      return await this.#book(group, streams, bookCharges);
    } catch (error) {
      if (!isDataError(error)) throw error;
      const fault = { group, err: error };
      this.#parts.log.warn(fault, 'a batch cannot be booked as a whole and is booked in pieces');
      return await this.#book(group, streams, bookInPieces);
    }
  }

  async #book(
    group: number,
    streams: readonly StreamStatus[],
    book: (trx: Transaction<Schema>, events: readonly UsageEvent[]) => Promise<Booked>,
  ): Promise<Batch | undefined> {
    const { db, redis } = this.#parts;
    const shares = sharesOf(streams);
    return await db.transaction().execute(async (trx) => {
      if (!(await tryLockGroup(trx, group))) return undefined;
      const lists = await Promise.all(
        streams.map(({ partition, dueUpTo = '-' }, index) =>
          readStream(redis, partition, '-', dueUpTo, shares[index] ?? 1),
        ),
      );
      const entries = lists.flat();
      const booked = await book(
        trx,
        entries.flatMap(({ event }) => event ?? []),
      );
      // Comes after the charges, which hold the uses. After the clock was set back, no use gets one
      // of these dates any more.
      for (const { dated } of entries) if (dated !== undefined) await dateFreeUses(trx, dated);
      const dead = deadEntries(entries, booked);
      await storeDeadLetters(trx, dead);
      return {
        entries,
        booked,
        dead,
        full: lists.some(({ length }, index) => length === shares[index]),
      };
    });
  }

  async #trim(streams: readonly StreamStatus[], entries: readonly StreamEntry[]): Promise<void> {
    const last = new Map(entries.map(({ partition, streamId }) => [partition, streamId]));
    await Promise.all(
      streams.map(async ({ partition, generation = '' }) => {
        const id = last.get(partition);
        if (id !== undefined) await trimStream(this.#parts.redis, partition, generation, id);
      }),
    );
  }

  #watchGenerations(group: number, streams: readonly StreamStatus[]): void {
    let changed = false;
    for (const { partition, generation } of streams) {
      const before = this.#generations.get(partition);
      if (generation === undefined) continue;
      if (before !== undefined && before !== generation) changed = true;
      this.#generations.set(partition, generation);
    }
    if (changed) this.#parts.onNewGeneration?.(group);
  }
}

/** Number of events that a batch takes from each stream, in proportion to the length of the stream. */
function sharesOf(streams: readonly StreamStatus[]): readonly number[] {
  const waiting = streams.reduce((sum, { events }) => sum + events, 0);
  const part = BATCH_EVENTS / Math.max(waiting, 1);
  return streams.map(({ events }) => (part < 1 ? Math.ceil(events * part) : BATCH_EVENTS));
}

/** The entries that cannot be read or booked. */
function deadEntries(entries: readonly StreamEntry[], { dead }: Booked): readonly DeadEntry[] {
  const reasons = new Map(dead.map(({ charge, reason }) => [charge, reason]));
  return entries.flatMap((entry) => {
    const reason = entry.fault ?? (entry.event && reasons.get(entry.event));
    return reason === undefined ? [] : [{ entry, reason }];
  });
}

/** Stores entries for the operator to look at. An entry that was stored before stays as it is. */
async function storeDeadLetters(
  trx: Transaction<Schema>,
  dead: readonly DeadEntry[],
): Promise<void> {
  if (dead.length === 0) return;
  const nowMs = Date.now();
  const rows = dead.map(({ entry: { partition, streamId, fields }, reason }) => ({
    at_ms: nowMs,
    partition,
    event_id: streamId,
    event_json: JSON.stringify(fields),
    // Text in PostgreSQL cannot hold NUL, and a reason may quote the event.
    error: reason.replaceAll('\0', '\\0'),
  }));
  await trx
    .insertInto('dead_letters')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['partition', 'event_id']).doNothing())
    .execute();
}

/**
 * Drains every group until the signal aborts, in one loop per group. Any number of workers may do
 * so: the locks of the groups keep them apart. A group that cannot be drained delays only itself.
 *
 * @returns a promise that resolves when the batches under way have ended
 */
export async function runDrains(
  drain: Drain,
  { log, observer }: Pick<DrainParts, 'log' | 'observer'>,
  stop: AbortSignal,
): Promise<void> {
  const inTurn = limitConcurrency(CONCURRENCY);
  // Each loop listens to the signal. Without this limit, Node would warn at the eleventh listener.
  setMaxListeners(0, stop);
  const logFailure = throttledLog<unknown>((err, omitted) =>
    log.error({ err, omitted }, 'a drain failed'),
  );
  const onFailure = (error: unknown) => {
    observer.jobFailed('drain');
    logFailure(error);
  };
  const loops = allGroups().map((group) => {
    const turn = async () => {
      // The turn may come long after the wait began, so the signal is checked again.
      const drained = await inTurn(async () => (stop.aborted ? NOTHING : drain.drainGroup(group)));
      return drained.more ? 0 : IDLE_PAUSE_MS;
    };
    return runLoop(stop, turn, onFailure);
  });
  await Promise.all(loops);
}

/** Runs at most `max` tasks at once. The others wait: first come, first served. */
function limitConcurrency(max: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let free = max;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
