import { COUNTRY_CODES } from '../core/countries.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { roundShare } from '../core/units.js';
import { type CellEvidence, medianInterval } from '../lookup/evidence.js';
import { GRADES, type Grade } from '../lookup/format.js';
import { type Limit, sampleOfCohorts, shareWithin } from '../population/limits.js';
import type { Profiles, WeightedCohorts } from '../population/people-model.js';
import { answerFields } from './fields.js';
import type { People } from './population-request.js';
import type { PredictionModel } from './prediction-model.js';

/** Minimum share of the people whose grade is that of the population or worse. */
const GRADED_SHARE = 0.1;

/** How well the medians of a measurement are known in a population. */
interface PopulationEvidence {
  /** The grade of its people; a tenth of them have a worse one at most. */
  readonly grade: Grade;
  /** 90 % error of a median, as a share of it: the mean over the people. */
  readonly error: number;
}

/** The evidence for a measurement, over cells of a population. Undefined if the model has none. */
function populationEvidence(
  model: PredictionModel,
  measurement: string,
  { cohorts, weights }: WeightedCohorts,
): PopulationEvidence | undefined {
  const shares = new Float64Array(GRADES.length);
  let error = 0;
  for (const [c, { country, gender, ageYears }] of cohorts.entries()) {
    const weight = weights[c] as number;
    const found = evidenceAt(model, measurement, {
      gender: GENDERS[gender] as (typeof GENDERS)[number],
      country: COUNTRY_CODES[country] as string,
      age: ageYears,
    });
    if (found === undefined) return undefined;
    error += weight * (medianInterval(1, found)[1] - 1);
    const grade = GRADES.indexOf(found.grade);
    shares[grade] = (shares[grade] as number) + weight;
  }
  let worse = 0;
  let grade = GRADES.length - 1;
  while (grade > 0) {
    worse += shares[grade] as number;
    if (worse > GRADED_SHARE) break;
    grade -= 1;
  }
  return { grade: GRADES[grade] as Grade, error };
}

function evidenceAt(
  model: PredictionModel,
  measurement: string,
  person: Parameters<PredictionModel['evidence']>[1],
): CellEvidence | undefined {
  try {
    return model.evidence(measurement, person);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Answer fields: a share of people if their medians are not exact. */
export const shareBoundFields = {
  low: answerFields.number('Share if all medians were off by their 90 % error, to the worse side.'),
  high: answerFields.number('The same to the better side.'),
};

/** What is known of the median of a quantity among the people of a request. */
export interface MedianError {
  /** Undefined, with an error of 0, if the model has no evidence. */
  readonly grade: Grade | undefined;
  /** 90 % error of the median in mm, kg/m² or kg. */
  readonly error: number;
}

/** Finds what is known of the median of a quantity in some clothing and posture. A sample represents very many cells. */
export function medianError(
  { peopleModel, kept, distributions }: People,
  model: PredictionModel,
  quantity: number,
  profiles: Profiles,
): MedianError {
  const found = populationEvidence(
    model,
    peopleModel.names[quantity] as string,
    sampleOfCohorts(kept),
  );
  if (found === undefined) return { grade: undefined, error: 0 };
  const median = distributions.of(quantity, profiles).value(50);
  return { grade: found.grade, error: found.error * median };
}

/** The directions in which all medians may be off: the people are larger, or smaller, than predicted. */
export const MEDIANS_OFF = [1, -1] as const;

/**
 * The shares inside limits of people whose medians are all off. A sample represents very many cells; it says how far the
 * share moves.
 *
 * @param share the share with the medians as they are
 * @param errors one error for each limit
 */
export function sharesOff(
  { kept }: People,
  limits: readonly Limit[],
  errors: readonly number[],
  share: number,
): readonly number[] {
  const sample = sampleOfCohorts(kept);
  const base = sample === kept ? share : shareWithin(sample, limits).share;
  return MEDIANS_OFF.map((sign) => {
    const moved = limits.map((limit, i) => {
      const by = sign * (errors[i] as number);
      return { ...limit, min: limit.min - by, max: limit.max - by };
    });
    return share + shareWithin(sample, moved).share - base;
  });
}

/** The lowest and the highest of a share and of the shares with other medians. */
export function shareBounds(share: number, off: readonly number[]): { low: number; high: number } {
  return {
    low: roundShare(Math.max(0, Math.min(share, ...off))),
    high: roundShare(Math.min(1, Math.max(share, ...off))),
  };
}
