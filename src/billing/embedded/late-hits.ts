import type { GateStep } from '../gate.js';

/** How long hits are collected. A crash forgets those of this time. */
const COLLECT_MS = 50;

/** Books the hits of a key in one step. */
type Book = (keyId: string, atMs: number, step: GateStep) => void;

interface Collected {
  readonly step: GateStep;
  /** Time of the last hit. The rate limit is then never wider after a restart. */
  atMs: number;
  hits: number;
}

/**
 * Collects the hits of refused requests, which are booked in the background: one step for each key,
 * 20 times a second. So a refusal neither waits for the writer nor makes work for it.
 */
export class LateHits {
  readonly #book: Book;
  readonly #keys = new Map<string, Collected>();
  #timer: NodeJS.Timeout | undefined;

  constructor(book: Book) {
    this.#book = book;
  }

  /** Adds the hits of a step to those of its key. */
  add(keyId: string, atMs: number, step: GateStep): void {
    const known = this.#keys.get(keyId);
    if (known === undefined) this.#keys.set(keyId, { step, atMs, hits: step.hits });
    else {
      known.atMs = atMs;
      known.hits += step.hits;
    }
    this.#timer ??= setTimeout(() => this.flush(), COLLECT_MS);
  }

  /** Books what is collected. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [keyId, { step, atMs, hits }] of this.#keys) {
      this.#book(keyId, atMs, { ...step, hits });
    }
    this.#keys.clear();
  }
}
