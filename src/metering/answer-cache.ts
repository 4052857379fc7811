import { LRUCache } from 'lru-cache';
import type { ComputeResult } from '../compute/tasks.js';

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
