import { completePerson } from '../operations/complete-person.js';
import { KNOWN_LIMITS } from '../operations/known-values.js';
import type { OpenedSheet } from '../people-sheet/open-sheet.js';
import type { Answered, WrittenRow } from '../people-sheet/people-sheet.js';

/** Price of a completed row at a service. */
const CREDITS_PER_ROW = Number(completePerson.price);
/** Maximum number of reasons and lines that are printed at the end. The file has all reasons. */
const NAMED_MAX = 3;

/** Options of `fill` that its report names. */
interface Asked {
  readonly gender?: string;
  readonly service?: string;
}

const rowsOf = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;
const has = (count: number) => `${rowsOf(count)} ${count === 1 ? 'has' : 'have'}`;

/** Counts what happens to the rows of a file, and says it. */
export class FillReport {
  readonly #opened: OpenedSheet;
  readonly #asked: Asked;
  readonly #counts = {
    ...{ rows: 0, complete: 0 },
    /** Complete rows that were sent as a request. The other complete rows had no open cell. */
    asked: 0,
    notCompleted: 0,
    /** Complete rows whose values are unusual together; `fill_note` says why. */
    suspicious: 0,
    filledCells: 0,
  };
  readonly #suspiciousLines: number[] = [];
  readonly #reasons: string[] = [];
  #note: string | undefined;

  constructor(opened: OpenedSheet, asked: Asked) {
    this.#opened = opened;
    this.#asked = asked;
  }

  /**
   * Counts a row.
   *
   * @param line first line in the file; undefined for the person of a tailor's file
   * @param answer of a row that became a request
   */
  add({ cells, filled }: WrittenRow, line: number | undefined, answer?: Answered): void {
    const [status, , note] = cells.slice(-3);
    const counts = this.#counts;
    counts.rows++;
    if (status === 'complete') counts.complete++;
    if (status === 'not completed') {
      counts.notCompleted++;
      const reason = line === undefined ? `  ${note}` : `  line ${line}: ${note}`;
      if (this.#reasons.length < NAMED_MAX) this.#reasons.push(reason);
    }
    if (answer === undefined || 'code' in answer) return;
    counts.asked++;
    counts.filledCells += filled;
    if (line === undefined && note !== '') this.#note = note;
    if (answer.plausibility.note === undefined) return;
    counts.suspicious++;
    if (line !== undefined) this.#suspiciousLines.push(line);
  }

  /** Number of rows read so far. */
  get rows(): number {
    return this.#counts.rows;
  }

  /** How the headings were understood, a line for each. */
  get headingsText(): string {
    const { read, guessed, notUsed } = this.#opened.report;
    return [...read, ...guessed, ...notUsed].map((one) => `${one}\n`).join('');
  }

  /** All figures, as a part of the document. */
  get details() {
    const { missing, crowded } = this.#opened.sheet;
    const [given, kept] = [crowded.given, crowded.kept].map((one) => Object.fromEntries(one));
    return {
      ...this.#counts,
      costCredits: this.#asked.service === undefined ? 0 : this.#counts.asked * CREDITS_PER_ROW,
      missing: Object.fromEntries(missing),
      columns: this.#opened.report,
      ...(this.#note === undefined ? {} : { note: this.#note }),
      ...(crowded.rows === 0 ? {} : { crowded: { rows: crowded.rows, given, kept } }),
    };
  }

  /** Lines about the cells of the file, one for each kind. */
  get cellsText(): string {
    const { asked, filledCells, suspicious } = this.#counts;
    const { missing, crowded, overruled } = this.#opened.sheet;
    const { gender, service } = this.#asked;
    const listed = (counts: ReadonlyMap<string, number>) =>
      [...counts].map(([name, n]) => (n === crowded.rows ? name : `${name} (${n})`)).join(', ');
    const gone = [...missing.values()].reduce((sum, count) => sum + count, 0);
    const kinds = [...missing].slice(0, NAMED_MAX).map(([text, count]) => `${text}: ${count}`);
    const lines = this.#suspiciousLines.slice(0, NAMED_MAX).join(', ');
    const more = suspicious > NAMED_MAX ? ', …' : '';
    const cost = service === undefined ? 'free' : `${asked * CREDITS_PER_ROW} credits at most`;
    const texts = [
      crowded.rows > 0 &&
        `${has(crowded.rows)} more than ${KNOWN_LIMITS.maxItems} measurements. The model gets those that tell most about the others.
  Given to the model: ${listed(crowded.given)}.
  Only kept and not checked: ${listed(crowded.kept)}.`,
      overruled > 0 &&
        `--gender ${gender} is only for rows without a gender: ${has(overruled)} another one.`,
      this.#note !== undefined && `Note: ${this.#note}`,
      gone > 0 && `Missing values: ${gone} (${kinds.join(', ')}).`,
      lines !== '' && `Suspicious rows: ${suspicious} (line ${lines}${more}); fill_note says why.`,
      `Filled: ${filledCells} ${filledCells === 1 ? 'cell' : 'cells'} in ${rowsOf(asked)}. Cost: ${cost}.`,
    ];
    return texts.flatMap((text) => (text === false ? [] : `${text}\n`)).join('');
  }

  /** Number of complete rows. */
  get summary(): string {
    const { complete, rows, asked } = this.#counts;
    return `${complete} of ${rows} rows are complete. ${asked} of them were checked against a person.`;
  }

  /** The summary with the reasons, if rows are not completed. */
  get refusal(): string | undefined {
    const { notCompleted } = this.#counts;
    if (notCompleted === 0) return undefined;
    const more = notCompleted - this.#reasons.length;
    const rest = more > 0 ? [`  … and ${more} more; the column fill_note has the reasons`] : [];
    const first = `${this.summary} ${notCompleted} could not be completed:`;
    return [first, ...this.#reasons, ...rest].join('\n');
  }
}
