import { GENDERS } from '../src/core/genders.js';
import { type MeasurementName, measurementIndex } from '../src/core/measurements.js';
import { ArtifactError } from '../src/lookup/errors.js';
import { FILES, Z_COUNT, Z_MEDIAN } from '../src/lookup/format.js';
import type { ArtifactViews } from '../src/lookup/reader.js';

/** Dimensions that must fall in this order at the median, in every population of every age. */
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
 * Checks that parts and wholes agree at the median over every country and age knot of a built
 * artifact: the orders above, and LegLength + SittingHeight = Stature.
 *
 * @throws ArtifactError `out_of_range` naming the first cell that breaks a rule
 */
export function verifyCoherence(views: ArtifactViews): void {
  const { axes } = views.manifest;
  const cells = axes.countries.length * axes.agesYears.length;
  const median = (name: MeasurementName, gender: number, cell: number): number => {
    const dimension = (measurementIndex(name) as number) * GENDERS.length + gender;
    const block = views.block[dimension] as number;
    return views.quantiles[(block * cells + cell) * Z_COUNT + Z_MEDIAN] as number;
  };
  const refuse = (rule: string, gender: number, cell: number): never => {
    const country = axes.countries[Math.floor(cell / axes.agesYears.length)];
    const ageYears = axes.agesYears[cell % axes.agesYears.length];
    const where = `${GENDERS[gender]}, ${country}, ${ageYears} years`;
    throw new ArtifactError('out_of_range', FILES.grid, `${rule} does not hold for ${where}`);
  };
  for (let gender = 0; gender < GENDERS.length; gender++) {
    for (let cell = 0; cell < cells; cell++) {
      for (const chain of DESCENDING) {
        chain.forEach((name, i) => {
          const above = chain[i - 1];
          if (above === undefined) return;
          if (median(above, gender, cell) > median(name, gender, cell)) return;
          refuse(`${above} > ${name}`, gender, cell);
        });
      }
      const sum = median('LegLength', gender, cell) + median('SittingHeight', gender, cell);
      if (Math.abs(sum - median('Stature', gender, cell)) > ROUNDING_MM) {
        refuse('LegLength + SittingHeight = Stature', gender, cell);
      }
    }
  }
}
