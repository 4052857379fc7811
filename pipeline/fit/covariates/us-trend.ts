import { group } from 'd3-array';
import { GENDERS, type Gender, perGender } from '../../../src/core/genders.js';
import type { ByAge } from '../../model/covariates.js';
import { memoise, tricube } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import { OLDEST_GROUP_YEARS, windowYears } from './smoothing.js';

/**
 * Quantities that may have a trend: the means of ln stature and of ln BMI. The spread of BMI keeps that of
 * the pooled people. With its own trend, the predicted shares of the persons of 2017–2023 within limits
 * were wrong by 1.6 points instead of 1.2.
 */
type Trended = 'lnStature' | 'lnBmi';

/** First year of the cycles whose people are pooled, and the years of data of a longer one. */
const POOLED_FROM = 2011;
const YEARS_OF_CYCLE: Readonly<Record<string, number>> = { '2017-Mar2020': 3.2 };
const USUAL_YEARS = 2;
/** Factor that widens the smoothing window: slopes hardly vary with age within childhood or adulthood. */
const TREND_WINDOW = 8;
/** Shares of the slope that the back-test may choose. */
const SHARES = [0, 0.25, 0.5, 0.75, 1] as const;
/** A trend is chance if it lowers the error of the back-test by less than this share. */
const LEAST_GAIN = 0.1;
/** First ages of the bands over which the back-test takes means. A single age group has too few people. */
const BANDS = [2, 6, 12, 20, 30, 40, 50, 60, 70] as const;
/** Youngest age with a trend of its own. Below it, the trend fades to 0 at birth. */
const YOUNGEST = 2;

interface CycleGroup {
  readonly gender: Gender;
  readonly ageYears: number;
  readonly cycle: string;
  readonly year: number;
  readonly n: number;
  readonly values: Readonly<Record<Trended, number>>;
}

/** Prediction of the last cycle from those before. */
interface TrendTest {
  /** Share of the slope with the smallest error; 0 where no share is clearly better. */
  readonly share: number;
  /**
   * Root mean square error over genders and age bands: with the trend (`error`) and without it
   * (`noChange`).
   */
  readonly error: number;
  readonly noChange: number;
}

/** Change of the people of the United States since the middle of the pooled cycles of NHANES. */
export interface UsTrend {
  /** Change from the middle of the pooled cycles to the reference year. */
  readonly change: ByAge<Readonly<Record<Trended, number>>>;
  readonly tests: Readonly<Record<Trended, TrendTest>>;
}

function cellsOf(rows: Rows): CycleGroup[] {
  return rows.flatMap((row) => {
    const ages = String(row.age_group);
    if (ages.startsWith('m')) return [];
    const from = Number.parseInt(ages, 10);
    const ageYears = from < 20 ? from + 0.5 : from + 2.5;
    return [
      {
        gender: row.gender as Gender,
        ageYears: ages.endsWith('+') ? OLDEST_GROUP_YEARS : ageYears,
        cycle: String(row.cycle),
        year: Number(row.year),
        n: Number(row.n),
        values: {
          lnStature: Number(row.mean_ln_stature),
          lnBmi: Number(row.mean_ln_bmi),
        },
      },
    ];
  });
}

const yearsOf = (cycle: string): number => YEARS_OF_CYCLE[cycle] ?? USUAL_YEARS;

/** Mean of a figure over cycles. The weights are their years of data, as in the pooled tables. */
function overCycles(cells: readonly CycleGroup[], pick: (cell: CycleGroup) => number): number {
  const total = cells.reduce((sum, { cycle }) => sum + yearsOf(cycle), 0);
  return cells.reduce((sum, cell) => sum + yearsOf(cell.cycle) * pick(cell), 0) / total;
}

/** Cells of one gender by age. */
function byAge(cells: readonly CycleGroup[], gender: Gender): Map<number, CycleGroup[]> {
  return group(
    cells.filter((cell) => cell.gender === gender),
    ({ ageYears }) => ageYears,
  );
}

/**
 * Slope by year of one quantity at an age. All age groups near that age enter one regression on the year.
 * Each group has its own intercept and is weighted by people and nearness.
 */
function slopeAt(
  groups: ReadonlyMap<number, readonly CycleGroup[]>,
  quantity: Trended,
): (ageYears: number) => number {
  const sums = [...groups].map(([age, cells]) => {
    const people = cells.reduce((sum, { n }) => sum + n, 0);
    const mean = (pick: (cell: CycleGroup) => number) =>
      cells.reduce((sum, cell) => sum + cell.n * pick(cell), 0) / people;
    const year = mean((cell) => cell.year);
    const value = mean((cell) => cell.values[quantity]);
    let [xx, xy] = [0, 0];
    for (const cell of cells) {
      xx += cell.n * (cell.year - year) ** 2;
      xy += cell.n * (cell.year - year) * (cell.values[quantity] - value);
    }
    return { age, xx, xy };
  });
  return (ageYears) => {
    let [xx, xy] = [0, 0];
    for (const sum of sums) {
      const away = Math.abs(sum.age - ageYears) / (TREND_WINDOW * windowYears(ageYears));
      xx += tricube(away) * sum.xx;
      xy += tricube(away) * sum.xy;
    }
    return xy / xx;
  };
}

/** Predicts the last cycle from the pool of the earlier ones, with several shares of the slope. */
function backTest(cells: readonly CycleGroup[], quantity: Trended): TrendTest {
  const last = Math.max(...cells.map(({ year }) => year));
  const known = cells.filter(({ year }) => year < last);
  const squares = SHARES.map(() => 0);
  let bands = 0;
  for (const gender of GENDERS) {
    const slope = slopeAt(byAge(known, gender), quantity);
    const pools = byAge(
      known.filter(({ year }) => year >= POOLED_FROM),
      gender,
    );
    const newest = cells.filter((cell) => cell.gender === gender && cell.year === last);
    BANDS.forEach((from, i) => {
      const below = BANDS[i + 1] ?? Number.POSITIVE_INFINITY;
      const errors = SHARES.map(() => 0);
      let people = 0;
      for (const cell of newest) {
        if (cell.ageYears < from || cell.ageYears >= below) continue;
        const pool = pools.get(cell.ageYears) ?? [];
        const level = overCycles(pool, ({ values }) => values[quantity]);
        const years = last - overCycles(pool, ({ year }) => year);
        const gap = level - cell.values[quantity];
        SHARES.forEach((share, s) => {
          errors[s] += cell.n * (gap + share * years * slope(cell.ageYears));
        });
        people += cell.n;
      }
      errors.forEach((error, s) => {
        squares[s] += (error / people) ** 2;
      });
      bands++;
    });
  }
  const rms = squares.map((square) => Math.sqrt(square / bands));
  const [noChange = 0] = rms;
  const best = Math.min(...rms);
  if (best > (1 - LEAST_GAIN) * noChange) return { share: 0, error: noChange, noChange };
  return { share: SHARES[rms.indexOf(best)], error: best, noChange };
}

/**
 * Fits the trend of stature and BMI over the cycles of NHANES from 1999 to 2023. The cycles of 2007–2010
 * are left out for an evaluation. The people of 2011–2023 are pooled for their distributions, and the
 * middle of these years lies five years before the reference year. Each quantity changes by a share of its
 * slope: the share that best predicts the last cycle from the earlier cycles. If no share is clearly better than
 * no change, the quantity stays unchanged.
 */
export function fitUsTrend(nhanesCycles: Rows): UsTrend {
  const cells = cellsOf(nhanesCycles);
  const pooled = cells.filter(({ year }) => year >= POOLED_FROM);
  const middle = overCycles(
    [...new Map(pooled.map((cell) => [cell.cycle, cell])).values()],
    ({ year }) => year,
  );
  // Tables of the reference year describe its middle.
  const years = REFERENCE_YEAR + 0.5 - middle;
  const tests = { lnStature: backTest(cells, 'lnStature'), lnBmi: backTest(cells, 'lnBmi') };
  const change = perGender((gender) => {
    const groups = byAge(cells, gender);
    const [stature, bmi] = [slopeAt(groups, 'lnStature'), slopeAt(groups, 'lnBmi')];
    return memoise((ageYears: number) => {
      const age = Math.min(Math.max(ageYears, YOUNGEST + 0.5), OLDEST_GROUP_YEARS);
      const grown = Math.min(1, ageYears / YOUNGEST);
      return {
        lnStature: grown * (tests.lnStature.share * years * stature(age)),
        lnBmi: grown * (tests.lnBmi.share * years * bmi(age)),
      };
    });
  });
  return { change: (gender, ageYears) => change[gender](ageYears), tests };
}
