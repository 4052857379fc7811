import { KG_PER_UNIT, MASS_UNITS, type MassUnit, UNITS, type Unit } from '../core/units.js';
import { Refusal } from '../failure.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { bodyQuantityNamed } from '../operations/nearest-name.js';
import { measurementNamed } from '../search/measurements.js';
import { valueNamed } from '../search/values.js';

/** Fields that describe a person in addition to measurements, with their headings. */
const FIELD_WORDS = {
  country: ['country', 'country code', 'nation', 'nationality'],
  gender: ['gender', 'sex'],
  age: ['age', 'age years', 'years'],
  clothing: ['clothing', 'clothes'],
  posture: ['posture'],
} as const;
export type Field = keyof typeof FIELD_WORDS;

/** Columns that this program adds. If the input has them from an earlier run, they are replaced. */
export const OWN_COLUMNS = ['fill_status', 'fill_known', 'fill_note'] as const;
export type AnyUnit = Unit | MassUnit;

/** A column of measurements, read or added. */
export interface MeasurementColumn {
  readonly measurement: string;
  /** Unit of its cells; BMI has none. */
  readonly unit: AnyUnit | undefined;
}

/** The content of a column of the file. */
export type Column =
  | { readonly field: Field }
  | MeasurementColumn
  | { readonly own: string }
  | { readonly other: true; readonly like?: string };

/** Units of headings that name none. */
export interface Units {
  readonly unit: Unit;
  readonly massUnit: MassUnit;
}

/** A unit at the end of a heading: `Stature (mm)`, `stature_mm`, `Weight [kg]`. */
export const UNIT =
  /(?:[\s_]*[([]\s*(mm|cm|in|inches|kg|lbs?)\s*[\])]|[\s_]+(mm|cm|in|inches|kg|lbs?))\s*$/i;

/** The end of a heading of a range column from an earlier run: `Stature low (mm)`. */
const RANGE_END = / (?:low|high)(?: \(\w+\))?$/;

/** Words that are measurements without a unit, too. */
const SURE_WORDS = /^(?:(?:body)?\s?(?:height|weight|mass)|stature|bmi|body mass index)$/i;

const LOWER_NAMES: ReadonlySet<string> = new Set(
  BODY_MEASUREMENTS.map((name) => name.toLowerCase()),
);

function isMeasurement(name: string): boolean {
  return LOWER_NAMES.has(name.toLowerCase());
}

/**
 * Interprets a column by its heading.
 *
 * @throws Refusal `wrong_sheet` for a unit that its measurement does not have
 */
export function columnOf(heading: string, options: Units): Column {
  const text = heading.trim();
  if ((OWN_COLUMNS as readonly string[]).includes(text)) return { own: text };
  const [ofRange] = RANGE_END.exec(text) ?? [];
  if (ofRange !== undefined && isMeasurement(text.replace(RANGE_END, ''))) return { own: text };
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  for (const [field, names] of Object.entries(FIELD_WORDS)) {
    if ((names as readonly string[]).includes(words)) return { field: field as Field };
  }
  const unitText = UNIT.exec(text);
  const bare = text.replace(UNIT, '').trim();
  const measurement = bodyQuantityNamed(bare) ?? measurementNamed(bare, false)?.name;
  if (measurement === undefined) return { other: true };
  const written = (unitText?.[1] ?? unitText?.[2])?.toLowerCase();
  // Without a unit, an everyday word such as "hand" or "helmet" may mean anything.
  const isSure = isMeasurement(bare.replace(/[\s_-]/g, '')) || SURE_WORDS.test(bare);
  if (written === undefined && !isSure) return { other: true, like: measurement };
  const allowed = measurement === 'BMI' ? [] : measurement === 'BodyMass' ? MASS_UNITS : UNITS;
  if (written === undefined) return { measurement, unit: unitFor(measurement, options) };
  const unit = valueNamed(written, allowed) as AnyUnit | undefined;
  if (unit !== undefined) return { measurement, unit };
  const remedy = allowed.length === 0 ? 'It has none' : `Use ${allowed.join(' or ')}`;
  throw refusal(`${JSON.stringify(heading)}: ${written} is no unit of ${measurement}. ${remedy}.`);
}

/** The unit of a measurement whose heading has none. */
export function unitFor(measurement: string, { unit, massUnit }: Units): AnyUnit | undefined {
  if (measurement === 'BMI') return undefined;
  return measurement === 'BodyMass' ? massUnit : unit;
}

export function isMass(unit: AnyUnit | undefined): unit is MassUnit {
  return unit !== undefined && unit in KG_PER_UNIT;
}

/** The heading of a column that is added. */
export function headingOf({ measurement, unit }: MeasurementColumn): string {
  return unit === undefined ? measurement : `${measurement} (${unit})`;
}

/** The headings of the ends of a range. */
export function rangeHeadings({ measurement, unit }: MeasurementColumn): string[] {
  return ['low', 'high'].map((end) => headingOf({ measurement: `${measurement} ${end}`, unit }));
}

/** @throws Refusal `wrong_sheet` if two columns have the same */
export function refuseTwice(headings: readonly string[], columns: readonly Column[]): void {
  const seen = new Map<string, number>();
  for (const [i, column] of columns.entries()) {
    if ('other' in column) continue;
    const name = Object.values(column)[0] as string;
    const first = seen.get(name);
    if (first !== undefined) {
      throw refusal(
        `The columns ${JSON.stringify(headings[first])} and ${JSON.stringify(headings[i])} are both ${name}. Keep one, or rename the other.`,
      );
    }
    seen.set(name, i);
  }
}

/** The refusal of a sheet, or of one of its rows, that cannot be read. */
export function refusal(message: string): Refusal {
  return new Refusal('wrong_sheet', message);
}
