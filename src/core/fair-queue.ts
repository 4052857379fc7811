/** Work that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs few pieces of work at a time. Those who ask take turns. If too many pieces wait, the last piece of who asks for
 * the most is refused, so who asks for much delays and displaces only its own work.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #refusal: () => Error;
  /** By who asks, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #running = 0;

  /** @param refusal makes the error of refused work */
  constructor(
    atOnce: number,
    waitingMax = Number.POSITIVE_INFINITY,
    refusal = () => new Error('too many wait'),
  ) {
    this.#atOnce = atOnce;
    this.#waitingMax = waitingMax;
    this.#refusal = refusal;
  }

  /** Whether work of somebody would be refused now. */
  isFull(who = ''): boolean {
    return !this.#hasRoom() && this.#longest(who) === undefined;
  }

  /**
   * Runs work in its turn.
   *
   * @throws the refusal
   */
  async run<Result>(work: () => Promise<Result>, who = ''): Promise<Result> {
    if (this.#running >= this.#atOnce) await this.#wait(who);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #hasRoom(): boolean {
    let waiting = 0;
    for (const own of this.#waiting.values()) waiting += own.length;
    return waiting < this.#waitingMax;
  }

  /** The longest queue, if it is longer than the caller's own queue would be with one more piece. */
  #longest(who: string): Waiting[] | undefined {
    const own = this.#waiting.get(who)?.length ?? 0;
    let most: Waiting[] = [];
    for (const one of this.#waiting.values()) if (one.length > most.length) most = one;
    return most.length > own + 1 ? most : undefined;
  }

  async #wait(who: string): Promise<void> {
    if (!this.#hasRoom()) {
      const displaced = this.#longest(who)?.pop();
      if (displaced === undefined) throw this.#refusal();
      displaced.refuse(this.#refusal());
    }
    await new Promise<void>((begin, refuse) => {
      const own = this.#waiting.get(who);
      if (own === undefined) this.#waiting.set(who, [{ begin, refuse }]);
      else own.push({ begin, refuse });
    });
  }

  /** Finished work gives its place to the next in the queue. */
  #passOn(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#running--;
      return;
    }
    const [who, own] = first;
    const next = own.shift();
    this.#waiting.delete(who);
    if (own.length > 0) this.#waiting.set(who, own);
    next?.begin();
  }
}
