import type { Gender } from '../core/genders.js';
import { measurementError } from '../core/measurement-errors.js';
import { curveInverse } from '../lookup/cell.js';
import { completePerson } from '../population/person.js';
import type { OtherMeaning } from '../search/other-meanings.js';
import { BELIEVED_Z } from './known-values.js';
import { cohortOf } from './population-request.js';
import type { PredictionModel } from './prediction-model.js';

/** A person of a row. The age is in years. */
export interface RowPerson {
  readonly country: string;
  readonly gender: Gender;
  readonly age: number;
  readonly statureMm?: number | undefined;
  readonly massKg?: number | undefined;
}

/** How the values of a column agree with what people of their gender, age, country, stature and mass have. */
export interface Agreement {
  /** Values that could be compared. */
  readonly count: number;
  /** Mean distance from the expected value in standard deviations, each at most `FARTHEST_Z`. */
  readonly meanZ: number;
  /** Values that lie farther than three standard deviations from what is expected. */
  readonly farCount: number;
  /** Means of the values and of what is expected, in mm, kg or kg/m². */
  readonly mean: number;
  readonly expected: number;
}

/** A distance beyond this counts as this much, so that one slip of a pen does not decide a column. */
const FARTHEST_Z = 4;
/** With this many values, their mean decides, and else each of them. */
const ENOUGH_VALUES = 5;
/** Limits of the mean and of each value, in standard deviations. Most values must meet the second one too. */
const LIMITS = { mean: 1, each: 3 } as const;
const FAR_SHARE_MOST = 0.2;
/** BMI follows from stature and mass. This share covers their errors and rounding. */
const BMI_ERROR_SHARE = 0.02;

/** Whether the mean of many values differs from what is expected. Stature and mass have a wide limit: players are tall. */
export function differs({ count, meanZ }: Agreement, isDriver = false): boolean {
  return Math.abs(meanZ) > (count < ENOUGH_VALUES || isDriver ? LIMITS.each : LIMITS.mean);
}

/** Whether values agree with their reading. */
export function agrees(agreement: Agreement, isDriver: boolean): boolean {
  const { count, farCount } = agreement;
  const farMost = count < ENOUGH_VALUES ? 0 : FAR_SHARE_MOST * count;
  return !differs(agreement, isDriver) && (isDriver || farCount <= farMost);
}

/**
 * Compares the values of a column with what is expected of each person.
 *
 * @param values in mm, kg or kg/m², one for each person; NaN where there is none
 */
export function agreementOf(
  values: readonly number[],
  expected: readonly (Expected | undefined)[],
): Agreement {
  const compared = values.flatMap((value, row) => {
    const one = value > 0 ? expected[row] : undefined;
    return one === undefined ? [] : [{ value, z: (value - one.mean) / one.sd, mean: one.mean }];
  });
  const meanOf = (numbers: readonly number[]) =>
    numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return {
    count: compared.length,
    meanZ: meanOf(compared.map(({ z }) => Math.max(-FARTHEST_Z, Math.min(FARTHEST_Z, z)))),
    farCount: compared.filter(({ z }) => Math.abs(z) > LIMITS.each).length,
    mean: meanOf(compared.map(({ value }) => value)),
    expected: meanOf(compared.map(({ mean }) => mean)),
  };
}

/** The values of a dimension among people like one person, in mm, kg or kg/m². */
interface Expected {
  readonly mean: number;
  readonly sd: number;
}

/** A measurement, or a dimension that this service does not have. */
export type Meaning = string | OtherMeaning;

/** Returns the expected value of a person; undefined without a model. */
export type Expectations = ReadonlyMap<Meaning, Expected | undefined>;

/**
 * What to expect of a person, given what is known of a row. The spread is one standard deviation of people and of the
 * medians, and the error of a measured value (ISO 20685-1).
 */
export function expectationsOf(
  row: RowPerson,
  meanings: readonly Meaning[],
  model: PredictionModel,
): Expectations {
  const joint = model.people();
  const { peopleModel } = joint;
  const cohort = cohortOf(row, peopleModel);
  const curves = joint.curves();
  curves.at(cohort);
  const known = Object.entries({ Stature: row.statureMm, BodyMass: row.massKg }).flatMap((one) => {
    const [quantity, value] = [peopleModel.indexOf(one[0]), one[1]];
    const knots = curves.of(quantity);
    if (value === undefined || knots === undefined) return [];
    return Math.abs(curveInverse(knots, value)) <= BELIEVED_Z ? [{ quantity, value }] : [];
  });
  const person = completePerson(joint, cohort, curves, known, 1, 0);
  const found = (name: string) => person.of(peopleModel.indexOf(name));
  const expected = (meaning: Meaning): Expected | undefined => {
    if (typeof meaning === 'string') {
      const one = found(meaning);
      if (one === undefined) return undefined;
      const error = meaning === 'BMI' ? BMI_ERROR_SHARE * one.expected : measurementError(meaning);
      return { mean: one.expected, sd: Math.hypot((one.high - one.low) / 2, error) };
    }
    const [ratio, sd] = meaning.ratios[cohort.gender] as readonly [number, number];
    const stature = found('Stature')?.expected ?? Number.NaN;
    const mass = found('BodyMass')?.expected ?? Number.NaN;
    const size = meaning.isGirth ? Math.sqrt(mass / (stature / 1000)) : stature;
    return Number.isNaN(size) ? undefined : { mean: ratio * size, sd: sd * size };
  };
  return new Map(meanings.map((meaning) => [meaning, expected(meaning)]));
}
