import { COUNTRY_CODES, type CountryCode } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import type { Cohort } from '../model/cohort.js';
import type { FittedModel, ScoreCorrelation } from '../model/fitted-model.js';
import { lnQuantileOf, lnQuantilesAt } from '../numerics/marginal.js';
import { AGES_YEARS } from '../plans/axes.js';
import { IDENTITIES } from '../plans/dependencies.js';
import type { Term } from '../plans/formula.js';
import { FREE_TERMS, SUMS } from '../plans/joint-plan.js';

/** Error of a sum of correlated parts against the percentiles of the whole, in one cell. */
export interface SumError {
  readonly name: MeasurementName;
  readonly formula: readonly Term[];
  /** Whether people are built from these parts. If not, the formula is another way to write the sum. */
  readonly built: boolean;
  readonly gender: Gender;
  readonly country: CountryCode;
  readonly ageYears: number;
  /** Sum − whole at each of `SUM_PERCENTILES`, in SD of the whole. */
  readonly errorsSd: readonly number[];
}

/** Largest allowed error, in SD of the whole. */
export const ASKED_SUM_SD = 0.05;

/** Largest error of a sum over the percentiles. */
export function worstOf({ errorsSd }: SumError): number {
  return Math.max(...errorsSd.map(Math.abs));
}

export const SUM_PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const;
/** Points of the sample. With this number, P1 and P99 err by about 0.01 SD. */
const POINTS = 32_768;

/** The i-th number of van der Corput's sequence. */
function radicalInverse(i: number, base: number): number {
  let [share, digit, left] = [0, 1 / base, i];
  while (left > 0) {
    share += (left % base) * digit;
    left = Math.floor(left / base);
    digit /= base;
  }
  return share;
}

/**
 * Normal scores of the sample, one list for each part. They are Hammersley's set (Niederreiter 1992, Random Number
 * Generation and Quasi-Monte Carlo Methods, 3.2).
 */
const SAMPLE: readonly Float64Array[] = [1, 2, 3].map((base) =>
  Float64Array.from({ length: POINTS }, (_, i) =>
    zOfPercentile(100 * (base === 1 ? (i + 0.5) / POINTS : radicalInverse(i + 1, base))),
  ),
);

/** Lower triangle of Cholesky's decomposition. */
function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const lower = matrix.map((row) => row.map(() => 0));
  matrix.forEach((row, i) => {
    for (let j = 0; j <= i; j++) {
      const [a, b] = [lower[i] as number[], lower[j] as number[]];
      let left = row[j] as number;
      for (let k = 0; k < j; k++) left -= (a[k] as number) * (b[k] as number);
      a[j] = i === j ? Math.sqrt(Math.max(0, left)) : left / (b[j] as number);
    }
  });
  return lower;
}

/** Percentiles in mm of a sum, over people whose parts correlate. */
function sampledMm(cohort: Cohort, rho: ScoreCorrelation, terms: readonly Term[]): number[] {
  const parts = terms.flatMap(({ coefficient, of }) =>
    of === undefined ? [] : [{ coefficient, of }],
  );
  const lower = cholesky(parts.map((a) => parts.map((b) => (a === b ? 1 : rho(a.of, b.of)))));
  // A constant term moves every person by an equal amount.
  const sums = new Float64Array(POINTS).fill(
    cohort.valueMm(terms.filter(({ of }) => of === undefined)),
  );
  const [scores, lnMm] = [new Float64Array(POINTS), new Float64Array(POINTS)];
  parts.forEach(({ coefficient, of }, i) => {
    const row = lower[i] as number[];
    scores.fill(0);
    for (let k = 0; k <= i; k++) {
      const [weight, sample] = [row[k] as number, SAMPLE[k] as Float64Array];
      for (let p = 0; p < POINTS; p++)
        scores[p] = (scores[p] as number) + weight * (sample[p] as number);
    }
    lnQuantilesAt(cohort.marginal(of), scores, lnMm);
    for (let p = 0; p < POINTS; p++)
      sums[p] = (sums[p] as number) + coefficient * Math.exp(lnMm[p] as number);
  });
  sums.sort();
  return SUM_PERCENTILES.map((p) => {
    const at = (p / 100) * POINTS - 0.5;
    const below = sums[Math.floor(at)] as number;
    return below + (at % 1) * ((sums[Math.floor(at) + 1] as number) - below);
  });
}

/** Errors of one way to write a sum. */
function errorsOf(
  cohort: Cohort,
  rho: ScoreCorrelation,
  name: MeasurementName,
  terms: readonly Term[],
): number[] {
  const lnMm = lnQuantileOf(cohort.marginal(name));
  const sdMm = (Math.exp(lnMm(1)) - Math.exp(lnMm(-1))) / 2;
  const found = sampledMm(cohort, rho, terms);
  return SUM_PERCENTILES.map(
    (p, i) => ((found[i] as number) - Math.exp(lnMm(zOfPercentile(p)))) / sdMm,
  );
}

/** Whether people are built with exactly this formula. */
function isBuilt(name: MeasurementName, formula: readonly Term[]): boolean {
  const free = new Map(
    (FREE_TERMS.get(name) ?? []).map(({ of, coefficient }) => [of, coefficient]),
  );
  return formula.every(({ of, coefficient }) => of === undefined || free.get(of) === coefficient);
}

/** Ways to compute the sums: from the free dimensions, and as the identities write them. */
const WAYS: readonly { name: MeasurementName; formula: readonly Term[]; built: boolean }[] = [
  ...SUMS.map((name) => {
    const lone = (IDENTITIES.get(name) ?? []).filter(({ of }) => of === undefined);
    return { name, formula: [...(FREE_TERMS.get(name) ?? []), ...lone], built: true };
  }),
  ...[...IDENTITIES].flatMap(([name, formula]) =>
    isBuilt(name, formula) ? [] : [{ name, formula, built: false }],
  ),
  ...(
    [
      ['Stature', 'SittingHeight', 'LegLength'],
      ['ShoulderHeight', 'SittingShoulderHeight', 'LegLength'],
      ['C7HeightStanding', 'C7HeightSitting', 'LegLength'],
      ['SittingHeight', 'SittingEyeHeight', 'EyeScalpDistance'],
    ] as const
  ).map(([name, ...parts]) => ({
    name,
    formula: parts.map((of) => ({ coefficient: 1, of })),
    built: false,
  })),
];

/** Youngest age that is scored. The correlations of younger children are those of 2 years, or borrowed. */
const FROM_YEARS = 2;

const AGES = AGES_YEARS.filter((years) => years >= FROM_YEARS);

/** Gender and age at which sums are scored in a country. Genders alternate, and all ages occur. */
export function scoredGroup(country: CountryCode): { gender: Gender; ageYears: number } {
  const i = COUNTRY_CODES.indexOf(country);
  return {
    gender: GENDERS[i % GENDERS.length] as Gender,
    // Steps of 17 visit all ages, because 17 and the number of ages have no common factor.
    ageYears: AGES[(i * 17) % AGES.length] as number,
  };
}

/**
 * Errors of all sums in one cohort.
 *
 * @throws Error if the model has no correlations
 */
export function sumErrors(model: FittedModel, cohort: Cohort): SumError[] {
  const { gender, country, ageYears } = cohort;
  const rho = model.joint?.(gender, ageYears);
  if (rho === undefined) throw new Error('the model has no correlations');
  return WAYS.map(({ name, formula, built }): SumError => {
    const errorsSd = errorsOf(cohort, rho, name, formula);
    return { name, formula, built, gender, country, ageYears, errorsSd };
  });
}
