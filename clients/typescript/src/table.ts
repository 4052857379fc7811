import { answerBatches, type BatchOptions } from './batch.js';
import type { Clothing, Country, Gender, Measurement, Posture, Unit } from './generated/api.js';
import { LIMITS } from './generated/operations.js';
import type { Transport } from './transport.js';
import type { BatchEntry } from './types.js';

/** The combinations of a table. Without `clothing`, `postures` and `unit`, the defaults of the service apply. */
export interface TableRequest {
  readonly measurements: readonly Measurement[];
  readonly countries: readonly Country[];
  readonly genders: readonly Gender[];
  /** Exact ages in years. */
  readonly ages: readonly number[];
  readonly percentiles: readonly number[];
  readonly clothing?: readonly Clothing[];
  readonly postures?: readonly Posture[];
  readonly unit?: Unit;
}

/** One prediction. */
export interface TableRow {
  readonly measurement: Measurement;
  readonly country: Country;
  readonly gender: Gender;
  /** Years. */
  readonly age: number;
  readonly clothing: Clothing;
  readonly posture: Posture;
  readonly percentile: number;
  /** Length in `unit`. */
  readonly value: number;
  readonly unit: Unit;
}

/** A combination that has no model, for all percentiles, and the reason. */
export interface LeftOut {
  readonly measurement: Measurement;
  readonly country: Country;
  readonly gender: Gender;
  readonly age: number;
  readonly clothing: Clothing | undefined;
  readonly posture: Posture | undefined;
  readonly code: string;
  readonly reason: string;
}

/** A tidy table: a row for each prediction. */
export interface Table {
  readonly columns: readonly (keyof TableRow)[];
  readonly rows: readonly TableRow[];
  readonly leftOut: readonly LeftOut[];
}

/** Columns of a table, in the order of the combinations. */
export const TABLE_COLUMNS: readonly (keyof TableRow)[] = [
  'measurement',
  'country',
  'gender',
  'age',
  'clothing',
  'posture',
  'percentile',
  'value',
  'unit',
];

/** Codes with which the service refuses a combination that has no model. */
const NOT_THERE: readonly string[] = ['model_not_found', 'gender_not_supported'];

/**
 * Fills a table with batches. Each prediction costs 1 credit. A combination without a model costs nothing and is listed
 * in `leftOut`.
 *
 * @throws VitruviaError for any other refusal
 */
export async function fillTable(
  transport: Transport,
  request: TableRequest,
  options: BatchOptions = {},
): Promise<Table> {
  const rows: TableRow[] = [];
  const leftOut: LeftOut[] = [];
  for await (const result of answerBatches(transport, entriesOf(request), options)) {
    const { measurement, country, gender, age, percentiles, ...worn } = result.entry.input;
    if (result.ok) {
      const { clothing, posture, unit, values } = result.answer;
      const cell = { measurement, country: country as Country, gender, age, clothing, posture };
      for (const { percentile, value } of values) rows.push({ ...cell, percentile, value, unit });
      continue;
    }
    const { code, detail: reason } = result.error;
    if (!NOT_THERE.includes(code)) throw result.error;
    // The other entries of this combination hold further percentiles.
    if (percentiles[0] !== request.percentiles[0]) continue;
    const { clothing, posture } = worn;
    const cell = { measurement, country: country as Country, gender, age, clothing, posture };
    leftOut.push({ ...cell, code, reason });
  }
  return { columns: TABLE_COLUMNS, rows, leftOut };
}

function* entriesOf(request: TableRequest): Generator<BatchEntry<'predictRange'>> {
  const { measurements, countries, genders, ages, unit } = request;
  const { clothing = [undefined], postures = [undefined] } = request;
  const percentiles = [...new Set(request.percentiles)];
  for (const measurement of measurements) {
    for (const country of countries) {
      for (const gender of genders) {
        for (const age of ages) {
          for (const worn of clothing) {
            for (const posture of postures) {
              const cell = { measurement, country, gender, age };
              const rest = {
                ...(worn === undefined ? {} : { clothing: worn }),
                ...(posture === undefined ? {} : { posture }),
                ...(unit === undefined ? {} : { unit }),
              };
              for (let from = 0; from < percentiles.length; from += LIMITS.percentiles) {
                const some = percentiles.slice(from, from + LIMITS.percentiles);
                yield {
                  operation: 'predictRange',
                  input: { ...cell, ...rest, percentiles: some },
                };
              }
            }
          }
        }
      }
    }
  }
}
