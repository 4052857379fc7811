import { MEASUREMENTS } from '../core/measurements.js';
import type { MassUnit, Unit } from '../core/units.js';
import { Refusal } from '../failure.js';
import type { Meaning } from '../operations/column-agreement.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import type { AnyUnit, WrittenUnit } from '../operations/likely-unit.js';
import { nameHint } from '../operations/nearest-name.js';
import { type AgeUnit, ageUnitOf, type DateKind, dateNamed } from '../search/age-words.js';
import { bodyQuantityNamed } from '../search/body-quantities.js';
import { type Field, fieldNamed, meaningsOfPart } from '../search/body-words.js';
import { MEASUREMENT_WORDS } from '../search/measurement-words.js';
import { measurementsOfPhrase } from '../search/measurements.js';
import { findNotCovered } from '../search/not-covered.js';
import { CODED_GENDERS, SURVEY_COLUMNS } from '../search/survey-columns.js';
import { wordsOf } from '../search/terms.js';
import { type HeadingParts, unitNamed, unitOf, withoutUnit } from './sheet-units.js';

/** Columns that this program adds. If the input has them from an earlier run, they are replaced. */
export const OWN_COLUMNS = ['fill_status', 'fill_known', 'fill_note'] as const;

/** A measurement, and the unit of its values. BMI has none. */
export interface Reading {
  readonly measurement: string;
  readonly unit: WrittenUnit | undefined;
}

/** Where a column comes from. */
interface ColumnOrigin {
  /** Certain origin of the measurement: the heading or `--columns`. */
  readonly namedBy?: 'heading' | 'option' | undefined;
  /** The column of inches that belongs to this one of feet. */
  readonly inches?: number | undefined;
}

/** A column of measurements. */
export interface MeasurementColumn extends Reading, ColumnOrigin {
  readonly kind: 'measured';
  /** Whether the values told the measurement or the unit. */
  readonly isGuess?: boolean;
}

/** A column whose measurement and unit follow from its values. */
export interface OpenColumn extends ColumnOrigin {
  readonly kind: 'open';
  /** Possible meanings of the column, the usual one first. */
  readonly meanings: readonly Meaning[];
  readonly units: readonly (WrittenUnit | undefined)[];
  /** Whether the heading names the first meaning alone, in everyday words. */
  readonly isTold: boolean;
}

/** A column that is not used. */
export interface OtherColumn {
  readonly kind: 'other';
  /** Why, if it looks like a measurement. */
  readonly note?: string;
}

/** The content of a column of the file. */
export type Column =
  | MeasurementColumn
  | OpenColumn
  | OtherColumn
  | {
      readonly kind: 'field';
      readonly name: Field;
      readonly ageUnit?: AgeUnit;
      /** Meanings of its cells. */
      readonly codes?: ReadonlyMap<string, string> | undefined;
    }
  | { readonly kind: 'date'; readonly name: DateKind }
  | { readonly kind: 'own'; readonly name: string };

/** How headings are read: the units of lengths and of masses whose heading has none, if somebody said them. */
export interface Units {
  readonly unit?: Unit | undefined;
  readonly massUnit?: MassUnit | undefined;
}

/** The end of a heading of a range column from an earlier run: `Stature low (mm)`. */
const RANGE_END = / (?:low|high)(?: \(\w+\))?$/;
/** Everyday words that mean stature for all values. */
const STATURE = /^(?:body|standing)?[\s_]?height$/i;
/** Units of horses, which are also a part of the body. */
const HANDS = /^hands?$/i;

const letters = (text: string): string => text.replace(/[\s_-]/g, '').toLowerCase();

/** The measurements by their exact names, and by the codes of standards and surveys. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(MEASUREMENT_WORDS).flatMap(([name, { codes = '' }]) =>
    codes.split(', ').map((code) => [letters(code), name] as const),
  ),
  ...BODY_MEASUREMENTS.map((name) => [letters(name), name] as const),
]);
const KINDS = new Map<string, (typeof MEASUREMENTS)[number]['kind']>(
  MEASUREMENTS.map(({ name, kind }) => [name, kind]),
);

/** The measurement that a heading names for certain. */
const certainName = (bare: string): string | undefined =>
  BY_NAME.get(letters(SURVEY_COLUMNS.get(bare.toLowerCase()) ?? bare)) ??
  (STATURE.test(bare) ? 'Stature' : bodyQuantityNamed(bare));

/** The measurements that a text names as a complete phrase. */
const phraseOf = (bare: string): string[] => measurementsOfPhrase(bare).map(({ name }) => name);

/** The measurement that a text names, or means first. */
const nameIn = (bare: string): string | undefined => certainName(bare) ?? phraseOf(bare)[0];

/** Returns the usual measurements of a word for a part of the body. */
const partOf = (bare: string) => meaningsOfPart(bare, (one) => KINDS.get(one));

/** Units that are tried for a column without one. */
const TRIED_UNITS = (['mm', 'cm', 'in', 'm'] as const).map((name) => unitNamed(name));
const TRIED_MASS_UNITS = (['kg', 'lb'] as const).map(unitOf);

/** The unit of a heading, or else of the options, or else those that are tried. */
function unitsOf<T>(unit: WrittenUnit | undefined, given: AnyUnit | undefined, tried: T) {
  const only = unit ?? (given === undefined ? undefined : unitOf(given));
  return only === undefined ? tried : [only];
}

/**
 * Interprets a column by its heading.
 *
 * @param said what `--columns` says of it, such as `Stature`, `Stature (cm)`, `age` or `none`
 * @throws Refusal `wrong_sheet` for a word after `--columns` that is no measurement
 */
export function columnOf(heading: string, options: Units, said?: string): Column {
  const text = heading.trim();
  if (said !== undefined) return saidColumn(text, said, options);
  const isRange = RANGE_END.test(text) && BY_NAME.has(letters(text.replace(RANGE_END, '')));
  if (isRange || (OWN_COLUMNS as readonly string[]).includes(text)) {
    return { kind: 'own', name: text };
  }
  const spelled = SURVEY_COLUMNS.get(text.toLowerCase()) ?? text;
  const parts = withoutUnit(spelled);
  const { bare, unit, last } = parts;
  const name = certainName(bare);
  if (name !== undefined) return namedColumn(text, name, unit, options);
  const person = personColumn(text, spelled);
  if (person !== undefined) return person;
  const phrase = phraseOf(bare);
  if (unit?.isMass === true) {
    if (phrase[0] !== undefined) return namedColumn(text, phrase[0], unit, options);
    // Other things in grams are many.
    return unit.name === 'g'
      ? { kind: 'other' }
      : unused('it is no word for the mass of a body.', useText(text, 'BodyMass'));
  }
  const part = partOf(bare);
  const meanings = [...new Set<Meaning>([...phrase, ...part.names]), ...part.others];
  const isCovered = part.others.length > 0 || findNotCovered(bare).length === 0;
  const isOfHorses =
    last !== undefined && HANDS.test(last.word) && certainName(last.before) !== undefined;
  if (meanings.length === 0 || !isCovered || isOfHorses) return unreadColumn(text, parts);
  const units = unitsOf(unit, options.unit, TRIED_UNITS);
  return { kind: 'open', meanings, units, isTold: phrase.length === 1 && !part.isPart };
}

/** A column of the person by what its heading means: a field, an age in a unit of time, or a date. */
function personColumn(heading: string, meant: string): Column | undefined {
  const codes = CODED_GENDERS.get(heading.toLowerCase());
  const name = fieldNamed(meant);
  if (name !== undefined && name !== 'age') return { kind: 'field', name, codes };
  const ageUnit = ageUnitOf(meant);
  if (ageUnit !== undefined) return { kind: 'field', name: 'age', ageUnit };
  const date = dateNamed(meant);
  return date === undefined ? undefined : { kind: 'date', name: date };
}

/** A heading that names nothing, with the reason if it looks like a measurement or an age. */
function unreadColumn(text: string, { bare, unit, last }: HeadingParts): OtherColumn {
  const before = last === undefined ? undefined : nameIn(last.before);
  if (before !== undefined) {
    const word = JSON.stringify(last?.word);
    return unused(`${word} is no unit and no word that is known here.`, useOf(text, before));
  }
  const words = wordsOf(text).split(' ');
  if (words.some((one) => fieldNamed(one) === 'age')) {
    return unused('no unit of age is known in it.', useText(text, 'age'));
  }
  if (unit === undefined && findNotCovered(bare).length === 0) return { kind: 'other' };
  return unused('no measurement of this service.', nameHint(bare, BODY_MEASUREMENTS) ?? '');
}

/** A column that is not used, with the sentences that say why. The first one continues a sentence. */
export function unused(first: string, ...more: readonly string[]): OtherColumn {
  const capital = more.map((text) => text.charAt(0).toUpperCase() + text.slice(1));
  return { kind: 'other', note: [first, ...capital].filter((text) => text !== '').join(' ') };
}

/** The option that says what a column is. */
export function useText(heading: string, what: string): string {
  return `If it is ${what.replace(/ \(.*/, '')}, write --columns ${JSON.stringify(`${heading}=${what}`)}.`;
}

function saidColumn(heading: string, said: string, options: Units): Column {
  if (said === 'none') return unused('as --columns says.');
  const person = personColumn(heading, said);
  if (person !== undefined) return person;
  const { bare, unit = withoutUnit(heading).unit } = withoutUnit(said);
  const name = nameIn(bare);
  if (name === undefined) {
    const hint = nameHint(bare, BODY_MEASUREMENTS) ?? 'npx vitruvia catalog lists the names';
    throw refusal(
      `--columns ${JSON.stringify(`${heading}=${said}`)}: ${JSON.stringify(said)} is no measurement. ${hint}`,
    );
  }
  const column = namedColumn(heading, name, unit, options);
  return column.kind === 'open' ? { ...column, namedBy: 'option' } : column;
}

/** A column whose measurement is certain. A missing unit is found from its values. */
function namedColumn(
  heading: string,
  name: string,
  unit: WrittenUnit | undefined,
  options: Units,
): OpenColumn | OtherColumn {
  const isOfMass = name === 'BodyMass';
  if (unit !== undefined && (name === 'BMI' || unit.isMass !== isOfMass)) {
    return unused(`${unit.name} is no unit of ${name}.`, useOf(heading, name));
  }
  const units = isOfMass
    ? unitsOf(unit, options.massUnit, TRIED_MASS_UNITS)
    : unitsOf(unit, options.unit, TRIED_UNITS);
  const part = partOf(withoutUnit(heading).bare);
  const others = isOfMass ? [] : [...part.names, ...part.others];
  return {
    ...{ kind: 'open', namedBy: 'heading', isTold: true },
    units: name === 'BMI' ? [undefined] : units,
    meanings: [...new Set<Meaning>([name, ...others])],
  };
}

/** The index of the column of a measurement, or -1. */
export const placeOf = (columns: readonly Column[], measurement: unknown): number =>
  columns.findIndex((one) => one.kind === 'measured' && one.measurement === measurement);

/** The unit of a column that is added. */
export function unitFor(
  measurement: string,
  { unit = 'mm', massUnit = 'kg' }: Units,
): WrittenUnit | undefined {
  if (measurement === 'BMI') return undefined;
  return unitOf(measurement === 'BodyMass' ? massUnit : unit);
}

/** The heading of a column that is added. */
export function headingOf({ measurement, unit }: Reading): string {
  return unit === undefined ? measurement : `${measurement} (${unit.name})`;
}

const useOf = (heading: string, measurement: string): string =>
  useText(heading, headingOf({ measurement, unit: unitFor(measurement, {}) }));

/** The refusal of a sheet, or of one of its rows, that cannot be read. */
export function refusal(message: string): Refusal {
  return new Refusal('wrong_sheet', message);
}
