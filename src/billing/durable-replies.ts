/** Flushes the log to the disk; calls back with the error when it could not. */
export type Flush = (done: (error: Error | null) => void) => void;

interface Held<Reply> {
  readonly reply: Reply;
  durable: boolean;
}

/**
 * Holds replies back until what they tell of is on the disk, and lets them out in the order they
 * came. Flushes overlap: one begun after a commit covers that commit and all before it, so a slow
 * disk delays replies without holding up the commits behind them.
 */
export class DurableReplies<Reply> {
  readonly #flush: Flush;
  readonly #say: (reply: Reply) => void;
  readonly #fail: (error: Error) => void;
  readonly #held: Held<Reply>[] = [];

  /**
   * @param fail called when a flush failed: nothing held may be said any more, for nobody knows
   *   what of it will survive
   */
  constructor(flush: Flush, say: (reply: Reply) => void, fail: (error: Error) => void) {
    this.#flush = flush;
    this.#say = say;
    this.#fail = fail;
  }

  /** Says a reply once it is durable; one that tells of no write waits for its turn only. */
  add(reply: Reply, wrote: boolean): void {
    const held = { reply, durable: !wrote };
    this.#held.push(held);
    if (!wrote) {
      this.#release();
      return;
    }
    this.#flush((error) => {
      if (error !== null) {
        this.#held.length = 0;
        this.#fail(error);
        return;
      }
      held.durable = true;
      this.#release();
    });
  }

  /** True when nothing is held back. */
  get idle(): boolean {
    return this.#held.length === 0;
  }

  #release(): void {
    while (this.#held[0]?.durable === true) {
      const [first] = this.#held.splice(0, 1);
      if (first !== undefined) this.#say(first.reply);
    }
  }
}
