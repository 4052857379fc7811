import type { Gender } from '../../src/core/genders.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import type { RawTables } from '../tables/database.js';
import type { Survey, SurveyGroup } from '../tables/surveys.js';
import { marginalThrough } from './dimension.js';
import { risingToAdult } from './growth.js';
import type { HeightLoss } from './height-loss.js';
import { interpolate, localLinear, memoise, smoothStep } from './numbers.js';

/** Distribution of ln stature (mm) and ln BMI (kg/m²) in one population at one age. */
export interface Drivers {
  readonly lnStature: number;
  readonly lnStatureSd: number;
  readonly lnStatureSkew: number;
  readonly lnBmi: number;
  readonly lnBmiSd: number;
  readonly lnBmiSkew: number;
  /** Correlation of ln stature and ln BMI. */
  readonly rho: number;
}

/** Period of NHANES whose size is taken as today's. */
const PERIOD = '2011-2023/';
/** Age of the 80+ group: top-coded in the survey; about the mean of Americans over 80. */
export const OLDEST_GROUP_YEARS = 84.5;

interface Series {
  readonly ages: number[];
  readonly weights: number[];
  readonly values: Record<keyof Drivers, number[]>;
}

function series(nhanes: Survey, gender: Gender): Series {
  const found: { age: number; n: number; drivers: Drivers }[] = [];
  for (const [key, group] of nhanes.groups) {
    const [groupGender, ageGroup] = key.split('|') as [string, string];
    if (groupGender !== gender || !ageGroup.startsWith(PERIOD)) continue;
    if (ageGroup.includes('/m')) continue;
    const bmi = group.moments.get('Bmi');
    const stature = group.moments.get('Stature');
    if (bmi === undefined || stature === undefined) continue;
    const age = ageGroup.endsWith('80+') ? OLDEST_GROUP_YEARS : group.moment('AgeYears').mean;
    found.push({ age, n: stature.n, drivers: drawnDrivers(group) });
  }
  found.sort((a, b) => a.age - b.age);
  const pick = (key: keyof Drivers) => found.map(({ drivers }) => drivers[key]);
  return {
    ages: found.map(({ age }) => age),
    weights: found.map(({ n }) => n),
    values: {
      lnStature: pick('lnStature'),
      lnStatureSd: pick('lnStatureSd'),
      lnStatureSkew: pick('lnStatureSkew'),
      lnBmi: pick('lnBmi'),
      lnBmiSd: pick('lnBmiSd'),
      lnBmiSkew: pick('lnBmiSkew'),
      rho: pick('rho'),
    },
  };
}

/** Stature and BMI of a survey's group as drivers. */
export function groupDrivers(group: SurveyGroup): Drivers {
  const stature = group.moment('Stature');
  const bmi = group.moment('Bmi');
  const cov = group.covariance('Stature', 'Bmi')?.cov ?? 0;
  return {
    lnStature: stature.tMean,
    lnStatureSd: stature.tSd,
    lnStatureSkew: stature.tSkew,
    lnBmi: bmi.tMean,
    lnBmiSd: bmi.tSd,
    lnBmiSkew: bmi.tSkew,
    rho: cov / (stature.tSd * bmi.tSd),
  };
}

/** The same with stature drawn through its percentiles, which is what the model answers with. */
function drawnDrivers(group: SurveyGroup): Drivers {
  const { p5, p50, p95 } = group.moment('Stature');
  const { mean, sd, skew } = marginalThrough(p5, p50, p95);
  return { ...groupDrivers(group), lnStature: mean, lnStatureSd: sd, lnStatureSkew: skew };
}

/** Half width in years of the smoothing window: a year's growth in childhood, a decade later. */
const INFANT_WINDOW = 0.5;
const CHILD_WINDOW = 1.6;
const ADULT_WINDOW = 9;

/** NHANES ÷ CDC in stature is smoothed more widely than growth itself would allow. */
const SECULAR_WINDOW = 2.2;

/** Half width of the window at an age: it widens from that of growth to that of adults over 14–30. */
export function windowYears(ageYears: number): number {
  // Growth bends faster the younger.
  if (ageYears < 2) return INFANT_WINDOW + ((CHILD_WINDOW - INFANT_WINDOW) * ageYears) / 2;
  return CHILD_WINDOW + (ADULT_WINDOW - CHILD_WINDOW) * smoothStep(ageYears, 14, 30);
}

/**
 * Drivers of the US population by exact age. From 2 years: NHANES 2011–2023, smoothed by age; the
 * CDC 2000 curves lend childhood its shape (the smoothed part is NHANES ÷ CDC). Under 2: CDC 2000
 * recumbent length and mass. Beyond the survey's oldest group: the published height loss, constant
 * BMI.
 */
export async function fitUsDrivers(
  tables: RawTables,
  nhanes: Survey,
  heightLoss: HeightLoss,
): Promise<(gender: Gender, ageYears: number) => Drivers> {
  const cdc = await readCdc(tables);
  const bySex = { Male: series(nhanes, 'Male'), Female: series(nhanes, 'Female') };
  const smooth = (from: Series, key: keyof Drivers, age: number): number => {
    const at = Math.min(Math.max(age, 2.5), OLDEST_GROUP_YEARS);
    // Spreads and shapes are told less well by one year's people than levels are.
    const window =
      windowYears(age) * (key === 'lnStature' || key === 'lnBmi' || age > 19 ? 1 : 1.5);
    return localLinear(from.ages, from.values[key], from.weights, at, window);
  };
  /** NHANES less CDC in ln stature: secular change, slow enough to smooth over years. */
  const secular = (gender: Gender, age: number): number => {
    const from = bySex[gender];
    const gaps = from.ages.map((a, i) => {
      return (from.values.lnStature[i] as number) - Math.log(cdc.statureMm(gender, a));
    });
    const at = Math.min(Math.max(age, 2.5), 19.5);
    return localLinear(from.ages, gaps, from.weights, at, SECULAR_WINDOW);
  };
  const lnStature = (gender: Gender, age: number): number => {
    const child = () => Math.log(cdc.statureMm(gender, age)) + secular(gender, age);
    if (age < ADULT_AGE_YEARS) return child();
    const oldest = smooth(bySex[gender], 'lnStature', age);
    const further = heightLoss(gender, age) - heightLoss(gender, Math.min(age, OLDEST_GROUP_YEARS));
    return Math.log(Math.exp(oldest) - further);
  };
  const lnBmi = (gender: Gender, age: number): number => {
    const measured = smooth(bySex[gender], 'lnBmi', age);
    if (age >= 2) return measured;
    const step = smooth(bySex[gender], 'lnBmi', 2) - Math.log(cdc.infantBmi(gender, 2));
    return Math.log(cdc.infantBmi(gender, age)) + (step * age) / 2;
  };
  const rising = {
    Male: risingToAdult((ageYears) => joinAtTwenty(lnStature, 'Male', ageYears)),
    Female: risingToAdult((ageYears) => joinAtTwenty(lnStature, 'Female', ageYears)),
  };
  const drivers = (gender: Gender) =>
    memoise(
      (ageYears: number): Drivers => ({
        lnStature: rising[gender](ageYears),
        lnStatureSd: smooth(bySex[gender], 'lnStatureSd', ageYears),
        lnStatureSkew: smooth(bySex[gender], 'lnStatureSkew', ageYears),
        lnBmi: lnBmi(gender, ageYears),
        lnBmiSd: smooth(bySex[gender], 'lnBmiSd', ageYears),
        lnBmiSkew: smooth(bySex[gender], 'lnBmiSkew', ageYears),
        rho: smooth(bySex[gender], 'rho', ageYears),
      }),
    );
  const known = { Male: drivers('Male'), Female: drivers('Female') };
  return (gender, ageYears) => known[gender](ageYears);
}

/** Takes the step between the child and the adult curve off over the five years before 20. */
function joinAtTwenty(
  curve: (gender: Gender, age: number) => number,
  gender: Gender,
  age: number,
): number {
  if (age >= ADULT_AGE_YEARS || age <= 15) return curve(gender, age);
  const step = curve(gender, ADULT_AGE_YEARS) - curve(gender, ADULT_AGE_YEARS - 1e-9);
  return curve(gender, age) + (step * (age - 15)) / 5;
}

interface Cdc {
  /** Median length (under 2) or stature, mm; linear between the table's ages. */
  readonly statureMm: (gender: Gender, ageYears: number) => number;
  /** Median mass over squared median length, kg/m², up to 2 years. */
  readonly infantBmi: (gender: Gender, ageYears: number) => number;
  /** Median head circumference, mm, up to 3 years. */
  readonly headGirthMm: (gender: Gender, ageYears: number) => number;
}

/** Median curves of the CDC 2000 reference. */
export async function readCdc(tables: RawTables): Promise<Cdc> {
  const rows = await tables.rows('cdc2000', 'lms', 'measure, gender, age_years');
  const curve = (measure: string) => {
    const of = (gender: Gender) => {
      const found = rows.filter((row) => row.measure === measure && row.gender === gender);
      if (found.length === 0) throw new Error(`cdc2000 has no ${measure}`);
      return { ages: found.map((r) => Number(r.age_years)), m: found.map((r) => Number(r.m)) };
    };
    const curves = { Male: of('Male'), Female: of('Female') };
    return (gender: Gender, age: number) => interpolate(curves[gender].ages, curves[gender].m, age);
  };
  const length = curve('recumbent_length_mm');
  const stature = curve('stature_mm');
  const mass = curve('body_mass_0_3_kg');
  return {
    // Lying length exceeds standing height; the knots at 1.75 and 2 years take up the change.
    statureMm: (gender, age) => (age < 2 ? length(gender, age) : stature(gender, age)),
    infantBmi: (gender, age) => mass(gender, age) / (length(gender, age) / 1000) ** 2,
    headGirthMm: curve('head_girth_mm'),
  };
}
