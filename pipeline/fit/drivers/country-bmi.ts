import type { Gender } from '../../../src/core/genders.js';
import { growthCurve } from '../../numerics/isotonic.js';
import { limitSkew, lnMedian, lnQuantile, type Marginal, Z95 } from '../../numerics/marginal.js';
import { interpolate, mean, median, smoothStep } from '../../numerics/numbers.js';
import type { Cell, RawTables } from '../../raw-tables/raw-tables.js';
import { type BmiDifference, CHILD_BMI_FROM, CHILD_BMI_TO, fitChildBmi } from './child-bmi.js';
import type { UsBmi } from './us-bmi.js';
import { ADULT_CLASSES_FROM, changeBelowTwenty } from './youth-bmi.js';

/** Countries without their own BMI table, and the neighbours whose mean is used instead. */
export const BMI_NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  HK: ['TW', 'SG', 'CN', 'JP'],
};

/** Where the open band of 85 and over is placed, about its mean age. */
const OPEN_BAND = { from: 85, ageYears: 87 } as const;
/** Without children's fits, the age below which a country's difference fades to 0 at birth. */
const FADING_FROM = 15;
/** Age from which children's means turn into those of adults. */
const MEANS_JOIN_FROM = 10;
/** Ages between which the skewness of a country turns from that of US children to that of adults. */
const [SKEW_FROM, SKEW_TO] = [15, 20] as const;

/** Mean and SD of ln X for the lognormal X that has the mean and variance of a gamma. */
export function lnMoments(shape: number, scale: number): { mean: number; sd: number } {
  const variance = Math.log(1 + 1 / shape);
  return { mean: Math.log(shape * scale) - variance / 2, sd: Math.sqrt(variance) };
}

/**
 * A gamma fit that is this many times wider or narrower than the world's median at its age did not
 * converge (ZM and MW women at 15, PL women at 17). The neighbouring ages are used instead.
 */
const FAILED_FIT = 2.2;

/** Median over countries of the SD of ln BMI, by gender and age band. */
function worldSpread(rows: readonly Record<string, Cell>[]): Map<string, number> {
  const sds = new Map<string, number[]>();
  for (const row of rows) {
    const key = `${row.gender}|${row.age_min}`;
    const band = sds.get(key) ?? [];
    band.push(lnMoments(Number(row.shape), Number(row.scale)).sd);
    sds.set(key, band);
  }
  return new Map([...sds].map(([key, band]) => [key, median(band)]));
}

/** BMI of a country against the US. */
export interface BmiShifts {
  /** Difference of the means of ln BMI. */
  readonly shift: (gender: Gender, country: string, ageYears: number) => number;
  /** SD of ln BMI over that of the US. */
  readonly spread: (gender: Gender, country: string, ageYears: number) => number;
  /** Skewness of ln BMI over that of the US. */
  readonly skew: (gender: Gender, country: string, ageYears: number) => number;
}

interface Curve {
  readonly ages: number[];
  readonly shift: number[];
  readonly lnSpread: number[];
}

/** Differences between a country's fits and those of the US, by age; the countries by `country|gender`. */
async function differencesOfFits(tables: RawTables): Promise<Map<string, Curve>> {
  const rows = await tables.rows('ncdrisc-2024-bmi', 'bmi_gamma', 'country, gender, age_min');
  const world = worldSpread(rows);
  const fits = new Map<string, { ages: number[]; mean: number[]; lnSd: number[] }>();
  for (const row of rows) {
    const key = `${row.country}|${row.gender}`;
    const fit = fits.get(key) ?? { ages: [], mean: [], lnSd: [] };
    const moments = lnMoments(Number(row.shape), Number(row.scale));
    const usual = world.get(`${row.gender}|${row.age_min}`) ?? moments.sd;
    if (moments.sd > usual * FAILED_FIT || moments.sd < usual / FAILED_FIT) continue;
    const from = Number(row.age_min);
    const middle = (from + Number(row.age_max) + 1) / 2;
    fit.ages.push(from === OPEN_BAND.from ? OPEN_BAND.ageYears : middle);
    fit.mean.push(moments.mean);
    fit.lnSd.push(Math.log(moments.sd));
    fits.set(key, fit);
  }
  return new Map(
    [...fits].map(([key, { ages, mean: means, lnSd }]) => {
      const gender = key.slice(key.indexOf('|') + 1);
      const us = fits.get(`US|${gender}`);
      if (us === undefined) throw new Error('ncdrisc-2024-bmi has no US');
      const less = (values: readonly number[], field: 'mean' | 'lnSd'): number[] =>
        values.map((value, i) => value - interpolate(us.ages, us[field], ages[i] as number));
      return [key, { ages, shift: less(means, 'mean'), lnSpread: less(lnSd, 'lnSd') }] as const;
    }),
  );
}

/**
 * Skewness of ln BMI over that of the US. Among US children of three surveys, whose SD of ln BMI is
 * 0.12 to 0.23, skewness does not depend on the spread. Over the ages of adults it falls about as the
 * spread grows (0.9 at SD 0.16, 0.5 at 0.25).
 */
function skewRatio(ageYears: number, lnSpread: number): number {
  return Math.exp(-smoothStep(ageYears, SKEW_FROM, SKEW_TO) * lnSpread);
}

/** The rows of a curve from an age on. */
function curveFrom(curve: Curve, ageYears: number): Curve {
  const first = curve.ages.findIndex((age) => age >= ageYears);
  const { ages, shift, lnSpread } = curve;
  return {
    ages: ages.slice(first),
    shift: shift.slice(first),
    lnSpread: lnSpread.slice(first),
  };
}

/**
 * A country's difference from the US over all ages, from children's classes, the classes of 18–19 and
 * those of adults.
 *
 * NCD-RisC estimates the classes of children and of adults separately, so that the two do not meet at
 * 19 years. The gap is taken up evenly: that of the spread from 5 to 19 years, because children's
 * classes say little about the tails; that of the mean from 10 to 19 years.
 */
function joined(
  adults: Curve,
  change: BmiDifference,
  child: (ageYears: number) => BmiDifference,
): Curve {
  const grown = curveFrom(adults, ADULT_CLASSES_FROM);
  const years = Array.from({ length: CHILD_BMI_TO - CHILD_BMI_FROM }, (_, i) => CHILD_BMI_FROM + i);
  const join = (field: keyof BmiDifference, fromYears: number): number[] => {
    const atNineteen = (grown[field][0] as number) + change[field];
    const gap = atNineteen - child(CHILD_BMI_TO)[field];
    const below = years.map((age) => {
      const share = Math.max(0, (age - fromYears) / (CHILD_BMI_TO - fromYears));
      return child(age)[field] + share * gap;
    });
    return [0, ...below, atNineteen, ...grown[field]];
  };
  return {
    ages: [0, ...years, CHILD_BMI_TO, ...grown.ages],
    shift: join('shift', MEANS_JOIN_FROM),
    lnSpread: join('lnSpread', CHILD_BMI_FROM),
  };
}

/**
 * The curve changed so that neither the median of BMI nor its P95 falls from 5 years to the youngest
 * adults: the nearest quantiles that do not fall. In NHANES they do not fall at these ages. A fall is
 * a disagreement between the classes of children and those of adults.
 */
function withoutFall(
  curve: Curve,
  us: (ageYears: number) => Marginal,
  skewOf: (ageYears: number, lnSpread: number) => number,
): Curve {
  const first = curve.ages.indexOf(CHILD_BMI_FROM);
  const last = curve.ages.findIndex((age) => age > CHILD_BMI_TO);
  const shift = [...curve.shift];
  const lnSpread = [...curve.lnSpread];
  const people = curve.ages.slice(first, last + 1).map((age, i) => {
    const { mean, sd, skew } = us(age);
    const spread = lnSpread[first + i] as number;
    return {
      mean: mean + (shift[first + i] as number),
      sd: sd * Math.exp(spread),
      skew: limitSkew(skew * skewOf(age, spread)),
    };
  });
  const rising = (z: number) =>
    growthCurve(
      people.map((one) => lnQuantile(one, z)),
      [{ sign: 1 }],
    );
  const [middle, high] = [rising(0), rising(Z95)];
  people.forEach((one, i) => {
    const median = lnMedian(one);
    const wider = ((high[i] as number) - (middle[i] as number)) / (lnQuantile(one, Z95) - median);
    const offset = (one.mean - median) * wider;
    shift[first + i] = (shift[first + i] as number) + (middle[i] as number) + offset - one.mean;
    lnSpread[first + i] = (lnSpread[first + i] as number) + Math.log(wider);
  });
  return { ages: curve.ages, shift, lnSpread };
}

/** The curve without children's fits: below 15 years it fades to the US at birth. */
function faded({ ages, shift, lnSpread }: Curve): Curve {
  const at = (values: readonly number[]) => [0, interpolate(ages, values, FADING_FROM), ...values];
  return { ages: [0, FADING_FROM, ...ages], shift: at(shift), lnSpread: at(lnSpread) };
}

/** A sentence for each source of BMI that was left out. */
export function bmiLosses(tables: RawTables): string[] {
  const losses: string[] = [];
  for (const source of ['ncdrisc-2024-bmi-children', 'who2007']) {
    if (tables.has(source)) continue;
    losses.push(
      `Without ${source}, the BMI of a country’s children below 15 years fades to that of the US.`,
    );
  }
  if (!tables.has('ncdrisc-2024-bmi-years')) {
    losses.push(
      'Without ncdrisc-2024-bmi-years, a country differs from the US at 19 years as at 20–24.',
    );
  }
  return losses;
}

/**
 * BMI of every country against the US, by age. Below 5 years the difference fades to 0 at birth, which
 * is an assumption: no survey of newborns' BMI by country is used.
 *
 * @param us distribution of ln BMI in the US
 * @returns undefined without the source
 */
export async function fitBmiShifts(tables: RawTables, us: UsBmi): Promise<BmiShifts | undefined> {
  if (!tables.has('ncdrisc-2024-bmi')) return undefined;
  const children = await fitChildBmi(tables, us.drawn);
  const change = await changeBelowTwenty(tables, us.drawn);
  const curves = new Map<string, Curve>();
  for (const [key, adults] of await differencesOfFits(tables)) {
    const [country, gender] = key.split('|') as [string, Gender];
    const child = (ageYears: number) =>
      children?.(gender, country, ageYears) ?? { shift: 0, lnSpread: 0 };
    const isUs = country === 'US';
    if (isUs) curves.set(key, { ages: [0], shift: [0], lnSpread: [0] });
    else if (children?.(gender, country, CHILD_BMI_TO) === undefined)
      curves.set(key, faded(adults));
    else {
      const curve = joined(adults, change(key), child);
      curves.set(
        key,
        withoutFall(curve, (age) => us.driven(gender, age), skewRatio),
      );
    }
  }
  const read = (
    gender: Gender,
    country: string,
    age: number,
    field: keyof BmiDifference,
  ): number => {
    const neighbours = BMI_NEIGHBOURS[country];
    if (neighbours !== undefined) {
      return mean(neighbours.map((neighbour) => read(gender, neighbour, age, field)));
    }
    const curve = curves.get(`${country}|${gender}`);
    if (curve === undefined) throw new Error(`ncdrisc-2024-bmi has no ${country}`);
    return interpolate(curve.ages, curve[field], age);
  };
  return {
    shift: (gender, country, age) => read(gender, country, age, 'shift'),
    spread: (gender, country, age) => Math.exp(read(gender, country, age, 'lnSpread')),
    skew: (gender, country, age) => skewRatio(age, read(gender, country, age, 'lnSpread')),
  };
}
