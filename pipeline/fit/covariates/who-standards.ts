import { type Gender, perGender } from '../../../src/core/genders.js';
import type { ByAge } from '../../model/covariates.js';
import { interpolate } from '../../numerics/numbers.js';
import { STANDING_FROM_YEARS } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';

/** Lying length exceeds standing height by this much at 2 years (WHO 2006, chapter 3: 0.7 cm). */
const LYING_EXCESS_MM = 7;
const excessMm = (ageYears: number): number =>
  ageYears < STANDING_FROM_YEARS ? 0 : LYING_EXCESS_MM;
/** Last age of the standards. */
const LAST_YEARS = 5;

/** Median of a measure and its coefficient of variation. */
interface Reference {
  readonly median: number;
  readonly cv: number;
}

type Curve = ByAge<Reference>;

/** Medians of the WHO growth standards 2006 from 0 to 5 years. */
export interface WhoStandards {
  /** Lying length under 2 years, standing height from 2 years, mm. */
  readonly statureMm: Curve;
  /** Median mass over squared median length or height, kg/m², and the coefficient of variation of BMI. */
  readonly bmi: Curve;
  /** Body mass, kg. */
  readonly massKg: Curve;
  /** Head circumference, mm. */
  readonly headGirthMm: Curve;
  /** Girth of the upper arm from 3 months, mm. */
  readonly armGirthMm: Curve;
  /**
   * Median BMI, kg/m², of children of this length or height: that of the age at which it is the median. Beyond the ages
   * of the standards it is that of the last one.
   */
  readonly bmiForStature: (gender: Gender, ageYears: number, mm: number) => number;
}

/** Reads the WHO growth standards. */
export function whoStandards(rows: Rows): WhoStandards {
  const curve = (measure: string, factor = 1, fromYears = 0): Curve => {
    const curves = perGender((gender) => {
      const found = rows
        .filter((row) => row.measure === measure && row.gender === gender)
        .filter((row) => Number(row.age_months) / 12 >= fromYears)
        .sort((a, b) => Number(a.age_months) - Number(b.age_months));
      if (found.length === 0) throw new Error(`who2006 has no ${measure}`);
      const medians = found.map((row) => factor * Number(row.m));
      // The table has the lying length at 24 months too.
      if (fromYears === STANDING_FROM_YEARS) medians[0] -= LYING_EXCESS_MM;
      return {
        years: found.map((row) => Number(row.age_months) / 12),
        medians,
        cvs: found.map((row) => Number(row.s)),
      };
    });
    return (gender, ageYears) => {
      const { years, medians, cvs } = curves[gender];
      return {
        median: interpolate(years, medians, ageYears),
        cv: interpolate(years, cvs, ageYears),
      };
    };
  };
  const lying = curve('length_or_height_cm', 10);
  const standing = curve('length_or_height_cm', 10, STANDING_FROM_YEARS);
  const massKg = curve('weight_kg');
  const bmi = curve('bmi');
  const statureMm: Curve = (gender, ageYears) =>
    ageYears < STANDING_FROM_YEARS ? lying(gender, ageYears) : standing(gender, ageYears);
  const bmiOf: ByAge = (gender, ageYears) =>
    massKg(gender, ageYears).median / (statureMm(gender, ageYears).median / 1000) ** 2;
  /** Lying lengths and masses at whole months. */
  const masses = perGender((gender) => {
    const years = Array.from({ length: 12 * LAST_YEARS + 1 }, (_, month) => month / 12);
    return {
      lyingMm: years.map((age) => statureMm(gender, age).median + excessMm(age)),
      kg: years.map((age) => massKg(gender, age).median),
    };
  });
  return {
    statureMm,
    massKg,
    bmi: (gender, ageYears) => ({
      median: bmiOf(gender, ageYears),
      cv: bmi(gender, ageYears).cv,
    }),
    bmiForStature(gender, ageYears, mm) {
      const { lyingMm, kg } = masses[gender];
      const lying = mm + excessMm(ageYears);
      if (lying <= lyingMm[0]) return bmiOf(gender, 0);
      if (lying >= (lyingMm.at(-1) as number)) return bmiOf(gender, LAST_YEARS);
      return interpolate(lyingMm, kg, lying) / (mm / 1000) ** 2;
    },
    headGirthMm: curve('head_circumference_cm', 10),
    armGirthMm: curve('arm_circumference_cm', 10),
  };
}
