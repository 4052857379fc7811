import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { type Gender, perGender } from '../../../src/core/genders.js';
import { risingToAdult } from '../../model/children/growth.js';
import type { CohortStatures, CountryShift } from '../../model/fitted-model.js';
import { interpolate, mean, median, memoise } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS, REFERENCE_YEAR } from '../../plans/axes.js';
import type { RawTables } from '../../raw-tables/raw-tables.js';
import { LAST_COHORT } from './cohort-stature.js';
import { bmiLosses, fitBmiShifts } from './country-bmi.js';
import type { UsBmi } from './us-bmi.js';

type Shifts = (gender: Gender, country: string, ageYears: number) => number;

/** Above this age the difference stays constant: the US drivers have no cohorts there either. */
export const OLDEST_COHORT_AGE = 85;
/**
 * ln ratio of a country's mean stature to that of the US, by age.
 * - Adults: from birth cohorts. Ageing is assumed to cost every country the same share of stature.
 * - Ages 5–19: the curve of the growth region, plus the country's own departure from its region. The
 *   departure is multiplied by its persistence at that age: the slope, over regions, of a region's
 *   departure at that age on its departure at 19.
 * - Under 5: the difference at 5 years, fading to half of it at birth.
 */
async function statureShifts(tables: RawTables, cohorts: CohortStatures): Promise<Shifts> {
  const adultShift = (gender: Gender, country: string, age: number): number => {
    // The youngest adults of the reference year keep the level of the table's last cohort.
    const birthYear = Math.min(LAST_COHORT, REFERENCE_YEAR - Math.min(age, OLDEST_COHORT_AGE));
    const { at } = cohorts;
    return Math.log(at(gender, country, birthYear).meanMm / at(gender, 'US', birthYear).meanMm);
  };
  const growth = await regionGrowth(tables);
  const child = (gender: Gender, country: string, age: number): number => {
    const grown = adultShift(gender, country, ADULT_AGE_YEARS);
    if (growth === undefined) return grown;
    const at = Math.max(5.5, Math.min(19.5, age));
    const region = growth.ratio(gender, country, at) - growth.ratio(gender, 'US', at);
    const regionGrown = growth.ratio(gender, country, 19.5) - growth.ratio(gender, 'US', 19.5);
    return region + growth.persistence(gender, at) * (grown - regionGrown);
  };
  return (gender, country, age) => {
    if (age >= ADULT_AGE_YEARS) return adultShift(gender, country, age);
    const shift = child(gender, country, age);
    return age >= 5 ? shift : shift * (0.5 + 0.1 * age);
  };
}

async function regionGrowth(tables: RawTables) {
  if (!tables.has('ncdrisc-2020')) return undefined;
  const regionOf = new Map<string, string>();
  for (const row of await tables.rows('ncdrisc-2020', 'height_at_19', 'country, gender')) {
    regionOf.set(String(row.country), String(row.growth_region));
  }
  const curves = perGender(() => new Map<string, { ages: number[]; ln: number[] }>());
  const order = 'growth_region, gender, age_years';
  for (const row of await tables.rows('ncdrisc-2020', 'region_height_by_age', order)) {
    const ofGender = curves[row.gender as Gender];
    const region = String(row.growth_region);
    const curve = ofGender.get(region) ?? { ages: [], ln: [] };
    curve.ages.push(Number(row.age_years) + 0.5); // The table's ages are completed years.
    curve.ln.push(Math.log(Number(row.mean_mm)));
    ofGender.set(region, curve);
  }
  const at = (region: string, gender: Gender, age: number): number => {
    const curve = curves[gender].get(region);
    if (curve === undefined) throw new Error(`no growth curve of ${region}, ${gender}`);
    return interpolate(curve.ages, curve.ln, age);
  };
  const regions = [...new Set(regionOf.values())].sort();
  const persistenceOf = (gender: Gender, age: number): number => {
    const grown = regions.map((region) => at(region, gender, 19.5));
    const now = regions.map((region) => at(region, gender, age));
    const [grownMean, nowMean] = [mean(grown), mean(now)];
    let [xy, xx] = [0, 0];
    for (let i = 0; i < regions.length; i++) {
      const x = (grown[i] as number) - grownMean;
      xy += x * ((now[i] as number) - nowMean);
      xx += x * x;
    }
    return xy / xx;
  };
  const persistences = perGender((gender) => memoise((age: number) => persistenceOf(gender, age)));
  const persistence = (gender: Gender, age: number): number => persistences[gender](age);
  const ratio = (gender: Gender, country: string, age: number) =>
    at(regionOf.get(country) ?? '', gender, age);
  return { ratio, persistence };
}

/** Number of people that the world's median counts as when a country is shrunk towards it. */
const PRIOR_PEOPLE = 2000;

/** Coefficient of variation of adult stature by country: published values, shrunk to their median. */
async function statureSpreads(tables: RawTables): Promise<Map<string, number>> {
  const rows = await tables.rows('stature-sd', 'stature_sd', 'country, gender, mean_mm');
  const usable = rows.filter((row) => row.country !== 'CD' && Number(row.sd_mm) > 0);
  const cvs = usable.map((row) => Number(row.sd_mm) / Number(row.mean_mm));
  const world = median(cvs);
  const spreads = new Map<string, number>();
  for (const country of COUNTRY_CODES) {
    let [people, sum] = [PRIOR_PEOPLE, PRIOR_PEOPLE * world];
    usable.forEach((row, i) => {
      if (row.country !== country) return;
      const n = Math.min(Number(row.n ?? 0), 5000);
      people += n;
      sum += n * (cvs[i] as number);
    });
    spreads.set(country, sum / people);
  }
  return spreads;
}

/** The shifts, changed so that no country's stature falls before 20 years. */
function rising(shifts: Shifts, us: (gender: Gender, ageYears: number) => number): Shifts {
  const curves = perGender((gender) =>
    memoise((country: string) =>
      risingToAdult((age) => us(gender, age) + shifts(gender, country, age)),
    ),
  );
  return (gender, country, ageYears) => curves[gender](country)(ageYears) - us(gender, ageYears);
}

/**
 * Fits the difference of every country from the US.
 *
 * @param losses receives a sentence for each source left out
 * @param cohorts adult stature by birth cohort
 * @param usStatureCv coefficient of variation of the stature of US adults
 * @param usLnStature ln stature (mm) of the US by age
 * @param usBmi distribution of ln BMI in the US by age
 */
export async function fitCountryShifts(
  tables: RawTables,
  losses: string[],
  cohorts: CohortStatures,
  usStatureCv: Readonly<Record<Gender, number>>,
  usLnStature: (gender: Gender, ageYears: number) => number,
  usBmi: UsBmi,
): Promise<(gender: Gender, country: string, ageYears: number) => CountryShift> {
  const stature = rising(await statureShifts(tables, cohorts), usLnStature);
  const bmi = await fitBmiShifts(tables, usBmi);
  const spreads = await statureSpreads(tables);
  if (!tables.has('ncdrisc-2016')) {
    losses.push('Without ncdrisc-2016, every birth cohort of a country has the stature of 2000’s.');
  }
  if (!tables.has('ncdrisc-2020')) {
    losses.push('Without ncdrisc-2020, cohorts after 1996 and children take the 1996 difference.');
  }
  if (bmi === undefined) {
    losses.push('Without ncdrisc-2024-bmi, every country has the BMI of the United States.');
  } else {
    losses.push(...bmiLosses(tables));
  }
  return (gender, country, ageYears) => ({
    lnStature: stature(gender, country, ageYears),
    lnBmi: bmi?.shift(gender, country, ageYears) ?? 0,
    bmiSpread: bmi?.spread(gender, country, ageYears) ?? 1,
    bmiSkew: bmi?.skew(gender, country, ageYears) ?? 1,
    // The spread of the US comes from NHANES.
    statureSpread: country === 'US' ? 1 : (spreads.get(country) ?? 0) / usStatureCv[gender],
  });
}
