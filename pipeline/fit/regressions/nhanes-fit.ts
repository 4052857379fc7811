import { type Gender, type PerGender, perGender } from '../../../src/core/genders.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import type { ByAge, Covariates } from '../../model/covariates.js';
import type { MilitaryFit, NhanesFit, NhanesFits } from '../../model/fitted-model.js';
import { militaryModel } from '../../model/regressions/military-model.js';
import { marginalThrough } from '../../numerics/marginal.js';
import { localLinear, memoise } from '../../numerics/numbers.js';
import { NHANES_DIMENSIONS, type NhanesDimension } from '../../plans/nhanes-plan.js';
import type { Moment, Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import { groupCovariates, meanAge } from '../covariates/group-covariates.js';
import { OLDEST_GROUP_YEARS, windowYears } from '../covariates/smoothing.js';
import { fitTails } from '../covariates/tails.js';
import { type Covariance, covarianceOf, regress } from './regression.js';

/** Factor on the smoothing window. One age group says little about slopes, which change slowly with age. */
const SLOPE_WINDOW_SHARE = 2;
const SPREAD_WINDOW_SHARE = 1.2;

/** One age group with its own regression slopes. */
interface AgeGroup {
  readonly age: number;
  readonly moment: Moment;
  readonly covariates: Covariates;
  readonly slopeStature: number;
  readonly slopeBmi: number;
  /** Covariances of ln stature and ln BMI among the people measured. */
  readonly varianceStature: number;
  readonly varianceBmi: number;
  readonly covariance: number;
  /** Share of the variance of ln D that the group's own regression leaves. */
  readonly shareLeft: number;
}

interface Slopes {
  readonly stature: number;
  readonly bmi: number;
}

/**
 * Adds ln BMI = ln mass − 2 ln length (m) to groups of infants. The survey gives only their mass and
 * length.
 */
function addBmi(group: SurveyGroup, variable: string): void {
  const [mass, length] = [group.moment('BodyMass'), group.moment('Stature')];
  const covariance = covarianceOf(group);
  const withBmi = (x: string) => covariance(x, 'BodyMass') - 2 * covariance(x, 'Stature');
  const variance = withBmi('BodyMass') - 2 * withBmi('Stature');
  const tMean = mass.tMean - 2 * (length.tMean - Math.log(1000));
  group.moments.set('Bmi', { ...mass, tMean, tSd: Math.sqrt(variance), tSkew: 0 });
  group.addCovariance('Bmi', 'Bmi', mass.n, variance);
  for (const x of ['Stature', variable]) group.addCovariance(x, 'Bmi', mass.n, withBmi(x));
}

/**
 * Covariances among the people who have the dimension. The survey gives no BMI for infants, so they get the
 * covariances of the whole group: nearly all infants have the dimension.
 */
function covarianceAmong(group: SurveyGroup, variable: string): Covariance {
  const subsample = group.subsamples.get(variable);
  if (subsample !== undefined) return subsample.covariance as Covariance;
  const names: Record<string, string> = { dimension: variable, stature: 'Stature', bmi: 'Bmi' };
  const covariance = covarianceOf(group);
  return (a, b) => covariance(names[a], names[b]);
}

function ageGroups(nhanes: Survey, gender: Gender, plan: NhanesDimension): AgeGroup[] {
  const found: AgeGroup[] = [];
  for (const [ages, group] of nhanes.groupsOf(gender, plan.period)) {
    if (!group.moments.has(plan.variable)) continue;
    if (!group.moments.has('Bmi')) addBmi(group, plan.variable);
    const covariance = covarianceAmong(group, plan.variable);
    const fields = ['stature', 'bmi'] as const;
    const { slopes, residualVariance } = regress(covariance, 'dimension', fields);
    found.push({
      age: meanAge(ages, group),
      moment: group.moment(plan.variable),
      covariates: groupCovariates(group),
      slopeStature: slopes[0],
      slopeBmi: slopes[1],
      varianceStature: covariance('stature', 'stature'),
      varianceBmi: covariance('bmi', 'bmi'),
      covariance: covariance('stature', 'bmi'),
      shareLeft: residualVariance / covariance('dimension', 'dimension'),
    });
  }
  return found.sort((a, b) => a.age - b.age);
}

/**
 * Level and residual of a group from its percentiles, given the slopes at its age. The residual completes
 * the spread that the percentiles show. It is at least half of what the regression leaves, because the
 * tails alone must not make people of one stature and BMI equal.
 */
function partsOf(group: AgeGroup, slopes: Slopes, today: Covariates) {
  const { age, moment, covariates } = group;
  const { mean, sd, skew } = marginalThrough(moment.p5, moment.p50, moment.p95);
  const bs = slopes.stature * covariates.lnStatureSd;
  const bb = slopes.bmi * covariates.lnBmiSd;
  const explained =
    slopes.stature ** 2 * group.varianceStature +
    slopes.bmi ** 2 * group.varianceBmi +
    2 * slopes.stature * slopes.bmi * group.covariance;
  return {
    age,
    level:
      mean +
      slopes.stature * (today.lnStature - covariates.lnStature) +
      slopes.bmi * (today.lnBmi - covariates.lnBmi),
    variance: sd * sd * Math.max(1 - explained / (sd * sd), group.shareLeft / 2),
    third: skew * sd ** 3 - bb ** 3 * covariates.lnBmiSkew - bs ** 3 * covariates.lnStatureSkew,
  };
}

function fitOne(
  nhanes: Survey,
  gender: Gender,
  plan: NhanesDimension,
  us: (ageYears: number) => Covariates,
): NhanesFit {
  const groups = ageGroups(nhanes, gender, plan);
  const ages = groups.map(({ age }) => age);
  const weights = groups.map(({ moment }) => moment.n);
  const youngest = Math.max(plan.fromYears, ages[0]);
  const curve = <T>(from: readonly T[], pick: (entry: T) => number, widen: number) => {
    const values = from.map(pick);
    return (age: number) => localLinear(ages, values, weights, age, widen * windowYears(age));
  };
  const slopeStature = curve(groups, (group) => group.slopeStature, SLOPE_WINDOW_SHARE);
  const slopeBmi = curve(groups, (group) => group.slopeBmi, SLOPE_WINDOW_SHARE);
  const parts = groups.map((group) => {
    const slopes = { stature: slopeStature(group.age), bmi: slopeBmi(group.age) };
    return partsOf(group, slopes, us(group.age));
  });
  const level = curve(parts, (part) => part.level, 1);
  const variance = curve(parts, (part) => part.variance, SPREAD_WINDOW_SHARE);
  const third = curve(parts, (part) => part.third, SPREAD_WINDOW_SHARE);
  const tails = fitTails(groups);
  const leastVariance = Math.min(...parts.map((part) => part.variance));
  const at = memoise((age: number) => {
    const measured = Math.min(Math.max(age, youngest), OLDEST_GROUP_YEARS);
    return {
      // Below the youngest age measured, the slopes carry the change of size. Above the oldest age, size is
      // compared with the US population of the same age, so a loss of stature changes no girth.
      us: us(Math.max(age, youngest)),
      level: level(measured),
      slopeStature: slopeStature(measured),
      slopeBmi: slopeBmi(measured),
      residualSd: Math.sqrt(Math.max(leastVariance, variance(measured))),
      residualThird: third(measured),
      tails: tails(measured),
    };
  });
  return {
    plan,
    at(covariates, ageYears) {
      const { us: today, ...model } = at(ageYears);
      const taller = covariates.lnStature - today.lnStature;
      const heavier = covariates.lnBmi - today.lnBmi;
      const moved = model.slopeStature * taller + model.slopeBmi * heavier;
      return { ...model, level: model.level + moved };
    },
  };
}

/**
 * Fits the dimensions that NHANES measures to the general population of the US. Within each age group, ln D
 * is regressed on ln stature and ln BMI (from covariances), and its shape is drawn through P5, P50 and P95.
 * Level, slopes and residual are then smoothed over age (local linear regression). The slopes adjust
 * earlier periods to the stature and BMI of today.
 *
 * @param us covariates of the US population today
 */
export function fitNhanes(nhanes: Survey, us: ByAge<Covariates>): NhanesFits {
  return perGender(
    (gender) =>
      new Map(
        NHANES_DIMENSIONS.map((plan) => [
          plan.measurement,
          fitOne(nhanes, gender, plan, (age) => us(gender, age)),
        ]),
      ),
  );
}

/** ln of NHANES' level over the military level, at the stature, BMI and age of the military survey. */
export function levelGap(nhanes: NhanesFit, military: MilitaryFit, group: SurveyGroup): number {
  const [covariates, ageYears] = [groupCovariates(group), group.moment('AgeYears').mean];
  const { lnStature: lnYouthStature, lnBmi } = covariates;
  return (
    nhanes.at(covariates, ageYears).level -
    militaryModel(military, { lnYouthStature, lnBmi, ageYears }, 0).level
  );
}

/**
 * Gives dimensions that NHANES defines differently the military level, at the stature, BMI and age of
 * the military survey.
 */
export function withMilitaryLevels(
  fits: NhanesFits,
  military: PerGender<ReadonlyMap<string, MilitaryFit>>,
  survey: Survey,
): NhanesFits {
  const levelled = (gender: Gender, name: MeasurementName, fit: NhanesFit): NhanesFit => {
    const soldiers = military[gender].get(name);
    if (fit.plan.definition === 'same' || soldiers === undefined) return fit;
    const gap = levelGap(fit, soldiers, survey.adults(gender));
    const at: NhanesFit['at'] = (covariates, ageYears) => {
      const model = fit.at(covariates, ageYears);
      return { ...model, level: model.level - gap };
    };
    return { ...fit, at };
  };
  return perGender(
    (gender) =>
      new Map([...fits[gender]].map(([name, fit]) => [name, levelled(gender, name, fit)])),
  );
}
