import { Cluster, Command, type Redis } from 'ioredis';
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
/** Partitions that one script call reads. Redis does nothing else meanwhile, which takes about 0.1 ms. */
const PARTITIONS_PER_CALL = 64;
/** The latest time JavaScript's Date can represent. */
const LAST_MS = 8.64e15;

/**
 * Reads the status of the partitions' streams.
 *
 * @param lagMs age at which an event is due to be drained
 * @throws the error of Redis
 */
export async function streamStatus(
  redis: Redis | Cluster,
  partitions: readonly number[],
  lagMs: number,
): Promise<readonly StreamStatus[]> {
  const { streams, fault } = await reachableStreams(redis, partitions, lagMs);
  if (fault !== undefined) throw fault;
  return streams;
}

/**
 * Reads the status of the partitions' streams, without those of lost nodes. One call reads at most 64 partitions of a
 * node, so the 1,024 partitions take 16 calls, and on a cluster at most one more for each further master.
 *
 * @param lagMs age at which an event is due to be drained
 * @returns the streams, and the error of a lost node
 */
export async function reachableStreams(
  redis: Redis | Cluster,
  partitions: readonly number[],
  lagMs: number,
): Promise<Reachable> {
  const calls = nodesOf(redis, partitions).flatMap(([node, own]) => {
    const chunks: Promise<Reachable>[] = [];
    for (let at = 0; at < own.length; at += PARTITIONS_PER_CALL) {
      chunks.push(statusOnNode(redis, node, own.slice(at, at + PARTITIONS_PER_CALL), lagMs));
    }
    return chunks;
  });
  return together(await Promise.all(calls));
}

/** Streams that could be read, and the error of one that could not. */
interface Reachable {
  readonly streams: readonly StreamStatus[];
  readonly fault?: Error | undefined;
}

function together(parts: readonly Reachable[]): Reachable {
  return {
    streams: parts.flatMap(({ streams }) => streams),
    fault: parts.find(({ fault }) => fault !== undefined)?.fault,
  };
}

/** The partitions by the node that has them; undefined for slots without a known node. */
function nodesOf(
  redis: Redis | Cluster,
  partitions: readonly number[],
): readonly (readonly [Redis | undefined, readonly number[]])[] {
  if (!(redis instanceof Cluster)) return [[redis, partitions]];
  const masters = new Map(
    redis.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]),
  );
  const nodes = new Map<Redis | undefined, number[]>();
  for (const partition of partitions) {
    const slot = new Command('xlen', [eventsKey(partition)]).getSlot();
    const node = masters.get(redis.slots[slot]?.[0] ?? '');
    const own = nodes.get(node);
    if (own === undefined) nodes.set(node, [partition]);
    else own.push(partition);
  }
  return [...nodes];
}

async function statusOnNode(
  redis: Redis | Cluster,
  node: Redis | undefined,
  partitions: readonly number[],
  lagMs: number,
): Promise<Reachable> {
  if (node !== undefined) {
    try {
      // As arguments, because a cluster refuses keys of several slots.
      const args = [lagMs, ...partitions.flatMap(keysOf)];
      return { streams: decodeStatus(partitions, await runScript(node, status, [], args)) };
    } catch (fault) {
      const moved = redis instanceof Cluster && /non local key/.test((fault as Error).message);
      if (!moved) return { streams: [], fault: fault as Error };
    }
  }
  // A slot has moved to another node, or moves now. In turn, because the client follows no slot in a pipeline.
  const parts: Reachable[] = [];
  for (const partition of partitions) parts.push(await statusOfOne(redis, partition, lagMs));
  return together(parts);
}

async function statusOfOne(
  redis: Redis | Cluster,
  partition: number,
  lagMs: number,
): Promise<Reachable> {
  try {
    const reply = await runScript(redis, status, keysOf(partition), [lagMs]);
    return { streams: decodeStatus([partition], reply) };
  } catch (fault) {
    return { streams: [], fault: fault as Error };
  }
}

function keysOf(partition: number): readonly string[] {
  return [stateKey(partition), eventsKey(partition)];
}

function decodeStatus(partitions: readonly number[], reply: unknown): readonly StreamStatus[] {
  const fields = reply as (string | number)[];
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
