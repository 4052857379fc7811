import Type, { type Static } from 'typebox';
import type { CountryCode } from '../core/countries.js';
import { Problem } from '../core/errors.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { CLOTHING_IDS, type ClothingId, POSTURE_IDS, type PostureId } from '../core/profiles.js';
import { fromMm } from '../core/units.js';
import { curveValue, zOfPercentile } from '../lookup/cell.js';
import type { Column, RowTable } from '../table-formats/table.js';
import type { FoundFault } from './faults.js';
import { closedObject, DEFAULTS, oneOf, requestFields } from './fields.js';
import { countriesOf, countryFault } from './population-request.js';
import type { PredictionModel } from './prediction-model.js';
import { requestValidator } from './validate.js';

const list = <Item extends Type.TSchema>(item: Item, description: string) =>
  Type.Array(item, { minItems: 1, uniqueItems: true, description });

const request = closedObject({
  measurements: list(requestFields.measurement('A dimension.'), 'Dimensions.'),
  countries: list(Type.String({ maxLength: 80 }), 'Countries or sets of them, such as EU27.'),
  genders: list(oneOf<Gender>(GENDERS, {}), 'Genders.'),
  ages: list(Type.Number({ ...AGE_LIMITS }), 'Exact ages in years.'),
  percentiles: list(requestFields.percent('A percentile.'), 'Percentiles.'),
  clothing: list(oneOf<ClothingId>(CLOTHING_IDS, {}), 'Clothing profiles.'),
  postures: list(oneOf<PostureId>(POSTURE_IDS, {}), 'Posture profiles.'),
  unit: requestFields.options.unit,
});

/** The values whose combinations are the rows of a table of predictions. */
export type PredictionTableInput = Static<typeof request>;

/** Combinations without a model, which the table leaves out. */
export interface LeftOut {
  readonly measurement: string;
  readonly gender: Gender;
  /** Rows that are missing for it. */
  readonly rows: number;
  /** The reason with which a request for such a row is refused. */
  readonly reason: string;
}

/** A table of predictions, and the combinations that it leaves out. */
export interface PredictionTable {
  readonly table: RowTable;
  readonly leftOut: readonly LeftOut[];
}

/** The columns. The clients for TypeScript and Python have the same columns. */
const COLUMNS: readonly Column[] = [
  { name: 'measurement', type: 'text' },
  { name: 'country', type: 'text' },
  { name: 'gender', type: 'text' },
  { name: 'age', type: 'number' },
  { name: 'clothing', type: 'text' },
  { name: 'posture', type: 'text' },
  { name: 'percentile', type: 'number' },
  { name: 'value', type: 'number' },
  { name: 'unit', type: 'text' },
];

const validate = requestValidator(request, ({ countries }): FoundFault[] =>
  countries.flatMap((name, i) => {
    if (countriesOf(name) !== undefined) return [];
    return [countryFault(name, `/countries/${i}`)];
  }),
);

/** The part of a row that does not depend on dimension, country and percentile. */
interface Cell {
  readonly gender: Gender;
  readonly age: number;
  readonly clothing: ClothingId;
  readonly posture: PostureId;
}

/**
 * Opens the table of all combinations of measurements, countries, genders, ages, clothing, postures and percentiles,
 * with one prediction per row. The percentile changes fastest, and the measurement slowest. Values are those of `POST
 * /v1/predict`. Rows are computed when they are read, so a table may be larger than the memory.
 *
 * @throws Problem that names a wrong value, or `model_not_found` if no combination has a model
 */
export function openPredictionTable(body: unknown, model: PredictionModel): PredictionTable {
  const input = validate(body);
  const countries = [...new Set(input.countries.flatMap((name) => countriesOf(name) ?? []))];
  const { percentiles, measurements, unit = DEFAULTS.unit } = input;
  const zs = percentiles.map(zOfPercentile);
  const leftOut: LeftOut[] = [];
  const blocks = measurements.map((measurement) =>
    cellsOf(measurement, input, countries, model, leftOut),
  );
  // Index of the first row of the block of each measurement. The last entry is the number of rows.
  const starts = [0];
  for (const cells of blocks) {
    const rows = cells.length * countries.length * percentiles.length;
    starts.push((starts.at(-1) as number) + rows);
  }
  const rowCount = starts.at(-1) as number;
  if (rowCount === 0) {
    throw new Problem('model_not_found', leftOut[0]?.reason ?? 'No combination has a model.');
  }

  return {
    leftOut,
    table: {
      columns: COLUMNS,
      rowCount,
      details: { unit, artifactVersion: model.artifactVersion },
      read(from, to) {
        const texts = () => new Array<string>(to - from);
        const [measured, country, gender, clothing, posture] = [
          ...[texts(), texts(), texts(), texts(), texts()],
        ] as [string[], string[], string[], string[], string[]];
        const [age, percentile, value] = [...[0, 0, 0].map(() => new Float64Array(to - from))] as [
          Float64Array,
          Float64Array,
          Float64Array,
        ];
        let block = starts.findIndex((_, index) => (starts[index + 1] as number) > from);
        for (let row = from; row < to; ) {
          while (row >= (starts[block + 1] as number)) block++;
          const cells = blocks[block] as readonly Cell[];
          const inBlock = row - (starts[block] as number);
          const cellIndex = Math.floor(inBlock / zs.length);
          const cell = cells[cellIndex % cells.length] as Cell;
          const code = countries[Math.floor(cellIndex / cells.length)] as CountryCode;
          const measurement = measurements[block] as string;
          const curve = model.curve({ ...cell, measurement, country: code, unit });
          for (let p = inBlock % zs.length; p < zs.length && row < to; p++, row++) {
            const at = row - from;
            measured[at] = measurement;
            country[at] = code;
            gender[at] = cell.gender;
            age[at] = cell.age;
            clothing[at] = cell.clothing;
            posture[at] = cell.posture;
            percentile[at] = percentiles[p] as number;
            value[at] = fromMm(curveValue(curve, zs[p] as number), unit);
          }
        }
        const units = texts().fill(unit);
        return [measured, country, gender, age, clothing, posture, percentile, value, units];
      },
    },
  };
}

/** The cells that have a model, which are the same in every country. The other cells are added to `leftOut`. */
function cellsOf(
  measurement: string,
  { genders, ages, clothing, postures, percentiles, unit = DEFAULTS.unit }: PredictionTableInput,
  countries: readonly CountryCode[],
  model: PredictionModel,
  leftOut: LeftOut[],
): readonly Cell[] {
  const country = countries[0] as CountryCode;
  const cells: Cell[] = [];
  for (const gender of genders) {
    const missing = new Map<string, number>();
    for (const age of ages) {
      for (const garment of clothing) {
        for (const posture of postures) {
          const cell = { gender, age, clothing: garment, posture };
          try {
            model.curve({ ...cell, measurement, country, unit });
            cells.push(cell);
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            // The age is removed from the text, because it differs from row to row.
            const reason = error.message.replace(` at age ${age};`, '; only');
            missing.set(reason, (missing.get(reason) ?? 0) + 1);
          }
        }
      }
    }
    for (const [reason, count] of missing) {
      const rows = count * countries.length * percentiles.length;
      leftOut.push({ measurement, gender, rows, reason });
    }
  }
  return cells;
}

/** All measurement names, which the word `all` stands for. */
export const ALL_MEASUREMENTS: readonly string[] = MEASUREMENT_NAMES;
