import { Cluster, type Redis } from 'ioredis';
import { decodeEvent, type UsageEvent } from '../redis/event.js';
import { eventsKey, stateKey } from '../redis/keys.js';
import { loadScript, runScript } from './scripts.js';

/** What is known of a partition's stream. */
export interface StreamState {
  readonly partition: number;
  /** Undefined for a partition Redis holds nothing of. */
  readonly generation: string | undefined;
  readonly events: number;
  /** When the oldest event came, by Redis' clock. */
  readonly oldestMs: number | undefined;
  /** Id of the last event old enough to be drained. */
  readonly ripeTo: string | undefined;
}

/** An entry as it came from a stream; `event` is undefined when it cannot be read. */
export interface StreamEntry {
  readonly partition: number;
  readonly streamId: string;
  readonly fields: readonly string[];
  readonly event: UsageEvent | undefined;
  /** What is wrong with it. */
  readonly fault: string | undefined;
}

const survey = loadScript(new URL('./scripts/survey.lua', import.meta.url));
const trim = loadScript(new URL('./scripts/trim.lua', import.meta.url));
const FIELDS_PER_PARTITION = 4;
/** The last moment JavaScript's Date can name. */
const LAST_MS = 8.64e15;

/**
 * Looks at the streams of partitions.
 *
 * @param lagMs age at which events may be drained
 */
export async function surveyStreams(
  redis: Redis | Cluster,
  partitions: readonly number[],
  lagMs: number,
): Promise<readonly StreamState[]> {
  // In a cluster one script may touch the keys of one partition only.
  const size = redis instanceof Cluster ? 1 : partitions.length;
  const chunks: (readonly number[])[] = [];
  for (let at = 0; at < partitions.length; at += size) chunks.push(partitions.slice(at, at + size));
  const replies = await Promise.all(
    chunks.map((chunk) => {
      const keys = chunk.flatMap((partition) => [stateKey(partition), eventsKey(partition)]);
      return runScript(redis, survey, keys, [lagMs]) as Promise<(string | number)[]>;
    }),
  );
  const fields = replies.flat();
  return partitions.map((partition, index) => {
    const [generation, events, oldest, ripeTo] = fields.slice(index * FIELDS_PER_PARTITION);
    return {
      partition,
      generation: generation === '' ? undefined : String(generation),
      events: Number(events),
      oldestMs: oldest === '' ? undefined : Number(oldest),
      ripeTo: ripeTo === '' ? undefined : String(ripeTo),
    };
  });
}

/**
 * The first entries of a stream, oldest first.
 *
 * @param from id of the first; `-` for the beginning, `(` before an id for the one after it
 * @param to id of the last one wanted; `+` for the end
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
    try {
      return { partition, streamId, fields, event: readEvent(streamId, fields), fault: undefined };
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      return { partition, streamId, fields, event: undefined, fault };
    }
  });
}

/**
 * Takes entries off a stream's front, up to one.
 *
 * @param last id of the last entry to go
 * @returns false when Redis has been emptied since, so that there is nothing of them
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
  throw new RangeError(`Event ${streamId} is of no day: ${event.atMs} ms since the epoch.`);
}
