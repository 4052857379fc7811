import { COUNTRY_CODES } from '../core/countries.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { curveInverse, curveSlope } from '../lookup/cell.js';
import type { PredictionModel } from './prediction-model.js';

/** A person of a row. */
export interface RowPerson {
  readonly country: string;
  readonly gender: Gender;
  readonly ageYears: number;
}

/** A measurement that a column may have. */
export interface ReadingOfColumn {
  readonly measurement: string;
  /** Its values in mm, kg or kg/m², one for each person; NaN where there is none. */
  readonly values: readonly number[];
  /** Whether the heading names this measurement alone. Then the values must speak clearly against it. */
  readonly isTold: boolean;
}

/** A column and what it may mean. */
export interface ColumnToJudge {
  readonly readings: readonly ReadingOfColumn[];
  /**
   * Whether the measurement is certain. No other column may have it. With one reading, nothing is judged; with several,
   * only the unit is.
   */
  readonly isWritten: boolean;
}

/** The judgement of a column. */
export interface JudgedColumn {
  /** Index of the reading that is far likelier than the next; undefined if there is none. */
  readonly taken: number | undefined;
  /** Indices of the readings with a likelihood, the likeliest first. The likelihoods of a column sum to 1. */
  readonly order: readonly { readonly reading: number; readonly likelihood: number }[];
}

/**
 * The people of a file differ from the model together: they come from one place, and one person measured them. So a
 * file counts as at most this many independent people, however many rows it has. The tests of this module bound the
 * wrong readings that follow for files whose people are half a standard deviation larger than the model.
 */
const INDEPENDENT_PEOPLE = 20;
/** Minimum of the log of the ratio between the likelihoods of a reading and of the next: 1000 to 1. */
const FAR_LIKELIER = Math.log(1000);
/** Advantage of the reading that the heading names alone, as a log of a ratio of likelihoods. */
const TOLD = 2 * FAR_LIKELIER;
/** Each parameter of the curve that is fitted to a column costs one unit of log likelihood (Akaike 1974). */
const FITTED_PARAMETERS = 2;
/** Share of cells that are something else: slips, other units, other people. */
const SLIPS = 0.05;
/** Share of the variance of a score that correlations do not explain, because measurers differ. */
const OWN_VARIANCE = 0.1;
/** Normal scores beyond this count as this much when they predict others. */
const FARTHEST_Z = 3.5;
/** Scores are not computed beyond this. */
const LAST_Z = 8;
/** Standard deviation of the log of a body length, if a column has too few values to show its own. */
const LN_SD = 0.1;
/** A score is normally distributed if the median absolute deviation times this is the standard deviation. */
const SD_PER_MAD = 1.4826;
const LN_SQRT_TWO_PI = Math.log(Math.sqrt(2 * Math.PI));
/** Number of times that all columns are judged again beside the others. */
const SWEEPS = 3;

/** A reading with its scores. */
interface Scored {
  readonly quantity: number;
  /** Normal score of each person's value; NaN without a value or model. */
  readonly z: Float64Array;
  /** Log of the factor from the density of the score to the density of the log of the value. */
  readonly lnJacobian: Float64Array;
  readonly isTold: boolean;
}

interface Judging {
  readonly readings: readonly Scored[];
  readonly isWritten: boolean;
  /** Whether there is nothing to judge. */
  readonly isCertain: boolean;
  /** Log of the density of each person's value in a curve fitted to the column. NaN without a value. */
  readonly lnOwn: Float64Array;
}

/**
 * Weighs the readings of all columns of a file together by the people that they would make. Each reading is judged by
 * the density of its values in the joint distribution, given the other columns of the row (a normal copula, Nelsen
 * 2006, section 2.3). The readings of all columns are improved in turn until none changes (iterated conditional modes,
 * Besag 1986).
 */
export function likelyReadings(
  people: readonly RowPerson[],
  columns: readonly ColumnToJudge[],
  model: PredictionModel,
): JudgedColumn[] {
  const judging = scored(people, columns, model);
  const rho = correlationsOf(people, judging, model);
  type Chosen = readonly (number | undefined)[];
  const density = (column: number, reading: number, others: Chosen) =>
    tempered(judging[column] as Judging, reading, beside(judging, others, column, rho));
  const chosen: (number | undefined)[] = judging.map(({ readings, isCertain }) =>
    isCertain && !isAbsurd(readings[0]) ? 0 : undefined,
  );
  const written = new Set(
    judging.flatMap(({ isWritten, readings }) => (isWritten ? (readings[0]?.quantity ?? []) : [])),
  );
  /** The readings of a column with their log likelihoods beside those of others, the likeliest first. */
  const ranked = (
    column: number,
    isTaken: (quantity: number) => boolean,
    others: Chosen = chosen,
  ) => {
    const own = judging[column] as Judging;
    const predict = beside(judging, others, column, rho);
    return own.readings
      .flatMap(({ quantity }, reading) =>
        !own.isWritten && (written.has(quantity) || isTaken(quantity))
          ? []
          : [{ reading, ln: tempered(own, reading, predict) }],
      )
      .filter(({ ln }) => !Number.isNaN(ln))
      .sort((one, other) => other.ln - one.ln);
  };
  // The values of a column alone tell its unit, as a rule. To weigh many columns beside each other takes long.
  const ofUnit = new Map<number, ReturnType<typeof ranked>>();
  for (const [i, { isWritten, isCertain }] of judging.entries()) {
    if (!isWritten || isCertain) continue;
    const all = ranked(i, () => false, []);
    const [best, next] = all;
    if (best === undefined || fitting(i, best.reading, []) === undefined) continue;
    if (next !== undefined && best.ln - next.ln < FAR_LIKELIER) continue;
    ofUnit.set(i, all);
    chosen[i] = best.reading;
  }
  const open = judging.flatMap(({ isCertain }, i) => (isCertain || ofUnit.has(i) ? [] : [i]));
  const quantityOf = (column: number): number | undefined =>
    judging[column]?.readings[chosen[column] ?? -1]?.quantity;
  const takenByOthers = (column: number) => (quantity: number) =>
    open.some((other) => other !== column && quantityOf(other) === quantity);
  // The surest column first.
  const waiting = new Set(open);
  while (waiting.size > 0) {
    let surest: { column: number; reading: number | undefined; margin: number } | undefined;
    for (const column of waiting) {
      const [best, next] = ranked(column, takenByOthers(column));
      const margin = best === undefined ? -1 : best.ln - (next?.ln ?? Number.NEGATIVE_INFINITY);
      if (surest === undefined || margin > surest.margin) {
        surest = { column, reading: best?.reading, margin };
      }
    }
    if (surest === undefined) break;
    chosen[surest.column] = surest.reading;
    waiting.delete(surest.column);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of open) {
      chosen[column] = fitting(column, ranked(column, takenByOthers(column))[0]?.reading);
    }
  }
  return judging.map((column, i): JudgedColumn => {
    if (column.isCertain) return { taken: 0, order: [{ reading: 0, likelihood: 1 }] };
    const all = (ofUnit.get(i) ?? ranked(i, () => false)).map((one) => {
      const quantity = column.readings[one.reading]?.quantity as number;
      const rival = open.find((other) => other !== i && quantityOf(other) === quantity);
      if (rival === undefined) return one;
      return { ...one, ln: one.ln + costOfMoving(rival, i, one.reading) };
    });
    const sorted = all.toSorted((one, other) => other.ln - one.ln);
    const [best, next] = sorted;
    if (best === undefined) return { taken: undefined, order: [] };
    const sum = sorted.reduce((total, { ln }) => total + Math.exp(ln - best.ln), 0);
    const order = sorted.map(({ reading, ln }) => ({
      reading,
      likelihood: Math.exp(ln - best.ln) / sum,
    }));
    const isFar = next === undefined || best.ln - next.ln >= FAR_LIKELIER;
    const isTaken = isFar && best.reading === chosen[i];
    return { taken: isTaken ? best.reading : undefined, order };
  });

  /** What the likelihood loses when a rival column gives its reading to another column and takes its next best. */
  function costOfMoving(rival: number, column: number, reading: number): number {
    const kept = [chosen[rival], chosen[column]] as const;
    const before = density(rival, kept[0] as number, chosen);
    chosen[column] = reading;
    chosen[rival] = undefined;
    const [next] = ranked(rival, takenByOthers(rival));
    [chosen[rival], chosen[column]] = kept;
    return Math.max(next?.ln ?? Number.NEGATIVE_INFINITY, ownOf(rival)) - before;
  }

  /** The likelihood of a column in a curve that is fitted to itself. */
  function ownOf(column: number): number {
    const { lnOwn } = judging[column] as Judging;
    return (
      temper(
        lnOwn.reduce((sum, ln) => sum + (Number.isNaN(ln) ? 0 : ln + Math.log(1 - SLIPS)), 0),
        lnOwn,
      ) - FITTED_PARAMETERS
    );
  }

  /** The reading, if its people explain the values at least as well as a curve that is fitted to the values. */
  function fitting(
    column: number,
    reading: number | undefined,
    others: Chosen = chosen,
  ): number | undefined {
    if (reading === undefined) return undefined;
    const isTold = judging[column]?.readings[reading]?.isTold === true;
    const ln = density(column, reading, others) - (isTold ? TOLD : 0);
    return ln >= ownOf(column) ? reading : undefined;
  }
}

/** A sum over people as if at most `INDEPENDENT_PEOPLE` were independent. */
function temper(sum: number, ofPeople: Float64Array): number {
  const count = ofPeople.filter((ln) => !Number.isNaN(ln)).length;
  return sum * Math.min(1, INDEPENDENT_PEOPLE / Math.max(1, count));
}

/** Whether most people have a value that nobody has, so that the column cannot help to judge others. */
function isAbsurd(reading: Scored | undefined): boolean {
  const all = reading?.z.filter((z) => !Number.isNaN(z)) ?? new Float64Array();
  return all.filter((z) => Math.abs(z) > FARTHEST_Z).length * 2 >= all.length;
}

function scored(
  people: readonly RowPerson[],
  columns: readonly ColumnToJudge[],
  model: PredictionModel,
): Judging[] {
  const joint = model.people();
  const { peopleModel } = joint;
  const curves = joint.curves();
  const blank = () => new Float64Array(people.length).fill(Number.NaN);
  const judging = columns.map(({ readings, isWritten }) => ({
    isWritten,
    isCertain: isWritten && readings.length === 1,
    lnOwn: lnOwnOf(readings[0]?.values ?? []),
    readings: readings.map(({ measurement, isTold }) => ({
      quantity: peopleModel.indexOf(measurement),
      z: blank(),
      lnJacobian: blank(),
      isTold,
    })),
  }));
  for (const [row, { country, gender, ageYears }] of people.entries()) {
    const cohort = {
      country: (COUNTRY_CODES as readonly string[]).indexOf(country),
      gender: GENDERS.indexOf(gender),
      ageYears,
      year: peopleModel.views.manifest.referenceYear,
    };
    curves.at(cohort);
    for (const [c, { readings }] of judging.entries()) {
      for (const [r, { quantity, z, lnJacobian }] of readings.entries()) {
        const value = columns[c]?.readings[r]?.values[row] as number;
        const knots = Number.isNaN(value) ? undefined : curves.of(quantity);
        if (knots === undefined || !(value > 0)) continue;
        const score = Math.max(-LAST_Z, Math.min(LAST_Z, curveInverse(knots, value)));
        z[row] = score;
        lnJacobian[row] = Math.log(value / curveSlope(knots, score));
      }
    }
  }
  return judging;
}

/** Log of the density of the log of each value, in a normal distribution fitted to the column. */
function lnOwnOf(values: readonly number[]): Float64Array {
  const logs = values.map((value) => (value > 0 ? Math.log(value) : Number.NaN));
  const all = logs.filter((ln) => !Number.isNaN(ln));
  const middle = medianOf(all);
  const spread = SD_PER_MAD * medianOf(all.map((ln) => Math.abs(ln - middle)));
  const sd = all.length < 5 ? LN_SD : Math.max(spread, LN_SD / 10);
  return Float64Array.from(logs, (ln) => {
    const z = Math.max(-LAST_Z, Math.min(LAST_Z, (ln - middle) / sd));
    return -0.5 * z ** 2 - LN_SQRT_TWO_PI - Math.log(sd);
  });
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

type Correlations = (row: number, a: number, b: number) => number;

/** The correlations of all quantities that occur, for each gender and age. */
function correlationsOf(
  people: readonly RowPerson[],
  judging: readonly Judging[],
  model: PredictionModel,
): Correlations {
  const { peopleModel } = model.people();
  const quantities = [
    ...new Set(judging.flatMap(({ readings }) => readings.map(({ quantity }) => quantity))),
  ];
  const place = new Map(quantities.map((quantity, i) => [quantity, i]));
  const size = quantities.length;
  const known = new Map<string, Float64Array>();
  const tables = people.map(({ gender, ageYears }) => {
    const key = `${gender} ${ageYears}`;
    let table = known.get(key);
    if (table === undefined) {
      table = new Float64Array(size * size);
      for (const [i, a] of quantities.entries()) {
        for (const [j, b] of quantities.entries()) {
          const rho = i === j ? 1 : peopleModel.rho(GENDERS.indexOf(gender), ageYears, a, b);
          table[i * size + j] = Number.isNaN(rho) ? 0 : rho * (1 - OWN_VARIANCE);
        }
      }
      known.set(key, table);
    }
    return table;
  });
  return (row, a, b) => {
    if (a === b) return 1 - OWN_VARIANCE;
    return tables[row]?.[(place.get(a) as number) * size + (place.get(b) as number)] as number;
  };
}

/** The prediction of a reading's score from the other columns of a row: mean and variance. */
type Prediction = (row: number, quantity: number) => readonly [mean: number, variance: number];

/** What the chosen readings of the other columns predict. */
function beside(
  judging: readonly Judging[],
  chosen: readonly (number | undefined)[],
  column: number,
  rho: Correlations,
): Prediction {
  const others = judging.flatMap(({ readings }, i) => {
    const reading = i === column ? undefined : readings[chosen[i] ?? -1];
    return reading === undefined ? [] : [reading];
  });
  interface Row {
    readonly known: readonly Scored[];
    readonly factor: readonly Float64Array[];
    readonly w: Float64Array;
  }
  const rows = new Map<number, Row>();
  const open = (row: number): Row => {
    const known = others.filter(({ z }) => !Number.isNaN(z[row]));
    const factor: Float64Array[] = [];
    const w = new Float64Array(known.length);
    for (const [i, { quantity, z }] of known.entries()) {
      const v = solve(factor, known, (of) => rho(row, quantity, of));
      let [rest, mean] = [1, 0];
      for (let j = 0; j < i; j++) {
        rest -= (v[j] as number) ** 2;
        mean += (v[j] as number) * (w[j] as number);
      }
      const line = new Float64Array(i + 1);
      line.set(v);
      line[i] = Math.sqrt(Math.max(rest, OWN_VARIANCE / 10));
      factor.push(line);
      const score = Math.max(-FARTHEST_Z, Math.min(FARTHEST_Z, z[row] as number));
      w[i] = (score - mean) / line[i];
    }
    return { known, factor, w };
  };
  return (row, quantity) => {
    let found = rows.get(row);
    if (found === undefined) {
      found = open(row);
      rows.set(row, found);
    }
    const { known, factor, w } = found;
    const v = solve(factor, known, (of) => rho(row, quantity, of));
    let [mean, variance] = [0, 1];
    for (let i = 0; i < v.length; i++) {
      mean += (v[i] as number) * (w[i] as number);
      variance -= (v[i] as number) ** 2;
    }
    return [mean, Math.max(variance, OWN_VARIANCE / 10)];
  };
}

/** Solves the lower triangle `factor` for the correlations of its quantities with another one. */
function solve(
  factor: readonly Float64Array[],
  known: readonly Scored[],
  rhoWith: (quantity: number) => number,
): Float64Array {
  const v = new Float64Array(factor.length);
  for (const [i, line] of factor.entries()) {
    let rest = rhoWith((known[i] as Scored).quantity);
    for (let j = 0; j < i; j++) rest -= (line[j] as number) * (v[j] as number);
    v[i] = rest / (line[i] as number);
  }
  return v;
}

/** Log of the likelihood of a reading beside the others; NaN if no person has a model of it. */
function tempered({ readings, lnOwn }: Judging, reading: number, predict: Prediction): number {
  const { quantity, z, lnJacobian, isTold } = readings[reading] as Scored;
  let [sum, found] = [0, 0];
  for (const [row, own] of lnOwn.entries()) {
    if (Number.isNaN(own)) continue;
    const score = z[row] as number;
    if (Number.isNaN(score)) {
      sum += own;
      continue;
    }
    found++;
    const [mean, variance] = predict(row, quantity);
    const ln =
      -0.5 * ((score - mean) ** 2 / variance + Math.log(variance)) -
      LN_SQRT_TWO_PI +
      (lnJacobian[row] as number);
    sum += Math.log((1 - SLIPS) * Math.exp(ln) + SLIPS * Math.exp(own));
  }
  return found === 0 ? Number.NaN : temper(sum, lnOwn) + (isTold ? TOLD : 0);
}
