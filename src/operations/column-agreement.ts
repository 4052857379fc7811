import { COUNTRY_CODES } from '../core/countries.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { measurementError } from '../core/measurement-errors.js';
import { curveInverse } from '../lookup/cell.js';
import { type CompletedPerson, completePerson } from '../population/person.js';
import type { OtherMeaning } from '../search/other-meanings.js';
import { BELIEVED_Z } from './known-values.js';
import type { PredictionModel } from './prediction-model.js';

/** A person of a row. The age is in years. */
export interface RowPerson {
  readonly country: string;
  readonly gender: Gender;
  readonly age: number;
  readonly statureMm?: number | undefined;
  readonly massKg?: number | undefined;
}

/** What a column may have. */
export interface ReadingToJudge {
  /** A measurement, or a dimension that this service does not have. */
  readonly meaning: string | OtherMeaning;
  /** Its values in mm, kg or kg/m², one for each person; NaN where there is none. */
  readonly values: readonly number[];
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
 * Compares the values of columns with the distributions of their readings, given what is known of each row. The spread
 * is one standard deviation of people and of the medians, and the error of a measured value (ISO 20685-1).
 */
export function agreementsOf(
  people: readonly RowPerson[],
  columns: readonly (readonly ReadingToJudge[])[],
  model: PredictionModel,
): Agreement[][] {
  const sums = columns.map((readings) =>
    readings.map(() => ({ count: 0, farCount: 0, z: 0, value: 0, expected: 0 })),
  );
  for (const [row, person] of people.entries()) {
    const expectedOf = expectation(person, model);
    for (const [c, readings] of columns.entries()) {
      for (const [r, { meaning, values }] of readings.entries()) {
        const value = values[row] as number;
        const found = value > 0 ? expectedOf(meaning) : undefined;
        const sum = sums[c]?.[r];
        if (found === undefined || sum === undefined) continue;
        const z = (value - found.mean) / found.sd;
        sum.count++;
        if (Math.abs(z) > LIMITS.each) sum.farCount++;
        sum.z += Math.max(-FARTHEST_Z, Math.min(FARTHEST_Z, z));
        sum.value += value;
        sum.expected += found.mean;
      }
    }
  }
  return sums.map((readings) =>
    readings.map(({ count, farCount, z, value, expected }) => ({
      ...{ count, farCount, meanZ: z / count, mean: value / count, expected: expected / count },
    })),
  );
}

type Expectation = (meaning: string | OtherMeaning) => { mean: number; sd: number } | undefined;

/** The mean and the standard deviation of what people like the person have. */
function expectation(row: RowPerson, model: PredictionModel): Expectation {
  const { country, gender, age, statureMm, massKg } = row;
  const joint = model.people();
  const { peopleModel } = joint;
  const cohort = {
    country: (COUNTRY_CODES as readonly string[]).indexOf(country),
    gender: GENDERS.indexOf(gender),
    ageYears: age,
    year: peopleModel.views.manifest.referenceYear,
  };
  const curves = joint.curves();
  curves.at(cohort);
  const known = Object.entries({ Stature: statureMm, BodyMass: massKg }).flatMap(
    ([name, value]) => {
      const quantity = peopleModel.indexOf(name);
      const knots = curves.of(quantity);
      const isBelieved =
        value !== undefined &&
        knots !== undefined &&
        Math.abs(curveInverse(knots, value)) <= BELIEVED_Z;
      return isBelieved ? [{ quantity, value }] : [];
    },
  );
  const person: CompletedPerson = completePerson(joint, cohort, curves, known, 1, 0);
  const found = (name: string) => person.of(peopleModel.indexOf(name));
  return (meaning) => {
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
}
