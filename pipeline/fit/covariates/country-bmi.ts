import { COUNTRY_CODES } from '../../../src/core/countries.js';
import type { Gender } from '../../../src/core/genders.js';
import { type ByCountry, memoisePopulations } from '../../model/covariates.js';
import { limitSkew, lnQuantile, type Marginal, Z95, Z99 } from '../../numerics/marginal.js';
import { interpolate, localLinear, mean, memoise } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows, SourceTables } from '../../raw-tables/source-tables.js';
import { type BmiLevel, fitBmiLevels, type GammaTable } from './bmi-levels.js';
import {
  ADULT_AGES,
  ADULT_LIMITS,
  CHILD_AGES,
  type CountryShares,
  childLimits,
  fitMove,
  groupAge,
  knownShares,
  type Move,
  moved,
} from './bmi-shares.js';
import type { UsBmi } from './us-bmi.js';

/** Countries without their own BMI table, and the neighbours whose mean is used instead. */
export const BMI_NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  HK: ['TW', 'SG', 'CN', 'JP'],
};

/** First and last age of the fits of children, years. */
export const CHILD_BMI_FROM = CHILD_AGES[0];
const CHILD_BMI_TO = 19;
/** Half widths of the windows of smoothing: those of adults contain two age groups on each side. */
const [CHILD_WINDOWS, ADULT_WINDOWS] = [[3.5, 9] as const, [12.5, 22.5] as const];
/** Oldest age at which the mean is that of children's fits alone. */
const LAST_CHILD_YEARS = 17;
/** Age from which the fits and classes of adults hold. */
const GROWN_YEARS = 20;
/**
 * Largest fall of the mean of ln BMI from 17 years to the youngest adults. It is a little more than that of Japanese
 * women, whose sources agree about it. A larger fall (men of HT) comes from a bad fit of the children. The excess is
 * subtracted from 10 years on.
 */
const LARGEST_FALL = 0.05;
const PRESSED_FROM = 10;
/** Ages between which the means of children and adults are joined smoothly. */
const YOUTH = { from: 15, to: 22 } as const;
const YOUTH_WINDOW = 2;
/** Middle of the age groups 18–19 and 20–24. */
const YOUTH_GROUPS = [19, 22.5] as const;
/** Rounds in which the moves for all adults and for single ages are fitted to each other. */
const MOVE_ROUNDS = 3;
/**
 * Least P1 of adults (kg/m²). Starving men die near 13, women near 11 (Henry, after Field Exchange 15,
 * ennonline.net/fex/15/limits), and the women of India in 2005–06, with 36 % below 18.5 and 44 % of these below 17 (slides
 * of NFHS-3 on the nutrition of adults), have P1 at 14.2. The
 * fitted curves know no such end. In other years than the reference year, P1 may be less.
 */
const LEAST_P1 = 13.6;
/** Steps of the skewness and of ln of the spread by which P1 is raised. */
const [SHORTENING, NARROWING] = [0.02, 0.005];
const NO_MOVE: Move = [0, 0, 0];

const sumOf = (at: (i: 0 | 1 | 2) => number): Move => [at(0), at(1), at(2)];
const inWorld = ({ country }: Rows[number]): boolean =>
  (COUNTRY_CODES as readonly unknown[]).includes(country);

const ADULT_TABLE: GammaTable = {
  ageOf: groupAge,
  // NCD-RisC's classes of adults, and everybody of 30 kg/m² and more.
  classes: () => ({ limits: ADULT_LIMITS, above: 3 }),
  ages: ADULT_AGES,
  windows: ADULT_WINDOWS,
};

const childTable = (lnLimits: ReturnType<typeof childLimits>): GammaTable => ({
  // A fit of age a describes people of exactly a years: the limits of its classes are those of the birthday.
  ageOf: (row) => Number(row.age_years),
  classes: (gender, age) => ({ limits: lnLimits(gender, age).map(Math.exp) }),
  ages: CHILD_AGES,
  windows: CHILD_WINDOWS,
});

/** Difference of a country's BMI from that of the US. */
export interface BmiShift {
  /** Difference of the means of ln BMI. */
  readonly shift: number;
  /** ln of the SD of ln BMI over that of the US. */
  readonly lnSpread: number;
  /** Difference of the skewness of ln BMI. */
  readonly skew: number;
}

/** Mean and relative spread of ln BMI of a country by age. */
interface Curve {
  readonly ages: readonly number[];
  readonly mean: readonly number[];
  readonly lnSpread: readonly number[];
}

/**
 * Change of a country's BMI from 20–24 to 18–19 years. Both ages rest on the same eight classes of BMI in one run of the
 * fits.
 */
function changeInYouth(
  rows: Rows | undefined,
  us: UsBmi['drawn'],
): (gender: Gender, country: string) => BmiLevel {
  const today = (rows ?? []).filter((row) => inWorld(row) && Number(row.year) === REFERENCE_YEAR);
  const table = { ...ADULT_TABLE, ages: YOUTH_GROUPS, windows: [1, 1] as const };
  const levels = fitBmiLevels(today, table, us);
  const changeOf = (gender: Gender, country: string, pick: keyof BmiLevel): number => {
    const level = levels.get(gender, country);
    return level === undefined ? 0 : level(YOUTH_GROUPS[0])[pick] - level(YOUTH_GROUPS[1])[pick];
  };
  return (gender, country) => ({
    mean: changeOf(gender, country, 'mean'),
    lnSpread: changeOf(gender, country, 'lnSpread') - changeOf(gender, 'US', 'lnSpread'),
  });
}

/** Smooths a curve at each year of youth, between children and adults. */
function smoothYouth(ages: readonly number[], values: readonly number[]): [number[], number[]] {
  const value = (age: number) => interpolate(ages, values, age);
  const { from, to } = YOUTH;
  const span = Array.from({ length: to - from + 1 + 2 * YOUTH_WINDOW }, (_, i) => {
    return from - YOUTH_WINDOW + i;
  });
  const yearly = span.map(value);
  const even = span.map(() => 1);
  const youth = span.filter((age) => age >= from && age <= to);
  const kept = ages.filter((age) => age < from || age > to);
  const all = [...kept, ...youth].sort((a, b) => a - b);
  const smooth = all.map((age) =>
    age < from || age > to ? value(age) : localLinear(span, yearly, even, age, YOUTH_WINDOW),
  );
  return [all, smooth];
}

/**
 * Joins a country's BMI from 5 years on: children's classes, the classes of 18–19 and those of adults.
 *
 * NCD-RisC estimates the classes of children and of adults separately, so the two do not meet. Up to 17
 * years, the mean is that of children; from 20 years, it is that of adults. At 19 years, the mean lies
 * halfway between the children's fit and the adults' classes of 18–19. It may fall after school where the
 * sources say so. The gap of the spread is distributed evenly from 5 to 19 years, because children's
 * classes say little about the tails.
 *
 * @param change change from the youngest adults to 18–19 years
 * @param homeSd SD of ln BMI in the US
 */
function joined(
  grown: Curve,
  change: BmiLevel,
  child: (ageYears: number) => BmiLevel,
  homeSd: (ageYears: number) => number,
): Curve {
  const grownYears = grown.ages[0];
  const years = Array.from({ length: CHILD_BMI_TO - CHILD_BMI_FROM }, (_, i) => CHILD_BMI_FROM + i);
  const atNineteen = child(CHILD_BMI_TO);
  const excess = Math.max(0, child(LAST_CHILD_YEARS).mean - grown.mean[0] - LARGEST_FALL);
  /** Share of the excess at 17 years that is subtracted at an age. */
  const pressed = (age: number): number =>
    Math.max(0, (age - PRESSED_FROM) / (LAST_CHILD_YEARS - PRESSED_FROM));
  const meanOf = (age: number): number => child(age).mean - pressed(age) * excess;
  const childYears = years.filter((age) => age <= LAST_CHILD_YEARS);
  const [ages, means] = smoothYouth(
    [...childYears, CHILD_BMI_TO, ...grown.ages],
    [
      ...childYears.map(meanOf),
      (meanOf(CHILD_BMI_TO) + grown.mean[0] + change.mean) / 2,
      ...grown.mean,
    ],
  );
  // The change of the spread comes from fits to eight classes at 18–19, which are poor in lean countries.
  // It does not take the spread below the smaller one of the children's and the youngest adults' spreads.
  const adultSpread = grown.lnSpread[0];
  const narrowest = Math.min(atNineteen.lnSpread, adultSpread);
  const spreadAtNineteen = Math.max(adultSpread + change.lnSpread, narrowest);
  const gap = spreadAtNineteen - atNineteen.lnSpread;
  const lnSpreadOf = (age: number): number => {
    const share = (age - CHILD_BMI_FROM) / (CHILD_BMI_TO - CHILD_BMI_FROM);
    return child(age).lnSpread + share * gap;
  };
  // P95 may fall no more than the mean. The excess (men of HT) is subtracted from the spread.
  const grownHigh = grown.mean[0] + Z95 * homeSd(grownYears) * Math.exp(adultSpread);
  const widest = (grownHigh + LARGEST_FALL - meanOf(LAST_CHILD_YEARS)) / Z95;
  const lastSd = homeSd(LAST_CHILD_YEARS) * Math.exp(lnSpreadOf(LAST_CHILD_YEARS));
  const wider = Math.max(0, Math.log(lastSd / widest));
  const spreadAges = [...years, CHILD_BMI_TO, ...grown.ages];
  const lnSpread = [
    ...years.map((age) => lnSpreadOf(age) - Math.min(1, pressed(age)) * wider),
    spreadAtNineteen,
    ...grown.lnSpread,
  ];
  return { ages, mean: means, lnSpread: ages.map((age) => interpolate(spreadAges, lnSpread, age)) };
}

/**
 * Moves the distributions of one country and gender until they have its known shares: one move for all adults, one for
 * all children, and one more for each age of which shares are known. Moves are linear between 17 and 20 years, and
 * between single ages.
 */
function withShares(
  base: (ageYears: number) => Marginal,
  { adults, children, byAge }: CountryShares,
): (ageYears: number) => Marginal {
  let [grown, young] = [NO_MOVE, NO_MOVE];
  const ages = [LAST_CHILD_YEARS, ...byAge.map((known) => known.ages[0].ageYears)];
  const single = ages.map(() => NO_MOVE);
  const general = (age: number): Move => {
    const share = interpolate([LAST_CHILD_YEARS, GROWN_YEARS], [0, 1], age);
    return sumOf((i) => young[i] + share * (grown[i] - young[i]));
  };
  const ofAge = (age: number): Move =>
    sumOf((i) =>
      interpolate(
        ages,
        single.map((move) => move[i]),
        age,
      ),
    );
  const at = (age: number): Marginal => {
    const [one, other] = [general(age), ofAge(age)];
    return moved(
      base(age),
      sumOf((i) => one[i] + other[i]),
    );
  };
  for (let round = 0; round < (byAge.length > 0 ? MOVE_ROUNDS : 1); round++) {
    if (adults) {
      grown = fitMove(adults, (age, move) => {
        grown = move;
        return at(age);
      });
    }
    byAge.forEach((known, i) => {
      single[i + 1] = fitMove(known, (age, move) => {
        single[i + 1] = move;
        return at(age);
      });
    });
    if (children) {
      young = fitMove(children, (age, move) => {
        young = move;
        return at(age);
      });
    }
  }
  return at;
}

/** Makes the lower tail of adults shorter and the spread narrower, until P1 is at least `LEAST_P1`. */
function survivable(adults: Marginal): Marginal {
  let { sd, skew } = adults;
  while (lnQuantile({ mean: adults.mean, sd, skew }, -Z99) < Math.log(LEAST_P1)) {
    skew = limitSkew(skew + SHORTENING);
    sd *= 1 - NARROWING;
  }
  return { mean: adults.mean, sd, skew: limitSkew(skew) };
}

/** Returns a sentence for each source of BMI that was left out. */
export function bmiLosses(tables: SourceTables): string[] {
  const { childBmi, whoBmi, bmiByYear, bmiClasses, thinByAge } = tables;
  const losses: string[] = [];
  const ofChildren = [
    ['ncdrisc-2024-bmi-children', childBmi],
    ['who2007', whoBmi],
  ] as const;
  for (const [source, rows] of ofChildren) {
    if (rows !== undefined) continue;
    losses.push(
      `Without ${source}, the BMI of a country’s children below 20 years fades to that of the US.`,
    );
  }
  if (bmiByYear === undefined) {
    losses.push(
      'Without ncdrisc-2024-bmi-years, a country differs from the US at 19 years as at 20–24.',
    );
  }
  if (bmiClasses === undefined) {
    losses.push(
      'Without ncdrisc-2024-classes, the shares of thin and of obese people are those of gamma fits.',
    );
  }
  if (thinByAge === undefined) {
    losses.push('Without ncdrisc-2026-thin, the shares of thin people by age follow gamma fits.');
  }
  return losses;
}

/**
 * BMI of every country against the US, by age. Level, spread and skewness are the country's own. Below the
 * youngest age with a fit, the difference fades to 0 at birth. This is an assumption, because no survey of
 * newborns' BMI by country is used.
 *
 * @param us distribution of ln BMI in the US
 * @returns undefined without the source
 */
export function fitBmiShifts(tables: SourceTables, us: UsBmi) {
  const { bmi, childBmi, whoBmi } = tables;
  if (bmi === undefined) return undefined;
  const limits = whoBmi && childLimits(whoBmi);
  const adults = fitBmiLevels(bmi.filter(inWorld), ADULT_TABLE, us.drawn);
  const children = childBmi && limits && fitBmiLevels(childBmi, childTable(limits), us.drawn);
  const change = changeInYouth(tables.bmiByYear, us.drawn);
  const shares = knownShares(tables);
  const shiftsOf = memoisePopulations((gender, country) => {
    const level = adults.known(gender, country, 'ncdrisc-2024-bmi');
    if (level === undefined) throw new Error(`ncdrisc-2024-bmi has no fit of ${country}`);
    const grown: Curve = {
      ages: ADULT_AGES,
      mean: ADULT_AGES.map((age) => level(age).mean),
      lnSpread: ADULT_AGES.map((age) => level(age).lnSpread),
    };
    const child = children?.get(gender, country);
    const homeSd = (age: number) => us.driven(gender, age).sd;
    const curve = child ? joined(grown, change(gender, country), child, homeSd) : grown;
    const base = memoise(
      (age: number): Marginal => ({
        mean: interpolate(curve.ages, curve.mean, age),
        sd: homeSd(age) * Math.exp(interpolate(curve.ages, curve.lnSpread, age)),
        skew: limitSkew(us.driven(gender, age).skew),
      }),
    );
    const own = withShares(base, shares(gender, country));
    const youngest = curve.ages[0];
    return memoise((ageYears: number) => {
      const age = Math.max(youngest, ageYears);
      const share = Math.min(1, ageYears / youngest);
      const home = us.driven(gender, age);
      const { mean, sd, skew } = age < GROWN_YEARS ? own(age) : survivable(own(age));
      return {
        shift: share * (mean - home.mean),
        lnSpread: share * Math.log(sd / home.sd),
        skew: share * (skew - home.skew),
      };
    });
  });
  const at: ByCountry<BmiShift> = (gender, country, age) => {
    // The level of the United States comes from NHANES.
    if (country === 'US') return { shift: 0, lnSpread: 0, skew: 0 };
    const own = BMI_NEIGHBOURS[country]?.map((neighbour) => at(gender, neighbour, age));
    if (own === undefined) return shiftsOf(gender, country)(age);
    const of = (field: keyof BmiShift) => mean(own.map((one) => one[field]));
    return { shift: of('shift'), lnSpread: of('lnSpread'), skew: of('skew') };
  };
  return at;
}
