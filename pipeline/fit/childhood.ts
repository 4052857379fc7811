import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { parseFormula, type Term } from '../model/combination.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import { type ChildFit, SURVEYED_FROM } from './child-model.js';
import { blend, type Given, lnMedian, type Marginal, marginalOf, withMedian } from './dimension.js';
import { smoothStep } from './numbers.js';
import type { Drivers } from './us-drivers.js';

/** Age from which a step between surveys of one definition is taken up; the children end at 18. */
const JOINING_FROM = 17;
/** Age from which the child's spread turns into the adult's. */
export const SPREADING_FROM = 14;

/** Head and face dimensions, which grow with the head and not with stature below 2.5 years. */
const HEAD = new Set<string>(
  MEASUREMENTS.filter(
    ({ name, kind }) => kind === 'face' || /^(BackOfHead|Head|TopOfHead|Bitragion)/.test(name),
  ).map(({ name }) => name),
);

/** Segments of the arm, which below 2.5 years keep the share of length that NHANES shows. */
const ARM = new Set<string>([
  ...['ElbowFingertipLength', 'ForearmLength', 'ShoulderElbowLength', 'UpperArmLength'],
]);

const LIKENESSES = new Map<string, Term[]>();
for (const [name, { childhood }] of Object.entries(DIMENSION_PLAN)) {
  if (childhood?.kind === 'like') LIKENESSES.set(name, parseFormula(childhood.formula));
}

/** A population of children, and the same grown up: what a child's dimension is computed from. */
export interface Children {
  readonly gender: Gender;
  readonly ageYears: number;
  readonly drivers: Drivers;
  /** Drivers of the same population at another age. */
  readonly driversAt: (ageYears: number) => Drivers;
  readonly grownDrivers: Drivers;
  readonly fits: ReadonlyMap<string, ChildFit>;
  /** ln median head girth (mm) of infants, for growth below the children's survey. */
  readonly lnInfantHeadGirth: (gender: Gender, ageYears: number) => number;
  /** ln of the upper arm's share of infants' length, likewise. */
  readonly lnInfantArmShare: (gender: Gender, ageYears: number) => number;
  /** What the country's departure from the US adds to ln D of the children's survey. */
  readonly departure: (name: MeasurementName) => number;
  /** The adult model of a dimension at the children's drivers. */
  readonly asAdult: (name: MeasurementName) => Given;
  /** The dimension's own model at 20, before identities. */
  readonly grown: (name: MeasurementName) => Marginal;
  /** Value in mm of a formula among the children, and at 20. */
  readonly valueMm: (terms: readonly Term[]) => number;
  readonly grownValueMm: (terms: readonly Term[]) => number;
}

/** Distribution of ln D (mm) of a dimension under 20 years, before identities. */
export function childMarginal(name: MeasurementName, children: Children): Marginal {
  const borrowed = marginalOf(children.asAdult(name), children.drivers);
  if (name === 'Stature') return { ...borrowed, mean: children.drivers.lnStature };
  const fit = children.fits.get(name);
  const { childhood } = DIMENSION_PLAN[name];
  if (childhood?.kind === 'snyder' && fit !== undefined) {
    return surveyed(name, children, fit, childhood.offset, borrowed);
  }
  const likeness = LIKENESSES.get(name);
  if (likeness === undefined) return borrowed; // An identity gives the level; this, the spread.
  const adultMm = Math.exp(lnMedian(children.grown(name)));
  const childMm = (adultMm / children.grownValueMm(likeness)) * children.valueMm(likeness);
  return withMedian(borrowed, childMm);
}

/** A dimension of the children's survey, joined to the adult model. */
function surveyed(
  name: MeasurementName,
  children: Children,
  fit: ChildFit,
  offset: 'constant' | 'fading',
  borrowed: Marginal,
): Marginal {
  const { ageYears, drivers, grownDrivers } = children;
  const adult = children.grown(name);
  const given = carried(name, children, fit);
  const moved = children.departure(name);
  const step = adult.mean - fit.at(grownDrivers, ADULT_AGE_YEARS).level - moved;
  const taken = offset === 'constant' ? 1 : smoothStep(ageYears, JOINING_FROM, ADULT_AGE_YEARS);
  const mean = given.level + moved + taken * step;
  const child = { ...marginalOf(given, drivers), mean };
  const share = smoothStep(ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
  return { ...blend(child, borrowed, share), mean };
}

/**
 * The survey's model of a dimension. Below its youngest age the head grows as infants' head girth
 * does, the arm as its share of their length, the armpit as the breastbone's notch beside it, all
 * else by the allometry of growth and with BMI.
 */
function carried(name: string, children: Children, fit: ChildFit): Given {
  const { ageYears, drivers } = children;
  if (ageYears >= SURVEYED_FROM) return fit.at(drivers, ageYears);
  const youngest = fit.at(children.driversAt(SURVEYED_FROM), SURVEYED_FROM);
  return { ...youngest, level: youngest.level + infantGrowth(name, children, fit, youngest) };
}

/** ln of a dimension below the survey's youngest age over that at it. */
function infantGrowth(name: string, children: Children, fit: ChildFit, youngest: Given): number {
  const { gender, ageYears, drivers } = children;
  const then = children.driversAt(SURVEYED_FROM);
  const grown = (curve: (gender: Gender, ageYears: number) => number) =>
    curve(gender, ageYears) - curve(gender, SURVEYED_FROM);
  const longer = drivers.lnStature - then.lnStature;
  if (HEAD.has(name)) return grown(children.lnInfantHeadGirth);
  if (ARM.has(name)) return grown(children.lnInfantArmShare) + longer;
  if (name === 'ArmpitHeightStanding') {
    const eldest = { ...children, ageYears: SURVEYED_FROM, drivers: then };
    return lnNotchHeight(children) - lnNotchHeight(eldest);
  }
  return fit.growth * longer + youngest.slopeBmi * (drivers.lnBmi - then.lnBmi);
}

/** ln height of the breastbone's notch: above the seat, and the seat below the crown. */
function lnNotchHeight(children: Children): number {
  const mm = (name: string) => {
    const fit = children.fits.get(name);
    if (fit === undefined) throw new Error(`snyder1977 has no ${name}`);
    return Math.exp(carried(name, children, fit).level);
  };
  return Math.log(Math.exp(children.drivers.lnStature) + mm('TrunkLength') - mm('SittingHeight'));
}
