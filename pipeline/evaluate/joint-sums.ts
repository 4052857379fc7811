import { COUNTRY_CODES, type CountryCode } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { choleskyInPlace, lowerTriangle } from '../../src/numerics/numerics.js';
import { AGES_YEARS } from '../plans/axes.js';
import { IDENTITIES } from '../plans/dependencies.js';
import type { Term } from '../plans/formula.js';
import { FREE_TERMS, SUMS } from '../plans/joint-plan.js';
import type { Asked, AskedPeople } from './asked.js';

/** Largest error of a sum of correlated parts against the percentiles of the whole, in one cell. */
export interface SumError {
  readonly name: MeasurementName;
  readonly gender: Gender;
  readonly country: CountryCode;
  readonly ageYears: number;
  /** |Sum − whole|, the largest over `SUM_PERCENTILES`, in SD of the whole. */
  readonly errorSd: number;
}

/** Largest allowed error, in SD of the whole. */
export const ASKED_SUM_SD = 0.05;

const SUM_PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const;
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

/** Percentiles in mm of a sum, over people whose parts correlate. */
function sampledMm(asked: Asked, people: AskedPeople, terms: readonly Term[]): number[] {
  const { peopleModel, views } = asked;
  const gender = GENDERS.indexOf(people.gender);
  const [parts, lone] = [[], []] as [{ coefficient: number; of: MeasurementName }[], number[]];
  for (const { coefficient, of } of terms) {
    if (of === undefined) lone.push(coefficient);
    else parts.push({ coefficient, of });
  }
  const indices = parts.map(({ of }) => peopleModel.indexOf(of));
  const lower = lowerTriangle(indices.length, (i, j) => {
    return peopleModel.rho(gender, people.ageYears, indices[i], indices[j]);
  });
  choleskyInPlace(lower, indices.length);
  // A constant term is a length at the reference stature. It moves every person by an equal amount.
  const size = asked.known('Stature', people).median / views.manifest.referenceStaturesMm[gender];
  const sums = new Float64Array(POINTS).fill(size * lone.reduce((sum, mm) => sum + mm, 0));
  const scores = new Float64Array(POINTS);
  parts.forEach(({ coefficient, of }, i) => {
    scores.fill(0);
    for (let k = 0; k <= i; k++) {
      const [weight, sample] = [lower[(i * (i + 1)) / 2 + k], SAMPLE[k]];
      for (let p = 0; p < POINTS; p++) scores[p] = scores[p] + weight * sample[p];
    }
    const curve = asked.known(of, people);
    for (let p = 0; p < POINTS; p++) sums[p] = sums[p] + coefficient * curve.at(scores[p]);
  });
  sums.sort();
  return SUM_PERCENTILES.map((p) => {
    const at = (p / 100) * POINTS - 0.5;
    const below = sums[Math.floor(at)];
    return below + (at % 1) * (sums[Math.floor(at) + 1] - below);
  });
}

/** The sums of free dimensions from which people are built. */
const WAYS: readonly { name: MeasurementName; formula: readonly Term[] }[] = SUMS.map((name) => {
  const lone = (IDENTITIES.get(name) ?? []).filter(({ of }) => of === undefined);
  return { name, formula: [...(FREE_TERMS.get(name) ?? []), ...lone] };
});

/** Youngest age that is scored. The correlations of younger children are those of 2 years, or borrowed. */
const FROM_YEARS = 2;

const AGES = AGES_YEARS.filter((years) => years >= FROM_YEARS);

/** Gender and age at which sums are scored in a country. Genders alternate, and all ages occur. */
export function scoredGroup(country: CountryCode): { gender: Gender; ageYears: number } {
  const i = COUNTRY_CODES.indexOf(country);
  return {
    gender: GENDERS[i % GENDERS.length],
    // Steps of 17 visit all ages, because 17 and the number of ages have no common factor.
    ageYears: AGES[(i * 17) % AGES.length],
  };
}

/** Errors of all sums among people of one gender and age. */
export function sumErrors(asked: Asked, people: AskedPeople): SumError[] {
  const { gender, country, ageYears } = people;
  return WAYS.map(({ name, formula }): SumError => {
    const whole = asked.known(name, people);
    const sdMm = (whole.at(1) - whole.at(-1)) / 2;
    const found = sampledMm(asked, people, formula);
    const errors = SUM_PERCENTILES.map((p, i) =>
      Math.abs((found[i] - whole.at(zOfPercentile(p))) / sdMm),
    );
    return { name, gender, country, ageYears, errorSd: Math.max(...errors) };
  });
}

/** Compares sums of parts with their wholes, in one gender and age of every country. */
export function scoreSums(asked: Asked): SumError[] {
  return COUNTRY_CODES.flatMap((country) => sumErrors(asked, { country, ...scoredGroup(country) }));
}
