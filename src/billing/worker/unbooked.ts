import type { Cluster, Redis } from 'ioredis';
import { type Mode, PARTITIONS } from '../../core/billing-terms.js';
import { readStream, type StreamStatus, streamStatus } from './streams.js';

/** Usage events that no worker has booked in the ledger yet. */
export interface Backlog {
  readonly events: number;
  /** Age of the oldest event in seconds; 0 if there is none. */
  readonly ageSeconds: number;
}

/** Charges that no worker has booked in the ledger yet. */
export interface Unbooked extends Backlog {
  readonly credits: number;
  readonly freeCalls: number;
}

/** The account whose charges are counted. */
export interface ChargeOwner {
  readonly accountId: string;
  readonly partition: number;
}

const PAGE_EVENTS = 1000;

/**
 * Number and age of the events that are not in the ledger yet, over all streams.
 *
 * @throws the error of Redis
 */
export async function backlogOf(redis: Redis | Cluster): Promise<Backlog> {
  const { events, ageSeconds } = sumOf(await allStreams(redis));
  return { events, ageSeconds };
}

/**
 * Charges that are not in the ledger yet: of one account in a mode, or of all accounts. Reads their
 * events.
 *
 * @throws the error of Redis
 */
export async function unbookedCharges(
  redis: Redis | Cluster,
  owner?: ChargeOwner & { readonly mode: Mode },
): Promise<Unbooked> {
  const streams =
    owner === undefined ? await allStreams(redis) : await streamStatus(redis, [owner.partition], 0);
  let [events, credits, freeCalls] = [0, 0, 0];
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const { partition } of streams.filter((stream) => stream.events > 0)) {
    for (let from = '-'; ; ) {
      const page = await readStream(redis, partition, from, '+', PAGE_EVENTS);
      for (const { event } of page) {
        const counts =
          event !== undefined &&
          (owner === undefined ||
            (event.accountId === owner.accountId && event.mode === owner.mode));
        if (!counts) continue;
        events += 1;
        credits += event.credits;
        freeCalls += event.freeCalls;
        oldestMs = Math.min(oldestMs, Number.parseInt(event.id, 10));
      }
      if (page.length < PAGE_EVENTS) break;
      from = `(${page.at(-1)?.streamId}`;
    }
  }
  return { events, credits, freeCalls, ageSeconds: ageOf(oldestMs) };
}

function allStreams(redis: Redis | Cluster): Promise<readonly StreamStatus[]> {
  return streamStatus(redis, [...Array(PARTITIONS).keys()], 0);
}

function sumOf(streams: readonly StreamStatus[]): Backlog {
  const oldestMs = streams.map((stream) => stream.oldestMs ?? Number.POSITIVE_INFINITY);
  return {
    events: streams.reduce((sum, { events }) => sum + events, 0),
    ageSeconds: ageOf(Math.min(...oldestMs)),
  };
}

/** Seconds since a moment; 0 without a moment, and for a moment in the future. */
function ageOf(atMs: number): number {
  return Math.max(0, Date.now() - atMs) / 1000;
}
