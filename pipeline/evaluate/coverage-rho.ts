import { GENDERS, type Gender, perGender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { correlationIndex } from '../../src/lookup/cell.js';
import { groupCovariates } from '../fit/covariates/group-covariates.js';
import type { CorrelationEvidence } from '../fit/joint/correlation-evidence.js';
import { emptyCorrelations, fitCorrelations } from '../fit/joint/correlations.js';
import { covarianceOf, PREDICTORS, regress } from '../fit/regressions/regression.js';
import { type FittedModel, withCovariates } from '../model/fitted-model.js';
import type { Survey } from '../raw-tables/surveys.js';

/** Correlation of the normal scores of two dimensions; undefined if it is not known. */
export type Rho = (gender: Gender, a: MeasurementName, b: MeasurementName) => number | undefined;

/** Age of the soldiers’ matrix, about their mean age. */
const MILITARY_AGE_YEARS = 27;

/** The model’s correlations at an age, computed as a build computes them. */
export function modelRho(model: FittedModel, evidence: CorrelationEvidence, ageYears: number): Rho {
  const fitted = emptyCorrelations(1);
  for (const gender of GENDERS) {
    fitCorrelations(fitted, model, evidence, gender, [ageYears], () => undefined);
  }
  const { rho } = fitted;
  const size = MEASUREMENT_NAMES.length;
  return (gender, a, b) => {
    const [g, i, j] = [
      GENDERS.indexOf(gender),
      MEASUREMENT_NAMES.indexOf(a),
      MEASUREMENT_NAMES.indexOf(b),
    ];
    return rho[correlationIndex(size, 0, g, i, j)];
  };
}

/**
 * The correlations of the military model before it is moved to civilians. The stature and BMI of the population vary as
 * among a survey’s adults.
 */
export function militaryRho(
  model: FittedModel,
  evidence: CorrelationEvidence,
  people: Survey,
): Rho {
  const military = withCovariates({
    ...model,
    nhanes: perGender(() => new Map()),
    carryOver: perGender(() => ({ anchors: [], weights: new Map() })),
    usCovariates: (gender, ageYears) => {
      const group = people.group(gender, 'adult');
      const own = model.usCovariates(gender, ageYears);
      if (group === undefined) return own;
      const { lnStatureSd, lnBmiSd, rho } = groupCovariates(group);
      return { ...own, lnStatureSd, lnBmiSd, rho };
    },
  });
  return modelRho(military, evidence, MILITARY_AGE_YEARS);
}

/**
 * Correlations among one survey’s people, taken from other surveys. The slopes on stature and BMI come from one survey,
 * the residual correlations from the evidence.
 */
export function crossRho(sloped: Survey, evidence: CorrelationEvidence, people: Survey): Rho {
  const pairs = new Map(
    GENDERS.map((gender) => [gender, evidence.at(gender, MILITARY_AGE_YEARS, () => undefined)]),
  );
  const partsOf = (gender: Gender, name: string) => {
    const group = sloped.group(gender, 'adult');
    if (group?.moments.has(name) !== true) return undefined;
    if (name === 'Stature') return { stature: 1, bmi: 0, residual: 0 };
    const { slopes, residualVariance } = regress(covarianceOf(group), name, PREDICTORS);
    const [stature = 0, bmi = 0] = slopes;
    return { stature, bmi, residual: Math.sqrt(residualVariance) };
  };
  return (gender, a, b) => {
    const [x, y, group] = [partsOf(gender, a), partsOf(gender, b), people.group(gender, 'adult')];
    const residual = pairs.get(gender);
    if (x === undefined || y === undefined || group === undefined) return undefined;
    const { lnStatureSd: s, lnBmiSd: b2, rho } = groupCovariates(group);
    const shared = (p: typeof x, q: typeof x, left: number): number =>
      p.stature * q.stature * s * s +
      p.bmi * q.bmi * b2 * b2 +
      rho * s * b2 * (p.stature * q.bmi + p.bmi * q.stature) +
      p.residual * q.residual * left;
    return shared(x, y, residual?.(a, b) ?? 0) / Math.sqrt(shared(x, x, 1) * shared(y, y, 1));
  };
}
