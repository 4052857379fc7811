import { COUNTRIES } from '../src/core/countries.js';
import { MEASUREMENTS } from '../src/core/measurements.js';
import { CellFinder, type CellKey } from '../src/lookup/cell.js';
import {
  conditionalDensity,
  conditionalMean,
  conditionalValue,
  conditionOn,
  correlation,
} from '../src/lookup/condition.js';
import { Z_COUNT } from '../src/lookup/format.js';
import {
  curveInverse,
  curveValue,
  percentileOfZ,
  zOfPercentile,
} from '../src/lookup/quantile-curve.js';
import type { ArtifactViews } from '../src/lookup/reader.js';

/** Answers per second of the three lookups, on one core, over random cells of the whole grid. */
export interface LookupRates {
  readonly predictPerSecond: number;
  readonly invertPerSecond: number;
  readonly conditionPerSecond: number;
}

const KEYS = 1 << 16;
const ROUNDS = 5;

/** Random requests from a seeded generator (LCG of Numerical Recipes), equal in every run. */
function randomKeys(): CellKey[] {
  let state = 20_261_121;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: KEYS }, () => {
    const measurement = Math.floor(random() * MEASUREMENTS.length);
    const female = MEASUREMENTS[measurement]?.genders.length === 1;
    return {
      measurement,
      gender: female || random() < 0.5 ? 1 : 0,
      country: Math.floor(random() * COUNTRIES.length),
      ageYears: 2 + random() * 118,
      clothing: 0,
      posture: 0,
    };
  });
}

/** Calls per second, median over the rounds; the first round is a warm-up and does not count. */
function rate(calls: number, run: () => number): number {
  const rates: number[] = [];
  let sink = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const started = process.hrtime.bigint();
    sink += run();
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    if (round > 0) rates.push(calls / seconds);
  }
  if (!Number.isFinite(sink)) throw new Error('a lookup did not return a number');
  return rates.sort((a, b) => a - b)[ROUNDS >> 1] as number;
}

/** Measures the lookups on an open artifact. */
export function measureLookups(views: ArtifactViews): LookupRates {
  const finder = new CellFinder(views);
  const keys = randomKeys();
  const knots = new Float64Array(Z_COUNT);
  const percentiles = Array.from({ length: 97 }, (_, i) => i + 2);
  const values = new Float64Array(KEYS);
  const predictPerSecond = rate(KEYS, () => {
    let sum = 0;
    for (let i = 0; i < KEYS; i++) {
      finder.fill(keys[i] as CellKey, knots);
      const value = curveValue(knots, zOfPercentile(percentiles[i % 97] as number));
      values[i] = value;
      sum += value;
    }
    return sum;
  });
  const invertPerSecond = rate(KEYS, () => {
    let sum = 0;
    for (let i = 0; i < KEYS; i++) {
      finder.fill(keys[i] as CellKey, knots);
      sum += percentileOfZ(curveInverse(knots, values[i] as number));
    }
    return sum;
  });
  const points = [1, ...Array.from({ length: 19 }, (_, i) => 5 * (i + 1)), 99].map(zOfPercentile);
  const conditionPerSecond = rate(KEYS, () => {
    let sum = 0;
    for (let i = 0; i < KEYS; i++) {
      const key = keys[i] as CellKey;
      finder.fill(key, knots);
      const anchor = (key.measurement + 1 + (i % 146)) % MEASUREMENTS.length;
      const rho = correlation(views, anchor, key.measurement, key.gender, key.ageYears);
      const conditional = conditionOn(knots, rho, zOfPercentile(percentiles[i % 97] as number));
      sum += conditionalMean(conditional);
      for (const z of points)
        sum += conditionalValue(conditional, z) + conditionalDensity(conditional, z);
    }
    return sum;
  });
  return { predictPerSecond, invertPerSecond, conditionPerSecond };
}
