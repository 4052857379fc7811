import { COUNTRIES } from '../src/core/countries.js';
import { MEASUREMENTS } from '../src/core/measurements.js';
import {
  CellFinder,
  type CellKey,
  curveInverse,
  curveValue,
  percentileOfZ,
  zOfPercentile,
} from '../src/lookup/cell.js';
import {
  conditionalDensity,
  conditionalMean,
  conditionalValue,
  conditionOn,
  correlation,
} from '../src/lookup/condition.js';
import { Z_COUNT } from '../src/lookup/format.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { seeded } from '../test/support/random.js';
import { median } from './load.js';
import { ARTIFACTS_DIR } from './service.js';
import { atLeast, atMost, type Figure } from './table.js';

const KEYS = 1 << 16;
const ROUNDS = 5;

/** Random cells of the whole grid, equal in every run. */
function randomKeys(): CellKey[] {
  const { unit, below } = seeded(20_261_121);
  return Array.from({ length: KEYS }, () => {
    const measurement = below(MEASUREMENTS.length);
    const female = MEASUREMENTS[measurement]?.genders.length === 1;
    return {
      measurement,
      gender: female || unit() < 0.5 ? 1 : 0,
      country: below(COUNTRIES.length),
      ageYears: 2 + unit() * 118,
      clothing: 0,
      posture: 0,
    };
  });
}

/** Answers per second on one core: the median over the rounds, without the first round. */
function rate(keys: readonly CellKey[], answer: (key: CellKey, i: number) => number): number {
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const begunMs = performance.now();
    let sum = 0;
    for (let i = 0; i < KEYS; i++) sum += answer(keys[i] as CellKey, i);
    if (!Number.isFinite(sum)) throw new Error('a lookup did not return a number');
    if (round > 0) rates.push((1000 * KEYS) / (performance.now() - begunMs));
  }
  return median(rates);
}

/** The three lookups, in this process. */
export function* lookup(): Generator<Figure> {
  const begunMs = performance.now();
  const views = openArtifact(ARTIFACTS_DIR);
  const openMs = performance.now() - begunMs;
  const bytes = Object.values(views.manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  yield atMost(260, 'artifacts', bytes / 1e6, 'MB');
  yield atMost(100, 'opening the artifacts', openMs, 'ms');
  const finder = new CellFinder(views);
  const keys = randomKeys();
  const knots = new Float64Array(Z_COUNT);
  const percentiles = Array.from({ length: 97 }, (_, i) => i + 2);
  const zOf = (i: number) => zOfPercentile(percentiles[i % 97] as number);
  const values = new Float64Array(KEYS);
  const predict = rate(keys, (key, i) => {
    finder.fill(key, knots);
    const value = curveValue(knots, zOf(i));
    values[i] = value;
    return value;
  });
  yield atLeast(2_000_000, 'predict', predict, '/s');
  const invert = rate(keys, (key, i) => {
    finder.fill(key, knots);
    return percentileOfZ(curveInverse(knots, values[i] as number));
  });
  yield atLeast(1_000_000, 'invert', invert, '/s');
  const points = [1, ...Array.from({ length: 19 }, (_, i) => 5 * (i + 1)), 99].map(zOfPercentile);
  const condition = rate(keys, (key, i) => {
    finder.fill(key, knots);
    const anchor = (key.measurement + 1 + (i % 146)) % MEASUREMENTS.length;
    const rho = correlation(views, anchor, key.measurement, key.gender, key.ageYears);
    const conditional = conditionOn(knots, rho, zOf(i));
    let sum = conditionalMean(conditional);
    for (const z of points) {
      sum += conditionalValue(conditional, z) + conditionalDensity(conditional, z);
    }
    return sum;
  });
  yield atLeast(300_000, 'condition', condition, '/s');
}
