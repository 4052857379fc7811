import { Cluster, type Redis } from 'ioredis';
import { type DatedUses, decodeDatedUses, decodeEvent, type UsageEvent } from '../redis/event.js';
import { eventsKey, stateKey } from '../redis/keys.js';
import { loadScript, runScript } from './scripts.js';

/** Status of a partition's event stream. */
export interface StreamStatus {
  readonly partition: number;
  /** Undefined for a partition of which Redis holds nothing. */
  readonly generation: string | undefined;
  readonly events: number;
  /** Time of the oldest event, by Redis' clock. */
  readonly oldestMs: number | undefined;
  /** Id of the last event old enough to be drained. */
  readonly dueUpTo: string | undefined;
}

/** An entry of a stream: a charge, or new dates of free uses. An entry that cannot be read has neither. */
export interface StreamEntry {
  readonly partition: number;
  readonly streamId: string;
  readonly fields: readonly string[];
  readonly event: UsageEvent | undefined;
  readonly dated: DatedUses | undefined;
  /** Why the entry cannot be read. */
  readonly fault: string | undefined;
}

const status = loadScript(new URL('./scripts/stream-status.lua', import.meta.url));
const trim = loadScript(new URL('./scripts/trim.lua', import.meta.url));
const FIELDS_PER_PARTITION = 4;
/** The latest time JavaScript's Date can represent. */
const LAST_MS = 8.64e15;

/**
 * Reads the status of the partitions' streams.
 *
 * @param lagMs age at which an event is due to be drained
 */
export async function streamStatus(
  redis: Redis | Cluster,
  partitions: readonly number[],
  lagMs: number,
): Promise<readonly StreamStatus[]> {
  // In a cluster, one script may use the keys of one partition only.
  const size = redis instanceof Cluster ? 1 : partitions.length;
  const chunks: (readonly number[])[] = [];
  for (let at = 0; at < partitions.length; at += size) chunks.push(partitions.slice(at, at + size));
  const replies = await Promise.all(
    chunks.map((chunk) => {
      const keys = chunk.flatMap((partition) => [stateKey(partition), eventsKey(partition)]);
      return runScript(redis, status, keys, [lagMs]) as Promise<(string | number)[]>;
    }),
  );
  const fields = replies.flat();
  return partitions.map((partition, index) => {
    const [generation, events, oldest, dueUpTo] = fields.slice(index * FIELDS_PER_PARTITION);
    return {
      partition,
      generation: generation === '' ? undefined : String(generation),
      events: Number(events),
      oldestMs: oldest === '' ? undefined : Number(oldest),
      dueUpTo: dueUpTo === '' ? undefined : String(dueUpTo),
    };
  });
}

/**
 * Reads the first entries of a stream, oldest first.
 *
 * @param from id of the first entry; `-` for the beginning, `(` before an id for the entry after it
 * @param to id of the last entry; `+` for the end
 */
export async function readStream(
  redis: Redis | Cluster,
  partition: number,
  from: string,
  to: string,
  count: number,
): Promise<readonly StreamEntry[]> {
  const entries = await redis.xrange(eventsKey(partition), from, to, 'COUNT', count);
  return entries.map(([streamId, fields]) => {
    const entry = { partition, streamId, fields, event: undefined, dated: undefined };
    try {
      const dated = decodeDatedUses(fields);
      const event = dated === undefined ? readEvent(streamId, fields) : undefined;
      return { ...entry, event, dated, fault: undefined };
    } catch (error) {
      return { ...entry, fault: error instanceof Error ? error.message : String(error) };
    }
  });
}

/**
 * Removes entries from the front of a stream, up to a given entry.
 *
 * @param last id of the last entry to remove
 * @returns false if Redis has been emptied since, so that the entries are gone already
 */
export async function trimStream(
  redis: Redis | Cluster,
  partition: number,
  generation: string,
  last: string,
): Promise<boolean> {
  const [ms, number] = last.split('-');
  const next = `${ms}-${BigInt(number ?? 0) + 1n}`;
  const keys = [stateKey(partition), eventsKey(partition)];
  return (await runScript(redis, trim, keys, [generation, next])) === 1;
}

function readEvent(streamId: string, fields: readonly string[]): UsageEvent {
  const event = decodeEvent(streamId, fields);
  if (event.atMs <= LAST_MS) return event;
  throw new RangeError(
    `Event ${streamId} has an impossible time: ${event.atMs} ms since the epoch.`,
  );
}
