import { fromKg, fromMm } from '../core/units.js';
import {
  type Agreement,
  agrees,
  type ReadingToJudge,
  type RowPerson,
} from '../operations/column-agreement.js';
import type { OtherMeaning } from '../search/other-meanings.js';
import {
  type Column,
  headingOf,
  isMass,
  type MeasurementColumn,
  type OpenColumn,
  partOf,
  type Reading,
  requestUnit,
  type SheetUnit,
  withoutUnit,
} from './sheet-columns.js';

/** Compares readings of columns with the people of the rows. */
export type Judge = (
  people: readonly RowPerson[],
  columns: readonly (readonly ReadingToJudge[])[],
) => readonly (readonly Agreement[])[];

/** What a column may be, and how its values agree. */
interface Candidate {
  readonly meaning: string | OtherMeaning;
  readonly unit: SheetUnit | undefined;
  readonly agreement: Agreement;
  readonly fits: boolean;
}

/** The quantities by which the other columns of a row are judged. */
const DRIVERS = ['Stature', 'BodyMass'] as const;
/** A mass without a unit is in kg if it is within this many standard deviations so. */
const KG_Z_MOST = 2;

/**
 * The columns with the readings that the values agree with. Stature and mass are found first, because they tell what
 * to expect of the others. A column that agrees with no reading, or with several, becomes one that is not used.
 *
 * @param valuesOf the values of a column in mm, kg or kg/m², one for each person, if it has a unit
 */
export function judgedColumns(
  headings: readonly string[],
  columns: readonly Column[],
  people: readonly RowPerson[],
  valuesOf: (column: number, unit: SheetUnit | undefined) => readonly number[],
  judge: Judge,
): readonly Column[] {
  const settled = [...columns];
  /** The heading of each measurement that a column has. */
  const taken = new Map<string, string>();
  const take = (i: number) => {
    const column = settled[i] as Column;
    if ('measurement' in column) taken.set(column.measurement, headings[i] as string);
  };
  const mayDrive = (column: Column) =>
    'readings' in column && column.readings.some(({ measurement }) => isDriver(measurement));
  const candidatesOf = (places: readonly number[]): Candidate[][] => {
    const known = DRIVERS.map((name) => {
      const at = settled.findIndex(
        (column) => 'measurement' in column && column.measurement === name,
      );
      return at < 0 ? [] : valuesOf(at, (settled[at] as MeasurementColumn).unit);
    });
    const rows = people.map((person, row) => {
      const [statureMm, massKg] = known.map((values) => values[row] || undefined);
      return { ...person, statureMm, massKg };
    });
    const readings = places.map((i) => readingsOf(settled[i] as Column, headings[i] as string));
    const toJudge = readings.map((all, p) =>
      all.map(({ meaning, unit }) => ({ meaning, values: valuesOf(places[p] as number, unit) })),
    );
    return judge(rows, toJudge).map((all, p) =>
      all.map((agreement, r) => {
        const reading = readings[p]?.[r] as Omit<Candidate, 'agreement' | 'fits'>;
        return { ...reading, agreement, fits: agrees(agreement, reading.meaning) };
      }),
    );
  };
  for (const i of columns.keys()) {
    if (!mayDrive(columns[i] as Column)) continue;
    const column = columns[i] as OpenColumn;
    const [candidates = []] = candidatesOf([i]);
    const found =
      column.written === undefined
        ? soleOf(candidates.filter(({ fits }) => fits))
        : nearestOf(candidates);
    if (found !== undefined && isDriver(found.meaning)) settled[i] = guessed(found);
  }
  const open = settled.flatMap((column, i) => (isJudged(column) ? [i] : []));
  for (const i of settled.keys()) if (!open.includes(i)) take(i);
  const judged = candidatesOf(open);
  const isSure = (i: number) =>
    'measurement' in (settled[i] as Column) || 'written' in (settled[i] as Column);
  // A heading with one meaning wins over a guess.
  for (const i of open.toSorted((a, b) => Number(isSure(b)) - Number(isSure(a)))) {
    const column = settled[i] as MeasurementColumn | OpenColumn;
    settled[i] = settledColumn(column, judged[open.indexOf(i)] ?? [], headings[i] as string, taken);
    take(i);
  }
  return settled;
}

const isDriver = (meaning: string | OtherMeaning): boolean =>
  (DRIVERS as readonly unknown[]).includes(meaning);

/** Whether values decide about a column. What `--columns` says is not judged, nor are stature and mass. */
function isJudged(column: Column): column is MeasurementColumn | OpenColumn {
  if ('readings' in column) return true;
  return 'measurement' in column && column.how === 'written' && !isDriver(column.measurement);
}

function readingsOf(column: Column, heading: string) {
  if ('readings' in column) {
    const units = [...new Set(column.readings.map(({ unit }) => unit))];
    return [
      ...column.readings.map(({ measurement, unit }) => ({ meaning: measurement, unit })),
      ...column.others.flatMap((meaning) => units.map((unit) => ({ meaning, unit }))),
    ];
  }
  if (!('measurement' in column)) return [];
  const { measurement, unit } = column;
  const part = partOf(heading);
  const names = part.names.filter((name) => name !== measurement && !isMass(unit));
  return [measurement, ...names, ...part.others].map((meaning) => ({ meaning, unit }));
}

const soleOf = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined);

const guessed = ({ meaning, unit }: Candidate): MeasurementColumn => ({
  ...{ measurement: meaning as string, unit, how: 'guessed' },
});

/** The candidate whose mean is nearest to what is expected, as a ratio. */
function nearestOf(candidates: readonly Candidate[]): Candidate | undefined {
  const found = candidates.filter(({ agreement }) => agreement.count > 0);
  const kg = found.find(({ unit, meaning }) => unit === 'kg' && meaning === 'BodyMass');
  if (kg !== undefined && Math.abs(kg.agreement.meanZ) <= KG_Z_MOST) return kg;
  const distance = ({ agreement: { mean, expected } }: Candidate) =>
    Math.abs(Math.log(mean / expected));
  return found.toSorted((one, other) => distance(one) - distance(other))[0];
}

function settledColumn(
  column: MeasurementColumn | OpenColumn,
  candidates: readonly Candidate[],
  heading: string,
  taken: ReadonlyMap<string, string>,
): Column {
  // Without a model, nothing is judged.
  if (candidates.length === 0) return column;
  const fitting = candidates.filter(({ fits, agreement }) => fits && agreement.count > 0);
  const named = 'readings' in column ? column.written : column;
  if (named !== undefined) {
    const own = candidates.filter(({ meaning }) => meaning === named.measurement);
    const nearest = nearestOf(own);
    if (nearest === undefined) return named;
    if ('readings' in column && (named.how === 'said' || nearest.fits)) return guessed(nearest);
    if (nearest.fits) return named;
    return {
      other: true,
      note: joined(farText(nearest), othersText(fitting), hintOf(heading, [nearest])),
    };
  }
  const isOurs = ({ meaning }: Candidate) => typeof meaning === 'string';
  const ours = fitting.filter(isOurs);
  const first = ours.find(({ meaning }) => taken.has(meaning as string));
  if (first !== undefined) {
    return {
      other: true,
      note: `it means the same as ${JSON.stringify(taken.get(first.meaning as string))}`,
    };
  }
  const [only] = ours;
  const isTold =
    'isTold' in column && column.isTold && only?.meaning === column.readings[0]?.measurement;
  if (only !== undefined && (isTold || fitting.length === 1)) return guessed(only);
  // The first meaning is the usual one.
  const nearest = nearestOf(candidates.filter(({ meaning }) => meaning === candidates[0]?.meaning));
  const hinted = ours.length > 0 ? ours : nearest === undefined ? [] : [nearest];
  if (nearest === undefined && fitting.length === 0) {
    const { readings } = column as OpenColumn;
    const all = readings
      .slice(0, 1)
      .map(({ measurement, unit }) => ({ meaning: measurement, unit }));
    return {
      other: true,
      note: `none of its values could be compared with a person. ${hintOf(heading, all)}`,
    };
  }
  const what = fitting.length === 0 ? farText(nearest as Candidate) : othersText(fitting);
  return { other: true, note: joined(what, hintOf(heading, hinted)) };
}

const joined = (...texts: readonly string[]): string =>
  texts.filter((text) => text !== '').join(' ');

/** The mean of the values, and what people have. */
function farText({ meaning, unit, agreement: { mean, expected, count } }: Candidate): string {
  const [asked] = unit === undefined ? [undefined] : requestUnit(unit);
  const shown = (value: number) => {
    const number =
      asked === undefined
        ? value
        : isMass(asked)
          ? fromKg(value, asked)
          : fromMm(value, asked as 'mm');
    return Number(number.toPrecision(3));
  };
  const average = count === 1 ? 'it is' : 'its values are on average';
  return `${average} ${shown(mean)}${asked === undefined ? '' : ` ${asked}`}, and ${shown(expected)} is expected of ${meaning as string} in such people.`;
}

/** The other meanings that the values fit. */
function othersText(fitting: readonly Candidate[]): string {
  const names = fitting.map(({ meaning }) =>
    typeof meaning === 'string' ? meaning : `${meaning.name}, which this service does not have`,
  );
  return names.length === 0 ? '' : `its values fit ${names.join('; or ')}.`;
}

/** The options that would use a column. */
function hintOf(heading: string, all: readonly Pick<Candidate, 'meaning' | 'unit'>[]): string {
  const hasUnit = withoutUnit(heading).unit !== undefined;
  const said = all.map(({ meaning, unit }) => {
    const reading: Reading = { measurement: meaning as string, unit };
    const what = hasUnit ? reading.measurement : headingOf(reading);
    return `If it is ${reading.measurement}, write --columns ${JSON.stringify(`${heading}=${what}`)}.`;
  });
  return said.join(' ');
}
