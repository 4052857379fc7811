import { lnQuantile } from '../../../pipeline/numerics/marginal.js';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS } from '../../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../../src/core/measurements.js';
import { curveValue, zOfPercentile } from '../../../src/lookup/cell.js';
import { Z_COUNT } from '../../../src/lookup/format.js';
import type { ArtifactViews } from '../../../src/lookup/reader.js';
import { YearCells } from '../../../src/lookup/year-cells.js';
import { populationOf, populations } from './fit.js';

/** Root mean squares in SD of the dimension. */
export interface MovedErrors {
  readonly cells: number;
  /** Change of the model's medians from the reference year to this year. */
  readonly moved: number;
  /** Moved medians − the model's own medians. */
  readonly median: number;
  /** The differences at P5 and P95. */
  readonly tails: number;
}

/** Populations that are compared: countries of many kinds, at the age knots of adults. */
const COUNTRIES = ['US', 'JP', 'IN', 'TO'] as const;
const YEARS = [1990, 2010, 2035];
const AGES_YEARS = [18, 25, 60, 80];

/** Compares cells that the service moves to other years with the model's populations of these years. */
export function movedErrors(views: ArtifactViews): MovedErrors {
  const cells = new YearCells(views);
  const knots = new Float64Array(Z_COUNT);
  const squares = { moved: [] as number[], median: [] as number[], tails: [] as number[] };
  COUNTRIES.forEach((country, i) => {
    const gender = GENDERS[i % 2] as (typeof GENDERS)[number];
    const year = YEARS[i % YEARS.length] as number;
    const ageYears = AGES_YEARS[i % AGES_YEARS.length] as number;
    const [then, now] = [populations.of(gender, country, year), populationOf(gender, country)];
    for (const age of [ageYears, 30]) {
      const [cohort, today] = [then.at(age), now.at(age)];
      MEASUREMENT_NAMES.forEach((name, measurement) => {
        const key = {
          ...{ measurement, gender: i % 2, country: COUNTRY_CODES.indexOf(country) },
          ...{ ageYears: age, clothing: 0, posture: 0 },
        };
        if (cells.fill(key, year, knots) !== 'ok') return;
        const marginal = cohort.marginal(name);
        const error = (percentile: number) => {
          const z = zOfPercentile(percentile);
          return (Math.log(curveValue(knots, z)) - lnQuantile(marginal, z)) / marginal.sd;
        };
        const moved = lnQuantile(marginal, 0) - lnQuantile(today.marginal(name), 0);
        squares.moved.push((moved / marginal.sd) ** 2);
        squares.median.push(error(50) ** 2);
        squares.tails.push(error(5) ** 2, error(95) ** 2);
      });
    }
  });
  const rms = (values: number[]) =>
    Math.sqrt(values.reduce((sum, value) => sum + value, 0) / values.length);
  return {
    cells: squares.median.length,
    moved: rms(squares.moved),
    median: rms(squares.median),
    tails: rms(squares.tails),
  };
}
