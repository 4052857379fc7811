import { type Gender, perGender } from '../../../src/core/genders.js';
import { interpolate } from '../../numerics/numbers.js';
import type { Rows } from '../../raw-tables/source-tables.js';

/** Until this age children are measured lying, from it on standing. */
export const STANDING_FROM_YEARS = 2;
/** Lying length exceeds standing height by this much at 2 years (WHO 2006, chapter 3: 0.7 cm). */
const LYING_EXCESS_MM = 7;
/** Last age of the standards. */
const LAST_YEARS = 5;

/** Median of a measure and its coefficient of variation. */
interface Reference {
  readonly median: number;
  readonly cv: number;
}

type Curve = (gender: Gender, ageYears: number) => Reference;

/** Medians of the WHO growth standards 2006 from 0 to 5 years. */
export interface WhoStandards {
  /** Lying length under 2 years, standing height from 2 years, mm. Beyond 5 years the last growth goes on. */
  readonly statureMm: Curve;
  /** Median mass over squared median length or height, kg/m², and the coefficient of variation of BMI. */
  readonly bmi: Curve;
  /** Body mass, kg. */
  readonly massKg: Curve;
  /** Head circumference, mm. */
  readonly headGirthMm: Curve;
}

/** Reads the WHO growth standards. */
export function whoStandards(rows: Rows): WhoStandards {
  const curve = (measure: string, factor = 1, fromYears = 0): Curve => {
    const curves = perGender((gender) => {
      const found = rows.filter((row) => row.measure === measure && row.gender === gender);
      if (found.length === 0) throw new Error(`who2006 has no ${measure}`);
      return found
        .map((row) => {
          const years = Number(row.age_months) / 12;
          // The table has the lying length at 24 months too.
          const excess = fromYears > 0 && years === fromYears ? LYING_EXCESS_MM : 0;
          return { years, median: factor * Number(row.m) - excess, cv: Number(row.s) };
        })
        .filter(({ years }) => years >= fromYears)
        .sort((a, b) => a.years - b.years);
    });
    return (gender, ageYears) => {
      const years = curves[gender].map((row) => row.years);
      const at = (key: keyof Reference) =>
        interpolate(
          years,
          curves[gender].map((row) => row[key]),
          ageYears,
        );
      return { median: at('median'), cv: at('cv') };
    };
  };
  const lying = curve('length_or_height_cm', 10);
  const standing = curve('length_or_height_cm', 10, STANDING_FROM_YEARS);
  const massKg = curve('weight_kg');
  const bmi = curve('bmi');
  const statureMm: Curve = (gender, ageYears) => {
    if (ageYears < STANDING_FROM_YEARS) return lying(gender, ageYears);
    const known = standing(gender, ageYears);
    const last = standing(gender, LAST_YEARS).median;
    const yearly = 2 * (last - standing(gender, LAST_YEARS - 0.5).median);
    return { ...known, median: known.median + Math.max(0, ageYears - LAST_YEARS) * yearly };
  };
  return {
    statureMm,
    massKg,
    bmi: (gender, ageYears) => ({
      median: massKg(gender, ageYears).median / (statureMm(gender, ageYears).median / 1000) ** 2,
      cv: bmi(gender, ageYears).cv,
    }),
    headGirthMm: curve('head_circumference_cm', 10),
  };
}
