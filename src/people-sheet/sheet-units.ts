import {
  fromKg,
  fromMm,
  KG_PER_UNIT,
  MASS_UNITS,
  type MassUnit,
  MM_PER_UNIT,
  UNITS,
  type Unit,
} from '../core/units.js';
import { valueNamed } from '../search/values.js';

/** Unit of a request. */
export type AnyUnit = Unit | MassUnit;

/** Unit of a column. */
export interface SheetUnit {
  readonly name: string;
  /** Millimetres or kilograms in one. */
  readonly size: number;
  readonly isMass: boolean;
  /** The unit in which requests have the values. */
  readonly asked: AnyUnit;
}

const sizeOf = (unit: AnyUnit): number =>
  unit in KG_PER_UNIT ? KG_PER_UNIT[unit as MassUnit] : MM_PER_UNIT[unit as Unit];

const unit = (name: string, asked: AnyUnit, count = 1): SheetUnit => ({
  ...{ name, asked, size: count * sizeOf(asked), isMass: asked in KG_PER_UNIT },
});

// cspell:ignore mètre mètres metri
/** Units of requests, and others with their words. Their size is a number of a unit of requests. */
const BY_WORD: ReadonlyMap<string, SheetUnit> = new Map<string, SheetUnit>([
  ...[...UNITS, ...MASS_UNITS].map((name) => [name, unit(name, name)] as const),
  ...(
    [
      [
        unit('m', 'mm', 1000),
        'm, metre, metres, meter, meters, mètre, mètres, metros, metri, м, 米',
      ],
      [unit('ft', 'in', 12), 'ft, feet, foot, ft in, ft & in'],
      [unit('st', 'lb', 14), 'st, stone, stones'],
      [unit('jin', 'kg', 0.5), 'jin, 斤, 市斤'],
      [unit('hg', 'kg', 0.1), 'hg'],
      [unit('g', 'kg', 0.001), 'g, gram, grams, gramme, grammes'],
    ] as const
  ).flatMap(([one, words]) => words.split(', ').map((word) => [word, one] as const)),
]);

/** The unit that a word names. */
export function unitNamed(word: string): SheetUnit | undefined {
  const plain = word.trim().toLowerCase();
  return BY_WORD.get(plain) ?? BY_WORD.get(valueNamed(plain, [...UNITS, ...MASS_UNITS]) ?? '');
}

/** The unit of a request as the unit of a column. */
export const unitOf = (name: AnyUnit): SheetUnit => BY_WORD.get(name) as SheetUnit;

/** A value in mm or kg in a unit, with the digits of the unit of a request. A BMI has no unit. */
export function shownIn(value: number, unit: SheetUnit | undefined): number {
  if (unit === undefined) return value;
  const { asked, size, isMass } = unit;
  const shown = isMass ? fromKg(value, asked as MassUnit) : fromMm(value, asked as Unit);
  return Number(((shown * sizeOf(asked)) / size).toPrecision(7));
}

/** A unit in brackets or after a mark: `Stature (mm)`, `stature_mm`, `Weight [kg]`, `Height, cm`. */
const LAST_WORD = /[([（]([^()[\]（）]+)[\])）]$|[\s_,./-]([^\s_,./()[\]（）-]+)$/;
const BEFORE_UNIT = /(?<![\s_,./-])[\s_,./-]+$/;
/** The unit of a BMI, which needs none. */
const KG_PER_M2 = /(?:[([]\s*kg\s*\/\s*m\s*\^?[2²]\s*[\])]|(?<=\p{Ll})Kgm2)$/iu;
const CAMEL_CASE = /(?<=\p{Ll})(?:Mm|Cm|Kg|Lbs?|Inches|Pounds)$/u;

/** A heading, what it says before its last word, and that word. */
export interface HeadingParts {
  readonly bare: string;
  readonly unit?: SheetUnit;
  /** A last word that is no unit, and what stands before it. */
  readonly last?: { readonly word: string; readonly before: string };
}

/** A heading without its unit, and the unit. */
export function withoutUnit(heading: string): HeadingParts {
  const bare = heading.trim().replace(KG_PER_M2, '').replace(CAMEL_CASE, ' $&').trimEnd();
  const [end = '', bracket, last] = LAST_WORD.exec(bare) ?? [];
  const word = bracket ?? last;
  if (word === undefined) return { bare };
  const before = bare.slice(0, -end.length).replace(BEFORE_UNIT, '');
  const unit = unitNamed(word);
  return unit === undefined ? { bare, last: { word, before } } : { bare: before, unit };
}
