import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { type Gender, perGender } from '../../../src/core/genders.js';
import { placeOf } from '../../../src/core/regions.js';
import { limitSkew, lnQuantile, Z95, Z99 } from '../../numerics/marginal.js';
import { interpolate, localLinear, mean, median, memoise } from '../../numerics/numbers.js';
import type { Rows, SourceTables } from '../../raw-tables/source-tables.js';
import { type BmiLevel, CHILD_BMI_FROM, CHILD_BMI_TO, fitChildBmi } from './child-bmi.js';
import type { UsBmi } from './us-bmi.js';
import { ADULT_CLASSES_FROM, changeBelowTwenty, type YouthChange } from './youth-bmi.js';

/** Countries without their own BMI table, and the neighbours whose mean is used instead. */
export const BMI_NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  HK: ['TW', 'SG', 'CN', 'JP'],
};

/** Age at which the open band of 85 and over is placed, about its mean age. */
const OPEN_BAND = { from: 85, ageYears: 87 } as const;
/** Youngest age with a country's own level if there are no children's fits. */
const FADING_FROM = 15;
/** Oldest age at which the mean is that of children's fits alone. */
const LAST_CHILD_YEARS = 17;
/**
 * Largest fall of ln of the mean from 17 years to the youngest adults. It is a little more than that of
 * Japanese women, whose sources agree about it. A larger fall (men of HT) comes from a bad fit of the
 * children. The excess is subtracted from 10 years on.
 */
const LARGEST_FALL = 0.05;
const PRESSED_FROM = 10;
/** Ages between which the means of children and adults are joined smoothly. */
const YOUTH = { from: 15, to: 22 } as const;
const YOUTH_WINDOW = 2;
/**
 * Share of the difference between the spreads of NHANES and of the fit for the US that all fits are assumed
 * to have.
 */
const COMMON_TAILS = 0.5;

/** Mean and SD of ln X for the lognormal X that has the mean and variance of a gamma. */
export function lnMoments(shape: number, scale: number): { mean: number; sd: number } {
  const variance = Math.log(1 + 1 / shape);
  return { mean: Math.log(shape * scale) - variance / 2, sd: Math.sqrt(variance) };
}

/**
 * A gamma fit did not converge if it is this many times wider or narrower than the world's median at its
 * age (ZM and MW women at 15, PL women at 17). The neighbouring ages are used instead.
 */
const FAILED_FIT = 2.2;

/**
 * Least P1 of adults (kg/m²). Starving men die near 13, women near 11 (Henry, after Field Exchange 15,
 * ennonline.net/fex/15/limits), and the women of India in 2005–06, with 36 % below 18.5 and 44 % of these below 17 (slides
 * of NFHS-3 on the nutrition of adults), have P1 at 14.2. The
 * fitted curves know no such end. In other years than the reference year, P1 may be less.
 */
const LEAST_P1 = 13.6;
/** Step of ln of the spread by which it is narrowed. */
const NARROWING = 0.005;

/** Median over countries of the SD of ln BMI, by gender and age band. */
function worldSpread(rows: Rows): Map<string, number> {
  return new Map([...groups(rows, bandOf)].map(([key, band]) => [key, median(band.map(sdOf))]));
}

const bandOf = (row: Rows[number]): string => `${row.gender}|${row.age_min}`;
const sdOf = (row: Rows[number]): number => lnMoments(Number(row.shape), Number(row.scale)).sd;

/** The rows by a key. */
function groups(rows: Rows, keyOf: (row: Rows[number]) => string): Map<string, Rows[number][]> {
  const found = new Map<string, Rows[number][]>();
  for (const row of rows) {
    const key = keyOf(row);
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

/**
 * Share of a country's departure (ln SD) from its region that is kept, by gender and age band. Countries of a region
 * differ least in middle age, where the classes have most people. The true differences are assumed to be the same at
 * every age, so the wider scatter of other ages is error (best linear unbiased prediction). The scatter is the median
 * absolute departure.
 */
function regionSpreads(rows: Rows, world: ReadonlyMap<string, number>) {
  const lnRatio = (row: Rows[number]) => Math.log(sdOf(row) / (world.get(bandOf(row)) ?? 1));
  const regionOf = (row: Rows[number]) => `${placeOf(String(row.country)).region}|${bandOf(row)}`;
  const places = new Map(
    [...groups(rows, regionOf)].map(([key, all]) => [key, median(all.map(lnRatio))]),
  );
  const departure = (row: Rows[number]) => lnRatio(row) - (places.get(regionOf(row)) ?? 0);
  const grown = rows.filter((row) => Number(row.age_min) >= ADULT_CLASSES_FROM);
  const scatter = new Map(
    [...groups(grown, bandOf)].map(([key, all]) => [
      key,
      median(all.map((row) => Math.abs(departure(row)))),
    ]),
  );
  const least = Math.min(...scatter.values());
  return (row: Rows[number]): number => {
    // The fit for the US is compared with NHANES as it is.
    if (row.country === 'US') return Math.log(sdOf(row));
    const kept = Math.min(1, (least / (scatter.get(bandOf(row)) ?? least)) ** 2);
    return Math.log(sdOf(row)) - (1 - kept) * departure(row);
  };
}

/** Difference of a country's BMI from that of the US. */
export interface BmiShifts {
  /** Difference of the means of ln BMI. */
  readonly shift: (gender: Gender, country: string, ageYears: number) => number;
  /** SD of ln BMI over that of the US. */
  readonly spread: (gender: Gender, country: string, ageYears: number) => number;
}

/** BMI of a country by age: ln of the mean (kg/m²), and ln of the SD of ln BMI over that of the US. */
interface Curve {
  readonly ages: readonly number[];
  readonly lnMean: readonly number[];
  readonly lnSpread: readonly number[];
}

/** The fits of the table of adults (from 15 years), by `country|gender`, without those that failed. */
function adultFits(rows: Rows) {
  const world = worldSpread(rows);
  const known = rows.filter((row) => {
    const inWorld = (COUNTRY_CODES as readonly string[]).includes(String(row.country));
    const ratio = sdOf(row) / (world.get(bandOf(row)) ?? 1);
    return inWorld && ratio <= FAILED_FIT && ratio >= 1 / FAILED_FIT;
  });
  const lnSdOf = regionSpreads(known, world);
  const fits = new Map<string, { ages: number[]; lnMean: number[]; lnSd: number[] }>();
  for (const row of known) {
    const key = `${row.country}|${row.gender}`;
    const fit = fits.get(key) ?? { ages: [], lnMean: [], lnSd: [] };
    const [shape, scale] = [Number(row.shape), Number(row.scale)];
    const from = Number(row.age_min);
    const middle = (from + Number(row.age_max) + 1) / 2;
    fit.ages.push(from === OPEN_BAND.from ? OPEN_BAND.ageYears : middle);
    fit.lnMean.push(Math.log(shape * scale));
    fit.lnSd.push(lnSdOf(row));
    fits.set(key, fit);
  }
  return fits;
}

/**
 * The level and the spread of every country's adults, by `country|gender`. The level is the mean of the
 * country's own fit. A gamma has thinner tails than people: NHANES is wider than the fit for the US, by 2 %
 * to 20 %. One country cannot tell what all fits share from its own error, so half of this difference is
 * added everywhere.
 */
function adultCurves(rows: Rows, us: UsBmi): Map<string, Curve> {
  const fits = adultFits(rows);
  return new Map(
    [...fits].map(([key, { ages, lnMean, lnSd }]) => {
      const gender = key.slice(key.indexOf('|') + 1) as Gender;
      const home = fits.get(`US|${gender}`);
      if (home === undefined) throw new Error('ncdrisc-2024-bmi has no US');
      const lnSpread = lnSd.map((own, i) => {
        const age = ages[i];
        const fitted = interpolate(home.ages, home.lnSd, age);
        const { sd, skew } = us.driven(gender, age);
        const people = Math.log(sd);
        const spread = own + COMMON_TAILS * (people - fitted) - people;
        return age < ADULT_CLASSES_FROM ? spread : survivable(lnMean[i], spread, sd, skew);
      });
      return [key, { ages, lnMean, lnSpread }] as const;
    }),
  );
}

/** Narrows a spread until P1 is at least `LEAST_P1`. */
function survivable(lnMean: number, lnSpread: number, homeSd: number, homeSkew: number): number {
  const skew = limitSkew(homeSkew);
  const p1 = (spread: number): number => {
    const sd = homeSd * Math.exp(spread);
    return lnQuantile({ mean: meanOfLn(lnMean, sd, skew), sd, skew }, -Z99);
  };
  let narrowed = lnSpread;
  while (p1(narrowed) < Math.log(LEAST_P1)) narrowed -= NARROWING;
  return narrowed;
}

/** The rows of a curve from an age on. */
function curveFrom({ ages, lnMean, lnSpread }: Curve, ageYears: number): Curve {
  const first = ages.findIndex((age) => age >= ageYears);
  return { ages: ages.slice(first), lnMean: lnMean.slice(first), lnSpread: lnSpread.slice(first) };
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
 * @param homeSd SD of ln BMI in the US
 */
function joined(
  adults: Curve,
  change: YouthChange | undefined,
  child: (ageYears: number) => BmiLevel,
  homeSd: (ageYears: number) => number,
): Curve {
  const grown = curveFrom(adults, ADULT_CLASSES_FROM);
  const grownYears = grown.ages[0];
  const years = Array.from({ length: CHILD_BMI_TO - CHILD_BMI_FROM }, (_, i) => CHILD_BMI_FROM + i);
  const atNineteen = child(CHILD_BMI_TO);
  const youth =
    change === undefined
      ? interpolate(adults.ages, adults.lnMean, CHILD_BMI_TO)
      : grown.lnMean[0] + change.lnMean;
  const fall = child(LAST_CHILD_YEARS).lnMean - grown.lnMean[0];
  const excess = Math.max(0, fall - LARGEST_FALL);
  /** Share of the excess at 17 years that is subtracted at an age. */
  const pressed = (age: number): number =>
    Math.max(0, (age - PRESSED_FROM) / (LAST_CHILD_YEARS - PRESSED_FROM));
  const lnMeanOf = (age: number): number => child(age).lnMean - pressed(age) * excess;
  const childYears = years.filter((age) => age <= LAST_CHILD_YEARS);
  const [ages, lnMean] = smoothYouth(
    [...childYears, CHILD_BMI_TO, ...grown.ages],
    [...childYears.map(lnMeanOf), (lnMeanOf(CHILD_BMI_TO) + youth) / 2, ...grown.lnMean],
  );
  // The change of the spread comes from fits to eight classes at 18–19, which are poor in lean countries.
  // It does not take the spread below the smaller one of the children's and the youngest adults' spreads.
  const adultSpread = grown.lnSpread[0];
  const narrowest = Math.min(atNineteen.lnSpread, adultSpread);
  const spreadAtNineteen = Math.max(adultSpread + (change?.lnSpread ?? 0), narrowest);
  const gap = spreadAtNineteen - atNineteen.lnSpread;
  const lnSpreadOf = (age: number): number => {
    const share = (age - CHILD_BMI_FROM) / (CHILD_BMI_TO - CHILD_BMI_FROM);
    return child(age).lnSpread + share * gap;
  };
  // P95 may fall no more than the mean. The excess (men of HT) is subtracted from the spread.
  const grownHigh = grown.lnMean[0] + Z95 * homeSd(grownYears) * Math.exp(adultSpread);
  const widest = (grownHigh + LARGEST_FALL - lnMeanOf(LAST_CHILD_YEARS)) / Z95;
  const lastSd = homeSd(LAST_CHILD_YEARS) * Math.exp(lnSpreadOf(LAST_CHILD_YEARS));
  const wider = Math.max(0, Math.log(lastSd / widest));
  const spreadAges = [...years, CHILD_BMI_TO, ...grown.ages];
  const lnSpread = [
    ...years.map((age) => lnSpreadOf(age) - Math.min(1, pressed(age)) * wider),
    spreadAtNineteen,
    ...grown.lnSpread,
  ];
  return { ages, lnMean, lnSpread: ages.map((age) => interpolate(spreadAges, lnSpread, age)) };
}

/** Returns a sentence for each source of BMI that was left out. */
export function bmiLosses({ childBmi, whoBmi, bmiByYear }: SourceTables): string[] {
  const losses: string[] = [];
  const ofChildren = [
    ['ncdrisc-2024-bmi-children', childBmi],
    ['who2007', whoBmi],
  ] as const;
  for (const [source, rows] of ofChildren) {
    if (rows !== undefined) continue;
    losses.push(
      `Without ${source}, the BMI of a country’s children below 15 years fades to that of the US.`,
    );
  }
  if (bmiByYear === undefined) {
    losses.push(
      'Without ncdrisc-2024-bmi-years, a country differs from the US at 19 years as at 20–24.',
    );
  }
  return losses;
}

/** Mean of ln BMI of people with a given mean BMI: ln E[B] = mean + variance ÷ 2 + third cumulant ÷ 6. */
function meanOfLn(lnMean: number, sd: number, skew: number): number {
  return lnMean - sd ** 2 / 2 - (skew * sd ** 3) / 6;
}

/**
 * BMI of every country against the US, by age. The level and the spread are the country's own. Below the
 * youngest age with a fit, the difference fades to 0 at birth. This is an assumption, because no survey of
 * newborns' BMI by country is used.
 *
 * @param us distribution of ln BMI in the US
 * @returns undefined without the source
 */
export function fitBmiShifts(tables: SourceTables, us: UsBmi): BmiShifts | undefined {
  if (tables.bmi === undefined) return undefined;
  const children = fitChildBmi(tables, us.drawn);
  const change = changeBelowTwenty(tables.bmiByYear, us.drawn);
  const curves = new Map<string, Curve>();
  for (const [key, adults] of adultCurves(tables.bmi, us)) {
    const [country, gender] = key.split('|') as [string, Gender];
    if (children?.(gender, country, CHILD_BMI_TO) === undefined) {
      curves.set(key, curveFrom(adults, FADING_FROM));
    } else {
      const child = (ageYears: number) => children(gender, country, ageYears) as BmiLevel;
      const homeSd = (ageYears: number) => us.driven(gender, ageYears).sd;
      curves.set(key, joined(adults, change?.(key), child, homeSd));
    }
  }
  const curveOf = (gender: Gender, country: string): Curve => {
    const curve = curves.get(`${country}|${gender}`);
    if (curve === undefined) throw new Error(`ncdrisc-2024-bmi has no ${country}`);
    return curve;
  };
  /** Difference of the means of ln BMI, and ln of the ratio of the SDs. */
  const difference = perGender((gender) =>
    memoise((country: string) => {
      const curve = curveOf(gender, country);
      const youngest = curve.ages[0];
      return memoise((ageYears: number): { shift: number; lnSpread: number } => {
        const age = Math.max(youngest, ageYears);
        const share = Math.min(1, ageYears / youngest);
        const home = us.driven(gender, age);
        const lnSpread = interpolate(curve.ages, curve.lnSpread, age);
        const sd = home.sd * Math.exp(lnSpread);
        const skew = limitSkew(home.skew);
        const mean = meanOfLn(interpolate(curve.ages, curve.lnMean, age), sd, skew);
        return { shift: share * (mean - home.mean), lnSpread: share * lnSpread };
      });
    }),
  );
  const read = (
    gender: Gender,
    country: string,
    age: number,
    field: 'shift' | 'lnSpread',
  ): number => {
    // The level of the United States comes from NHANES.
    if (country === 'US') return 0;
    const neighbours = BMI_NEIGHBOURS[country];
    if (neighbours !== undefined) {
      return mean(neighbours.map((neighbour) => read(gender, neighbour, age, field)));
    }
    return difference[gender](country)(age)[field];
  };
  return {
    shift: (gender, country, age) => read(gender, country, age, 'shift'),
    spread: (gender, country, age) => Math.exp(read(gender, country, age, 'lnSpread')),
  };
}
