import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import type { Gender } from '../../../src/core/genders.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';
import { interpolate, mean } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import type { NewbornsOf } from './newborns.js';
import { fitLevels } from './survey-levels.js';
import type { WhoStandards } from './who-standards.js';

// Stature of children under 5 years by country, from the share of stunted children in national surveys. A child is
// stunted if it is more than 2 SD below the median of the WHO growth standards. If z is normal with SD σ, the share
// tells its mean: mean z = −2 − σ Φ⁻¹(share).

/** Limit of stunting, SD of the WHO growth standards. */
const STUNTED_Z = -2;
/** Shares outside these are read as these: they say that hardly any child, or nearly every child, is stunted. */
const [SHARE_MIN, SHARE_MAX] = [0.004, 0.97] as const;
/** Minimum number of bands of a survey. */
const BANDS_MIN = 4;
/** First months of the bands of age, and their middles in years. */
export const BANDS_MONTHS: readonly number[] = [0, 6, 12, 24, 36, 48];
const BANDS_YEARS = [3, 9, 18, 30, 42, 54].map((months) => months / 12);
const OLDEST_BAND = BANDS_MONTHS.length - 1;

/** Years after which the weight of a survey for the shape over age has fallen to 1 ÷ e. */
const SHAPE_YEARS = 10;
/**
 * SD among surveys of the SD of z: 1.0 in the reference, 1.1 in surveys of the SMART method, 1.2 to 1.6 in others (WHO,
 * Recommendations for data collection, analysis and reporting on anthropometric indicators in children under 5 years
 * old, 2019; recalled). Few stunted children therefore tell little about the mean.
 */
const SD_OF_SD = 0.15;
/** Surveys older than this, in years, tell too little about the table of heights, which is of 2019. */
const RECENT_YEARS = 12;
/** Number of surveys that the world's shape over age counts as. */
const PRIOR_SURVEYS = 1;

/** A survey of small children. */
export interface ChildSurvey {
  readonly country: string;
  readonly year: number;
  readonly id: string;
  /** Share of stunted children in each of `BANDS_MONTHS`, 0 to 1; undefined where it was not printed. */
  readonly shares: readonly (number | undefined)[];
}

/** The surveys of the table with at least `BANDS_MIN` bands, by country, year and name. */
export function childSurveys(rows: Rows): ChildSurvey[] {
  const surveys = new Map<string, ChildSurvey & { readonly shares: (number | undefined)[] }>();
  for (const { country, year, survey, indicator, gender, age_min_months, share } of rows) {
    if (indicator !== 'stunting' || gender !== 'Both') continue;
    const key = `${country}|${year}|${survey}`;
    const found = surveys.get(key) ?? {
      ...{ country: String(country), year: Number(year), id: String(survey) },
      shares: BANDS_MONTHS.map(() => undefined),
    };
    const band = BANDS_MONTHS.indexOf(Number(age_min_months));
    if (band >= 0) found.shares[band] = Number(share);
    surveys.set(key, found);
  }
  return [...surveys.values()].filter(
    ({ shares }) => shares.filter((share) => share !== undefined).length >= BANDS_MIN,
  );
}

/** Mean z of the children of a country. */
interface MeanZ {
  /** Mean z by band of `BANDS_MONTHS`. */
  readonly bands: readonly number[];
  /** Standard error of its level. */
  readonly se: number;
  /** Standard error of the level that a survey would find with the same SD of z. */
  readonly surveySe: number;
}

/** Mean z by country and year. */
interface StuntingFit {
  readonly at: (country: string, year: number) => MeanZ;
  /** By how much the mean z of a band rises with the level. */
  readonly slopes: readonly number[];
  /** Mean z that a share of stunted children tells. */
  readonly meanZ: (share: number) => number;
}

/** Share of stunted children where z has this mean. */
export function stuntedShare(meanZ: number, sdOfZ: number): number {
  return normalCdf((STUNTED_Z - meanZ) / sdOfZ, 0, 1);
}

function meanZOf(share: number, sdOfZ: number): number {
  const known = Math.min(SHARE_MAX, Math.max(SHARE_MIN, share));
  return STUNTED_Z - sdOfZ * zOfPercentile(100 * known);
}

/**
 * Fits the level and the shape over age of mean z. The level of a survey is the mean over its bands of their difference
 * from the world's mean. The level of a country in a year follows from those of all surveys (`fitLevels`). The difference
 * of a band rises with the level: its slope is fitted over all surveys. The rest is a country's own shape, shrunk by
 * `PRIOR_SURVEYS`.
 */
export function fitStunting(surveys: readonly ChildSurvey[], sdOfZ: number): StuntingFit {
  const z = surveys.map(({ shares }) =>
    shares.map((share) => (share === undefined ? undefined : meanZOf(share, sdOfZ))),
  );
  const world = BANDS_MONTHS.map((_, band) => mean(z.flatMap((one) => one[band] ?? [])));
  const off = z.map((one) =>
    one.map((value, band) => (value === undefined ? undefined : value - world[band])),
  );
  const levels = off.map((one) => mean(one.filter((value) => value !== undefined)));
  const lines = BANDS_MONTHS.map((_, band) => lineThrough(levels, off, band));
  const known = fitLevels(
    surveys.map(({ country, year }, i) => ({ country, year, level: levels[i] })),
  );
  return {
    meanZ: (share) => meanZOf(share, sdOfZ),
    slopes: lines.map((line) => line(1) - line(0)),
    at(country, year) {
      const { level, variance } = known.at(country, year);
      const own = surveys.flatMap((survey, i) => {
        const near = Math.exp(-Math.abs(survey.year - year) / SHAPE_YEARS);
        return survey.country === country ? [{ near, off: off[i], level: levels[i] }] : [];
      });
      const bands = lines.map((line, band) => {
        let [sum, count] = [0, PRIOR_SURVEYS];
        for (const { near, off: found, level: of } of own) {
          const value = found[band];
          if (value === undefined) continue;
          sum += near * (value - line(of));
          count += near;
        }
        return world[band] + line(level) + sum / count;
      });
      const ofSpread = (SD_OF_SD * (mean(bands) - STUNTED_Z)) / sdOfZ;
      return {
        bands,
        se: Math.hypot(Math.sqrt(variance), ofSpread),
        surveySe: Math.sqrt(variance + known.variances.survey),
      };
    },
  };
}

/** Least squares line of a band's difference on the level of the survey. */
function lineThrough(
  levels: readonly number[],
  off: readonly (readonly (number | undefined)[])[],
  band: number,
): (level: number) => number {
  const points = levels.flatMap((x, i) => {
    const y = off[i][band];
    return y === undefined ? [] : [{ x, y }];
  });
  const [xMean, yMean] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const xy = mean(points.map(({ x, y }) => (x - xMean) * (y - yMean)));
  const slope = xy / mean(points.map(({ x }) => (x - xMean) ** 2));
  return (level) => yMean + slope * (level - xMean);
}

/**
 * SD of z among the children of a country: least squares of z of the heights at 5 years by country on the quantile of
 * the share of stunted children of 48 to 59 months, through −2 SD at half of the children. It contains the errors of
 * ages and lengths in the surveys.
 *
 * @param tableZ mean z at 5 years of a country's children by the table of heights
 */
export function fitSdOfZ(
  surveys: readonly ChildSurvey[],
  tableZ: (country: string) => number,
): number {
  let [xy, xx] = [0, 0];
  for (const { country, year, shares } of surveys) {
    const share = shares[OLDEST_BAND];
    if (share === undefined || share < SHARE_MIN || year < REFERENCE_YEAR - RECENT_YEARS) continue;
    const x = -zOfPercentile(100 * Math.min(SHARE_MAX, share));
    xy += x * (tableZ(country) - STUNTED_Z);
    xx += x * x;
  }
  return xy / xx;
}

/** From this age, the gap between the genders changes into that of the children of 5 years. */
const JOINED_FROM_YEARS = 3;
/** Age of the youngest children of the table of heights. */
export const TABLE_FROM_YEARS = 5;
/** Until this age, the table of heights is moved towards the surveys of small children. */
const MOVED_UNTIL_YEARS = 10;

/** Level of children by country. */
export interface SmallChildStature {
  readonly surveys: readonly ChildSurvey[];
  /** SD of z among the children of a country. */
  readonly sdOfZ: number;
  /** Addition to mean ln stature by the table of heights, 5 years and older; the same for both genders. */
  readonly move: (country: string, ageYears: number) => number;
  /**
   * ln of the mean length or height under 5 years.
   *
   * @param lnAtFive ln of the mean height at 5 years, to which the curve leads
   */
  readonly lnMean: (gender: Gender, country: string, ageYears: number, lnAtFive: number) => number;
  /** Standard error of ln of the mean. */
  readonly lnSe: (country: string, ageYears: number) => number;
}

/**
 * Fits the level of children by country under 5 years, and how far it moves the table of heights at 5 to 10 years. Both
 * sources tell the level at 5 years, with an error. That of the surveys is their standard error. That of the table is
 * the rest of the difference of both. The mean weighted by the inverse variances holds. The table's part of it reaches
 * the younger ages by the slopes of the bands.
 *
 * @param tableLn ln of the mean height at 5 years of age by the table of heights
 * @param countries all countries
 * @param newborn length at birth, from which that of the youngest band follows; undefined where its table was left out
 */
export function smallChildStature(
  malnutrition: Rows,
  standards: WhoStandards,
  tableLn: (gender: Gender, country: string) => number,
  countries: readonly string[],
  newborn: NewbornsOf | undefined,
): SmallChildStature {
  const who = standards.statureMm;
  const surveys = childSurveys(malnutrition).filter(({ country }) => country !== 'US');
  const tableZ = (country: string): number =>
    mean(
      (['Male', 'Female'] as const).map((gender) => {
        const { median: mm, cv } = who(gender, TABLE_FROM_YEARS);
        return (Math.exp(tableLn(gender, country)) / mm - 1) / cv;
      }),
    );
  const sdOfZ = fitSdOfZ(surveys, tableZ);
  const fit = fitStunting(surveys, sdOfZ);
  const cvAtFive = who('Male', TABLE_FROM_YEARS).cv;
  const found = new Map(
    countries.map((country) => [country, fit.at(country, REFERENCE_YEAR)] as const),
  );
  const surveyed = new Set(surveys.map(({ country }) => country));
  const differences = [...found].flatMap(([country, { bands, se }]) => {
    if (!surveyed.has(country)) return [];
    return [{ square: (bands[OLDEST_BAND] - tableZ(country)) ** 2, variance: se ** 2 }];
  });
  const tableVariance = Math.max(
    0,
    mean(differences.map(({ square }) => square)) -
      mean(differences.map(({ variance }) => variance)),
  );
  const known = new Map(
    [...found].map(([country, { bands, se }]) => {
      const ofTable = se ** 2 / (tableVariance + se ** 2);
      const gap = tableZ(country) - bands[OLDEST_BAND];
      const rise = (ofTable * gap) / fit.slopes[OLDEST_BAND];
      return [
        country,
        {
          bands: bands.map((z, band) => z + rise * fit.slopes[band]),
          se: Math.sqrt(ofTable * tableVariance),
          /** Move of the table at 5 years. */
          move: -(1 - ofTable) * gap * cvAtFive,
        },
      ] as const;
    }),
  );
  const of = (country: string) => {
    const here = known.get(country);
    if (here === undefined) throw new Error(`no level of small children of ${country}`);
    return here;
  };
  return {
    surveys,
    sdOfZ,
    move: (country, ageYears) =>
      interpolate([TABLE_FROM_YEARS, MOVED_UNTIL_YEARS], [of(country).move, 0], ageYears),
    lnMean(gender, country, ageYears, lnAtFive) {
      const { bands } = of(country);
      const lnOf = (years: number): number => {
        const { median: mm, cv } = who(gender, years);
        const ofBands = mm * (1 + cv * interpolate(BANDS_YEARS, bands, years));
        if (newborn === undefined || years >= BANDS_YEARS[0]) return Math.log(ofBands);
        const young = 1 - years / BANDS_YEARS[0];
        const ofNewborns = mm * Math.exp(newborn(country).lnLength);
        return Math.log(ofBands) + young * Math.log(ofNewborns / ofBands);
      };
      const joined = Math.max(
        0,
        (ageYears - JOINED_FROM_YEARS) / (TABLE_FROM_YEARS - JOINED_FROM_YEARS),
      );
      return lnOf(ageYears) + joined * (lnAtFive - lnOf(TABLE_FROM_YEARS));
    },
    lnSe: (country, ageYears) =>
      cvAtFive *
      interpolate(
        [TABLE_FROM_YEARS, MOVED_UNTIL_YEARS],
        [of(country).se, Math.sqrt(tableVariance)],
        ageYears,
      ),
  };
}
