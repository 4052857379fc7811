import { FairQueue } from '../core/fair-queue.js';

/** Limits of the exports of a process. */
export interface ExportLimits {
  /** Maximum number of exports that are open at the same time. */
  readonly openMax: number;
  /** Maximum number of pieces that are read from the database at the same time. */
  readonly readingMax: number;
  /** Time in which a reader must take a piece of about 100 kB. */
  readonly writeTimeoutMs: number;
}

const DEFAULTS: ExportLimits = { openMax: 100, readingMax: 2, writeTimeoutMs: 30_000 };

/** An export that was admitted. Aborting it ends the export and frees its place. */
export type OpenExport = AbortController;

/**
 * Lets the exports of all accounts read in turn, one piece each. An account has at most one export. A slow
 * reader asks for no turns, so it delays no other export. Turns are given in the order of the requests, so
 * each account gets as many turns as any other.
 */
export class ExportTurns {
  readonly #limits: ExportLimits;
  readonly #open = new Map<string, OpenExport>();
  readonly #turns: FairQueue;

  constructor(limits: Partial<ExportLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
    this.#turns = new FairQueue(this.#limits.readingMax);
  }

  /** Admits an export. Otherwise says that the account already has one, or that all places are taken. */
  open(accountId: string): OpenExport | 'account_busy' | 'full' {
    if (this.#open.has(accountId)) return 'account_busy';
    if (this.#open.size >= this.#limits.openMax) return 'full';
    const opened = new AbortController();
    this.#open.set(accountId, opened);
    opened.signal.addEventListener('abort', () => this.#open.delete(accountId));
    return opened;
  }

  /**
   * The pieces of an export, each read in its turn. If the export is aborted, the pieces end early.
   *
   * @param cut called if the reader does not take a piece in time
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
        const piece = await this.#turns.run(async () =>
          signal.aborted ? undefined : source.next(),
        );
        // The time limit of the reader does not include the wait for a turn and the database.
        timer.refresh();
        if (signal.aborted || piece === undefined || piece.done === true) return;
        yield piece.value;
      }
    } finally {
      await source.return(undefined);
    }
  }
}
