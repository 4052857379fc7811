import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import type { Gender } from '../../../src/core/genders.js';
import type { ByAge } from '../../model/covariates.js';
import { limitSkew, type Marginal, normalScore } from '../../numerics/marginal.js';
import { interpolate } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import { ByPopulation } from '../../raw-tables/by-population.js';
import type { Rows, SourceTables } from '../../raw-tables/source-tables.js';
import { leastSquares } from '../least-squares.js';

/** Age at which the open band of 85 and over is placed, about its mean age. */
const OPEN_BAND = { from: 85, ageYears: 87 } as const;

/** Middle of an age group of a table. */
export const groupAge = ({ age_min: from, age_max: to }: Rows[number]): number =>
  Number(from) === OPEN_BAND.from ? OPEN_BAND.ageYears : (Number(from) + Number(to) + 1) / 2;

/** Additions to the mean, the ln SD and the skewness of ln BMI. */
export type Move = readonly [mean: number, lnSd: number, skew: number];

/** The limits of the classes at one age, ln kg/m², and the weight of the age. The weights sum to 1. */
interface AgeLimits {
  readonly ageYears: number;
  readonly weight: number;
  readonly lnLimits: readonly number[];
}

/** Known shares of the people below limits, over some ages together. */
export interface KnownShares {
  readonly ages: readonly AgeLimits[];
  /** Normal scores of the shares, with standard errors. */
  readonly below: readonly { readonly score: number; readonly error: number }[];
}

/** Limits of adults' classes, kg/m². */
export const ADULT_LIMITS = [18.5, 20, 25, 30, 35, 40] as const;
/** Ages of adults at which their classes are summed: the middle of each group. */
export const ADULT_AGES = [
  ...Array.from({ length: 13 }, (_, i) => 22.5 + 5 * i),
  OPEN_BAND.ageYears,
];
export const CHILD_AGES = Array.from({ length: 15 }, (_, i) => 5 + i);
/** Limits of NCD-RisC's classes of children's BMI, in SD of the WHO reference of 2007. */
const CLASS_LIMITS_SD = [-2, -1, 1, 2] as const;
const ADULT_CLASSES = ['lt18_5', 'b18_5_20', 'b20_25', 'b25_30', 'b30_35', 'b35_40'] as const;
const CHILD_CLASSES = ['lt_m2sd', 'm2_m1sd', 'm1_p1sd', 'p1_p2sd'] as const;
/** Shares with intervals that begin or end at a limit, and the index of the limit. */
const ADULT_PRINTED = { lt18_5: 0, ge30: 3, ge40: 5 };
const CHILD_PRINTED = { lt_m2sd: 0, gt_p2sd: 3 };
/** Half of the last digit of the table. */
const LEAST_SHARE = 5e-6;
/** Width of a 95 % interval in standard errors. */
const INTERVAL = 2 * 1.96;
/**
 * People of the standard population of the World Health Organization by five years of age from 5 to 85 and over, percent
 * (Ahmad 2001, GPE discussion paper 31). NCD-RisC standardises with it.
 */
const STANDARD = [
  ...[8.69, 8.6, 8.47, 8.22, 7.93, 7.61, 7.15, 6.59, 6.04],
  ...[5.37, 4.55, 3.72, 2.96, 2.21, 1.52, 0.91, 0.635],
] as const;
const standardOf = (ageYears: number) => STANDARD[Math.min(16, Math.floor(ageYears / 5) - 1)];
/**
 * Standard error of the score of a share by age, for which none is printed: one point of a share of 20 %.
 */
const AGE_ERROR = 0.035;
/**
 * SDs that hold moves back where shares leave them open: twice the root mean square of the moves of all countries, and
 * that of the moves of single ages.
 */
const [COUNTRY_MOVES, AGE_MOVES]: readonly Move[] = [
  [0.042, 0.21, 0.57],
  [0.03, 0.14, 1],
];

/** The distribution after a move. */
export function moved({ mean, sd, skew }: Marginal, move: Move): Marginal {
  return { mean: mean + move[0], sd: sd * Math.exp(move[1]), skew: limitSkew(skew + move[2]) };
}

/** Share of people below each limit, over all ages. */
export function sharesBelow(
  ages: readonly AgeLimits[],
  at: (ageYears: number) => Marginal,
): readonly number[] {
  const below = ages[0]?.lnLimits.map(() => 0) ?? [];
  for (const { ageYears, weight, lnLimits } of ages) {
    const score = normalScore(at(ageYears));
    lnLimits.forEach((ln, i) => {
      below[i] += weight * normalCdf(score(ln), 0, 1);
    });
  }
  return below;
}

/**
 * Fits the move after which distributions have known shares of people below limits. Shares are compared by normal score.
 * Two limits tell a mean and a spread, and leave the skewness.
 *
 * @param at the distribution of ln BMI at an age after a move
 */
export function fitMove(
  { ages, below }: KnownShares,
  at: (ageYears: number, move: Move) => Marginal,
): Move {
  const free = below.length > 2 ? [0, 0, 0] : [0, 0];
  const sizes = below.length > 2 ? COUNTRY_MOVES : AGE_MOVES;
  const residuals = ([mean, lnSd, skew = 0]: readonly number[]): number[] => {
    const move: Move = [mean, lnSd, skew];
    const shares = sharesBelow(ages, (age) => at(age, move));
    return [
      ...shares.map((share, i) => (scoreOf(share) - below[i].score) / below[i].error),
      ...free.map((_, i) => move[i] / sizes[i]),
    ];
  };
  const [mean, lnSd, skew = 0] = leastSquares(residuals, free);
  return [mean, lnSd, skew];
}

/** Limits of children's classes (ln kg/m²) by gender and age in years. */
export function childLimits(rows: Rows): ByAge<readonly number[]> {
  const limits = new Map(
    rows.map((row) => {
      const [l, m, s] = [Number(row.l), Number(row.m), Number(row.s)];
      const ln = CLASS_LIMITS_SD.map((z) => Math.log(m) + Math.log(1 + l * s * z) / l);
      return [`${row.gender}|${Math.floor(Number(row.age_months) / 12)}`, ln];
    }),
  );
  return (gender, ageYears) => limits.get(`${gender}|${ageYears}`) as number[];
}

/** Ages with the limits of their classes and the weights of the standard population. */
function weighted(ages: readonly number[], lnLimits: (ageYears: number) => readonly number[]) {
  const sum = ages.reduce((total, age) => total + standardOf(age), 0);
  return ages.map((ageYears): AgeLimits => {
    return { ageYears, weight: standardOf(ageYears) / sum, lnLimits: lnLimits(ageYears) };
  });
}

/** Normal score of a share of a table with five digits. */
const scoreOf = (share: number): number =>
  normalQuantile(Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, share)), 0, 1);

/**
 * Scores of the shares below the limits. The shares in `printed` have 95 % intervals; the errors at the other limits lie
 * between theirs.
 */
function scoresOf(
  row: Rows[number],
  classes: readonly string[],
  printed: Readonly<Record<string, number>> = {},
): KnownShares['below'] {
  const end = (name: string) => scoreOf(Number(row[name]));
  const errors = Object.keys(printed).map(
    (name) => (end(`${name}_hi95`) - end(`${name}_lo95`)) / INTERVAL,
  );
  let share = 0;
  return classes.map((name, i) => {
    share += Number(row[name]);
    const error = errors.length === 0 ? AGE_ERROR : interpolate(Object.values(printed), errors, i);
    return { score: scoreOf(share), error };
  });
}

/** The known shares of one country and gender in the reference year. */
export interface CountryShares {
  readonly adults: KnownShares | undefined;
  readonly children: KnownShares | undefined;
  /** Adults of one age each, in the order of age. */
  readonly byAge: readonly KnownShares[];
}

/** The known shares of countries. */
export function knownShares(
  tables: SourceTables,
): (gender: Gender, country: string) => CountryShares {
  const { bmiClasses = [], childBmiClasses = [], thinByAge = [], whoBmi } = tables;
  const lnChildLimits = whoBmi && childLimits(whoBmi);
  const today = (rows: Rows) => rows.filter((row) => Number(row.year) === REFERENCE_YEAR);
  const lnAdultLimits = ADULT_LIMITS.map(Math.log);
  const ages = weighted(ADULT_AGES, () => lnAdultLimits);
  const adults = ByPopulation.of(today(bmiClasses), ([row]): KnownShares => {
    return { ages, below: scoresOf(row, ADULT_CLASSES, ADULT_PRINTED) };
  });
  const children =
    lnChildLimits &&
    ByPopulation.of(today(childBmiClasses), ([row], { gender }): KnownShares => {
      const below = scoresOf(row, CHILD_CLASSES, CHILD_PRINTED);
      return { ages: weighted(CHILD_AGES, (age) => lnChildLimits(gender, age)), below };
    });
  const byAge = ByPopulation.of(thinByAge, (rows) =>
    rows.map((row): KnownShares => {
      const lnLimits = lnAdultLimits.slice(0, 2);
      const below = scoresOf(row, ADULT_CLASSES.slice(0, 2));
      return { ages: [{ ageYears: groupAge(row), weight: 1, lnLimits }], below };
    }),
  );
  return (gender, country) => ({
    adults: adults.get(gender, country),
    children: children?.get(gender, country),
    byAge: byAge.get(gender, country) ?? [],
  });
}
