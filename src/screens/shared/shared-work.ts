interface UnderWay<Result> {
  readonly result: Promise<Result>;
  readonly left: AbortController;
  /** Requests that wait for it. */
  waiting: number;
}

/** Work that equal requests share while it is under way. */
export class SharedWork<Result> {
  readonly #underWay = new Map<string, UnderWay<Result>>();

  get size(): number {
    return this.#underWay.size;
  }

  has(key: string): boolean {
    return this.#underWay.has(key);
  }

  /**
   * The result of the work of a key.
   *
   * @param begin begins the work if it is not under way; its signal is aborted when all requests have left
   * @param left aborted when this request has left
   */
  async resultOf(
    key: string,
    begin: (left: AbortSignal) => Promise<Result>,
    left: AbortSignal | undefined,
  ): Promise<Result> {
    const work = this.#underWay.get(key) ?? begun(begin);
    this.#underWay.set(key, work);
    const end = () => void (this.#underWay.get(key) === work && this.#underWay.delete(key));
    const leave = () => {
      work.waiting -= 1;
      if (work.waiting > 0) return;
      work.left.abort();
      end();
    };
    work.waiting += 1;
    left?.addEventListener('abort', leave, { once: true });
    if (left?.aborted === true) leave();
    try {
      return await work.result;
    } finally {
      left?.removeEventListener('abort', leave);
      end();
    }
  }
}

function begun<Result>(begin: (left: AbortSignal) => Promise<Result>): UnderWay<Result> {
  const left = new AbortController();
  return { result: begin(left.signal), left, waiting: 0 };
}
