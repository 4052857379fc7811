import { COUNTRY_CODES } from '../src/core/countries.js';
import { GENDERS } from '../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../src/core/measurements.js';
import { NO_BLOCK, Z_COUNT, Z_FIRST, Z_STEP } from '../src/lookup/format.js';
import type { FittedModel } from './fit/fitted-model.js';
import { lnQuantileOf } from './fit/marginal.js';
import { Population } from './fit/population.js';
import { AGES_YEARS } from './model/axes.js';
import { DIMENSION_PLAN } from './model/dimension-plan.js';

/** The grid and its index by dimension and gender (`measurement · 2 + gender`). */
export interface Grid {
  readonly quantiles: Float32Array;
  readonly block: Int32Array;
  readonly ageMinYears: Float32Array;
  readonly ageMaxYears: Float32Array;
}

interface Block {
  readonly name: MeasurementName;
  readonly gender: number;
  readonly index: number;
}

/** Blocks in order; names of one dimension share a block. */
function layOut(): { blocks: Block[]; block: Int32Array } {
  const blocks: Block[] = [];
  const block = new Int32Array(MEASUREMENTS.length * GENDERS.length).fill(NO_BLOCK);
  const byKey = new Map<string, number>();
  MEASUREMENTS.forEach((measurement, m) => {
    GENDERS.forEach((gender, g) => {
      if (!measurement.genders.includes(gender)) return;
      const { basis, identity } = DIMENSION_PLAN[measurement.name];
      const shared = basis.kind === 'alias' && identity === undefined;
      const name = shared ? basis.of : measurement.name;
      const key = `${name}|${gender}`;
      const index = byKey.get(key) ?? blocks.length;
      if (index === blocks.length) blocks.push({ name, gender: g, index });
      byKey.set(key, index);
      block[m * GENDERS.length + g] = index;
    });
  });
  return { blocks, block };
}

/** Computes every cell of the grid; `progress` is called once per country and gender. */
export function buildGrid(model: FittedModel, progress: () => void): Grid {
  const { blocks, block } = layOut();
  const ages = AGES_YEARS.length;
  const cells = blocks.length * COUNTRY_CODES.length * ages;
  const quantiles = new Float32Array(cells * Z_COUNT);
  const knots = Array.from({ length: Z_COUNT }, (_, i) => Z_FIRST + i * Z_STEP);
  GENDERS.forEach((gender, g) => {
    const own = blocks.filter((entry) => entry.gender === g);
    COUNTRY_CODES.forEach((country, c) => {
      const population = new Population(model, gender, country);
      AGES_YEARS.forEach((ageYears, a) => {
        const cohort = population.at(ageYears);
        for (const { name, index } of own) {
          const lnQuantile = lnQuantileOf(cohort.marginal(name));
          const from = ((index * COUNTRY_CODES.length + c) * ages + a) * Z_COUNT;
          for (let i = 0; i < Z_COUNT; i++) {
            quantiles[from + i] = Math.exp(lnQuantile(knots[i] as number));
          }
        }
      });
      progress();
    });
  });
  const dimensions = MEASUREMENTS.flatMap(({ name }) => GENDERS.map(() => name));
  return {
    quantiles,
    block,
    ageMinYears: Float32Array.from(dimensions, (name) => DIMENSION_PLAN[name].ageMinYears ?? 0),
    ageMaxYears: Float32Array.from(dimensions, () => AGES_YEARS.at(-1) ?? 0),
  };
}
