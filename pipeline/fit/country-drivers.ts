import { COUNTRY_CODES } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import { ADULT_AGE_YEARS, REFERENCE_YEAR } from '../model/axes.js';
import type { Cell, RawTables } from '../tables/database.js';
import { risingToAdult } from './growth.js';
import { interpolate, mean, median } from './numbers.js';

/** Difference of a country from the US at an age, in ln units, and its spread against the US. */
export interface CountryShift {
  readonly lnStature: number;
  readonly lnBmi: number;
  /** Standard deviation of ln BMI over that of the US. */
  readonly bmiSpread: number;
  /** Standard deviation of ln stature over that of the US. */
  readonly statureSpread: number;
}

type Shifts = (gender: Gender, country: string, ageYears: number) => number;

/** Last birth year of the cohort table; later cohorts keep its level. */
const LAST_COHORT = 1996;
/** Years before `LAST_COHORT` over which the weight of the newer vintage fades to 0. */
const FADE_YEARS = 40;
/** Above this age the difference stays constant: the US drivers have no cohorts there either. */
const OLDEST_COHORT_AGE = 85;
/**
 * Variance (mm²) added to that of each vintage: the two vintages differ by 17 mm on average, far more
 * than their intervals allow (`data/raw/ncdrisc-2020/SOURCE.md`).
 */
const VINTAGE_VARIANCE = 10 ** 2;

interface Level {
  readonly meanMm: number;
  readonly variance: number;
}

/** Adult stature by birth cohort: two vintages of one study, weighted by their standard errors. */
async function cohortStature(tables: RawTables) {
  const cohorts = new Map<string, { years: number[]; means: number[]; last: Level }>();
  if (tables.has('ncdrisc-2016')) {
    const order = 'country, gender, birth_year';
    for (const row of await tables.rows('ncdrisc-2016', 'height_by_birth_year', order)) {
      const key = `${row.country}|${row.gender}`;
      const entry = cohorts.get(key) ?? { years: [], means: [], last: { meanMm: 0, variance: 0 } };
      entry.years.push(Number(row.birth_year));
      entry.means.push(Number(row.mean_mm));
      entry.last = {
        meanMm: Number(row.mean_mm),
        variance: Number(row.se_mm) ** 2 + VINTAGE_VARIANCE,
      };
      cohorts.set(key, entry);
    }
  }
  const recent = new Map<string, Level>();
  if (tables.has('ncdrisc-2020')) {
    for (const row of await tables.rows('ncdrisc-2020', 'height_at_19', 'country, gender')) {
      const variance = Number(row.se_mm) ** 2 + VINTAGE_VARIANCE;
      recent.set(`${row.country}|${row.gender}`, { meanMm: Number(row.mean_mm), variance });
    }
  }
  if (cohorts.size === 0 && recent.size === 0) {
    throw new Error(
      'Both sources of country stature are left out; keep ncdrisc-2016 or ncdrisc-2020.',
    );
  }
  return (gender: Gender, country: string, birthYear: number): number => {
    const key = `${country}|${gender}`;
    const old = cohorts.get(key);
    const fresh = recent.get(key);
    if (old === undefined) return (fresh as Level).meanMm;
    const cohort = interpolate(old.years, old.means, birthYear);
    if (fresh === undefined) return cohort;
    const weight = old.last.variance / (old.last.variance + fresh.variance);
    const correction = weight * (fresh.meanMm - old.last.meanMm);
    const share = Math.min(1, Math.max(0, 1 - (LAST_COHORT - birthYear) / FADE_YEARS));
    return cohort + correction * share;
  };
}

/**
 * ln ratio of a country's mean stature to that of the US, by age.
 * - Adults: from birth cohorts. Ageing is assumed to cost every country the same share of stature.
 * - Ages 5–19: the curve of the growth region, plus the country's own departure from its region. The
 *   departure is multiplied by its persistence at that age: the slope, over regions, of a region's
 *   departure at that age on its departure at 19.
 * - Under 5: the difference at 5 years, fading to half of it at birth.
 */
async function statureShifts(tables: RawTables): Promise<Shifts> {
  const adult = await cohortStature(tables);
  const adultShift = (gender: Gender, country: string, age: number): number => {
    const birthYear = REFERENCE_YEAR - Math.min(age, OLDEST_COHORT_AGE);
    return Math.log(adult(gender, country, birthYear) / adult(gender, 'US', birthYear));
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
  const curves = new Map<string, { ages: number[]; ln: number[] }>();
  const order = 'growth_region, gender, age_years';
  for (const row of await tables.rows('ncdrisc-2020', 'region_height_by_age', order)) {
    const key = `${row.growth_region}|${row.gender}`;
    const curve = curves.get(key) ?? { ages: [], ln: [] };
    curve.ages.push(Number(row.age_years) + 0.5); // The table's ages are completed years.
    curve.ln.push(Math.log(Number(row.mean_mm)));
    curves.set(key, curve);
  }
  const at = (region: string, gender: Gender, age: number): number => {
    const curve = curves.get(`${region}|${gender}`);
    if (curve === undefined) throw new Error(`no growth curve of ${region}, ${gender}`);
    return interpolate(curve.ages, curve.ln, age);
  };
  const regions = [...new Set(regionOf.values())].sort();
  const persistence = (gender: Gender, age: number): number => {
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
  const ratio = (gender: Gender, country: string, age: number) =>
    at(regionOf.get(country) ?? '', gender, age);
  return { ratio, persistence };
}

/** Countries without their own BMI table, and the neighbours whose mean is used instead. */
const BMI_NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  HK: ['TW', 'SG', 'CN', 'JP'],
};

/** Mean and SD of ln X for the lognormal X that has the mean and variance of a gamma. */
function lnMoments(shape: number, scale: number): { mean: number; sd: number } {
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

/** ln ratio of a country's BMI to that of the US by age; below 15 years it fades to 0 at birth. */
async function bmiShifts(tables: RawTables) {
  if (!tables.has('ncdrisc-2024-bmi')) return undefined;
  const curves = new Map<string, { ages: number[]; mean: number[]; sd: number[] }>();
  const rows = await tables.rows('ncdrisc-2024-bmi', 'bmi_gamma', 'country, gender, age_min');
  const world = worldSpread(rows);
  for (const row of rows) {
    const key = `${row.country}|${row.gender}`;
    const curve = curves.get(key) ?? { ages: [], mean: [], sd: [] };
    const spread = lnMoments(Number(row.shape), Number(row.scale)).sd;
    const usual = world.get(`${row.gender}|${row.age_min}`) ?? spread;
    if (spread > usual * FAILED_FIT || spread < usual / FAILED_FIT) continue;
    const from = Number(row.age_min);
    // The middle of the band; the open band of 85 and over is placed at 87.
    curve.ages.push(row.age_max === null ? 87 : (from + Number(row.age_max) + 1) / 2);
    const moments = lnMoments(Number(row.shape), Number(row.scale));
    curve.mean.push(moments.mean);
    curve.sd.push(moments.sd);
    curves.set(key, curve);
  }
  const read = (gender: Gender, country: string, age: number, field: 'mean' | 'sd'): number => {
    const neighbours = BMI_NEIGHBOURS[country];
    if (neighbours !== undefined) {
      return mean(neighbours.map((neighbour) => read(gender, neighbour, age, field)));
    }
    const curve = curves.get(`${country}|${gender}`);
    if (curve === undefined) throw new Error(`ncdrisc-2024-bmi has no ${country}`);
    return interpolate(curve.ages, curve[field], age);
  };
  return {
    shift: (gender: Gender, country: string, age: number): number => {
      const at = Math.max(15, age);
      const fade = Math.min(1, age / 15);
      return fade * (read(gender, country, at, 'mean') - read(gender, 'US', at, 'mean'));
    },
    spread: (gender: Gender, country: string, age: number): number => {
      const at = Math.max(15, age);
      const fade = Math.min(1, age / 15);
      const ratio = read(gender, country, at, 'sd') / read(gender, 'US', at, 'sd');
      return 1 + fade * (ratio - 1);
    },
  };
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
  const curves = new Map<string, (ageYears: number) => number>();
  return (gender, country, ageYears) => {
    const key = `${gender}|${country}`;
    const total = (age: number) => us(gender, age) + shifts(gender, country, age);
    const curve = curves.get(key) ?? risingToAdult(total);
    curves.set(key, curve);
    return curve(ageYears) - us(gender, ageYears);
  };
}

/**
 * Fits the difference of every country from the US.
 *
 * @param losses receives a sentence for each source left out
 * @param usStatureCv coefficient of variation of the stature of US adults
 * @param usLnStature ln stature (mm) of the US by age
 */
export async function fitCountryShifts(
  tables: RawTables,
  losses: string[],
  usStatureCv: Readonly<Record<Gender, number>>,
  usLnStature: (gender: Gender, ageYears: number) => number,
): Promise<(gender: Gender, country: string, ageYears: number) => CountryShift> {
  const stature = rising(await statureShifts(tables), usLnStature);
  const bmi = await bmiShifts(tables);
  const spreads = await statureSpreads(tables);
  if (!tables.has('ncdrisc-2016')) {
    losses.push('Without ncdrisc-2016, every birth cohort of a country has the stature of 2000’s.');
  }
  if (!tables.has('ncdrisc-2020')) {
    losses.push('Without ncdrisc-2020, cohorts after 1996 and children take the 1996 difference.');
  }
  if (bmi === undefined) {
    losses.push('Without ncdrisc-2024-bmi, every country has the BMI of the United States.');
  }
  return (gender, country, ageYears) => ({
    lnStature: stature(gender, country, ageYears),
    lnBmi: bmi?.shift(gender, country, ageYears) ?? 0,
    bmiSpread: bmi?.spread(gender, country, ageYears) ?? 1,
    // The spread of the US comes from NHANES.
    statureSpread: country === 'US' ? 1 : (spreads.get(country) ?? 0) / usStatureCv[gender],
  });
}
