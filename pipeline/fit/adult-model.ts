import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import type { Basis } from '../model/plan.js';
import type { Cell } from '../tables/database.js';
import type { Survey, SurveyGroup } from '../tables/surveys.js';
import type { Given } from './dimension.js';
import { covarianceOf, regress } from './regression.js';
import type { Drivers } from './us-drivers.js';

/** The drivers of the regressions, as the survey tables name them. */
const PREDICTORS = ['Stature', 'Bmi', 'AgeYears', 'AgeYearsSquared'] as const;
/** Younger soldiers are rare; the age effect is held constant there. */
const AGE_FROM = 18;
/** Least share of a published CV that is left as residual when slopes are borrowed. */
const LEAST_RESIDUAL_SHARE = 0.3;

/** ln D of one dimension given stature, BMI and age, with the sample it was centred in. */
export interface AdultFit {
  readonly level: number;
  readonly slopes: readonly [stature: number, bmi: number, age: number, ageSquared: number];
  readonly centre: readonly [lnStature: number, lnBmi: number, age: number, ageSquared: number];
  /** P99 of age in the survey, beyond which the age effect is held constant. */
  readonly oldestYears: number;
  readonly residualSd: number;
  readonly residualThird: number;
  /** Survey variable whose residual this one's follows, and how closely (for correlations). */
  readonly residual: { readonly variable: string; readonly share: number };
}

/** The survey tables the adult model rests on. */
export interface AdultSources {
  readonly ansur1: Survey;
  readonly ansur2: Survey;
  readonly headboard: readonly Record<string, Cell>[];
}

type Surveyed = 'ansur1' | 'ansur2';

function groupOf(sources: AdultSources, survey: Surveyed, gender: Gender): SurveyGroup {
  const group = sources[survey].group(gender, 'adult');
  if (group === undefined) throw new Error(`${survey} has no ${gender} adults`);
  return group;
}

function centreOf(group: SurveyGroup): AdultFit['centre'] {
  const [s, b, a, a2] = PREDICTORS.map((name) => group.moment(name).tMean);
  return [s, b, a, a2] as AdultFit['centre'];
}

/** Regression within a survey. A linear variable (a difference) is scaled by its median. */
function surveyFit(group: SurveyGroup, variable: string): AdultFit {
  const moment = group.moment(variable);
  const centre = centreOf(group);
  const oldestYears = group.moment('AgeYears').p99;
  if (variable === 'Stature') {
    const slopes = [1, 0, 0, 0] as const;
    const residual = { variable, share: 0 };
    return {
      level: moment.tMean,
      slopes,
      centre,
      oldestYears,
      residualSd: 0,
      residualThird: 0,
      residual,
    };
  }
  const { slopes, residualVariance } = regress(covarianceOf(group), variable, PREDICTORS);
  const scale = moment.transform === 'log' ? 1 : 1 / moment.p50;
  const level = moment.transform === 'log' ? moment.tMean : Math.log(moment.p50);
  const [bs, bb, ba, ba2] = slopes.map((slope) => slope * scale);
  const bmi = group.moment('Bmi');
  const third = moment.tSkew * (moment.tSd * scale) ** 3;
  return {
    level,
    slopes: [bs, bb, ba, ba2] as AdultFit['slopes'],
    centre,
    oldestYears,
    residualSd: Math.sqrt(residualVariance) * scale,
    // Third cumulants of independent parts add; what BMI's skew does not explain is the residual's.
    residualThird: third - ((bb as number) * bmi.tSd) ** 3 * bmi.tSkew,
    residual: { variable, share: 1 },
  };
}

/** What slopes leave of a published coefficient of variation; never less than a share of it. */
function residualOf(slopes: AdultFit['slopes'], cv: number, group: SurveyGroup): number {
  const covariance = covarianceOf(group);
  let explained = 0;
  PREDICTORS.forEach((a, i) => {
    PREDICTORS.forEach((b, j) => {
      explained += (slopes[i] as number) * (slopes[j] as number) * covariance(a, b);
    });
  });
  return Math.sqrt(Math.max(cv * cv - explained, (LEAST_RESIDUAL_SHARE * cv) ** 2));
}

/** Borrowed slopes about a published level; the residual makes up the published spread. */
function borrowedFit(
  like: AdultFit,
  level: number,
  centre: AdultFit['centre'],
  cv: number,
  group: SurveyGroup,
): AdultFit {
  const residualSd = residualOf(like.slopes, cv, group);
  const share = Math.min(1, (like.residualSd * like.residual.share) / residualSd);
  const residual = { variable: like.residual.variable, share: Math.min(share, 0.95) };
  return { ...like, level, centre, residualSd, residualThird: 0, residual };
}

/** Fits every dimension's plan for one gender; aliases share the fit of the dimension they name. */
export function fitAdults(sources: AdultSources, gender: Gender): Map<string, AdultFit> {
  const fits = new Map<string, AdultFit>();
  const ansur2 = groupOf(sources, 'ansur2', gender);
  const fitOf = (name: string): AdultFit => {
    const known = fits.get(name);
    if (known !== undefined) return known;
    const plan = DIMENSION_PLAN[name as MeasurementName];
    const basis: Basis = plan?.basis ?? { kind: 'survey', survey: 'ansur2' };
    const fit = fitBasis(basis, name);
    fits.set(name, fit);
    return fit;
  };
  const fitBasis = (basis: Basis, name: string): AdultFit => {
    switch (basis.kind) {
      case 'alias':
        return fitOf(basis.of);
      case 'survey': {
        const group = groupOf(sources, basis.survey, gender);
        const fit = surveyFit(group, name);
        const sdMm = DIMENSION_PLAN[name as MeasurementName]?.sdMm?.[gender === 'Male' ? 0 : 1];
        if (sdMm === undefined) return fit;
        const residualSd = residualOf(fit.slopes, sdMm / Math.exp(fit.level), group);
        return { ...fit, residualSd, residualThird: 0 };
      }
      case 'headboard': {
        const row = sources.headboard.find(
          (entry) => entry.dimension === basis.dimension && entry.gender === gender,
        );
        if (row === undefined) throw new Error(`ansur1-headboard has no ${basis.dimension}`);
        const mean = Number(row.mean_mm);
        const group = groupOf(sources, 'ansur1', gender);
        const cv = Number(row.sd_mm) / mean;
        return borrowedFit(fitOf(basis.like), Math.log(mean), centreOf(group), cv, group);
      }
      case 'published': {
        const [mean, sd] = basis.meanSdMm[gender];
        const like = fitOf(basis.like);
        return borrowedFit(like, Math.log(mean), like.centre, sd / mean, ansur2);
      }
      case 'ratio': {
        const like = fitOf(basis.of);
        const level = like.level + Math.log(basis.ratio[gender]);
        return borrowedFit(like, level, like.centre, basis.cv[gender], ansur2);
      }
    }
  };
  for (const name of Object.keys(DIMENSION_PLAN)) {
    if (name === 'FemaleChestCircumferenceBelowBreasts' && gender === 'Male') continue;
    fitOf(name);
  }
  return fits;
}

/**
 * An adult dimension in a population. `lnYouthStature` is ln stature before any loss with age: the
 * limbs stay what they were; `lossMm` is taken off the dimension itself by its trunk share.
 */
export function adultGiven(
  fit: AdultFit,
  drivers: Drivers,
  ageYears: number,
  lnYouthStature: number,
  lossMm: number,
): Given {
  const age = Math.min(fit.oldestYears, Math.max(AGE_FROM, ageYears));
  const [bs, bb, ba, ba2] = fit.slopes;
  const [s, b, a, a2] = fit.centre;
  const young =
    fit.level +
    bs * (lnYouthStature - s) +
    bb * (drivers.lnBmi - b) +
    ba * (age - a) +
    ba2 * (age * age - a2);
  return {
    level: lossMm === 0 ? young : Math.log(Math.exp(young) - lossMm),
    slopeStature: bs,
    slopeBmi: bb,
    residualSd: fit.residualSd,
    residualThird: fit.residualThird,
  };
}
