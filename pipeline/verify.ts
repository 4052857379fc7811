import { GENDERS } from '../src/core/genders.js';
import { type MeasurementName, measurementIndex } from '../src/core/measurements.js';
import { ArtifactError } from '../src/lookup/errors.js';
import { cellIndex, dimensionRow, FILES, gridSize, Z_MEDIAN } from '../src/lookup/format.js';
import type { ArtifactViews } from '../src/lookup/reader.js';

/** Dimensions whose medians must descend in this order, in every population at every age. */
export const DESCENDING: readonly (readonly MeasurementName[])[] = [
  ['Stature', 'EyeHeight', 'ShoulderHeight', 'ElbowHeight', 'KnuckleHeight', 'FingertipHeight'],
  ['SittingHeight', 'SittingEyeHeight', 'SittingShoulderHeight', 'SittingElbowHeight'],
  ['HandLength', 'PalmLength'],
  ['HandLength', 'MiddleFingerLength'],
  ['Stature', 'SittingHeight'],
  ['Stature', 'LegLength'],
];

/** Rounding of float32 quantiles near 2 m, in mm. */
const ROUNDING_MM = 0.001;

/**
 * Checks that the medians of parts and wholes agree at every country and age knot of a built artifact:
 * the orders above, and LegLength + SittingHeight = Stature.
 *
 * @throws ArtifactError `out_of_range` naming the first cell that breaks a rule
 */
export function verifyCoherence(views: ArtifactViews): void {
  const { axes } = views.manifest;
  const size = gridSize(views.manifest);
  for (let gender = 0; gender < GENDERS.length; gender++) {
    for (let country = 0; country < size.countries; country++) {
      for (let age = 0; age < size.ages; age++) {
        const broken = brokenRule((name) => {
          const row = dimensionRow(measurementIndex(name) as number, gender);
          const cell = cellIndex(size, views.block[row] as number, country, age);
          return views.quantiles[cell + Z_MEDIAN] as number;
        });
        if (broken === undefined) continue;
        const where = `${GENDERS[gender]}, ${axes.countries[country]}, ${axes.agesYears[age]} years`;
        throw new ArtifactError('out_of_range', FILES.grid, `${broken} does not hold for ${where}`);
      }
    }
  }
}

/** The first rule that the medians of a cell break, if any. */
function brokenRule(medianMm: (name: MeasurementName) => number): string | undefined {
  for (const chain of DESCENDING) {
    for (const [i, below] of chain.entries()) {
      const above = chain[i - 1];
      if (above === undefined || medianMm(above) > medianMm(below)) continue;
      return `${above} > ${below}`;
    }
  }
  const sum = medianMm('LegLength') + medianMm('SittingHeight');
  const agrees = Math.abs(sum - medianMm('Stature')) <= ROUNDING_MM;
  return agrees ? undefined : 'LegLength + SittingHeight = Stature';
}
