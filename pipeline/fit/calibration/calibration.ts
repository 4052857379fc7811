import type { Gender } from '../../../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../../../src/core/measurements.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import { type Evidence, type Expected, fitPooling, type Origin, type Pooling } from './pooling.js';

/** Difference of a sample's mean and spread of a dimension from the values that its covariates predict. */
export interface Departure extends Omit<Evidence, 'value' | 'sampling'> {
  /** ln of observed over predicted mean, in standard deviations of ln of the dimension. */
  readonly inSd: number;
  readonly people: number;
  /** Error of the departure, in SD, from a BMI that the sample did not print; undefined if it printed one. */
  readonly further?: number | undefined;
  /** ln of observed over predicted residual spread; undefined where no spread was printed. */
  readonly lnSpread: { readonly value: number; readonly sampling: number } | undefined;
}

/** A larger sample counts as this many people, because other errors limit the certainty of a survey. */
const PEOPLE_MAX = 5000;

/** Sampling variance of a mean, in SD of the dimension. */
const samplingOf = (people: number): number => 1 / Math.min(people, PEOPLE_MAX);

/** Departures of populations from the US military regressions, learned from national studies. */
export interface Calibration {
  /** Departure of the mean, in SD of ln of the dimension. */
  expected(origin: Origin, measurement: MeasurementName): Expected;
  /**
   * Departure of the mean that a new survey of this country would print, in SD of ln of the dimension. Its SD is that
   * of a prediction. It contains the country's shift, the definitions and instruments (of a new survey family, unless
   * the origin names one), and the people drawn.
   *
   * @param people number of people of the new survey
   */
  expectedOfSurvey(origin: Origin, measurement: MeasurementName, people?: number): Expected;
  /** Share by which a departure of the mean follows the surveys of the country, about 0 to 1. */
  weightOfCountry(origin: Origin, measurement: MeasurementName): number;
  /**
   * SD of the effect that the definitions and instruments of one survey family have on a mean, in SD of ln
   * of the dimension.
   */
  familySd(gender: Gender, measurement: MeasurementName): number;
  /** ln ratio of the residual's spread. */
  lnSpread(origin: Origin, measurement: MeasurementName): Expected;
  /** Variance components of means and of spreads, by group of dimensions. */
  readonly variances: Readonly<Record<'mean' | 'spread', Pooling['variances']>>;
}

const KINDS = new Map(MEASUREMENTS.map(({ name, kind }) => [name, kind]));
const HEAD = /^(BackOfHead|Head|TopOfHead|Bitragion|EyeScalp)/;
const HAND_OR_FOOT = /^(Hand(Length|Breadth|Circ)|Palm|Fist|Wrist|Foot)/;

/** Group of dimensions that share variances. Studies differ according to how a dimension is measured. */
export function calibrationGroup(measurement: MeasurementName): string {
  const kind = KINDS.get(measurement);
  if (kind === 'face' || HEAD.test(measurement)) {
    const measured = DIMENSION_PLAN[measurement].basis.kind === 'survey';
    return measured ? 'head and face, surveyed' : 'head and face, published levels';
  }
  if (kind === 'finger' || HAND_OR_FOOT.test(measurement)) return 'hands and feet';
  const isLength = kind === 'height' || kind === 'length' || kind === 'reach';
  return isLength ? 'heights, lengths and reaches' : 'girths, breadths and depths';
}

/** The dimension that a name means. */
export function sameAs(measurement: MeasurementName): MeasurementName {
  const { basis } = DIMENSION_PLAN[measurement];
  return basis.kind === 'alias' ? basis.of : measurement;
}

/**
 * Fits departures of means and of residual spreads by partial pooling. Samples that print their BMI tell the variance
 * components.
 *
 * @param known variance components to use instead of fitting them to these departures
 */
export function fitCalibration(
  departures: readonly Departure[],
  known?: Calibration['variances'],
): Calibration {
  const printed = departures.filter(({ further }) => further === undefined);
  if (known === undefined && printed.length < departures.length) {
    return fitCalibration(departures, fitCalibration(printed).variances);
  }
  const named = departures.map((row) => ({ ...row, measurement: sameAs(row.measurement) }));
  const means = fitPooling(
    named.map((row) => ({
      ...row,
      value: row.inSd,
      sampling: samplingOf(row.people) + (row.further ?? 0) ** 2,
    })),
    calibrationGroup,
    known?.mean,
  );
  const spreads = fitPooling(
    named.flatMap(({ lnSpread, ...row }) =>
      lnSpread === undefined ? [] : [{ ...row, ...lnSpread }],
    ),
    calibrationGroup,
    known?.spread,
  );
  return {
    expected: (origin, measurement) => means.expected(origin, sameAs(measurement)),
    expectedOfSurvey: (origin, measurement, people = PEOPLE_MAX) =>
      means.expectedOfSurvey(origin, sameAs(measurement), samplingOf(people)),
    weightOfCountry: (origin, measurement) => means.weightOfCountry(origin, sameAs(measurement)),
    familySd: (gender, measurement) => Math.sqrt(means.familyVariance(gender, sameAs(measurement))),
    lnSpread: (origin, measurement) => spreads.expected(origin, sameAs(measurement)),
    variances: { mean: means.variances, spread: spreads.variances },
  };
}
