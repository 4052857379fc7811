import { MEASUREMENTS } from '../core/measurements.js';
import {
  KG_PER_UNIT,
  MASS_UNITS,
  type MassUnit,
  MM_PER_UNIT,
  UNITS,
  type Unit,
} from '../core/units.js';
import { Refusal } from '../failure.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { nameHint } from '../operations/nearest-name.js';
import { type AgeUnit, ageUnitOf, type DateKind, dateNamed } from '../search/age-words.js';
import { bodyQuantityNamed } from '../search/body-quantities.js';
import { type Field, fieldNamed, meaningsOfPart } from '../search/body-words.js';
import { CODES } from '../search/codes.js';
import { measurementsOfPhrase } from '../search/measurements.js';
import { findNotCovered } from '../search/not-covered.js';
import type { OtherMeaning } from '../search/other-meanings.js';
import { SURVEY_COLUMNS } from '../search/survey-columns.js';
import { wordsOf } from '../search/terms.js';
import { valueNamed } from '../search/values.js';

/** Columns that this program adds. If the input has them from an earlier run, they are replaced. */
export const OWN_COLUMNS = ['fill_status', 'fill_known', 'fill_note'] as const;

/** Unit of a request. */
export type AnyUnit = Unit | MassUnit;

/** Units of a sheet that requests do not have: the unit of the request, and its number in one. */
const LARGE_UNITS = {
  m: ['mm', 1000],
  ft: ['in', 12],
  st: ['lb', 14],
  jin: ['kg', 0.5],
  hg: ['kg', 0.1],
  g: ['kg', 0.001],
} as const;

/** Unit of a column: a metre, a foot, a stone (14 lb), a jin, 100 g, a gram, or a unit of a request. */
export type SheetUnit = AnyUnit | keyof typeof LARGE_UNITS;

/** A unit of a sheet as a unit of a request, and the number of these in one. */
export function requestUnit(unit: SheetUnit): readonly [unit: AnyUnit, count: number] {
  return unit in LARGE_UNITS ? LARGE_UNITS[unit as 'm'] : [unit as AnyUnit, 1];
}

/** Millimetres or kilograms per unit. */
export function sizeOf(unit: SheetUnit): number {
  const [name, count] = requestUnit(unit);
  return count * (name in KG_PER_UNIT ? KG_PER_UNIT[name as 'kg'] : MM_PER_UNIT[name as 'mm']);
}

export function isMass(unit: SheetUnit | undefined): unit is MassUnit | 'st' | 'jin' | 'hg' | 'g' {
  return unit !== undefined && requestUnit(unit)[0] in KG_PER_UNIT;
}

/** A measurement, and the unit of its values. BMI has none. */
export interface Reading {
  readonly measurement: string;
  readonly unit: SheetUnit | undefined;
}

/** A column of measurements. `how` says who named the measurement: its heading, its values, or `--columns`. */
export interface MeasurementColumn extends Reading {
  readonly how: 'written' | 'guessed' | 'said' | 'added';
}

/** A column whose measurement or unit follows from the values. */
export interface OpenColumn {
  readonly readings: readonly Reading[];
  /** What it may be besides, in any of the units. */
  readonly others: readonly OtherMeaning[];
  /** Whether the heading names the first measurement alone. */
  readonly isTold: boolean;
  /** The column in the default unit, if its name is certain and only its unit is not. */
  readonly written?: MeasurementColumn;
}

/** The content of a column of the file. */
export type Column =
  | { readonly field: Field; readonly ageUnit?: AgeUnit | undefined }
  | { readonly date: DateKind }
  | MeasurementColumn
  | OpenColumn
  | { readonly own: string }
  | {
      readonly other: true;
      /** Why a column that looks like a measurement is not used. */
      readonly note?: string;
      /** Whether its heading has a unit of mass. */
      readonly isOfMass?: boolean;
    };

/** How headings are read. */
export interface Units {
  /** Unit of lengths whose heading has none; undefined if nobody said it. */
  readonly unit: Unit | undefined;
  /** The same of masses. */
  readonly massUnit: MassUnit | undefined;
}

/** Units of columns that are added, and of names without a unit whose values do not tell it. */
const DEFAULT_UNIT = 'mm';
const DEFAULT_MASS_UNIT = 'kg';

/** A unit in brackets or after a mark: `Stature (mm)`, `stature_mm`, `Weight [kg]`, `Height, cm`. */
const UNIT =
  /[([（]([^()[\]（）]+)[\])）]$|[\s_,./-](mm|cm|m|in|inch|inches|ft|feet|kgs?|lbs?|st|stone|pounds|jin|g|grams?)$/i;
/** The last word of a heading, which may be a unit that is not known: `weight_jin`, `Stature (hands)`. */
const LAST_WORD = /[([（]([^()[\]（）]+)[\])）]$|[\s_,./-]([^\s_,./()[\]（）-]+)$/;
const BEFORE_UNIT = /(?<![\s_,./-])[\s_,./-]+$/;

// cspell:disable
/** Units of headings, in addition to the words for the units of requests. */
const UNIT_WORDS: ReadonlyMap<string, SheetUnit> = new Map(
  (
    [
      ['m', 'm, metre, metres, meter, meters, mètre, mètres, metros, metri, м, 米'],
      ['ft', 'ft, feet, foot, ft in, ft & in'],
      ['st', 'st, stone, stones'],
      ['jin', 'jin, 斤, 市斤'],
      ['g', 'g, gram, grams, gramme, grammes'],
      ['hg', 'hg'],
      ['mm', 'мм, 毫米'],
      ['cm', 'см, 厘米, 公分, センチ'],
      ['kg', 'кг, 公斤, 千克'],
      ['in', 'pulgada, pollici, cali'],
      ['lb', 'libras, livres, pfund'],
    ] as const
  ).flatMap(([unit, words]) => words.split(', ').map((word) => [word, unit] as const)),
);
// cspell:enable

/** A heading without its unit, and the unit. */
export function withoutUnit(heading: string): { readonly bare: string; readonly unit?: SheetUnit } {
  const text = heading
    .trim()
    .replace(/(?:[([]\s*kg\s*\/\s*m\s*\^?[2²]\s*[\])]|(?<=\p{Ll})Kgm2)$/iu, '')
    .replace(/(?<=\p{Ll})(?:Mm|Cm|Kg|Lbs?|Inches|Pounds)$/u, ' $&')
    .trimEnd();
  const found = UNIT.exec(text);
  const word = (found?.[1] ?? found?.[2])?.trim().toLowerCase();
  if (found === null || word === undefined) return { bare: text };
  const unit =
    UNIT_WORDS.get(word) ?? (valueNamed(word, [...UNITS, ...MASS_UNITS]) as AnyUnit | undefined);
  return unit === undefined
    ? { bare: text }
    : { bare: text.slice(0, found.index).replace(BEFORE_UNIT, ''), unit };
}

/** The end of a heading of a range column from an earlier run: `Stature low (mm)`. */
const RANGE_END = / (?:low|high)(?: \(\w+\))?$/;

/** Everyday words that mean one measurement, whatever the values are. */
const SURE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:body|standing)?[\s_]?height$/i, 'Stature'],
];

const letters = (text: string): string => text.replace(/[\s_-]/g, '').toLowerCase();

/** The measurements by their exact names, and by the codes of standards and surveys. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CODES).flatMap(([name, codes]) =>
    codes.split(', ').map((code) => [letters(code), name] as const),
  ),
  ...BODY_MEASUREMENTS.map((name) => [letters(name), name] as const),
]);

const KINDS = new Map<string, (typeof MEASUREMENTS)[number]['kind']>(
  MEASUREMENTS.map(({ name, kind }) => [name, kind]),
);

/** The measurement that a heading names for certain. */
function writtenName(bare: string): string | undefined {
  const code = SURVEY_COLUMNS.get(bare.toLowerCase());
  return (
    BY_NAME.get(letters(code === undefined ? bare : withoutUnit(code).bare)) ??
    SURE_WORDS.find(([words]) => words.test(bare))?.[1] ??
    bodyQuantityNamed(bare)
  );
}

/** Units that are tried for a column without one. */
const TRIED_UNITS: readonly SheetUnit[] = ['mm', 'cm', 'in', 'm'];
const TRIED_MASS_UNITS: readonly SheetUnit[] = ['kg', 'lb'];

/** What a heading without a unit may mean besides its exact name, for the judgement by values. */
export const partOf = (heading: string) =>
  meaningsOfPart(withoutUnit(heading).bare, (name) => KINDS.get(name));

/**
 * Interprets a column by its heading.
 *
 * @param said what `--columns` says of it, such as `Stature`, `Stature (cm)`, `age` or `none`
 * @throws Refusal `wrong_sheet` for a unit that its measurement does not have, or a word after `--columns` that is none
 */
export function columnOf(heading: string, options: Units, said?: string): Column {
  const text = heading.trim();
  if (said !== undefined) return saidColumn(text, said, options);
  if ((OWN_COLUMNS as readonly string[]).includes(text)) return { own: text };
  const [ofRange] = RANGE_END.exec(text) ?? [];
  if (ofRange !== undefined && BY_NAME.has(letters(text.replace(RANGE_END, '')))) {
    return { own: text };
  }
  const code = SURVEY_COLUMNS.get(text.toLowerCase());
  const person = personColumn(code ?? text);
  if (person !== undefined) return person;
  const { bare, unit = code === undefined ? undefined : withoutUnit(code).unit } =
    withoutUnit(text);
  const written = writtenName(bare);
  if (written !== undefined) return writtenColumn(heading, written, unit, options);
  const phrase = measurementsOfPhrase(bare).map(({ name }) => name as string);
  if (isMass(unit)) {
    const [name] = phrase;
    if (name !== undefined) return writtenColumn(heading, name, unit, options);
    // Other things in grams are many.
    return unit === 'g' ? { other: true } : { other: true, isOfMass: true };
  }
  const part = meaningsOfPart(bare, (name) => KINDS.get(name));
  const names = [...new Set([...phrase, ...part.names])];
  if (names.length + part.others.length === 0 || findNotCovered(bare).length > 0) {
    return unreadColumn(text, bare, unit);
  }
  const given = unit ?? options.unit;
  const units = given === undefined ? TRIED_UNITS : [given];
  return {
    readings: names.flatMap((measurement) => units.map((unit) => ({ measurement, unit }))),
    others: part.others,
    isTold: phrase.length === 1 && !part.isPart,
  };
}

/** A column of the person: a field, an age in a unit of time, or a date. */
function personColumn(text: string): Column | undefined {
  const field = fieldNamed(text);
  if (field !== undefined && field !== 'age') return { field };
  const ageUnit = ageUnitOf(text);
  if (ageUnit !== undefined) return { field: 'age', ageUnit };
  const date = dateNamed(text);
  return date === undefined ? undefined : { date };
}

/** A heading that names nothing, with the reason if it looks like a measurement or an age. */
function unreadColumn(text: string, bare: string, unit: SheetUnit | undefined): Column {
  const [last = '', bracket, word] = LAST_WORD.exec(text) ?? [];
  const rest = last === '' ? '' : text.slice(0, -last.length).replace(BEFORE_UNIT, '');
  const name = writtenName(rest) ?? measurementsOfPhrase(rest)[0]?.name;
  if (unit === undefined && name !== undefined) {
    const example = headingOf({ measurement: name, unit: unitFor(name, {}) });
    const note = `${JSON.stringify(bracket ?? word)} is no unit that is known here. If it is one of these, say which: --columns ${JSON.stringify(`${text}=${example}`)}`;
    return { other: true, note };
  }
  if (
    wordsOf(text)
      .split(' ')
      .some((one) => fieldNamed(one) === 'age')
  ) {
    return {
      other: true,
      note: `no unit of age is known in it. Say it: --columns ${JSON.stringify(`${text}=age (months)`)}`,
    };
  }
  const isBody = unit !== undefined || findNotCovered(bare).length > 0;
  if (!isBody) return { other: true };
  const hint = nameHint(bare, BODY_MEASUREMENTS);
  return {
    other: true,
    note: `no measurement of this service${hint === undefined ? '' : `. ${hint}`}`,
  };
}

function saidColumn(heading: string, said: string, options: Units): Column {
  if (said === 'none') return { other: true, note: 'as --columns says' };
  const person = personColumn(said);
  if (person !== undefined) return person;
  const { bare, unit } = withoutUnit(said);
  const name = writtenName(bare) ?? measurementsOfPhrase(bare)[0]?.name;
  if (name !== undefined) {
    const own = unit ?? withoutUnit(heading).unit;
    const column = writtenColumn(heading, name, own, options);
    return 'readings' in column
      ? { ...column, written: { ...(column.written as MeasurementColumn), how: 'said' } }
      : { ...column, how: 'said' };
  }
  const hint = nameHint(bare, BODY_MEASUREMENTS) ?? 'npx vitruvia catalog lists the names';
  throw refusal(
    `--columns ${JSON.stringify(`${heading}=${said}`)}: ${JSON.stringify(said)} is no measurement. ${hint}`,
  );
}

function writtenColumn(
  heading: string,
  measurement: string,
  unit: SheetUnit | undefined,
  options: Units,
): MeasurementColumn | OpenColumn {
  const isOfKind = measurement === 'BMI' ? false : isMass(unit) === (measurement === 'BodyMass');
  if (unit === undefined) {
    const written = { measurement, unit: unitFor(measurement, options), how: 'written' } as const;
    const isMass = measurement === 'BodyMass';
    const isSaid = (isMass ? options.massUnit : options.unit) !== undefined;
    if (measurement === 'BMI' || isSaid) return written;
    const readings = (isMass ? TRIED_MASS_UNITS : TRIED_UNITS).map((unit) => ({
      measurement,
      unit,
    }));
    return { readings, others: [], isTold: true, written };
  }
  if (isOfKind) return { measurement, unit, how: 'written' };
  const allowed = measurement === 'BMI' ? [] : measurement === 'BodyMass' ? MASS_UNITS : UNITS;
  const remedy = allowed.length === 0 ? 'It has none' : `Use ${allowed.join(' or ')}`;
  throw refusal(
    `${JSON.stringify(heading)}: ${unit} is no unit of ${measurement}. ${remedy}, or leave the column out with --columns ${JSON.stringify(`${heading}=none`)}.`,
  );
}

/** The unit of a measurement whose heading has none. */
export function unitFor(
  measurement: string,
  { unit, massUnit }: Partial<Units>,
): AnyUnit | undefined {
  if (measurement === 'BMI') return undefined;
  return measurement === 'BodyMass' ? (massUnit ?? DEFAULT_MASS_UNIT) : (unit ?? DEFAULT_UNIT);
}

/** The heading of a column that is added. */
export function headingOf({ measurement, unit }: Reading): string {
  return unit === undefined ? measurement : `${measurement} (${unit})`;
}

/** The headings of the ends of a range. */
export function rangeHeadings({ measurement, unit }: Reading): string[] {
  return ['low', 'high'].map((end) => headingOf({ measurement: `${measurement} ${end}`, unit }));
}

/** @throws Refusal `wrong_sheet` if two columns have the same. Ages may be in years and in months. */
export function refuseTwice(headings: readonly string[], columns: readonly Column[]): void {
  const seen = new Map<string, number>();
  for (const [i, column] of columns.entries()) {
    const named = 'readings' in column ? column.written : column;
    if (named === undefined || 'other' in named) continue;
    if ('field' in named && (named.ageUnit ?? 'years') !== 'years') continue;
    const name =
      'measurement' in named
        ? named.measurement
        : 'field' in named
          ? named.field
          : 'date' in named
            ? `date ${named.date}`
            : named.own;
    const first = seen.get(name);
    if (first !== undefined) {
      throw refusal(
        `The columns ${JSON.stringify(headings[first])} and ${JSON.stringify(headings[i])} are both ${name}. Keep one, rename the other, or leave one out with --columns ${JSON.stringify(`${headings[i]}=none`)}.`,
      );
    }
    seen.set(name, i);
  }
}

/** The refusal of a sheet, or of one of its rows, that cannot be read. */
export function refusal(message: string): Refusal {
  return new Refusal('wrong_sheet', message);
}
