import { Cluster, type Redis } from 'ioredis';
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { isDataError } from '../../database/errors.js';
import type { Database, Schema } from '../../database/schema.js';
import { type Booked, bookCharges, bookInPieces } from '../../ledger/book-charges.js';
import type { UsageEvent } from '../redis/event.js';
import { type DeadEntry, storeDeadLetters } from './dead-letters.js';
import { partitionsOf, tryLockGroup } from './groups.js';
import type { WorkerObserver } from './observer.js';
import {
  readStream,
  type StreamEntry,
  type StreamState,
  surveyStreams,
  trimStream,
} from './streams.js';

/** What a drain needs. */
export interface DrainParts {
  readonly db: Database;
  readonly redis: Redis | Cluster;
  readonly log: Logger;
  readonly observer: WorkerObserver;
  /**
   * How long an event lies in Redis before it is booked, ms. A Redis that restarts from its
   * append-only file goes back to a moment about a second ago: nothing younger may be in the ledger.
   */
  readonly lagMs: number;
  /** Told when a partition's data are found to be of another generation than before. */
  readonly onNewGeneration?: ((group: number) => void) | undefined;
}

/** A group whose events come in faster than they are booked must let others have a turn. */
const TURN_MS = 2000;
/** Events booked in one transaction: more save little, and hold locks for longer. */
const BATCH_EVENTS = 4000;

interface Batch {
  readonly entries: readonly StreamEntry[];
  readonly booked: Booked;
  readonly dead: readonly DeadEntry[];
  /** There may be more that is ripe. */
  readonly full: boolean;
}

/**
 * Moves usage events from Redis into the ledger, each exactly once: a batch is booked in one
 * transaction under the group's lock, and taken off the streams only when it is committed. A worker
 * that dies in between leaves events whose causes the next one finds in the ledger.
 */
export class Drain {
  readonly #parts: DrainParts;
  readonly #generations = new Map<number, string>();

  constructor(parts: DrainParts) {
    this.#parts = parts;
  }

  /**
   * Books what the group's streams hold that is old enough, or as much of it as fits into a turn;
   * leaves it to another worker that is at it already.
   *
   * @param stop ends it after the batch under way
   * @returns events booked
   * @throws what PostgreSQL or Redis report; then the rest stays in the streams. What the nodes of a
   *   cluster hold that are there has been booked all the same
   */
  async drainGroup(group: number, stop?: AbortSignal): Promise<number> {
    const untilMs = performance.now() + TURN_MS;
    let events = 0;
    for (;;) {
      const { streams, fault } = await this.#survey(group);
      this.#watchGenerations(group, streams);
      const ripe = streams.filter(({ ripeTo }) => ripeTo !== undefined);
      const batch = ripe.length === 0 ? undefined : await this.#drainBatch(group, ripe);
      events += batch?.booked.booked ?? 0;
      if (batch?.full && !stop?.aborted && performance.now() <= untilMs) continue;
      if (fault !== undefined) throw fault;
      return events;
    }
  }

  /** The streams there are; where a node of a cluster is away, those of the others, and the fault. */
  async #survey(group: number): Promise<{ streams: readonly StreamState[]; fault?: Error }> {
    const { redis, lagMs } = this.#parts;
    const partitions = partitionsOf(group);
    if (!(redis instanceof Cluster)) {
      return { streams: await surveyStreams(redis, partitions, lagMs) };
    }
    const looks = await Promise.allSettled(
      partitions.map((partition) => surveyStreams(redis, [partition], lagMs)),
    );
    const streams = looks.flatMap((look) => (look.status === 'fulfilled' ? look.value : []));
    const failed = looks.find((look) => look.status === 'rejected');
    return failed === undefined ? { streams } : { streams, fault: failed.reason };
  }

  async #drainBatch(group: number, streams: readonly StreamState[]): Promise<Batch | undefined> {
    const { log } = this.#parts;
    const startedMs = performance.now();
    const batch = await this.#commitBatch(group, streams);
    if (batch === undefined) return undefined;
    const { booked, known, forgiven } = batch.booked;
    const { dead } = batch;
    const seconds = (performance.now() - startedMs) / 1000;
    this.#parts.observer.batchCommitted({ booked, known, forgiven, dead: dead.length, seconds });
    if (forgiven > 0) log.warn({ group, credits: forgiven }, 'charges beyond a balance forgiven');
    for (const { entry, reason } of dead) {
      const { partition, streamId } = entry;
      log.error({ partition, stream_id: streamId, reason }, 'an event went to the dead letters');
    }
    await this.#trim(streams, batch.entries);
    return batch;
  }

  async #commitBatch(group: number, streams: readonly StreamState[]): Promise<Batch | undefined> {
    try {
      return await this.#book(group, streams, bookCharges);
    } catch (error) {
      if (!isDataError(error)) throw error;
      const fault = { group, err: error };
      this.#parts.log.warn(fault, 'a batch cannot be booked as a whole; booking it in pieces');
      return await this.#book(group, streams, bookInPieces);
    }
  }

  async #book(
    group: number,
    streams: readonly StreamState[],
    book: (trx: Transaction<Schema>, events: readonly UsageEvent[]) => Promise<Booked>,
  ): Promise<Batch | undefined> {
    const { db, redis } = this.#parts;
    const shares = sharesOf(streams);
    return await db.transaction().execute(async (trx) => {
      if (!(await tryLockGroup(trx, group))) return undefined;
      const lists = await Promise.all(
        streams.map(({ partition, ripeTo = '-' }, index) =>
          readStream(redis, partition, '-', ripeTo, shares[index] ?? 1),
        ),
      );
      const entries = lists.flat();
      const booked = await book(
        trx,
        entries.flatMap(({ event }) => event ?? []),
      );
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

  async #trim(streams: readonly StreamState[], entries: readonly StreamEntry[]): Promise<void> {
    const last = new Map(entries.map(({ partition, streamId }) => [partition, streamId]));
    await Promise.all(
      streams.map(async ({ partition, generation = '' }) => {
        const id = last.get(partition);
        if (id !== undefined) await trimStream(this.#parts.redis, partition, generation, id);
      }),
    );
  }

  #watchGenerations(group: number, streams: readonly StreamState[]): void {
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

/** How many events of each stream make a batch: as many as it has of all that wait. */
function sharesOf(streams: readonly StreamState[]): readonly number[] {
  const waiting = streams.reduce((sum, { events }) => sum + events, 0);
  const part = BATCH_EVENTS / Math.max(waiting, 1);
  return streams.map(({ events }) => (part < 1 ? Math.ceil(events * part) : BATCH_EVENTS));
}

/** Entries that cannot be read, and events that cannot be booked. */
function deadEntries(entries: readonly StreamEntry[], { dead }: Booked): readonly DeadEntry[] {
  const reasons = new Map(dead.map(({ charge, reason }) => [charge, reason]));
  return entries.flatMap((entry) => {
    const reason = entry.fault ?? (entry.event && reasons.get(entry.event));
    return reason === undefined ? [] : [{ entry, reason }];
  });
}
