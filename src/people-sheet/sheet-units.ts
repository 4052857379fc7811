import { fromKg, fromMm, MASS_UNITS, type MassUnit, UNITS, type Unit } from '../core/units.js';
import {
  type AnyUnit,
  sizeOf,
  WRITTEN_UNITS,
  type WrittenUnit,
} from '../operations/likely-unit.js';
import { valueNamed } from '../search/values.js';

// cspell:ignore mètre mètres metri
/** Words for the units that requests do not have. The words for the others are those of the search. */
const WORDS: Readonly<Record<string, string>> = {
  m: 'metre, metres, meter, meters, mètre, mètres, metros, metri, м, 米',
  ft: 'feet, foot, ft in, ft & in',
  st: 'stone, stones',
  jin: '斤, 市斤',
  g: 'gram, grams, gramme, grammes',
};
const BY_WORD: ReadonlyMap<string, WrittenUnit> = new Map(
  WRITTEN_UNITS.flatMap((unit) =>
    [unit.name, ...(WORDS[unit.name]?.split(', ') ?? [])].map((word) => [word, unit] as const),
  ),
);

/** The unit that a word names. */
export function unitNamed(word: string): WrittenUnit | undefined {
  const plain = word.trim().toLowerCase();
  return BY_WORD.get(plain) ?? BY_WORD.get(valueNamed(plain, [...UNITS, ...MASS_UNITS]) ?? '');
}

/** The unit of a request as the unit of a column. */
export const unitOf = (name: AnyUnit): WrittenUnit => BY_WORD.get(name) as WrittenUnit;

/** A value in mm or kg in a unit, with the digits of the unit of a request. A BMI has no unit. */
export function shownIn(value: number, unit: WrittenUnit | undefined): number {
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
  readonly unit?: WrittenUnit;
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
