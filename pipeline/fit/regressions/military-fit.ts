import type { Gender } from '../../../src/core/genders.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import type { MilitaryFit } from '../../model/fitted-model.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import type { Basis } from '../../plans/plan.js';
import type { CellValue } from '../../raw-tables/raw-tables.js';
import type { Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import type { AgeEffect, ageEffects } from './age-effects.js';
import { covarianceOf, explainedVariance, PREDICTORS, regress } from './regression.js';

/** Minimum share of a published CV that stays residual when slopes are borrowed. */
export const LEAST_RESIDUAL_SHARE = 0.3;

/** Below this age, the effect of age stays constant, because younger soldiers are rare. */
const YOUNGEST_SOLDIERS_YEARS = 18;

/** The survey tables that the military regressions are fitted to. */
export interface MilitarySources {
  readonly ansur1: Survey;
  readonly ansur2: Survey;
  readonly headboard: readonly Record<string, CellValue>[];
}

function centreOf(group: SurveyGroup): MilitaryFit['centre'] {
  const [s, b, a, a2] = PREDICTORS.map((name) => group.moment(name).tMean);
  return [s, b, a, a2] as MilitaryFit['centre'];
}

/**
 * Regression within a survey. If the variable is linear (a difference), its slopes are divided by its
 * median.
 */
function surveyFit(group: SurveyGroup, variable: string): MilitaryFit {
  const moment = group.moment(variable);
  const centre = centreOf(group);
  const ages = {
    youngestYears: YOUNGEST_SOLDIERS_YEARS,
    oldestYears: group.moment('AgeYears').p99,
  };
  if (variable === 'Stature') {
    const slopes = [1, 0, 0, 0] as const;
    const residual = { variable, share: 0 };
    return {
      ...{ level: moment.tMean, slopes, centre, ...ages },
      ...{ residualSd: 0, residualThird: 0, residual },
    };
  }
  const { slopes, residualVariance } = regress(covarianceOf(group), variable, PREDICTORS);
  const scale = moment.transform === 'log' ? 1 : 1 / moment.p50;
  const level = moment.transform === 'log' ? moment.tMean : Math.log(moment.p50);
  const [bs, bb, ba, ba2] = slopes.map((slope) => slope * scale);
  const [stature, bmi] = [group.moment('Stature'), group.moment('Bmi')];
  const third = moment.tSkew * (moment.tSd * scale) ** 3;
  return {
    level,
    slopes: [bs, bb, ba, ba2] as MilitaryFit['slopes'],
    centre,
    ...ages,
    residualSd: Math.sqrt(residualVariance) * scale,
    // Third cumulants of independent parts add. So the residual has what the skews of stature and BMI do
    // not explain. The skews of a population are added to it later.
    residualThird:
      third - (bs * stature.tSd) ** 3 * stature.tSkew - (bb * bmi.tSd) ** 3 * bmi.tSkew,
    residual: { variable, share: 1 },
  };
}

/** The fit with the effect of age among civilians. The level at the centre stays. */
function withAges(fit: MilitaryFit, effect: AgeEffect | undefined): MilitaryFit {
  if (effect === undefined) return fit;
  const { slopes, ...ages } = effect;
  return { ...fit, ...ages, slopes: [fit.slopes[0], fit.slopes[1], ...slopes] };
}

/** Residual SD: the part of a published coefficient of variation that the slopes do not explain. */
function residualOf(slopes: MilitaryFit['slopes'], cv: number, group: SurveyGroup): number {
  const explained = explainedVariance(covarianceOf(group), PREDICTORS, slopes);
  return Math.sqrt(Math.max(cv * cv - explained, (LEAST_RESIDUAL_SHARE * cv) ** 2));
}

/**
 * Fit with the slopes of another dimension, a published level, and a residual that completes the published
 * spread.
 */
function borrowedFit(
  like: MilitaryFit,
  level: number,
  centre: MilitaryFit['centre'],
  cv: number,
  group: SurveyGroup,
): MilitaryFit {
  const residualSd = residualOf(like.slopes, cv, group);
  const share = Math.min(1, (like.residualSd * like.residual.share) / residualSd);
  const residual = { variable: like.residual.variable, share: Math.min(share, 0.95) };
  return { ...like, level, centre, residualSd, residualThird: 0, residual };
}

/**
 * Fits every dimension's plan for one gender. An alias shares the fit of the dimension that it names.
 *
 * @param ageEffect effect of age among civilians, where it is known
 */
export function fitMilitary(
  sources: MilitarySources,
  gender: Gender,
  ageEffect: ReturnType<typeof ageEffects>,
): Map<string, MilitaryFit> {
  const fits = new Map<string, MilitaryFit>();
  const ansur2 = sources.ansur2.adults(gender);
  const fitOf = (name: string): MilitaryFit => {
    const known = fits.get(name);
    if (known !== undefined) return known;
    const plan = DIMENSION_PLAN[name as MeasurementName];
    const basis: Basis = plan?.basis ?? { kind: 'survey', survey: 'ansur2' };
    const fit = fitBasis(basis, name);
    fits.set(name, fit);
    return fit;
  };
  const fitBasis = (basis: Basis, name: string): MilitaryFit => {
    switch (basis.kind) {
      case 'alias':
        return fitOf(basis.of);
      case 'survey': {
        const group = sources[basis.survey].adults(gender);
        const own = surveyFit(group, name);
        const fit = withAges(own, ageEffect(name as MeasurementName, own.slopes[0]));
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
        const group = sources.ansur1.adults(gender);
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
