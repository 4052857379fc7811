import { COUNTRY_CODES } from '../core/countries.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { type CellEvidence, medianInterval } from '../lookup/evidence.js';
import { GRADES, type Grade } from '../lookup/format.js';
import type { WeightedCohorts } from '../population/people-model.js';
import type { PredictionModel } from './prediction-model.js';

/** Share of the people who at least have the grade of a population, or a worse one. */
const GRADED_SHARE = 0.1;

/** How well the medians of a measurement are known in a population. */
export interface PopulationEvidence {
  /** The grade of its people; a tenth of them have a worse one at most. */
  readonly grade: Grade;
  /** 90 % error of a median, as a share of it: the mean over the people. */
  readonly error: number;
}

/** The evidence for a measurement, over all cells of a population. Undefined if the model has none. */
export function populationEvidence(
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
