import type { MeasurementName } from '../../src/core/measurements.js';
import type { FieldFault } from './study-fields.js';

/** The value that the model expects a sample to print for a dimension. */
export interface Expectation {
  readonly meanMm: number;
  /** SD of ln of the dimension in the population. */
  readonly lnSd: number;
  /** Words for the source of the expectation, in a message. */
  readonly from: string;
}

/** A fault stops the build; a doubt is printed as a warning. */
export interface RatioFinding extends FieldFault {
  readonly stops: boolean;
  /** Factor that mends the figure, if it is probably in another unit. */
  readonly factor?: number | undefined;
}

/**
 * Limits of the difference between a printed mean and the expectation, in SD of the dimension, for `exact`
 * and `close` rows. The present rows (November 2026) lie within 3.0 SD, 99 % of them within 2.1. A warning
 * beyond 3.5 and an error beyond 5 leave room for an unusual people. A figure in a wrong unit is 10 SD away
 * or more.
 */
export const MEAN_LIMIT_SD = { warning: 3.5, error: 5 } as const;

/**
 * Limit of the difference of a mean over its standard error, above which a figure is to be checked. The error has two
 * parts: the sample (1 / √n), and what peoples differ from the model. The second is the SD of the differences of the
 * 2,014 present `exact` rows (November 2026), in SD of the dimension. If both are normal, 1 sound row in 100 is above
 * 2.58.
 */
export const MEAN_LIMIT_Z = { betweenPeoplesSd: 0.6, warning: 2.58 } as const;

/**
 * Limit of the ratio of a `poor` row's mean to the expectation, in both directions. These rows have another
 * definition and are never fitted. The present rows lie within 0.72 and 1.79 (FootHeight, measured at the
 * ankle), so the limit only finds wrong units and columns.
 */
export const POOR_LIMIT_RATIO = 2.2;

/**
 * Limits of the mean stature of a sample over that of its country, gender and birth year in NCD-RisC. The
 * 132 present samples lie within 0.964 and 1.054. A selected group is taller, so the limits leave as much
 * room again above.
 */
export const STATURE_LIMIT_RATIO = { warning: 1.06, error: 1.11 } as const;

/**
 * Limits of a printed relative SD over the expected one. The present SDs that no flag doubts lie within 0.48 and 2.9,
 * 98 % of them within 0.57 and 1.63. An SD in cm is a tenth of the SD in mm, so it is 0.05 to 0.17 of the expected one.
 * A standard error of the mean of 40 people is 0.16 of it. A code such as 999 among the values makes the SD several
 * times as large.
 */
export const SPREAD_LIMIT_RATIO = {
  error: { least: 1 / 6, most: 3 },
  warning: { least: 1 / 3 },
} as const;

/**
 * A unit is recognised if the ratio is within this factor of that unit's ratio. Populations need this room.
 */
const UNIT_ROOM = { mean: 1.3, spread: 2 } as const;

/** Factors by which a figure is too small if its unit is not mm. */
const UNITS: readonly (readonly [unit: string, mm: number])[] = [
  ['cm', 10],
  ['inches', 25.4],
  ['feet', 304.8],
  ['metres', 1000],
  ['tenths of a mm', 0.1],
];

/** The probable unit of a figure, given the ratio of the figure to the expected one in mm. */
function unitMeant(
  ratio: number,
  figure: keyof typeof UNIT_ROOM,
): { unit: string; mm: number } | undefined {
  const off = (mm: number): number => Math.abs(Math.log(ratio * mm));
  const [nearest] = UNITS.map(([unit, mm]) => ({ unit, mm })).sort((a, b) => off(a.mm) - off(b.mm));
  if (nearest === undefined || off(nearest.mm) > Math.log(UNIT_ROOM[figure])) return undefined;
  return nearest;
}

const asMm = (value: number): string => `${Number(value.toPrecision(5))} mm`;

/**
 * Judges a mean in mm.
 *
 * @param match that of its row; empty for a stature
 * @param people number of people; without it, the mean is not compared with its standard error
 */
export function meanFinding(
  what: MeasurementName | 'stature_mm',
  meanMm: number,
  expected: Expectation,
  match: string,
  people?: number,
): RatioFinding | undefined {
  const ratio = meanMm / expected.meanMm;
  const inSd = Math.log(ratio) / expected.lnSd;
  const isStature = what === 'stature_mm';
  const isPoor = match === 'poor';
  const off = isStature || isPoor ? Math.max(ratio, 1 / ratio) : Math.abs(inSd);
  const poor = { warning: POOR_LIMIT_RATIO, error: POOR_LIMIT_RATIO };
  const limit = isPoor ? poor : isStature ? STATURE_LIMIT_RATIO : MEAN_LIMIT_SD;
  const { betweenPeoplesSd, warning } = MEAN_LIMIT_Z;
  const usualSd =
    people === undefined || isStature || isPoor
      ? undefined
      : warning * Math.sqrt(betweenPeoplesSd ** 2 + 1 / people);
  const isUsual = usualSd === undefined || off <= usualSd;
  if (off <= limit.warning && isUsual) return undefined;
  const stops = off > limit.error;
  const most = isUsual ? '' : `; ${usualSd.toFixed(1)} is usual with n = ${people}`;
  const far = isStature ? '' : ` (${inSd.toFixed(1)} SD${most})`;
  const fault = `${asMm(meanMm)} is ${ratio.toPrecision(3)} times${far} the ${asMm(expected.meanMm)} of ${expected.from}`;
  const unit = unitMeant(ratio, 'mean');
  const remedy =
    unit === undefined
      ? 'Compare the figure, its definition and its column with the source'
      : `It looks like ${unit.unit}: multiply by ${unit.mm}`;
  return { what, fault, remedy, stops, factor: unit?.mm };
}

/**
 * The mean in mm by which an SD is judged: the printed one or, if that is a fault, the mended one. So the
 * advice on the SD still holds after the mean is mended.
 */
export function soundMeanMm(
  meanMm: number,
  finding: RatioFinding | undefined,
  expected: Expectation,
): number {
  if (finding?.stops !== true) return meanMm;
  return finding.factor === undefined ? expected.meanMm : meanMm * finding.factor;
}

/** Judges an SD in mm by the coefficient of variation, SD over mean. */
export function spreadFinding(
  what: MeasurementName | 'stature_sd_mm',
  sdMm: number,
  meanMm: number,
  expected: Expectation,
): RatioFinding | undefined {
  const ratio = sdMm / meanMm / expected.lnSd;
  const { error, warning } = SPREAD_LIMIT_RATIO;
  const stops = ratio >= error.most || ratio < error.least;
  if (!stops && ratio >= warning.least) return undefined;
  const percent = (share: number): string => `${(100 * share).toPrecision(3)} %`;
  const fault = `the SD of ${asMm(sdMm)} is ${percent(sdMm / meanMm)} of the mean, ${ratio.toPrecision(3)} times the ${percent(expected.lnSd)} of ${expected.from}`;
  const unit = unitMeant(ratio, 'spread');
  const remedy =
    unit === undefined || !stops
      ? ratio > 1
        ? 'Compare it with the source; a code for missing values such as 999 makes an SD large'
        : 'Compare it with the source; a standard error of the mean is not an SD'
      : `It looks like ${unit.unit} (or a standard error of the mean): multiply by ${unit.mm}`;
  return { what, fault, remedy, stops };
}
