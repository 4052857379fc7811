import { COUNTRY_CODES } from '../../../src/core/countries.js';
import type { Gender } from '../../../src/core/genders.js';
import { risingToAdult } from '../../model/children/growth.js';
import {
  type ByAge,
  type ByCountry,
  type Covariates,
  memoisePopulations,
} from '../../model/covariates.js';
import type { CohortStatures, CountryShift, HeightLoss } from '../../model/fitted-model.js';
import { interpolate, smoothStep } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS, REFERENCE_YEAR } from '../../plans/axes.js';
import type { SourceTables } from '../../raw-tables/source-tables.js';
import type { Study } from '../../raw-tables/study.js';
import { type ChildStature, childStature } from './child-stature.js';
import { bmiLosses, CHILD_BMI_FROM, fitBmiShifts } from './country-bmi.js';
import { type NewbornsOf, newborns } from './newborns.js';
import { smallChildBmi } from './small-child-bmi.js';
import {
  type SmallChildStature,
  smallChildStature,
  TABLE_FROM_YEARS,
} from './small-child-stature.js';
import { statureSpreads } from './stature-spreads.js';
import type { UsBmi } from './us-bmi.js';
import { type WhoStandards, whoStandards } from './who-standards.js';

/** People above this age get the cohort of this age. The US covariates have no cohorts there either. */
export const OLDEST_COHORT_AGE = 85;
/** Age from which the level of children changes into that of the country's adults. */
const ADULTS_FROM = 10;
/**
 * Late growth. From 18 years on, ln stature grows by the table's step from 18 to 19, as far as that is growth of people
 * (from 18 to 20 years, 7 mm in men and 2 mm in women: medians of CDC 2000), and at most 4 mm more (our own assumption).
 * Further growth is moved to the years from 14 on.
 */
const LATE_STEP = { Male: 0.004, Female: 0.0014 } as const;
const LATE_GROWTH = 0.0024;
const [LATE_FROM, LATE_YEARS] = [14, 18] as const;

/**
 * Mean ln stature of a country's adults: the level of their birth cohort less the height lost since
 * youth. The mean of ln S lies below ln of the mean by half of the variance.
 */
function adultStature(cohorts: CohortStatures, heightLoss: HeightLoss, lnSd: ByCountry): ByCountry {
  return (gender, country, ageYears) => {
    const birthYear = REFERENCE_YEAR - Math.min(ageYears, OLDEST_COHORT_AGE);
    const { meanMm } = cohorts(gender, country, birthYear);
    const mm = meanMm - heightLoss(gender, ageYears);
    return Math.log(mm) - lnSd(gender, country, ageYears) ** 2 / 2;
  };
}

/**
 * Mean ln stature of a country minus that of the US, by age.
 * - Adults: the level of their birth cohort, which is the country's own.
 * - Ages 5–19: the table of children by country (`childStature`). Without the table, the difference of adults.
 * - From 10 to 20 years, the level of children changes into that of adults.
 * - Under 5: the share of stunted children in national surveys (`smallChildStature`), which also moves the ages to
 * 10. Without these surveys, the difference at 5 years, fading to half of it at birth.
 */
function statureShifts(
  { measured, small }: Children,
  adult: ByCountry,
  us: ByAge<Covariates>,
  lnSd: ByCountry,
): ByCountry {
  const adultShift: ByCountry = (gender, country, age) =>
    country === 'US' ? 0 : adult(gender, country, age) - us(gender, age).lnStature;
  const grown = memoisePopulations((gender, country) =>
    adultShift(gender, country, ADULT_AGE_YEARS),
  );
  /** The level of the table's children, which changes into that of adults. */
  const joined = ({ shift }: ChildStature, ...[gender, country, age]: Parameters<ByCountry>) => {
    const share = Math.max(0, (age - ADULTS_FROM) / (ADULT_AGE_YEARS - ADULTS_FROM));
    const step = grown(gender, country) - shift(gender, country, ADULT_AGE_YEARS);
    return shift(gender, country, age) + share * step + (small?.move(gender, country, age) ?? 0);
  };
  /** Growth after 18 years beyond the table's last step and a margin, in ln. */
  const excess = memoisePopulations((gender, country) => {
    if (measured === undefined) return 0;
    const now = (age: number) => us(gender, age).lnStature + joined(measured, gender, country, age);
    const most = Math.min(measured.lastStep(gender, country), LATE_STEP[gender]) + LATE_GROWTH;
    return Math.max(0, now(ADULT_AGE_YEARS) - now(LATE_YEARS) - Math.max(most, LATE_GROWTH));
  });
  const child: ByCountry = (gender, country, age) => {
    if (measured === undefined) return grown(gender, country);
    const late = interpolate(
      [LATE_FROM, LATE_YEARS, ADULT_AGE_YEARS],
      [0, excess(gender, country), 0],
      age,
    );
    return joined(measured, gender, country, age) + late;
  };
  return (gender, country, age) => {
    if (age >= ADULT_AGE_YEARS) return adultShift(gender, country, age);
    if (country === 'US') return 0;
    const shift = child(gender, country, Math.max(TABLE_FROM_YEARS, age));
    if (age >= TABLE_FROM_YEARS) return shift;
    if (small === undefined) return shift * (0.5 + 0.1 * age);
    /** Half of the variance: the mean of ln S lies below ln of the mean by it. */
    const half = (years: number) => lnSd(gender, country, years) ** 2 / 2;
    const atFive = us(gender, TABLE_FROM_YEARS).lnStature + shift + half(TABLE_FROM_YEARS);
    return small.lnMean(gender, country, age, atFive) - half(age) - us(gender, age).lnStature;
  };
}

/** Levels of children by country; undefined where a table is left out. */
interface Children {
  readonly measured: ChildStature | undefined;
  readonly small: SmallChildStature | undefined;
}

/** The level of children under 5 years; undefined where a table is left out. */
function smallChildren(
  { malnutrition }: Pick<SourceTables, 'malnutrition'>,
  who: WhoStandards | undefined,
  measured: ChildStature | undefined,
  newborn: NewbornsOf | undefined,
  us: ByAge<Covariates>,
): SmallChildStature | undefined {
  if (malnutrition === undefined || who === undefined || measured === undefined) return undefined;
  const tableLn = (gender: Gender, country: string): number => {
    const { lnStature, lnStatureSd } = us(gender, TABLE_FROM_YEARS);
    return lnStature + measured.shift(gender, country, TABLE_FROM_YEARS) + lnStatureSd ** 2 / 2;
  };
  return smallChildStature(malnutrition, who, tableLn, COUNTRY_CODES, newborn);
}

/** Changes the shifts so that no country's stature falls before 20 years. */
function rising(shifts: ByCountry, us: ByAge<Covariates>): ByCountry {
  const curves = memoisePopulations((gender, country) =>
    risingToAdult((age) => us(gender, age).lnStature + shifts(gender, country, age)),
  );
  return (gender, country, ageYears) =>
    curves(gender, country)(ageYears) - us(gender, ageYears).lnStature;
}

/**
 * Fits the stature of every country: mean ln stature minus that of the US, and its SD over that of the US. The fits of
 * children, which BMI needs too, are undefined where a table is left out.
 *
 * @param cohorts adult stature by birth cohort
 * @param us covariates of the US by age
 * @param studies national studies, which tell the spread of stature
 */
export function fitStatures(
  tables: SourceTables,
  cohorts: CohortStatures,
  heightLoss: HeightLoss,
  us: ByAge<Covariates>,
  studies: readonly Study[],
) {
  const spreads = statureSpreads(
    tables.statureSd,
    studies,
    (gender, age) => us(gender, age).lnStatureSd,
  );
  const measured = childStature(tables.childStature, cohorts, us);
  const who = tables.whoHeights && whoStandards(tables.whoHeights);
  const newborn = tables.lowBirthWeight && who && newborns(tables.lowBirthWeight, who);
  const small = smallChildren(tables, who, measured, newborn, us);
  /**
   * The spread of small children changes into that of adults until 20 years: at puberty, the spread contains that of
   * its timing, which the spread of a country's adults does not tell.
   */
  const statureSpread: ByCountry = (gender, country, ageYears) => {
    if (country === 'US') return 1;
    const grown = spreads.get(country) ?? 1;
    if (small === undefined || ageYears >= ADULT_AGE_YEARS) return grown;
    const age = Math.min(ageYears, TABLE_FROM_YEARS);
    const young = small.lnSd(gender, country, age) / us(gender, age).lnStatureSd;
    return young + smoothStep(ageYears, TABLE_FROM_YEARS, ADULT_AGE_YEARS) * (grown - young);
  };
  const lnSd: ByCountry = (gender, country, ageYears) =>
    us(gender, ageYears).lnStatureSd * statureSpread(gender, country, ageYears);
  const adult = adultStature(cohorts, heightLoss, lnSd);
  const stature = rising(statureShifts({ measured, small }, adult, us, lnSd), us);
  return { stature, statureSpread, small, who, newborn };
}

/**
 * Fits the difference of every country from the US. Levels of children under 5 years and of newborns are undefined where
 * a table is left out.
 *
 * @param losses receives a sentence for each source left out
 * @param cohorts adult stature by birth cohort
 * @param us covariates of the US by age
 * @param usBmi distribution of ln BMI in the US by age
 * @param studies national studies, which tell the spread of stature
 */
export function fitCountryShifts(
  tables: SourceTables,
  losses: string[],
  cohorts: CohortStatures,
  heightLoss: HeightLoss,
  us: ByAge<Covariates>,
  usBmi: UsBmi,
  studies: readonly Study[],
) {
  const { stature, statureSpread, small, who, newborn } = fitStatures(
    tables,
    cohorts,
    heightLoss,
    us,
    studies,
  );
  const bmi = fitBmiShifts(tables, usBmi);
  const smallBmi =
    tables.weightForHeight && who && small && newborn && bmi
      ? smallChildBmi(
          tables.weightForHeight,
          {
            ...{ who, newborn, usLnBmi: (gender, age) => us(gender, age).lnBmi },
            tableLnBmi: (gender, country) =>
              us(gender, CHILD_BMI_FROM).lnBmi + bmi(gender, country, CHILD_BMI_FROM).shift,
            lnStature: (gender, country, age) =>
              us(gender, age).lnStature + stature(gender, country, age),
          },
          COUNTRY_CODES,
        )
      : undefined;
  const lnBmi: ByCountry = (gender, country, age) => {
    const ofTable = bmi?.(gender, country, Math.max(age, smallBmi ? CHILD_BMI_FROM : 0)).shift ?? 0;
    return country === 'US' ? 0 : (smallBmi?.shift(gender, country, age, ofTable) ?? ofTable);
  };
  if (tables.cohorts === undefined) {
    losses.push('Without ncdrisc-2016, every birth cohort of a country has the stature of 2000’s.');
  }
  if (tables.statureAt19 === undefined) {
    losses.push('Without ncdrisc-2020, cohorts after 1996 follow the trend of those before.');
  }
  if (tables.childStature === undefined) {
    losses.push(
      'Without ncdrisc-2020-children, children differ from the US as the adults of 20 years do.',
    );
  }
  if (bmi === undefined) {
    losses.push('Without ncdrisc-2024-bmi, every country has the BMI of the United States.');
  } else {
    losses.push(...bmiLosses(tables));
  }
  if (small === undefined) {
    losses.push(
      'Without jme2024, who2006 or ncdrisc-2020-children, the difference of children from the US fades to half from 5 years to birth.',
    );
  }
  if (newborn === undefined) {
    losses.push('Without lbw2023 or who2006, newborns are those of the first months.');
  }
  if (smallBmi === undefined) {
    losses.push(
      'Without jme2021, lbw2023 or the sources of small children, the BMI of a country fades to that of the US from 5 years to birth.',
    );
  }
  if (tables.whoHeights === undefined) {
    losses.push('Without who2006, infants of the US follow CDC 2000.');
  }
  const at: ByCountry<CountryShift> = (gender, country, ageYears) => ({
    lnStature: stature(gender, country, ageYears),
    lnBmi: lnBmi(gender, country, ageYears),
    bmiSpread: Math.exp(bmi?.(gender, country, ageYears).lnSpread ?? 0),
    bmiSkew: bmi?.(gender, country, ageYears).skew ?? 0,
    statureSpread: statureSpread(gender, country, ageYears),
  });
  return { at, smallChildren: small, smallBmi, newborn };
}
