/** Limits of the exports of a process. */
export interface ExportLimits {
  /** Maximum number of exports that are open at the same time. */
  readonly openMax: number;
  /** Maximum number of pieces that are read from the database at the same time. */
  readonly readingMax: number;
  /** A reader must take each piece, about 100 kB, within this time. */
  readonly writeTimeoutMs: number;
}

const DEFAULTS: ExportLimits = { openMax: 100, readingMax: 2, writeTimeoutMs: 30_000 };

/** An export that was admitted; its place is free again once it is aborted. */
export type OpenExport = AbortController;

/**
 * Lets the exports of all accounts read in turn, one piece each. An account has at most one export.
 * An export whose reader is slow takes no turns, so it delays no other. Turns are given in the order
 * in which they are asked for, so that each account gets as many as any other.
 */
export class ExportTurns {
  readonly #limits: ExportLimits;
  readonly #open = new Map<string, OpenExport>();
  readonly #waiting: (() => void)[] = [];
  #reading = 0;

  constructor(limits: Partial<ExportLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** Admits an export; otherwise says whether the account has one, or all places are taken. */
  open(accountId: string): OpenExport | 'account_busy' | 'full' {
    if (this.#open.has(accountId)) return 'account_busy';
    if (this.#open.size >= this.#limits.openMax) return 'full';
    const opened = new AbortController();
    this.#open.set(accountId, opened);
    opened.signal.addEventListener('abort', () => this.#open.delete(accountId));
    return opened;
  }

  /**
   * The pieces of an export, each read in its turn. They end early when the export is aborted.
   *
   * @param cut is called when the reader has not taken a piece in time
   */
  async *pieces(
    { signal }: OpenExport,
    source: AsyncGenerator<string>,
    cut: () => void,
  ): AsyncGenerator<string> {
    const timer = setTimeout(cut, this.#limits.writeTimeoutMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
    try {
      for (;;) {
        const piece = await this.#inTurn(() => (signal.aborted ? undefined : source.next()));
        // Neither the wait for a turn nor the database counts as time of the reader.
        timer.refresh();
        if (signal.aborted || piece === undefined || piece.done === true) return;
        yield piece.value;
      }
    } finally {
      await source.return(undefined);
    }
  }

  async #inTurn<Result>(read: () => Promise<Result> | undefined): Promise<Result | undefined> {
    if (this.#reading < this.#limits.readingMax) this.#reading++;
    // The export that ends its turn passes it on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#reading--;
      else next();
    }
  }
}
