import { createHash } from 'node:crypto';
import { AGE_LIMITS } from '../core/limits.js';
import { dimensionRow } from './cell.js';
import { ArtifactError } from './errors.js';
import {
  DRIVER_COLUMNS,
  FILES,
  GRADES,
  type Manifest,
  MOST_PEOPLE,
  NO_BLOCK,
  NO_GRADE,
  Z_COUNT,
} from './format.js';
import type { ArtifactBytes, ArtifactViews, PopulationViews } from './reader.js';
import { verifyShape } from './shape-file.js';

/** Every human measurement is smaller. A larger number (4 m of reach) is a fault of the build. */
const LARGEST_MM = 4000;

/**
 * Compares every data file with the manifest's SHA-256.
 *
 * @throws ArtifactError `wrong_checksum`
 */
export function verifyChecksums(manifest: Manifest, bytes: ArtifactBytes): void {
  for (const [file, content] of bytes) {
    const found = createHash('sha256').update(content).digest('hex');
    if (found !== manifest.files[file]?.sha256) {
      const message = 'its SHA-256 is not the manifest’s; install or build it again';
      throw new ArtifactError('wrong_checksum', file, message);
    }
  }
}

/**
 * Checks every number. Quantiles must be finite, above zero and strictly rising in each cell. Correlations must be
 * within ± 1 and symmetric, with a unit diagonal. Shifts must be finite, spreads must not be negative, and ages must be
 * in range.
 *
 * @throws ArtifactError `not_a_number`, `not_monotone`, `out_of_range`
 */
export function verifyViews(views: ArtifactViews): void {
  verifyQuantiles(FILES.grid, views.quantiles);
  verifyRho(views);
  verifyDimensions(views);
  verifyQuantiles(FILES.body, views.population.bodyQuantiles);
  verifyPopulation(views.population);
  if (views.shape !== undefined) verifyShape(views.shape);
}

function verifyQuantiles(file: string, quantiles: Float32Array): void {
  for (let from = 0; from < quantiles.length; from += Z_COUNT) {
    let before = 0;
    for (let i = from; i < from + Z_COUNT; i++) {
      const value = quantiles[i];
      if (value > before && value < LARGEST_MM) {
        before = value;
        continue;
      }
      const where = `cell ${from / Z_COUNT}, knot ${i - from}`;
      if (Number.isNaN(value)) throw new ArtifactError('not_a_number', file, where);
      if (value <= before && value > 0) throw new ArtifactError('not_monotone', file, where);
      throw new ArtifactError('out_of_range', file, `${where}: ${value}`);
    }
  }
}

function verifyRho({ rho, manifest }: ArtifactViews): void {
  const size = manifest.axes.measurements.length;
  for (let matrix = 0; matrix < rho.length; matrix += size * size) {
    for (let row = 0; row < size; row++) {
      for (let column = 0; column <= row; column++) {
        const value = rho[matrix + row * size + column];
        const mirrored = rho[matrix + column * size + row];
        const fits = row === column ? value === 1 : Math.abs(value) < 1 && value === mirrored;
        if (fits) continue;
        const where = `matrix ${matrix / size / size}, row ${row}, column ${column}: ${value}`;
        const fault = Number.isNaN(value + mirrored) ? 'not_a_number' : 'out_of_range';
        throw new ArtifactError(fault, FILES.correlations, where);
      }
    }
  }
}

function verifyDimensions(views: ArtifactViews): void {
  const refuse = (column: string, value: number) => {
    const fault = Number.isNaN(value) ? 'not_a_number' : 'out_of_range';
    throw new ArtifactError(fault, FILES.dimensions, `column ${column} holds ${value}`);
  };
  views.block.forEach((block, i) => {
    if (!(block >= NO_BLOCK)) refuse('block', block);
    if (block === NO_BLOCK) return;
    const from = views.ageMinYears[i];
    const to = views.ageMaxYears[i];
    if (!(from >= 0 && from <= to)) refuse('age_min_years', from);
    if (!(to <= AGE_LIMITS.maximum)) refuse('age_max_years', to);
  });
  for (const column of ['clothing', 'posture'] as const) {
    views[`${column}ShiftMm`].forEach((shift) => {
      if (!(Math.abs(shift) < 200)) refuse(`${column}_shift_mm`, shift);
    });
    views[`${column}SdMm`].forEach((sd) => {
      if (!(sd >= 0 && sd < 200)) refuse(`${column}_sd_mm`, sd);
    });
  }
  verifyStature(views);
}

/**
 * The shifts of clothing and posture are proportional to the median stature, so every gender must have a median
 * stature.
 */
function verifyStature({ block, ageMinYears, ageMaxYears, manifest }: ArtifactViews): void {
  const { measurements, genders } = manifest.axes;
  genders.forEach((gender, g) => {
    const at = dimensionRow(measurements.indexOf('Stature'), g);
    if (
      block[at] !== NO_BLOCK &&
      ageMinYears[at] === AGE_LIMITS.minimum &&
      ageMaxYears[at] === AGE_LIMITS.maximum
    )
      return;
    const message = `Stature has no model at every age for ${gender}`;
    throw new ArtifactError('out_of_range', FILES.dimensions, message);
  });
}

/** A larger standard deviation of ln D, or of ln of a median, is a fault of the build. */
const LARGEST_LN_SD = 1;
/** Larger slopes of ln D on ln stature and ln BMI are a fault of the build. */
const LARGEST_SLOPE = 10;
/** Means of ln stature (mm) and ln BMI (kg/m²) of adults must lie between these limits. */
const LN_STATURE = { least: Math.log(1000), most: Math.log(2500) };
const LN_BMI = { least: Math.log(10), most: Math.log(60) };

/** Checks every number about years, body mass, evidence and head counts, except the quantiles. */
function verifyPopulation(views: PopulationViews): void {
  const within = (
    file: string,
    name: string,
    values: Float32Array,
    least: number,
    most: number,
  ) => {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value >= least && value <= most) continue;
      const fault = Number.isNaN(value) ? 'not_a_number' : 'out_of_range';
      throw new ArtifactError(fault, file, `column ${name}, row ${i}: ${value}`);
    }
  };
  const limits: Record<(typeof DRIVER_COLUMNS)[number], readonly [number, number]> = {
    ln_stature_mean: [LN_STATURE.least, LN_STATURE.most],
    ln_stature_sd: [0, LARGEST_LN_SD],
    ln_stature_skew: [-5, 5],
    ln_bmi_mean: [LN_BMI.least, LN_BMI.most],
    ln_bmi_sd: [0, LARGEST_LN_SD],
    ln_bmi_skew: [-5, 5],
    rho: [-1, 1],
  };
  for (const name of DRIVER_COLUMNS)
    within(FILES.covariates, name, views.covariates[name], ...limits[name]);
  within(FILES.dimensions, 'slope_stature', views.slopeStature, -LARGEST_SLOPE, LARGEST_SLOPE);
  within(FILES.dimensions, 'slope_bmi', views.slopeBmi, -LARGEST_SLOPE, LARGEST_SLOPE);
  within(FILES.dimensions, 'slope_bmi_spread', views.slopeBmiSpread, 0, LARGEST_SLOPE);
  within(FILES.correlations, 'rho_bmi', views.rhoBmi, -1, 1);
  within(FILES.correlations, 'rho_mass', views.rhoMass, -1, 1);
  within(FILES.evidence, 'ln_median_sd', views.lnMedianSd, 0, LARGEST_LN_SD);
  within(FILES.people, 'people', views.people, 0, MOST_PEOPLE);
  views.grade.forEach((grade, i) => {
    if (grade >= NO_GRADE && grade < GRADES.length) return;
    throw new ArtifactError('out_of_range', FILES.evidence, `column grade, row ${i}: ${grade}`);
  });
}
