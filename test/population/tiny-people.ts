import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { curveValue, dimensionRow } from '../../src/lookup/cell.js';
import { NO_BLOCK } from '../../src/lookup/format.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { quantityConstraints } from '../../src/population/constraints.js';
import { CohortCurves, type Market, resolveMarket } from '../../src/population/people-model.js';
import { seeded } from '../support/random.js';
import { TINY_RHO, writeTinyArtifact } from '../support/tiny-artifact.js';

/** Blocks of the tiny artifact, from the largest size to the smallest. */
const BLOCKS_BY_SIZE = [3, 4, 2, 5, 1, 0];

/** Gives each dimension a smaller size than the dimensions above it, so that wholes are larger than parts. */
export function spoilTinyConstraints(block: Int32Array): void {
  const depth = new Map<number, number>();
  const indexOf = (name: string) => MEASUREMENT_NAMES.indexOf(name as MeasurementName);
  for (const _ of BLOCKS_BY_SIZE) {
    for (const { above, below } of quantityConstraints({ indexOf }, 'definition')) {
      const deeper = Math.max(depth.get(below) ?? 0, (depth.get(above) ?? 0) + 1);
      depth.set(below, Math.min(BLOCKS_BY_SIZE.length - 1, deeper));
    }
  }
  MEASUREMENT_NAMES.forEach((_, measurement) => {
    GENDERS.forEach((_name, gender) => {
      const row = dimensionRow(measurement, gender);
      if (block[row] === NO_BLOCK) return;
      block[row] = dimensionRow(BLOCKS_BY_SIZE[depth.get(measurement) ?? 0] as number, gender);
    });
  });
}

/** The people of a tiny artifact. The scores of any two dimensions have the correlation `TINY_RHO`. */
export const TINY_MODEL = new PredictionModel(
  openArtifact(writeTinyArtifact('tiny', { spoilBlocks: spoilTinyConstraints })),
);
export const TINY_JOINT = TINY_MODEL.people();

/** Adults of two countries. */
export function tinyMarket(): Market {
  const groups = [{ countries: ['DE', 'JP'] as const, ageMin: 20, ageMax: 24 }];
  const { peopleModel } = TINY_JOINT;
  const market = resolveMarket(groups, 2025, (country, gender, age) =>
    peopleModel.people(country, gender, age),
  );
  if (market === undefined) throw new Error('the tiny population is empty');
  return market;
}

/**
 * Draws values of some dimensions of people. Apart from the curves, it uses no code under test: a score is the sum of
 * one factor that all dimensions share and one of its own.
 */
export function sampleTinyPeople(market: Market, quantities: readonly number[], count: number) {
  const curves = new CohortCurves(TINY_JOINT.peopleModel);
  const uniform = seeded(7).unit;
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return Array.from({ length: count }, () => {
    let [place, c] = [uniform(), 0];
    while (c + 1 < market.cohorts.length && place > (market.weights[c] as number)) {
      place -= market.weights[c] as number;
      c++;
    }
    const cohort = market.cohorts[c];
    if (cohort === undefined) throw new Error('no cohort');
    curves.at(cohort);
    const common = normal();
    return quantities.map((quantity) => {
      const z = Math.sqrt(TINY_RHO) * common + Math.sqrt(1 - TINY_RHO) * normal();
      return curveValue(curves.of(quantity) as Float64Array, z);
    });
  });
}
