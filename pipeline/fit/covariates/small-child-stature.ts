import { type Gender, perGender } from '../../../src/core/genders.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';
import type { ByCountry } from '../../model/covariates.js';
import { interpolate, mean, smoothCurve, smoothStep } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import type { NewbornsOf } from './newborns.js';
import { fitLevels } from './survey-levels.js';
import type { WhoStandards } from './who-standards.js';

// Stature of children under 5 years by country, from the share of stunted children in national surveys. A child is
// stunted if it is more than 2 SD below the median of the WHO growth standards. If z is normal with SD σ, the share
// tells its mean: mean z = −2 + σ q. The score q = −Φ⁻¹(share) says how many SDs the mean lies above the limit.

/** Limit of stunting, SD of the WHO growth standards. */
export const STUNTED_Z = -2;
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
 * SD among surveys of the SD of z. In 51 surveys its P5 and P95 are 1.35 and 1.95 (Mei and Grummer-Strawn 2007, Bull.
 * World Health Organ. 85:441; abstract), an SD of 0.18, with errors of measurement. So few stunted children tell little
 * about the mean.
 */
const SD_OF_SD = 0.15;
/** Number of surveys that the world's shape over age counts as: 3 predicts left-out surveys better than 1. */
const PRIOR_SURVEYS = 3;

/** Share of stunted children in each of `BANDS_MONTHS`, 0 to 1; undefined where it was not printed. */
type Shares = readonly (number | undefined)[];

/** A survey of small children. */
export interface ChildSurvey {
  readonly country: string;
  readonly year: number;
  readonly id: string;
  readonly shares: Readonly<Record<Gender | 'Both', Shares>>;
}

/** The surveys of the table with at least `BANDS_MIN` bands of both genders together, by country, year and name. */
export function childSurveys(rows: Rows): ChildSurvey[] {
  const surveys = new Map<string, ChildSurvey>();
  for (const row of rows) {
    if (row.indicator !== 'stunting') continue;
    const [country, year, id] = [String(row.country), Number(row.year), String(row.survey)];
    const none = (): Shares => BANDS_MONTHS.map(() => undefined);
    const found = surveys.get(`${country}|${year}|${id}`) ?? {
      ...{ country, year, id },
      shares: { Both: none(), Male: none(), Female: none() },
    };
    const band = BANDS_MONTHS.indexOf(Number(row.age_min_months));
    const of = found.shares[row.gender as Gender | 'Both'] as (number | undefined)[];
    if (band >= 0) of[band] = Number(row.share);
    surveys.set(`${country}|${year}|${id}`, found);
  }
  return [...surveys.values()].filter(
    ({ shares: { Both } }) => Both.filter((share) => share !== undefined).length >= BANDS_MIN,
  );
}

/** Scores of the children of a country by band of `BANDS_MONTHS`. */
interface Scores {
  /** Level of each band of age, both genders together. */
  readonly bands: readonly number[];
  /** Levels of boys minus those of girls, by band. */
  readonly gaps: readonly number[];
  /** Standard error of their level. */
  readonly se: number;
}

/** Scores by country and year. */
export interface StuntingFit {
  readonly at: (country: string, year: number) => Scores;
  /** By how much the score of a band rises with the level. */
  readonly slopes: readonly number[];
  /** SD of the error that a survey has for itself at one age: of its level, and of its bands about the line. */
  readonly surveySd: number;
}

/** Score of a share of stunted children, 0 to 1. */
export function stuntedScore(share: number): number {
  return -zOfPercentile(100 * Math.min(SHARE_MAX, Math.max(SHARE_MIN, share)));
}

/**
 * Fits the level and the shape over age of the scores. The level of a survey is the mean over its bands of their
 * difference from the world's mean. The level of a country in a year follows from those of all surveys (`fitLevels`). The
 * difference of a band rises with the level: its slope is fitted over all surveys. The rest is a country's own shape,
 * shrunk by `PRIOR_SURVEYS`. The gap of the genders is the world's by band plus a level, in the same way.
 */
export function fitStunting(surveys: readonly ChildSurvey[]): StuntingFit {
  const { world, off, levels, known } = levelsOf(
    surveys,
    surveys.map(({ shares }) =>
      shares.Both.map((share) => (share === undefined ? undefined : stuntedScore(share))),
    ),
  );
  const gaps = levelsOf(surveys, surveys.map(gapsOf));
  const lines = BANDS_MONTHS.map((_, band) => lineThrough(levels, off, band));
  /** Half of the squared difference of two surveys of one country: what a band departs by from the country's shape. */
  const scatter = mean(
    lines.flatMap((line, band) => {
      const rest = surveys.flatMap(({ country }, i) => {
        const { [band]: found } = off[i];
        return found === undefined ? [] : [{ country, value: found - line(levels[i]) }];
      });
      return rest.flatMap((one, i) =>
        rest
          .slice(i + 1)
          .filter(({ country }) => country === one.country)
          .map(({ value }) => (value - one.value) ** 2 / 2),
      );
    }),
  );
  return {
    slopes: lines.map((line) => line(1) - line(0)),
    surveySd: Math.sqrt(known.variances.survey + scatter),
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
      const gap = gaps.known.at(country, year).level;
      return {
        bands,
        gaps: gaps.world.map((value) => value + gap),
        se: Math.hypot(Math.sqrt(variance), SD_OF_SD * mean(bands)),
      };
    },
  };
}

/** Scores of boys minus those of girls, where both shares say enough. */
function gapsOf({ shares: { Male, Female } }: ChildSurvey): Shares {
  return Male.map((male = 0, band) => {
    const { [band]: female = 0 } = Female;
    const few = Math.min(male, female) < SHARE_MIN;
    return few ? undefined : stuntedScore(male) - stuntedScore(female);
  });
}

/** The world's mean of values by band, the differences of surveys from it, and their levels. */
function levelsOf(surveys: readonly ChildSurvey[], values: readonly Shares[]) {
  const world = BANDS_MONTHS.map((_, band) => mean(values.flatMap((one) => one[band] ?? [])));
  const off = values.map((one) =>
    one.map((value, band) => (value === undefined ? undefined : value - world[band])),
  );
  const levels = off.map((one) => mean(one.filter((value) => value !== undefined)));
  const known = fitLevels(
    surveys.flatMap(({ country, year }, i) => {
      const level = levels[i];
      return Number.isNaN(level) ? [] : [{ country, year, level }];
    }),
  );
  return { world, off, levels, known };
}

/** Least squares line of a band's difference on the level of the survey. */
function lineThrough(
  levels: readonly number[],
  off: readonly Shares[],
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
 * SD of z among the children of a country: least squares, over countries with a survey, of mean z + 2 of the heights at 5
 * years on the score of 48 to 59 months today, weighted by the inverse variance of the score. A score comes from all
 * surveys, so errors of one do not flatten the line.
 *
 * @param scores score of a country, its standard error, and mean z at 5 years by the table of heights
 */
export function fitSdOfZ(scores: readonly { q: number; se: number; z: number }[]): number {
  const sum = (of: (score: (typeof scores)[number]) => number): number =>
    scores.reduce((total, score) => total + of(score) / score.se ** 2, 0);
  return sum(({ q, z }) => q * (z - STUNTED_Z)) / sum(({ q }) => q * q);
}

/** Sign of half of a gap of the genders. */
const SIGN = { Male: 1, Female: -1 } as const;
/** From this age, the curve leads to the height of the children of 5 years. */
const JOINED_FROM_YEARS = 3;
/** Age of the youngest children of the table of heights. */
export const TABLE_FROM_YEARS = 5;
/** Until this age, the table of heights is moved towards the surveys of small children. */
const MOVED_UNTIL_YEARS = 10;

/** Level of children by country. */
export interface SmallChildStature {
  readonly surveys: readonly ChildSurvey[];
  readonly fit: StuntingFit;
  /** SD of z among the children of a country. */
  readonly sdOfZ: number;
  /** SD of ln stature until 5 years: `sdOfZ` times the SD of the standards in mm. */
  readonly lnSd: ByCountry;
  /** Addition to mean ln stature by the table of heights, 5 years and older. */
  readonly move: ByCountry;
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
 * the younger ages by the slopes of the bands. The surveys alone tell the gap of the genders until 5 years.
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
  const fit = fitStunting(surveys);
  const cvAtFive = who('Male', TABLE_FROM_YEARS).cv;
  const scores = new Map(
    countries.map((country) => [country, fit.at(country, REFERENCE_YEAR)] as const),
  );
  const surveyed = new Set(surveys.map(({ country }) => country));
  const sdOfZ = fitSdOfZ(
    [...scores].flatMap(([country, { bands, se }]) =>
      surveyed.has(country) ? [{ q: bands[OLDEST_BAND], se, z: tableZ(country) }] : [],
    ),
  );
  const found = [...scores].map(([country, { bands, gaps, se }]) => ({
    country,
    bands: bands.map((q) => STUNTED_Z + sdOfZ * q),
    gaps: gaps.map((q) => sdOfZ * q),
    se: sdOfZ * se,
  }));
  const differences = found.flatMap(({ country, bands, se }) => {
    if (!surveyed.has(country)) return [];
    return [{ square: (bands[OLDEST_BAND] - tableZ(country)) ** 2, variance: se ** 2 }];
  });
  const tableVariance = Math.max(
    0,
    mean(differences.map(({ square }) => square)) -
      mean(differences.map(({ variance }) => variance)),
  );
  const known = new Map(
    found.map(({ country, bands: ofBoth, gaps, se }) => {
      const ofTable = se ** 2 / (tableVariance + se ** 2);
      const gap = tableZ(country) - ofBoth[OLDEST_BAND];
      const rise = (ofTable * gap) / fit.slopes[OLDEST_BAND];
      const bands = perGender((gender) =>
        ofBoth.map((z, band) => z + rise * fit.slopes[band] + (SIGN[gender] * gaps[band]) / 2),
      );
      const surveyedLn = perGender((gender) => {
        const { median: mm, cv } = who(gender, TABLE_FROM_YEARS);
        return Math.log(mm * (1 + cv * bands[gender][OLDEST_BAND]));
      });
      const wider =
        surveyedLn.Male -
        surveyedLn.Female -
        (tableLn('Male', country) - tableLn('Female', country));
      return [
        country,
        {
          bands,
          se: Math.sqrt(ofTable * tableVariance),
          /** Move of the table at 5 years. */
          moves: perGender(
            (gender) => -(1 - ofTable) * gap * cvAtFive + (SIGN[gender] * wider) / 2,
          ),
        },
      ] as const;
    }),
  );
  const of = (country: string) => {
    const here = known.get(country);
    if (here === undefined) throw new Error(`no level of small children of ${country}`);
    return here;
  };
  const zAt: ByCountry = (gender, country, ageYears) =>
    smoothCurve(BANDS_YEARS, of(country).bands[gender], ageYears);
  return {
    surveys,
    fit,
    sdOfZ,
    lnSd(gender, country, ageYears) {
      const { cv } = who(gender, ageYears);
      return (sdOfZ * cv) / (1 + cv * zAt(gender, country, ageYears));
    },
    move: (gender, country, ageYears) =>
      of(country).moves[gender] * (1 - smoothStep(ageYears, TABLE_FROM_YEARS, MOVED_UNTIL_YEARS)),
    lnMean(gender, country, ageYears, lnAtFive) {
      const lnOf = (years: number): number => {
        const { median: mm, cv } = who(gender, years);
        const ofBands = mm * (1 + cv * zAt(gender, country, years));
        if (newborn === undefined || years >= BANDS_YEARS[0]) return Math.log(ofBands);
        const young = 1 - years / BANDS_YEARS[0];
        const ofNewborns = mm * Math.exp(newborn(country).lnLength);
        return Math.log(ofBands) + young * Math.log(ofNewborns / ofBands);
      };
      const joined = smoothStep(ageYears, JOINED_FROM_YEARS, TABLE_FROM_YEARS);
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
