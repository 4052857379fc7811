import { LRUCache } from 'lru-cache';
import type { ComputeResult } from './tasks.js';

/** Bytes of answers that a process keeps: 25 bodies as GLB. */
const BYTES_MAX = 8 * 1024 * 1024;
/** What an entry takes besides its answer. */
const ENTRY_BYTES = 1024;

/**
 * Answers of operations that are asked for again (`Operation.cached`), by everything that they depend on.
 * They save computing, and are charged like any other. The answers used last stay.
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

  /** Keeps an answer. A refusal, and an answer of several parts, is not kept. */
  keep(key: string, result: ComputeResult): void {
    const isWhole = result.kind === 'answer' || (result.kind === 'part' && result.last);
    if (isWhole) this.#answers.set(key, result);
  }
}

function sizeOf(result: ComputeResult): number {
  if (result.kind === 'part') return ENTRY_BYTES + result.bytes.length;
  return ENTRY_BYTES + (result.kind === 'answer' ? 2 * result.json.length : 0);
}

/** A part of an answer. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/** How the sending of an answer ended: with its last part, by its reader, or with an error. */
export type PartsEnd =
  | { readonly kind: 'sent' | 'left' }
  | { readonly kind: 'failed'; error: unknown };

/**
 * The parts of an answer in order. The next part is computed while its reader takes the one before it,
 * and no further: a slow reader slows the computation down.
 *
 * @param compute makes a part by its number, 1 or more
 * @param ended called once, also when nobody reads
 */
export function partsInOrder(
  first: Part,
  compute: (index: number) => Promise<Part>,
  ended: (end: PartsEnd) => void,
): AsyncIterableIterator<Uint8Array> {
  let ahead: Promise<Part> | undefined = Promise.resolve(first);
  let index = 0;
  let isOver = false;
  const finish = (end: PartsEnd) => {
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
