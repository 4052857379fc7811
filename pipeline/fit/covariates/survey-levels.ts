import { group } from 'd3-array';
import { placeOf } from '../../../src/core/regions.js';
import { mean } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import { type Block, fitVariances, solve } from '../calibration/variance-components.js';

/** A figure that a survey of a country found. */
export interface Surveyed {
  readonly country: string;
  readonly year: number;
  readonly level: number;
  /** Known variance of the figure besides that which all surveys have; 0 by default. */
  readonly variance?: number;
}

/** Level of a country in a year. */
interface Level {
  readonly level: number;
  /** Variance of its error. */
  readonly variance: number;
}

/** Levels of countries by year. */
export interface SurveyLevels {
  readonly at: (country: string, year: number) => Level;
  readonly variances: LevelVariances;
}

/** Variances of the parts of a level; those of a trend are per decade. */
interface LevelVariances {
  readonly world: number;
  readonly worldTrend: number;
  readonly superregion: number;
  readonly superregionTrend: number;
  readonly region: number;
  readonly country: number;
  /** Of a country at a time; see `DRIFT_YEARS`. */
  readonly countryThen: number;
  /** Of a survey for itself. */
  readonly survey: number;
}

/** Years after which the correlation of `countryThen` has fallen to 1 ÷ e. */
const DRIFT_YEARS = 15;
/** The world's level has a prior so many times as wide as the levels of surveys: the surveys decide it. */
const VAGUE = 10;
/** Each fitted part has the same share of the variance a priori, with this SD of its ln. */
const PRIOR_LN_SD = 1.5;
const FITTED = 6;

interface Placed {
  readonly country: string;
  readonly region: string;
  readonly superregion: string;
  readonly year: number;
}

const decade = ({ year }: Placed): number => (year - REFERENCE_YEAR) / 10;

/** Covariances of the parts below the world, each for a variance of 1, in the order of `LevelVariances`. */
function shared(a: Placed, b: Placed): [number, number, number, number, number] {
  const [superregion, region, country] = [
    a.superregion === b.superregion ? 1 : 0,
    a.region === b.region ? 1 : 0,
    a.country === b.country ? 1 : 0,
  ];
  const near = country * Math.exp(-Math.abs(a.year - b.year) / DRIFT_YEARS);
  return [superregion, superregion * decade(a) * decade(b), region, country, near];
}

/** Covariance of the levels of two places and years, without the survey's own error. */
function covariance(v: LevelVariances, a: Placed, b: Placed): number {
  const world = v.world + v.worldTrend * decade(a) * decade(b);
  if (a.superregion !== b.superregion) return world;
  const [superregion, trend, region, country, near] = shared(a, b);
  const of = superregion * v.superregion + trend * v.superregionTrend;
  return world + (of + region * v.region + country * v.country + near * v.countryThen);
}

const place = ({ country, year }: { country: string; year: number }): Placed => ({
  country,
  year,
  ...placeOf(country),
});

/**
 * Variances of the parts at the largest posterior (`fitVariances`). Super-regions are independent blocks, once the
 * world's level, the mean of those of the super-regions, is subtracted.
 */
function levelVariances(surveys: readonly Surveyed[]): LevelVariances {
  const placed = surveys.map(place);
  const rowsOf = group([...placed.keys()], (i) => placed[i].superregion);
  const levels = surveys.map(({ level }) => level);
  const all = mean(levels);
  const total = mean(levels.map((level) => (level - all) ** 2));
  const world = mean([...rowsOf.values()].map((rows) => mean(rows.map((i) => levels[i]))));
  const blocks = [...rowsOf.values()].map((rows): Block => {
    const kernels = Array.from({ length: FITTED - 1 }, () => new Float64Array(rows.length ** 2));
    rows.forEach((a, i) => {
      rows.forEach((b, j) => {
        shared(placed[a], placed[b]).forEach((value, c) => {
          kernels[c][i * rows.length + j] = value;
        });
      });
    });
    return {
      values: Float64Array.from(rows, (i) => levels[i] - world),
      kernels,
      diagonals: [new Float64Array(rows.length).fill(1)],
      known: Float64Array.from(rows, (i) => surveys[i].variance ?? 0),
    };
  });
  const prior = {
    means: Array.from({ length: FITTED }, () => Math.log(total / FITTED)),
    sd: PRIOR_LN_SD,
  };
  const [superregion, superregionTrend, region, country, countryThen, survey] = fitVariances(
    blocks,
    prior,
  );
  const of = { superregion, superregionTrend, region, country, countryThen, survey };
  return { world: VAGUE * total, worldTrend: total, ...of };
}

/**
 * Levels of all countries by year: the best linear unbiased prediction (Robinson 1991, Stat. Sci. 6:15) from surveys.
 * A level has parts of the world and the super-region, both with a trend, of the region, of the country, and of the
 * country at a time. The surveys tell the variances of the parts.
 */
export function fitLevels(surveys: readonly Surveyed[]): SurveyLevels {
  const variances = levelVariances(surveys);
  const placed = surveys.map(place);
  const n = placed.length;
  const matrix = new Float64Array(n * n);
  placed.forEach((a, i) => {
    for (let j = 0; j <= i; j++) matrix[i * n + j] = covariance(variances, a, placed[j]);
    matrix[i * n + i] += variances.survey + (surveys[i].variance ?? 0);
  });
  const { weights, inverse } = solve(
    Float64Array.from(surveys, ({ level }) => level),
    matrix,
  );
  return {
    variances,
    at(country, year) {
      const here = place({ country, year });
      const shares = placed.map((survey) => covariance(variances, survey, here));
      let level = 0;
      for (let i = 0; i < n; i++) level += shares[i] * weights[i];
      return {
        level,
        // The variance is computed only when it is asked for, because it takes far longer than the level.
        get variance() {
          let explained = 0;
          for (let i = 0; i < n; i++) {
            let row = 0;
            for (let j = 0; j < n; j++) row += inverse[i * n + j] * shares[j];
            explained += shares[i] * row;
          }
          return covariance(variances, here, here) - explained;
        },
      };
    },
  };
}
