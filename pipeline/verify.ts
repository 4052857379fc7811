import { GENDERS } from '../src/core/genders.js';
import { type MeasurementName, measurementIndex } from '../src/core/measurements.js';
import { cellIndex, dimensionRow, gridSize } from '../src/lookup/cell.js';
import { ArtifactError } from '../src/lookup/errors.js';
import { FILES, Z_COUNT, Z_MEDIAN } from '../src/lookup/format.js';
import type { ArtifactViews } from '../src/lookup/reader.js';
import { YearCells } from '../src/lookup/year-cells.js';

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
 * Checks the medians of a built artifact at every country and age knot. They must descend in the orders of
 * `DESCENDING`, and LegLength + SittingHeight must equal Stature.
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
          const cell = cellIndex(size, views.block[row], country, age);
          return views.quantiles[cell + Z_MEDIAN];
        });
        if (broken === undefined) continue;
        const where = `${GENDERS[gender]}, ${axes.countries[country]}, ${axes.agesYears[age]} years`;
        throw new ArtifactError('out_of_range', FILES.grid, `${broken} does not hold for ${where}`);
      }
    }
  }
}

/** Years of the random cells. */
const CHECKED_YEARS: readonly number[] = [1990, 2010, 2035];
const CHECKED_CELLS = 10_000;
/** Multiplier and modulus of the generator of Park and Miller 1988 (Comm. ACM 31:1192). */
const GENERATOR = { multiplier: 16_807, modulus: 2 ** 31 - 1 };

/**
 * Checks the same rules in years other than the reference year, in 10,000 random populations of adults.
 * Their medians are moved to the year as the service moves them. Every artifact is checked in the same
 * cells.
 *
 * @throws ArtifactError `out_of_range` naming the first cell that breaks a rule
 */
export function verifyYears(views: ArtifactViews): void {
  const { axes, population } = views.manifest;
  const [first, last] = [population.years[0], population.years.at(-1) as number];
  // Without the table of BMI by year, a version has only the reference year.
  const years = CHECKED_YEARS.filter((year) => year >= first && year <= last);
  if (years.length === 0) return;
  const cells = new YearCells(views);
  const knots = new Float64Array(Z_COUNT);
  let state = 1;
  const random = (): number => {
    state = (state * GENERATOR.multiplier) % GENERATOR.modulus;
    return state / GENERATOR.modulus;
  };
  const oldest = axes.agesYears.at(-1) as number;
  for (let i = 0; i < CHECKED_CELLS; i++) {
    const key = {
      measurement: 0,
      gender: Math.floor(random() * GENDERS.length),
      country: Math.floor(random() * axes.countries.length),
      ageYears: population.yearsFromAge + random() * (oldest - population.yearsFromAge),
      clothing: 0,
      posture: 0,
    };
    const year = years[i % years.length];
    const broken = brokenRule((name) => {
      key.measurement = measurementIndex(name) as number;
      const status = cells.fill(key, year, knots);
      return status === 'ok' ? knots[Z_MEDIAN] : Number.NaN;
    });
    if (broken === undefined) continue;
    const who = `${GENDERS[key.gender]}, ${axes.countries[key.country]}`;
    const where = `${who}, ${key.ageYears.toFixed(2)} years in ${year}`;
    throw new ArtifactError(
      'out_of_range',
      FILES.covariates,
      `${broken} does not hold for ${where}`,
    );
  }
}

/** Returns the first rule that the medians of a cell break, or undefined. */
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
