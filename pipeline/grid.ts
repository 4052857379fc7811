import type { CountryCode } from '../src/core/countries.js';
import { GENDERS, type Gender } from '../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../src/core/measurements.js';
import { cellIndex, dimensionRow } from '../src/lookup/cell.js';
import { NO_BLOCK, Z_COUNT, Z_FIRST, Z_STEP } from '../src/lookup/format.js';
import type { FittedModel } from './model/fitted-model.js';
import { Populations } from './model/population.js';
import { lnQuantilesAt } from './numerics/marginal.js';
import { AGES_YEARS } from './plans/axes.js';
import { DIMENSION_PLAN } from './plans/dimension-plan.js';

/** The grid, and the columns of its index in the order of `dimensionRow`. */
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

/** Returns the blocks in order. All names of one dimension share a block. */
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
      block[dimensionRow(m, g)] = index;
    });
  });
  return { blocks, block };
}

/** A grid whose quantiles are to be filled in. Threads can share its memory. */
export function emptyGrid(countries: number): Grid {
  const { blocks, block } = layOut();
  // The index after the last block is the length of the column.
  const length = cellIndex({ countries, ages: AGES_YEARS.length }, blocks.length, 0, 0);
  const dimensions = MEASUREMENTS.flatMap(({ name }) => GENDERS.map(() => name));
  return {
    quantiles: new Float32Array(new SharedArrayBuffer(length * Float32Array.BYTES_PER_ELEMENT)),
    block,
    ageMinYears: Float32Array.from(dimensions, (name) => DIMENSION_PLAN[name].ageMinYears ?? 0),
    ageMaxYears: Float32Array.from(dimensions, () => AGES_YEARS.at(-1) ?? 0),
  };
}

/**
 * Computes every quantile of a gender.
 *
 * @param quantiles array of `emptyGrid`, which is filled in
 * @param countries for each place of the country axis, the country whose numbers stand there. A country
 * that occurs several times is computed once.
 * @param progress called after each country
 */
export function fillGrid(
  quantiles: Float32Array,
  model: FittedModel,
  gender: Gender,
  countries: readonly CountryCode[],
  progress: () => void = () => undefined,
): void {
  const size = { countries: countries.length, ages: AGES_YEARS.length };
  const g = GENDERS.indexOf(gender);
  const ofGender = layOut().blocks.filter((entry) => entry.gender === g);
  const knots = Float64Array.from({ length: Z_COUNT }, (_, i) => Z_FIRST + i * Z_STEP);
  const lnD = new Float64Array(Z_COUNT);
  const populations = new Populations(model);
  countries.forEach((country, c) => {
    const first = countries.indexOf(country);
    if (first < c) {
      for (const { index } of ofGender) {
        const from = cellIndex(size, index, first, 0);
        quantiles.copyWithin(
          cellIndex(size, index, c, 0),
          from,
          cellIndex(size, index, first + 1, 0),
        );
      }
      progress();
      return;
    }
    const population = populations.of(gender, country);
    AGES_YEARS.forEach((ageYears, a) => {
      const cohort = population.at(ageYears);
      for (const { name, index } of ofGender) {
        lnQuantilesAt(cohort.marginal(name), knots, lnD);
        const from = cellIndex(size, index, c, a);
        for (let i = 0; i < Z_COUNT; i++) quantiles[from + i] = Math.exp(lnD[i]);
      }
    });
    progress();
  });
}
