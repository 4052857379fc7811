import { LRUCache } from 'lru-cache';
import type { ComputeResult } from './tasks.js';

/** Bytes of answers that a process keeps: 25 bodies as GLB. */
const BYTES_MAX = 8 * 1024 * 1024;
/** What an entry takes besides its answer. */
const ENTRY_BYTES = 1024;

/**
 * Keeps answers of operations that are requested repeatedly (`Operation.cached`), by everything
 * that they depend on. A kept answer saves the computation, and is charged like any other answer.
 * The least recently used answers are dropped.
 */
export class AnswerCache {
  readonly #answers: LRUCache<string, ComputeResult>;

  constructor(bytesMax = BYTES_MAX) {
    this.#answers = new LRUCache({ maxSize: bytesMax, sizeCalculation: sizeOf });
  }

  /** A kept answer; undefined for one that must be computed. */
  get(key: string): ComputeResult | undefined {
    return this.#answers.get(key);
  }

  /** Keeps an answer, but not a refusal or an answer of several chunks. */
  keep(key: string, result: ComputeResult): void {
    const isWhole = result.kind === 'answer' || (result.kind === 'chunk' && result.last);
    if (isWhole) this.#answers.set(key, result);
  }
}

function sizeOf(result: ComputeResult): number {
  if (result.kind === 'chunk') return ENTRY_BYTES + result.bytes.length;
  return ENTRY_BYTES + (result.kind === 'answer' ? 2 * result.json.length : 0);
}

/** A chunk of an answer. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/** How the sending of an answer ended: its last chunk was sent, its reader left, or an error occurred. */
export type StreamEnd =
  | { readonly kind: 'sent' | 'left' }
  | { readonly kind: 'failed'; error: unknown };

/**
 * The chunks of an answer in order. The next chunk is computed while the reader takes the chunk
 * before it. Nothing is computed further ahead, so a slow reader slows the computation down.
 *
 * @param compute makes a chunk by its number, 1 or more
 * @param ended called once, also when nobody reads
 */
export function chunksInOrder(
  first: Chunk,
  compute: (index: number) => Promise<Chunk>,
  ended: (end: StreamEnd) => void,
): AsyncIterableIterator<Uint8Array> {
  let ahead: Promise<Chunk> | undefined = Promise.resolve(first);
  let index = 0;
  let isOver = false;
  const finish = (end: StreamEnd) => {
    if (isOver) return;
    isOver = true;
    ended(end);
  };
  const done = { done: true, value: undefined } as const;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (ahead === undefined) finish({ kind: 'sent' });
      if (ahead === undefined || isOver) return done;
      try {
        const { bytes, last } = await ahead;
        ahead = last ? undefined : compute(++index);
        // The next call reports its error.
        ahead?.catch(() => undefined);
        return { done: false, value: bytes };
      } catch (error) {
        finish({ kind: 'failed', error });
        throw error;
      }
    },
    async return() {
      finish({ kind: 'left' });
      return done;
    },
  };
}
