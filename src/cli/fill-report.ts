import { completePerson } from '../operations/complete-person.js';
import { KNOWN_LIMITS } from '../operations/known-values.js';
import type { HeadingsReport, PeopleSheet } from '../people-sheet/people-sheet.js';

// What `vitruvia fill` says of a file.

/** Rows of a file so far. */
export interface Counts {
  rows: number;
  complete: number;
  /** Complete rows that were sent as a request. The other complete rows had no open cell. */
  asked: number;
  notCompleted: number;
  /** Complete rows whose values are unusual together; `fill_note` says why. */
  suspicious: number;
  /** Cells that were filled. */
  filledCells: number;
}

/** Price of a completed row at a service. */
export const CREDITS_PER_ROW = Number(completePerson.price);
/** Maximum number of reasons that are printed at the end. The file has all reasons. */
export const NAMED_MAX = 3;

/** How the headings were understood, a line for each. */
export function headingsText({ read, guessed, notUsed }: HeadingsReport): string {
  return [...read, ...guessed, ...notUsed].map((one) => `${one}\n`).join('');
}

/** The rows with more measurements than a request takes, as part of the document. */
export function crowdedDetails(sheet: PeopleSheet | undefined): object {
  if (sheet === undefined || sheet.crowded.rows === 0) return {};
  const { rows, given, kept } = sheet.crowded;
  return {
    crowded: { rows, given: Object.fromEntries(given), kept: Object.fromEntries(kept) },
  };
}

/** The line about rows with more measurements than a request takes. */
export function crowdedText(sheet: PeopleSheet | undefined): string {
  if (sheet === undefined || sheet.crowded.rows === 0) return '';
  const { rows, given, kept } = sheet.crowded;
  const listed = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, count]) => (count === rows ? name : `${name} (${count})`)).join(', ');
  return [
    `${rows === 1 ? '1 row has' : `${rows} rows have`} more than ${KNOWN_LIMITS.maxItems} measurements. The model gets those that tell most about the others.`,
    `  Given to the model: ${listed(given)}.`,
    `  Only kept and not checked: ${listed(kept)}.`,
    '',
  ].join('\n');
}

/** The lines about rows that have their own value of what an option says. */
export function overruledText(
  sheet: PeopleSheet | undefined,
  { gender }: { readonly gender?: string },
): string {
  const rows = sheet?.persons.overruled ?? 0;
  if (rows === 0) return '';
  return `--gender ${gender} is only for rows without a gender: ${rows} ${rows === 1 ? 'row has another one' : 'rows have another one'}.\n`;
}

/** The lines about the cells of a file: missing values, suspicious rows, filled cells and the cost. */
export function summaryText(
  { asked, filledCells, suspicious }: Counts,
  missing: ReadonlyMap<string, number>,
  lines: readonly number[],
  { service }: { readonly service?: string },
): string {
  const cells = [...missing.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...missing].slice(0, NAMED_MAX).map(([text, count]) => `${text}: ${count}`);
  const more = suspicious > lines.length ? ', …' : '';
  const cost = service === undefined ? 'free' : `${asked * CREDITS_PER_ROW} credits at most`;
  return [
    ...(cells === 0 ? [] : [`Missing values: ${cells} (${kinds.join(', ')}).`]),
    ...(lines.length === 0
      ? []
      : [`Suspicious rows: ${suspicious} (line ${lines.join(', ')}${more}); fill_note says why.`]),
    `Filled: ${filledCells} ${filledCells === 1 ? 'cell' : 'cells'} in ${asked} ${asked === 1 ? 'row' : 'rows'}. Cost: ${cost}.`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}
