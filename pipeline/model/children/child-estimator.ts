import { GENDERS, type Gender, type PerGender } from '../../../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../../../src/core/measurements.js';
import { blend, lnMedian, type Marginal, withMedian } from '../../numerics/marginal.js';
import { smoothStep } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS, STANDING_FROM_YEARS } from '../../plans/axes.js';
import { LIKENESSES } from '../../plans/dependencies.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import type { Term } from '../../plans/formula.js';
import { JOINING_FROM, PARTING, SPREADING_FROM, SURVEYED_FROM } from '../../plans/growth-rules.js';
import { SOFT_DIMENSIONS } from '../../plans/nhanes-plan.js';
import type { Cohort } from '../cohort.js';
import type { Covariates } from '../covariates.js';
import {
  type ChildFit,
  countryCovariates,
  countryDeparture,
  type FittedModel,
} from '../fitted-model.js';
import { type ConditionalModel, marginalOf } from '../regressions/conditional-model.js';
import { adultModelOf } from '../regressions/nhanes-estimator.js';

/**
 * The age that corresponds to `JOINING_FROM` for soft dimensions. Their step is larger, because people of another era were less
 * or more fat.
 */
const SOFT_JOINING_FROM = 15;
const SOFT: ReadonlySet<string> = new Set(SOFT_DIMENSIONS);

/** Head and face dimensions. Below 2.5 years, they grow with the head and not with stature. */
const HEAD = new Set<string>(
  MEASUREMENTS.filter(
    ({ name, kind }) => kind === 'face' || /^(BackOfHead|Head|TopOfHead|Bitragion)/.test(name),
  ).map(({ name }) => name),
);

/** Segments of the arm. Below 2.5 years, they keep the share of length that NHANES shows. */
const ARM = new Set<string>([
  ...['ElbowFingertipLength', 'ForearmLength', 'ShoulderElbowLength', 'UpperArmLength'],
]);

/**
 * Dimensions that keep their proportion to a neighbour below 2.5 years: the wrist to the hand, the ankle to the
 * foot. Between 2.5 and 5.5 years, the wrist hardly grows, and the ankle grows faster than the foot. Neither is the
 * growth of infants.
 */
const NEIGHBOURS: ReadonlyMap<string, string> = new Map([
  ['WristCircumference', 'HandBreadth'],
  ['FootHeight', 'FootLength'],
]);

/**
 * Means (mm) of newborns. The allometry below 2.5 years meets them. Newborns of normal mass have 108.6 ± 0.9 mm, light ones
 * 91.6 (Indian J. Child Health 2019;6(2), doi 10.32677/IJCH.2019.v06.i02.010; abstract).
 */
const NEWBORN_MM: ReadonlyMap<string, number> = new Map([['CalfCircumference', 108]]);

/** One population at one age. */
type People = Pick<Cohort, 'gender' | 'country' | 'ageYears' | 'covariates'>;

/** The people of 20 years towards which children grow. */
export interface Grown {
  /** The same population at 20 years. */
  readonly cohort: Cohort;
  /** Both genders of the country at 20 years, as the adult models estimate them. */
  readonly adults: PerGender<Cohort>;
}

/**
 * Mean over the genders of a proportion (ln) less that of the own gender, as far as the genders have not
 * parted at the age.
 */
function towardsOtherGender(
  { gender, ageYears }: Cohort,
  { adults }: Grown,
  name: MeasurementName,
  lnProportion: (adult: Cohort) => number,
): number {
  const share = 1 - smoothStep(ageYears, PARTING.from, PARTING.to);
  if (share === 0 || !GENDERS.every((one) => adults[one].has(name))) return 0;
  const [male, female] = [lnProportion(adults.Male), lnProportion(adults.Female)];
  return (share * (gender === 'Male' ? female - male : male - female)) / 2;
}

/**
 * Estimates a dimension under 20 years from Snyder 1977 if that survey measured it. Otherwise the dimension
 * is in proportion to other dimensions of the same children. If there are none, it comes from the adult
 * model.
 *
 * @param grown the people towards which the child grows
 */
export function estimateChild(
  model: FittedModel,
  cohort: Cohort,
  grown: Grown,
  name: MeasurementName,
): Marginal {
  const adult = marginalOf(adultModelOf(model, cohort, name), cohort.covariates);
  if (name === 'Stature') return { ...adult, mean: cohort.covariates.lnStature };
  const fit = model.children[cohort.gender].get(name);
  const { childhood } = DIMENSION_PLAN[name];
  if (childhood?.kind === 'snyder' && fit !== undefined) {
    const child = estimateFromSurvey(model, cohort, name, fit);
    const stepOf = (adult: Cohort): number => {
      const survey = model.children[adult.gender].get(name) ?? fit;
      const atTwenty = survey.at(adult.covariates, ADULT_AGE_YEARS).level;
      const departure = countryDeparture(model, adult.gender, adult.country, name);
      return adult.estimate(name).mean - atTwenty - departure;
    };
    const towards = childhood.shared === true ? towardsOtherGender(cohort, grown, name, stepOf) : 0;
    const step = stepOf(grown.cohort) + towards;
    const from = SOFT.has(name) ? SOFT_JOINING_FROM : JOINING_FROM;
    const joined = smoothStep(cohort.ageYears, from, ADULT_AGE_YEARS);
    const taken = childhood.offset === 'constant' ? 1 : joined;
    const own = model.childDeparture(cohort.gender, cohort.country, name, cohort.ageYears);
    const share = smoothStep(cohort.ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
    return {
      ...blend(child, adult, share),
      mean: child.mean + taken * step + (1 - joined) * own,
    };
  }
  const likeness = LIKENESSES.get(name);
  // Without a likeness, the dimension has an identity. The identity gives the level later.
  if (likeness === undefined) return adult;
  const lnProportion = (adult: Cohort): number =>
    lnMedian(adult.estimate(name)) - Math.log(adult.valueMm(likeness));
  const proportion =
    lnProportion(grown.cohort) + towardsOtherGender(cohort, grown, name, lnProportion);
  const spread = spreadLike(model, cohort, adult, name, likeness);
  return withMedian(spread, Math.exp(proportion) * cohort.valueMm(likeness));
}

/**
 * Girths whose spread among children is that of the dimension to which they are in proportion, times the ratio of the spreads
 * that the adult models give. The girths of soldiers follow BMI less: with their spread, the hands of heavy children would be
 * thinner than the wrists, and the thighs of lean ones thicker in the middle than at the top.
 */
const SPREAD_LIKE = new Set<string>(['HandCircumference', 'ThighCircumferenceMidpoint']);

/** The spread of a dimension that is in proportion to others. */
function spreadLike(
  model: FittedModel,
  cohort: Cohort,
  adult: Marginal,
  name: MeasurementName,
  likeness: readonly Term[],
): Marginal {
  const [{ of } = {}] = likeness;
  if (of === undefined || !SPREAD_LIKE.has(name)) return adult;
  const { sd, skew, tails } = cohort.marginal(of);
  const adultOf = marginalOf(adultModelOf(model, cohort, of), cohort.covariates);
  const child = { mean: adult.mean, sd: (sd * adult.sd) / adultOf.sd, skew, tails };
  return blend(child, adult, smoothStep(cohort.ageYears, SPREADING_FROM, ADULT_AGE_YEARS));
}

/**
 * A dimension of Snyder 1977 in a country. Snyder's children are Americans, so only the country's
 * difference from the US is added. The US departure corrects the adult survey, and the step between the
 * surveys contains it.
 */
function estimateFromSurvey(
  model: FittedModel,
  cohort: Cohort,
  name: MeasurementName,
  fit: ChildFit,
): Marginal {
  const survey = surveyModel(model, cohort, name, fit);
  const departure = countryDeparture(model, cohort.gender, cohort.country, name);
  return { ...marginalOf(survey, cohort.covariates), mean: survey.level + departure };
}

/** The survey's model of a dimension, extended below the survey's youngest age. */
function surveyModel(
  model: FittedModel,
  people: People,
  name: string,
  fit: ChildFit,
): ConditionalModel {
  const { gender, country, ageYears, covariates } = people;
  if (ageYears >= SURVEYED_FROM) return fit.at(covariates, ageYears);
  const youngest: People = {
    ...{ gender, country, ageYears: SURVEYED_FROM },
    covariates: countryCovariates(model, gender, country, SURVEYED_FROM),
  };
  const surveyed = fit.at(youngest.covariates, SURVEYED_FROM);
  const slopes = { stature: fit.growth, bmi: surveyed.slopeBmi };
  const level = surveyed.level + infantGrowth(model, name, slopes, people, youngest);
  return { ...surveyed, level };
}

/**
 * Addition to the exponent of growth below 2.5 years with which a newborn of the US has the published mean.
 */
function toNewborn(
  model: FittedModel,
  name: string,
  slopes: { readonly stature: number; readonly bmi: number },
  gender: Gender,
): number {
  const newbornMm = NEWBORN_MM.get(name);
  const fit = model.children[gender].get(name);
  if (newbornMm === undefined || fit === undefined) return 0;
  const [newborn, youngest] = [0, SURVEYED_FROM].map((ageYears) =>
    countryCovariates(model, gender, 'US', ageYears),
  ) as [Covariates, Covariates];
  const longer = newborn.lnStature - youngest.lnStature;
  const grown = Math.log(newbornMm) - fit.at(youngest, SURVEYED_FROM).level;
  return (grown - slopes.bmi * (newborn.lnBmi - youngest.lnBmi)) / longer - slopes.stature;
}

/**
 * ln of a dimension of infants over the same dimension at the survey's youngest age. The head grows as
 * infants' head girth does. At birth in the US, it has the girth of the reference. The arm keeps its share
 * of length. The armpit follows the notch of the breastbone beside it, and the wrist and the ankle follow hand and
 * foot. All other dimensions follow the allometry of growth, and BMI.
 */
function infantGrowth(
  model: FittedModel,
  name: string,
  slopes: { readonly stature: number; readonly bmi: number },
  infants: People,
  youngest: People,
): number {
  const grown = (curve: FittedModel['lnInfantHeadGirth']) =>
    curve(infants.gender, infants.ageYears) - curve(youngest.gender, youngest.ageYears);
  const covariates =
    DIMENSION_PLAN[name as MeasurementName].trunkShare === undefined
      ? standing(model, infants)
      : infants.covariates;
  const longer = covariates.lnStature - youngest.covariates.lnStature;
  if (HEAD.has(name)) {
    const young = 1 - infants.ageYears / SURVEYED_FROM;
    const born = young * newbornHead(model, infants, name);
    return grown(model.lnInfantHeadGirth) - young * headStep(model, infants.gender) + born;
  }
  if (ARM.has(name)) return grown(model.lnInfantArmShare) + longer;
  if (name === 'ArmpitHeightStanding') {
    return lnNotchHeight(model, infants) - lnNotchHeight(model, youngest);
  }
  const neighbour = NEIGHBOURS.get(name);
  const near = neighbour === undefined ? undefined : model.children[infants.gender].get(neighbour);
  if (neighbour !== undefined && near !== undefined) {
    const lnAt = (people: People) => surveyModel(model, people, neighbour, near).level;
    return lnAt(infants) - lnAt(youngest);
  }
  return (
    (slopes.stature + toNewborn(model, name, slopes, infants.gender)) * longer +
    slopes.bmi * (covariates.lnBmi - youngest.covariates.lnBmi)
  );
}

/**
 * The covariates without what lying adds to length at 2 years, less the younger the child. It lengthens the body, which
 * loses height with age too (`trunkShare`), and no limb.
 */
function standing(
  model: FittedModel,
  { gender, country, ageYears, covariates }: People,
): Covariates {
  if (ageYears >= STANDING_FROM_YEARS) return covariates;
  const [before, after] = [STANDING_FROM_YEARS - 1e-9, STANDING_FROM_YEARS].map(
    (age) => countryCovariates(model, gender, country, age).lnStature,
  ) as [number, number];
  const lying = (ageYears / STANDING_FROM_YEARS) * (before - after);
  const { lnStature, lnBmi } = covariates;
  return { ...covariates, lnStature: lnStature - lying, lnBmi: lnBmi + 2 * lying };
}

/**
 * ln of the survey's head girth over that of the reference of infants, in the US at the survey's youngest
 * age. From birth to that age, this step is added linearly.
 */
function headStep(model: FittedModel, gender: Gender): number {
  const fit = model.children[gender].get('HeadGirth');
  if (fit === undefined) return 0;
  const covariates = countryCovariates(model, gender, 'US', SURVEYED_FROM);
  return fit.at(covariates, SURVEYED_FROM).level - model.lnInfantHeadGirth(gender, SURVEYED_FROM);
}

/**
 * What leads from the children of a country at the survey's youngest age, against those of the US, to its newborns
 * against those of the US.
 */
function newbornHead(model: FittedModel, { gender, country }: People, name: string): number {
  const fit = model.children[gender].get(name);
  if (fit === undefined || model.lnNewbornHead === undefined) return 0;
  const levelOf = (of: string) =>
    fit.at(countryCovariates(model, gender, of, SURVEYED_FROM), SURVEYED_FROM).level;
  return model.lnNewbornHead(country) - (levelOf(country) - levelOf('US'));
}

/** ln height (mm) of the notch of the breastbone: stature + trunk length − sitting height. */
function lnNotchHeight(model: FittedModel, people: People): number {
  const mm = (name: string) => {
    const fit = model.children[people.gender].get(name);
    if (fit === undefined) throw new Error(`snyder1977 has no ${name}`);
    return Math.exp(surveyModel(model, people, name, fit).level);
  };
  return Math.log(Math.exp(people.covariates.lnStature) + mm('TrunkLength') - mm('SittingHeight'));
}
