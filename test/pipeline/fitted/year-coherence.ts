import { describe, expect, it } from 'vitest';
import type { Cohort } from '../../../pipeline/model/cohort.js';
import { Populations } from '../../../pipeline/model/population.js';
import { DESCENDING } from '../../../pipeline/verify.js';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS } from '../../../src/core/genders.js';
import { PARTS } from '../coherence-rules.js';
import { fit } from './fit.js';

/**
 * Number of cells for each population and year. With `YEAR_CELLS=10`, the test has more than 10,000 cells of all
 * countries.
 */
const CELLS = Number(process.env.YEAR_CELLS ?? 1);
const COUNTRIES = COUNTRY_CODES.filter((_, i) => CELLS > 1 || i % 4 === 0);

const { model } = fit;
const populations = new Populations(model);

/** Pseudo-random numbers from 0 to 1 (the generator of ANSI C). */
function* randoms(): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

/** The rules that the medians of a cell break. */
function broken(cohort: Cohort): string[] {
  const pairs = [
    ...DESCENDING.flatMap((chain) => chain.slice(1).map((below, i) => [chain[i], below] as const)),
    ...PARTS.map(([whole, part]) => [whole, part] as const),
  ];
  const faults = pairs.flatMap(([above, below]) =>
    above !== undefined && cohort.medianMm(above) <= cohort.medianMm(below)
      ? [`${above} > ${below}`]
      : [],
  );
  const sum = cohort.medianMm('LegLength') + cohort.medianMm('SittingHeight');
  if (Math.abs(sum - cohort.medianMm('Stature')) > 0.001) faults.push('sum');
  return faults;
}

describe('random cells of other years', () => {
  it.each([1990, 2010, 2035])('of %s keep the order of parts and wholes', (year) => {
    const random = randoms();
    for (const gender of GENDERS) {
      for (const country of COUNTRIES) {
        const population = populations.of(gender, country, year);
        for (let i = 0; i < CELLS; i++) {
          const age = 20 + 80 * random.next().value;
          expect(broken(population.at(age)), `${country} ${gender} ${age}`).toEqual([]);
        }
      }
    }
  });

  it('of 18 and 19 years keep it too', () => {
    for (const country of ['GT', 'NL', 'NP', 'TT', 'KR'] as const) {
      for (const gender of GENDERS) {
        for (const age of [18, 19]) {
          expect(broken(populations.of(gender, country, 2035).at(age))).toEqual([]);
        }
      }
    }
  });
});
