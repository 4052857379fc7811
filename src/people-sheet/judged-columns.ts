import { INCHES_PER_FOOT } from '../core/typed-values.js';
import {
  type Agreement,
  agreementOf,
  agrees,
  differs,
  type Expectations,
  expectationsOf,
  type Meaning,
  type RowPerson,
} from '../operations/column-agreement.js';
import { halfOfLastDigit } from '../operations/known-values.js';
import { sizeOf, type WrittenUnit } from '../operations/likely-unit.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import {
  type Column,
  headingOf,
  type MeasurementColumn,
  type OpenColumn,
  placeOf,
  unused,
  useText,
} from './sheet-columns.js';
import { shownIn, withoutUnit } from './sheet-units.js';

/** The values of a column in mm, kg or kg/m², one for each person, if it has a unit. */
type ValuesOf = (column: number, unit: WrittenUnit | undefined) => readonly number[];

/** A possible meaning of a column, and how its values agree. */
interface Candidate {
  readonly meaning: Meaning;
  readonly unit: WrittenUnit | undefined;
  readonly agreement: Agreement;
}

/** The quantities by which the other columns of a row are judged. */
export const DRIVERS: readonly Meaning[] = ['Stature', 'BodyMass'];
const isDriver = (meaning: Meaning = ''): boolean => DRIVERS.includes(meaning);
/** A mass without a unit is in kg if it is within this many standard deviations so. */
const KG_Z_MOST = 2;
/** Origins of a name of a column, the most certain first. */
const RANKS: readonly OpenColumn['namedBy'][] = ['option', 'heading', undefined];
const rankOf = ({ namedBy }: Pick<OpenColumn, 'namedBy'>): number => RANKS.indexOf(namedBy);

/**
 * Columns of feet get the column of inches beside them: `height_ft` and `height_in` are one stature. Most of the inches
 * are less than a foot and are not the same length as the feet; otherwise the column of inches has the whole length.
 */
export function withInches(
  columns: readonly Column[],
  cellsOf: (column: number) => readonly string[],
): readonly Column[] {
  const isIn = (unit: string, column: Column | undefined): column is OpenColumn =>
    column?.kind === 'open' && column.units.length === 1 && column.units[0]?.name === unit;
  const numbersOf = (column: number) =>
    cellsOf(column).map((cell) =>
      cell.trim() === '' ? Number.NaN : Number(cell.replace(',', '.')),
    );
  const areRest = (feet: readonly number[], inches: readonly number[]) => {
    const rows = inches.flatMap((one, row) =>
      Number.isNaN(one) ? [] : [[one, feet[row]] as const],
    );
    const rest = rows.filter(([one, whole = 0]) => {
      const isSame = Math.abs(one - INCHES_PER_FOOT * whole) <= INCHES_PER_FOOT / 2;
      return one < INCHES_PER_FOOT && !(isSame && whole > 0);
    });
    return 2 * rest.length >= rows.length;
  };
  const pairs = columns.map((column, i) => {
    const isWhole = !cellsOf(i).some((cell) => /[.,]\d*[1-9]/.test(cell));
    if (!isIn('ft', column) || !isWhole) return -1;
    return columns.findIndex(
      (one, j) =>
        isIn('in', one) &&
        one.meanings[0] === column.meanings[0] &&
        areRest(numbersOf(i), numbersOf(j)),
    );
  });
  return columns.map((column, i) => {
    if (pairs.includes(i)) return { kind: 'other' };
    const inches = pairs[i] as number;
    return inches < 0 ? column : { ...(column as OpenColumn), inches };
  });
}

/**
 * Open columns with the reading that their values agree with. Stature and mass are found first, because they tell what
 * to expect of the others. A column that agrees with no reading, or with several, becomes one that is not used.
 *
 * @param people people whose values are compared; without any, only certain headings with a unit are read
 */
export function judgedColumns(
  headings: readonly string[],
  columns: readonly Column[],
  people: readonly RowPerson[],
  valuesOf: ValuesOf,
  model: PredictionModel | undefined,
): readonly Column[] {
  let settled = [...columns];
  const isSure = ({ namedBy, units }: OpenColumn) => namedBy !== undefined && units.length === 1;
  // A heading with fewer meanings wins over one with more.
  const open = columns
    .flatMap((column, i) => (column.kind === 'open' ? [{ ...column, i }] : []))
    .sort((a, b) => rankOf(a) - rankOf(b) || a.meanings.length - b.meanings.length)
    .sort((a, b) => Number(isSure(b)) - Number(isSure(a)));
  const allExpected = (some: readonly OpenColumn[]): readonly Expectations[] => {
    const meanings = [...new Set(some.flatMap((one) => one.meanings))];
    const [statures = [], masses = []] = DRIVERS.map((name) => {
      const at = placeOf(settled, name);
      return at < 0 ? [] : valuesOf(at, (settled[at] as MeasurementColumn).unit);
    });
    return people.map((person, row) => {
      const known = { statureMm: statures[row] || undefined, massKg: masses[row] || undefined };
      return model ? expectationsOf({ ...person, ...known }, meanings, model) : new Map();
    });
  };
  const foundFor = (column: (typeof open)[number], expected: readonly Expectations[]): Column => {
    const candidates = column.meanings.flatMap((meaning) =>
      column.units.map((unit): Candidate => {
        const found = expected.map((one) => one.get(meaning));
        return { meaning, unit, agreement: agreementOf(valuesOf(column.i, unit), found) };
      }),
    );
    const owner = (meaning: Meaning) => headings[placeOf(settled, meaning)];
    return settledColumn(column, candidates, headings[column.i] as string, owner);
  };
  for (const column of open.filter(({ meanings }) => meanings.some(isDriver))) {
    const found = foundFor(column, isSure(column) ? [] : allExpected([column]));
    if (found.kind === 'measured' && isDriver(found.measurement)) settled[column.i] = found;
  }
  settled = withoutTwins(headings, settled, valuesOf);
  const left = open.filter(({ i }) => settled[i]?.kind === 'open');
  const expected = allExpected(left);
  for (const column of left) settled[column.i] = foundFor(column, expected);
  return withoutTwins(headings, settled, valuesOf);
}

/**
 * Columns of which each measurement has one. If two have the same values, the first is kept; if their values differ by
 * more than rounding, none is, unless `--columns` names it.
 */
function withoutTwins(
  headings: readonly string[],
  columns: readonly Column[],
  valuesOf: ValuesOf,
): Column[] {
  const isTwin = (one: MeasurementColumn, i: number, other: MeasurementColumn, j: number) => {
    const [values, others] = [valuesOf(i, one.unit), valuesOf(j, other.unit)];
    return values.every((value, row) => {
      const same = others[row] as number;
      return !(Math.abs(value - same) > roundingOf(value, one.unit) + roundingOf(same, other.unit));
    });
  };
  return columns.map((one, i) => {
    if (one.kind !== 'measured') return one;
    const notes = columns.flatMap((other, j) => {
      if (i === j || other.kind !== 'measured' || other.measurement !== one.measurement) return [];
      const heading = JSON.stringify(headings[j]);
      if (one.namedBy === other.namedBy && !isTwin(one, i, other, j)) {
        const both = `it and ${heading} are both ${one.measurement}, and their values differ.`;
        return unused(both, useText(headings[i] as string, one.measurement));
      }
      const isFirst = (rankOf(one) - rankOf(other) || i - j) < 0;
      return isFirst ? [] : unused(`it means the same as ${heading}.`);
    });
    return notes.at(-1) ?? one;
  });
}

/** Half the last written digit of a value, in mm, kg or kg/m². Feet are written with inches. */
function roundingOf(value: number, unit: WrittenUnit | undefined): number {
  const sizes = unit === undefined ? [1] : [unit.size, sizeOf(unit.asked)];
  return Math.max(
    ...sizes.map((size) => halfOfLastDigit(Number((value / size).toPrecision(9))) * size),
  );
}

/** Meaning of a column, by the candidates that its values were compared with. */
function settledColumn(
  { namedBy, meanings, units, isTold, inches }: OpenColumn,
  candidates: readonly Candidate[],
  heading: string,
  ownerOf: (meaning: Meaning) => string | undefined,
): Column {
  const [usual] = meanings;
  const measured = ({ meaning, unit }: Omit<Candidate, 'agreement'>): MeasurementColumn => ({
    ...{ kind: 'measured', measurement: meaning as string, unit, inches, namedBy },
    isGuess: namedBy === undefined || units.length > 1,
  });
  const use = (meaning: Meaning | undefined, unit: WrittenUnit | undefined) => {
    if (typeof meaning !== 'string') return '';
    const isOfHeading = withoutUnit(heading).unit !== undefined;
    return useText(heading, isOfHeading ? meaning : headingOf({ measurement: meaning, unit }));
  };
  const compared = candidates.filter(({ agreement }) => agreement.count > 0);
  const named = compared.filter(({ meaning }) => meaning === usual);
  if (compared.length === 0 || (namedBy !== undefined && named.length === 0)) {
    const [unit] = units;
    if (isTold && units.length === 1) return measured({ meaning: usual as Meaning, unit });
    return unused('none of its values could be compared with a person.', use(usual, unit));
  }
  const fits = ({ agreement, meaning }: Candidate) => agrees(agreement, isDriver(meaning));
  const fitting = compared.filter(fits);
  if (namedBy !== undefined) {
    const own = nearestOf(named);
    if (fits(own) || namedBy === 'option' || isDriver(usual)) return measured(own);
    return unused(farText(own), fitText(fitting), use(usual, own.unit));
  }
  const ours = fitting.filter(({ meaning }) => typeof meaning === 'string');
  const [same] = ours.flatMap(({ meaning }) => ownerOf(meaning) ?? []);
  if (same !== undefined) return unused(`it means the same as ${JSON.stringify(same)}.`);
  const [only] = ours;
  if (only !== undefined && (fitting.length === 1 || (isTold && only.meaning === usual))) {
    return measured(only);
  }
  if (ours.length > 0) {
    return unused(fitText(fitting), ...ours.map(({ meaning, unit }) => use(meaning, unit)));
  }
  const nearest = nearestOf(compared);
  const known = meanings.find((meaning) => typeof meaning === 'string');
  return unused(fitText(fitting) || farText(nearest), use(known, nearest.unit));
}

/** The candidate whose mean is nearest to what is expected, as a ratio. There is one. */
function nearestOf(candidates: readonly Candidate[]): Candidate {
  const kg = candidates.find(({ unit, meaning }) => unit?.name === 'kg' && meaning === 'BodyMass');
  if (kg !== undefined && Math.abs(kg.agreement.meanZ) <= KG_Z_MOST) return kg;
  const distance = ({ agreement: { mean, expected } }: Candidate) =>
    Math.abs(Math.log(mean / expected));
  return candidates.reduce((a, b) => (distance(b) < distance(a) ? b : a));
}

const nameOf = (meaning: Meaning): string =>
  typeof meaning === 'string' ? meaning : `${meaning.name}, which this service does not have`;

/** How the values differ from what people have. */
function farText({ meaning, unit, agreement }: Candidate): string {
  const { mean, expected, count, farCount } = agreement;
  if (!differs(agreement)) {
    return `${farCount} of ${count} values that were looked at are far from ${nameOf(meaning)}.`;
  }
  const [own, usual] = [mean, expected].map((value) => Number(shownIn(value, unit).toPrecision(3)));
  const average = count === 1 ? 'it is' : 'its values are on average';
  return `${average} ${own}${unit === undefined ? '' : ` ${unit.name}`}, and ${usual} is expected of such people for ${nameOf(meaning)}.`;
}

/** The meanings that the values fit. */
function fitText(fitting: readonly Candidate[]): string {
  const names = fitting.map(({ meaning }) => nameOf(meaning));
  return names.length === 0 ? '' : `its values fit ${names.join('; or ')}.`;
}
