import type { Gender } from '../../../src/core/genders.js';
import type { Marginal } from '../../numerics/marginal.js';
import { interpolate, median, robustLocalLinear } from '../../numerics/numbers.js';
import type { RawTables } from '../../raw-tables/raw-tables.js';
import { shapeBehind } from './bmi-classes.js';

/** Difference of a country's BMI from that of the US at one age. */
export interface BmiDifference {
  /** Difference of the means of ln BMI. */
  readonly shift: number;
  /** ln of the SD of ln BMI over that of the US. */
  readonly lnSpread: number;
}

/** Limits of NCD-RisC's classes of children's BMI, in SD of the WHO reference of 2007. */
const CLASS_LIMITS_SD = [-2, -1, 1, 2] as const;
/** First and last age of the fits, years. */
export const CHILD_BMI_FROM = 5;
export const CHILD_BMI_TO = 19;
/**
 * Half width in years of the window over which the single years of a country are smoothed. The spread
 * takes the wider one: a gamma has one of two answers where many children are obese, one that meets the
 * highest class and one that ignores it, and some countries change between them at one age.
 */
const SHIFT_WINDOW = 6;
const SPREAD_WINDOW = 9;
/** A distribution this many times wider or narrower than the world's median at its age is a failure. */
const FAILED_FIT = 1.7;

interface Points {
  readonly ages: number[];
  readonly shift: number[];
  readonly lnSpread: number[];
  readonly misfit: number[];
}

/** What one fit says about its population. */
interface Found extends BmiDifference {
  readonly country: string;
  readonly gender: Gender;
  readonly age: number;
  readonly misfit: number;
}

/** The fits by `country|gender`, without those that failed. */
function pointsOf(found: readonly Found[]): Map<string, Points> {
  const world = new Map<string, number[]>();
  for (const { gender, age, lnSpread } of found) {
    const key = `${gender}|${age}`;
    world.set(key, [...(world.get(key) ?? []), lnSpread]);
  }
  const middle = new Map([...world].map(([key, spreads]) => [key, median(spreads)]));
  const populations = new Map<string, Points>();
  for (const { country, gender, age, shift, lnSpread, misfit } of found) {
    const usual = middle.get(`${gender}|${age}`) as number;
    if (Math.abs(lnSpread - usual) > Math.log(FAILED_FIT)) continue;
    const key = `${country}|${gender}`;
    const points = populations.get(key) ?? { ages: [], shift: [], lnSpread: [], misfit: [] };
    populations.set(key, points);
    points.ages.push(age);
    points.shift.push(shift);
    points.lnSpread.push(lnSpread);
    points.misfit.push(misfit);
  }
  return populations;
}

/** Limits of the classes (kg/m²) by gender and age in years. */
async function classLimits(tables: RawTables): Promise<Map<string, number[]>> {
  const rows = await tables.rows('who2007', 'bmi_lms', 'gender, age_months');
  return new Map(
    rows.map((row) => {
      const [l, m, s] = [Number(row.l), Number(row.m), Number(row.s)];
      const limits = CLASS_LIMITS_SD.map((z) => m * (1 + l * s * z) ** (1 / l));
      return [`${row.gender}|${Math.floor(Number(row.age_months) / 12)}`, limits];
    }),
  );
}

/**
 * BMI of children of 5 to 19 years by country against the US. Each gamma fit is turned into the
 * distribution that it came from (`shapeBehind`), with the skewness that US children of that age have.
 * The result is compared with NHANES and smoothed over age (robust local linear regression, Cleveland
 * 1979). A fit that misses the classes counts less, because it has lost what the missed class says.
 *
 * A fit of age a describes people of exactly a years: its limits are those of the birthday.
 *
 * @param us distribution of ln BMI in the US, through the percentiles of NHANES
 * @returns undefined without the sources; else a function that is undefined for an absent country
 */
export async function fitChildBmi(
  tables: RawTables,
  us: (gender: Gender, ageYears: number) => Marginal,
): Promise<
  ((gender: Gender, country: string, ageYears: number) => BmiDifference | undefined) | undefined
> {
  if (!tables.has('ncdrisc-2024-bmi-children') || !tables.has('who2007')) return undefined;
  const limits = await classLimits(tables);
  const rows = await tables.rows(
    'ncdrisc-2024-bmi-children',
    'bmi_gamma_by_age',
    'country, gender, age_years',
  );
  const found: Found[] = [];
  for (const row of rows) {
    const [gender, age] = [row.gender as Gender, Number(row.age_years)];
    const americans = us(gender, age);
    const behind = shapeBehind(
      { shape: Number(row.shape), scale: Number(row.scale) },
      { limits: limits.get(`${gender}|${age}`) as number[] },
      americans.skew,
    );
    if (behind === undefined) continue;
    found.push({
      ...{ country: String(row.country), gender, age, misfit: behind.misfit },
      shift: behind.marginal.mean - americans.mean,
      lnSpread: Math.log(behind.marginal.sd / americans.sd),
    });
  }
  const usual = median(found.map(({ misfit }) => misfit));
  const populations = pointsOf(found);
  const years = Array.from(
    { length: CHILD_BMI_TO - CHILD_BMI_FROM + 1 },
    (_, i) => CHILD_BMI_FROM + i,
  );
  const curves = new Map(
    [...populations].map(([key, { ages, misfit, ...values }]) => {
      const weights = misfit.map((one) => usual / (usual + one));
      const smooth = (ys: readonly number[], window: number): number[] => {
        const curve = robustLocalLinear(ages, ys, weights, window);
        const [first, last] = [ages[0] as number, ages.at(-1) as number];
        return years.map((year) => curve(Math.min(Math.max(year, first), last)));
      };
      const shift = smooth(values.shift, SHIFT_WINDOW);
      return [key, { shift, lnSpread: smooth(values.lnSpread, SPREAD_WINDOW) }] as const;
    }),
  );
  return (gender, country, ageYears) => {
    const curve = curves.get(`${country}|${gender}`);
    return (
      curve && {
        shift: interpolate(years, curve.shift, ageYears),
        lnSpread: interpolate(years, curve.lnSpread, ageYears),
      }
    );
  };
}
