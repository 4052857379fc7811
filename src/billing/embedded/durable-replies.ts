/** Flushes the log to the disk; calls back with the error when it could not. */
export type Flush = (done: (error: Error | null) => void) => void;

/** Flushes under way at once: as many as libuv has threads for file operations by default. */
const FLUSHES_MAX = 4;

interface Held<Reply> {
  readonly reply: Reply;
  /** The reply may go once this many writes are on the disk. */
  readonly writes: number;
}

/**
 * Holds replies back until what they tell of is on the disk, and lets them out in the order they
 * came. A flush covers every write made before it began. A few flushes overlap, so a slow disk
 * delays replies without holding up the commits behind them; beyond that, writes share a flush.
 */
export class DurableReplies<Reply> {
  readonly #flush: Flush;
  readonly #say: (reply: Reply) => void;
  readonly #fail: (error: Error) => void;
  readonly #held: Held<Reply>[] = [];
  #writes = 0;
  #covered = 0;
  #durable = 0;
  #flushing = 0;
  #failed = false;

  /**
   * @param fail called once when a flush failed: nothing may be said any more, for nobody knows
   *   what of it will survive
   */
  constructor(flush: Flush, say: (reply: Reply) => void, fail: (error: Error) => void) {
    this.#flush = flush;
    this.#say = say;
    this.#fail = fail;
  }

  /** Says a reply once it is durable; one that tells of no write waits for its turn only. */
  add(reply: Reply, wrote: boolean): void {
    if (wrote) this.#writes += 1;
    this.#held.push({ reply, writes: this.#writes });
    if (wrote) this.#start();
    else this.#release();
  }

  /** True when nothing is held back. */
  get idle(): boolean {
    return this.#held.length === 0;
  }

  #start(): void {
    if (this.#covered === this.#writes || this.#flushing >= FLUSHES_MAX || this.#failed) return;
    const covered = this.#writes;
    this.#covered = covered;
    this.#flushing += 1;
    this.#flush((error) => {
      this.#flushing -= 1;
      if (this.#failed) return;
      if (error !== null) {
        this.#failed = true;
        this.#fail(error);
        return;
      }
      this.#durable = Math.max(this.#durable, covered);
      this.#release();
      this.#start();
    });
  }

  #release(): void {
    if (this.#failed) return;
    let count = 0;
    for (const { reply, writes } of this.#held) {
      if (writes > this.#durable) break;
      count += 1;
      this.#say(reply);
    }
    this.#held.splice(0, count);
  }
}
