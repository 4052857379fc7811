import type { Table } from 'apache-arrow';
import { column } from './arrow-file.js';
import { ArtifactError } from './errors.js';
import {
  ARTIFACT_TYPES,
  adultAges,
  BODY_NAMES,
  DRIVER_COLUMNS,
  FILES,
  GRADES,
  type Manifest,
  MOST_PEOPLE,
  NO_GRADE,
  PEOPLE_AGES,
  Z_COUNT,
} from './format.js';

/** Views over years, body mass, evidence and head counts. `format.ts` has the index of each value. */
export interface PopulationViews {
  /** Drivers of each population in each year, by `driverIndex`. */
  readonly drivers: Readonly<Record<(typeof DRIVER_COLUMNS)[number], Float32Array>>;
  /** Change of a dimension's mean ln D with the mean of ln stature, by `slopeIndex`. */
  readonly slopeStature: Float32Array;
  /** Change of a dimension's mean ln D with the mean of ln BMI, by `slopeIndex`. */
  readonly slopeBmi: Float32Array;
  /** Square root of the change of the variance of ln D with that of ln BMI, by `slopeIndex`. */
  readonly slopeBmiSpread: Float32Array;
  /** Quantiles of BMI (kg/m²) and body mass (kg), by `bodyIndex`. */
  readonly bodyQuantiles: Float32Array;
  /** Correlation of each dimension with BMI and with body mass: a row for each row of `rho`. */
  readonly rhoBmi: Float32Array;
  readonly rhoMass: Float32Array;
  /** Standard error of ln of a median, by `evidenceIndex`; 0 without a model. */
  readonly lnMedianSd: Float32Array;
  /** Index in `GRADES`, or `NO_GRADE`, by `evidenceIndex`. */
  readonly grade: Int32Array;
  /** Persons of each completed year of age in the year 2022, by `peopleIndex`. */
  readonly people: Float32Array;
}

/** Tables that hold columns of these views beside others. */
interface SharedTables {
  readonly dimensions: Table;
  readonly correlations: Table;
}

/**
 * Views over years, body mass, evidence and head counts.
 *
 * @param open opens a data file of a type
 * @throws ArtifactError when a file does not match the manifest or the format
 */
export function readPopulation(
  manifest: Manifest,
  shared: SharedTables,
  open: (file: string, type: string) => Table,
): PopulationViews {
  const { axes, population } = manifest;
  const ages = adultAges(manifest).length;
  const countries = axes.countries.length;
  const genders = axes.genders.length;
  const rows = axes.measurements.length * genders;
  const driverRows = population.years.length * genders * countries * ages;
  const drivers = open(FILES.drivers, ARTIFACT_TYPES.drivers);
  const driver = (name: string) => column(drivers, FILES.drivers, name, driverRows, Float32Array);
  const slopes = (name: string) =>
    column(shared.dimensions, FILES.dimensions, name, rows, Float32Array, ages);
  const rhoRows = axes.correlationAgesYears.length * rows;
  const rho = (name: string) =>
    column(shared.correlations, FILES.correlations, name, rhoRows, Float32Array);
  const body = open(FILES.body, ARTIFACT_TYPES.body);
  const cells = BODY_NAMES.length * genders * countries * axes.agesYears.length;
  const evidence = open(FILES.evidence, ARTIFACT_TYPES.evidence);
  const graded = rows + BODY_NAMES.length * genders;
  const evidenceRows = graded * countries * population.evidenceAgesYears.length;
  const people = open(FILES.people, ARTIFACT_TYPES.people);
  const peopleRows = countries * genders * PEOPLE_AGES;
  return {
    drivers: Object.fromEntries(
      DRIVER_COLUMNS.map((name) => [name, driver(name)]),
    ) as PopulationViews['drivers'],
    slopeStature: slopes('slope_stature'),
    slopeBmi: slopes('slope_bmi'),
    slopeBmiSpread: slopes('slope_bmi_spread'),
    bodyQuantiles: column(body, FILES.body, 'quantiles', cells, Float32Array, Z_COUNT),
    rhoBmi: rho('rho_bmi'),
    rhoMass: rho('rho_mass'),
    lnMedianSd: column(evidence, FILES.evidence, 'ln_median_sd', evidenceRows, Float32Array),
    grade: column(evidence, FILES.evidence, 'grade', evidenceRows, Int32Array),
    people: column(people, FILES.people, 'people', peopleRows, Float32Array),
  };
}

/** A standard deviation of ln D or of ln of a median above this is a fault of the build. */
const LARGEST_LN_SD = 1;
/** Larger slopes of ln D on ln stature and ln BMI are a fault of the build. */
const LARGEST_SLOPE = 10;
/** Means of ln stature (mm) and ln BMI (kg/m²) of adults lie between these numbers. */
const LN_STATURE = { least: Math.log(1000), most: Math.log(2500) };
const LN_BMI = { least: Math.log(10), most: Math.log(60) };

/**
 * Checks every number of these views, except the quantiles.
 *
 * @throws ArtifactError `not_a_number`, `out_of_range`
 */
export function verifyPopulation(views: PopulationViews): void {
  const within = (
    file: string,
    name: string,
    values: Float32Array,
    least: number,
    most: number,
  ) => {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
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
    within(FILES.drivers, name, views.drivers[name], ...limits[name]);
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
