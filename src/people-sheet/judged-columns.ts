import {
  type Agreement,
  agrees,
  differs,
  type ReadingToJudge,
  type RowPerson,
} from '../operations/column-agreement.js';
import {
  type Column,
  headingOf,
  type Meaning,
  type MeasurementColumn,
  type OpenColumn,
  type OtherColumn,
  useText,
} from './sheet-columns.js';
import { type SheetUnit, shownIn, withoutUnit } from './sheet-units.js';

/** Compares readings of columns with the people of the rows. */
export type Judge = (
  people: readonly RowPerson[],
  columns: readonly (readonly ReadingToJudge[])[],
) => readonly (readonly Agreement[])[];

/** What a column may be, and how its values agree. */
interface Candidate {
  readonly meaning: Meaning;
  readonly unit: SheetUnit | undefined;
  readonly agreement: Agreement;
  readonly fits: boolean;
}

/** The quantities by which the other columns of a row are judged. */
const DRIVERS: readonly Meaning[] = ['Stature', 'BodyMass'];
/** A mass without a unit is in kg if it is within this many standard deviations so. */
const KG_Z_MOST = 2;

/**
 * Open columns with the reading that their values agree with. Stature and mass are found first, because they tell what
 * to expect of the others. A column that agrees with no reading, or with several, becomes one that is not used.
 *
 * @param people people whose values tell; without any, only certain headings with a unit are read
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
  const settle = (i: number, column: Column) => {
    settled[i] = column;
    if (column.kind === 'measured') taken.set(column.measurement, headings[i] as string);
  };
  const candidatesOf = (places: readonly number[]): Candidate[][] => {
    const known = DRIVERS.map((name) => {
      const at = settled.findIndex((one) => one.kind === 'measured' && one.measurement === name);
      return at < 0 ? [] : valuesOf(at, (settled[at] as MeasurementColumn).unit);
    });
    const rows = people.map((person, row) => {
      const [statureMm, massKg] = known.map((values) => values[row] || undefined);
      return { ...person, statureMm, massKg };
    });
    const readings = places.map((i) => {
      const { meanings, units } = columns[i] as OpenColumn;
      const all = meanings.flatMap((meaning) => units.map((unit) => ({ meaning, unit })));
      return all.map((one) => ({ ...one, values: valuesOf(i, one.unit) }));
    });
    return judge(rows, readings).map((all, p) =>
      all.map((agreement, r) => {
        const { meaning, unit } = (readings[p] as Omit<Candidate, 'agreement' | 'fits'>[])[
          r
        ] as Candidate;
        return { meaning, unit, agreement, fits: agrees(agreement, DRIVERS.includes(meaning)) };
      }),
    );
  };
  for (const [i, column] of columns.entries()) {
    const isSure =
      column.kind === 'open' && column.namedBy !== undefined && column.units.length === 1;
    const [meaning] = isSure ? column.meanings : [];
    const isDriver = meaning !== undefined && DRIVERS.includes(meaning);
    settle(
      i,
      isDriver ? settledColumn(column as OpenColumn, [], headings[i] as string, taken) : column,
    );
  }
  const open = columns.flatMap((column, i) => (column.kind === 'open' ? [{ i, column }] : []));
  // A heading with fewer meanings wins over one with more.
  open.sort(
    ({ column: one }, { column: other }) =>
      Number(one.namedBy === undefined) - Number(other.namedBy === undefined) ||
      one.meanings.length - other.meanings.length,
  );
  for (const { i, column } of open) {
    if (!column.meanings.some((meaning) => DRIVERS.includes(meaning))) continue;
    const [candidates = []] = candidatesOf([i]);
    const found = settledColumn(column, candidates, headings[i] as string, taken);
    if (found.kind === 'measured' && DRIVERS.includes(found.measurement)) settle(i, found);
  }
  const left = open.filter(({ i }) => settled[i]?.kind === 'open');
  const judged = candidatesOf(left.map(({ i }) => i));
  for (const [place, { i, column }] of left.entries()) {
    settle(i, settledColumn(column, judged[place] ?? [], headings[i] as string, taken));
  }
  return settled;
}

/** What a column is, by the candidates that its values were compared with. */
function settledColumn(
  { namedBy, meanings, units, isTold }: OpenColumn,
  candidates: readonly Candidate[],
  heading: string,
  taken: ReadonlyMap<string, string>,
): Column {
  const [usual] = meanings;
  const use = (meaning: Meaning | undefined, unit: SheetUnit | undefined) => {
    if (typeof meaning !== 'string') return '';
    const isOfHeading = withoutUnit(heading).unit !== undefined;
    return useText(heading, isOfHeading ? meaning : headingOf({ measurement: meaning, unit }));
  };
  const compared = candidates.filter(({ agreement }) => agreement.count > 0);
  if (compared.length === 0) {
    const [unit] = units;
    if (units.length === 1 && typeof usual === 'string' && isTold) {
      return measured({ meaning: usual, unit }, namedBy === undefined);
    }
    return unused('none of its values could be compared with a person.', use(usual, unit));
  }
  const fitting = compared.filter(({ fits }) => fits);
  if (namedBy !== undefined) {
    const own = nearestOf(compared.filter(({ meaning }) => meaning === usual)) as Candidate;
    if (own.fits || namedBy === 'option' || DRIVERS.includes(own.meaning)) {
      return measured(own, units.length > 1);
    }
    return unused(farText(own), fitText(fitting), use(usual, own.unit));
  }
  const ours = fitting.filter(({ meaning }) => typeof meaning === 'string');
  const same = ours.flatMap(({ meaning }) => taken.get(meaning as string) ?? [])[0];
  if (same !== undefined) return unused(`it means the same as ${JSON.stringify(same)}.`);
  const [only] = ours;
  if (only !== undefined && (fitting.length === 1 || (isTold && only.meaning === usual))) {
    return measured(only, true);
  }
  if (ours.length > 0) {
    return unused(fitText(fitting), ...ours.map(({ meaning, unit }) => use(meaning, unit)));
  }
  const nearest = nearestOf(compared) as Candidate;
  const known = meanings.find((meaning) => typeof meaning === 'string');
  return unused(fitting.length > 0 ? fitText(fitting) : farText(nearest), use(known, nearest.unit));
}

const measured = (
  { meaning, unit }: Pick<Candidate, 'meaning' | 'unit'>,
  isGuess: boolean,
): MeasurementColumn => ({ kind: 'measured', measurement: meaning as string, unit, isGuess });

/** A column that is not used, with the sentences that say why. The first one continues a sentence. */
function unused(first: string, ...more: readonly string[]): OtherColumn {
  const capital = more.map((text) => text.charAt(0).toUpperCase() + text.slice(1));
  return { kind: 'other', note: [first, ...capital].filter((text) => text !== '').join(' ') };
}

/** The candidate whose mean is nearest to what is expected, as a ratio. */
function nearestOf(candidates: readonly Candidate[]): Candidate | undefined {
  const kg = candidates.find(({ unit, meaning }) => unit?.name === 'kg' && meaning === 'BodyMass');
  if (kg !== undefined && Math.abs(kg.agreement.meanZ) <= KG_Z_MOST) return kg;
  const distance = ({ agreement: { mean, expected } }: Candidate) =>
    Math.abs(Math.log(mean / expected));
  return candidates.toSorted((one, other) => distance(one) - distance(other))[0];
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
