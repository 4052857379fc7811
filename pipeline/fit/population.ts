import type { CountryCode } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { evaluate, parseFormula, type Term } from '../model/combination.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import { GROWTH, type Growth } from '../model/growth-rules.js';
import { type AdultFit, adultGiven } from './adult-model.js';
import type { CarryOver } from './carry-over.js';
import type { ChildFit } from './child-model.js';
import { type Children, childMarginal, SPREADING_FROM } from './childhood.js';
import type { Civilians } from './civilians.js';
import type { CountryShift } from './country-drivers.js';
import {
  blend,
  type Given,
  lnMedian,
  type Marginal,
  marginalOf,
  withMedian,
  withResidual,
} from './dimension.js';
import { GROWING_YEARS, growthCurve, type Rise } from './growth.js';
import type { HeightLoss } from './height-loss.js';
import { interpolate, smoothStep } from './numbers.js';
import type { Drivers } from './us-drivers.js';

/** Everything fitted that populations are computed from. */
export interface FittedModel {
  readonly usDrivers: (gender: Gender, ageYears: number) => Drivers;
  readonly countryShift: (gender: Gender, country: string, ageYears: number) => CountryShift;
  readonly heightLoss: HeightLoss;
  /** What NHANES measures of civilians, and what that adds to the soft dimensions it does not. */
  readonly civilians: Civilians;
  readonly carryOver: Readonly<Record<Gender, CarryOver>>;
  readonly adults: Readonly<Record<Gender, ReadonlyMap<string, AdultFit>>>;
  readonly children: Readonly<Record<Gender, ReadonlyMap<string, ChildFit>>>;
  /** ln median head girth (mm) of infants, for growth below the children's survey. */
  readonly lnInfantHeadGirth: (gender: Gender, ageYears: number) => number;
  /** ln of the upper arm's share of infants' length, likewise. */
  readonly lnInfantArmShare: (gender: Gender, ageYears: number) => number;
  readonly referenceStatureMm: Readonly<Record<Gender, number>>;
  /** How far national studies move a dimension's ln median in a country. */
  readonly calibration: (gender: Gender, country: string, name: MeasurementName) => number;
  /** Ratio by which national studies widen or narrow a dimension's residual in a country. */
  readonly spread: (gender: Gender, country: string, name: MeasurementName) => number;
}

const IDENTITIES = new Map<string, Term[]>();
for (const [name, { identity }] of Object.entries(DIMENSION_PLAN)) {
  if (identity !== undefined) IDENTITIES.set(name, parseFormula(identity));
}

/** Drivers of a country's population at an age. */
export function countryDrivers(
  model: FittedModel,
  gender: Gender,
  country: string,
  ageYears: number,
): Drivers {
  const us = model.usDrivers(gender, ageYears);
  const shift = model.countryShift(gender, country, ageYears);
  return {
    lnStature: us.lnStature + shift.lnStature,
    lnStatureSd: us.lnStatureSd * shift.statureSpread,
    lnStatureSkew: us.lnStatureSkew,
    lnBmi: us.lnBmi + shift.lnBmi,
    lnBmiSd: us.lnBmiSd * shift.bmiSpread,
    // Over NHANES' ages skewness falls about as the spread grows (0.9 at SD 0.16, 0.5 at 0.25).
    lnBmiSkew: us.lnBmiSkew / shift.bmiSpread,
    rho: us.rho,
  };
}

/** Years before a survey's youngest over which a child's spread turns into the survey's. */
const JOINING_YEARS = 4;

/** Distributions of every dimension in one population (gender and country) at any age. */
export class Population {
  private readonly grown: Cohort;
  private readonly cohorts = new Map<number, Cohort>();
  private readonly growth = new Map<string, readonly number[]>();

  constructor(
    private readonly model: FittedModel,
    private readonly gender: Gender,
    private readonly country: CountryCode,
  ) {
    this.grown = new Cohort(model, gender, country, ADULT_AGE_YEARS);
  }

  /** The population at one age. */
  at(ageYears: number): Cohort {
    if (ageYears === ADULT_AGE_YEARS) return this.grown;
    const known = this.cohorts.get(ageYears);
    if (known !== undefined) return known;
    const young = ageYears < ADULT_AGE_YEARS ? { grown: this.grown, population: this } : undefined;
    const cohort = new Cohort(this.model, this.gender, this.country, ageYears, young);
    if (young !== undefined) this.cohorts.set(ageYears, cohort);
    return cohort;
  }

  /**
   * What keeps a dimension from shrinking on the way to 20 years, added to ln D; 0 for dimensions
   * that may shrink. Linear between the knots of age.
   */
  growthShift(name: MeasurementName, ageYears: number): number {
    const rules = GROWTH.get(name);
    if (rules === undefined) return 0;
    const known = this.growth.get(name) ?? this.growthShifts(name, rules);
    this.growth.set(name, known);
    return interpolate(GROWING_YEARS, known, ageYears);
  }

  private growthShifts(name: MeasurementName, { within, beyond }: Growth): number[] {
    const cohorts = GROWING_YEARS.map((ageYears) => this.at(ageYears));
    const medians = (of: MeasurementName) => cohorts.map((cohort) => cohort.medianMm(of));
    const raw = cohorts.map((cohort) => Math.exp(lnMedian(cohort.unshifted(name))));
    const rises: Rise[] = [
      { sign: 1 },
      ...within.map((of): Rise => ({ sign: -1, offset: medians(of) })),
      ...beyond.map((of): Rise => ({ sign: 1, offset: medians(of).map((mm) => -mm) })),
    ];
    return growthCurve(raw, rises).map((mm, i) => Math.log(mm / (raw[i] as number)));
  }
}

/** One population at one age: computes each dimension once, those it rests on first. */
export class Cohort {
  readonly drivers: Drivers;
  private readonly known = new Map<string, Marginal>();
  private readonly plain = new Map<string, Marginal>();
  /** Steps between the models of childhood and of the general population, at this age. */
  private readonly joins = new Map<string, number>();

  constructor(
    private readonly model: FittedModel,
    private readonly gender: Gender,
    private readonly country: CountryCode,
    private readonly ageYears: number,
    private readonly young?: { readonly grown: Cohort; readonly population: Population },
  ) {
    this.drivers = countryDrivers(model, gender, country, ageYears);
  }

  /** Distribution of ln D (mm) of a dimension, with identities applied. */
  marginal(name: MeasurementName): Marginal {
    const found = this.known.get(name);
    if (found !== undefined) return found;
    const result = this.withIdentity(name);
    this.known.set(name, result);
    return result;
  }

  /** Median of a dimension in mm. */
  medianMm(name: MeasurementName): number {
    return Math.exp(lnMedian(this.marginal(name)));
  }

  /** How a dimension varies with stature, BMI and by itself, in civilians or as in grown soldiers. */
  given(name: MeasurementName): Given {
    return this.civilian(name) ?? this.soldier(name);
  }

  private withIdentity(name: MeasurementName): Marginal {
    const { basis } = DIMENSION_PLAN[name];
    const identity = IDENTITIES.get(name);
    if (basis.kind !== 'alias') {
      const own = this.own(name);
      return identity === undefined ? own : withMedian(own, this.valueOf(identity));
    }
    const same = this.marginal(basis.of);
    if (identity === undefined) return same;
    // The same dimension moved by a constant keeps its spread in mm.
    const medianMm = this.valueOf(identity);
    const moved = withMedian(same, medianMm);
    return { ...moved, sd: same.sd * (Math.exp(lnMedian(same)) / medianMm) };
  }

  private valueOf(terms: readonly Term[]): number {
    const size = Math.exp(this.drivers.lnStature) / this.model.referenceStatureMm[this.gender];
    return evaluate(terms, (of) => this.medianMm(of), size);
  }

  /** The dimension's own model, before identities. */
  private own(name: MeasurementName): Marginal {
    const plain = this.unshifted(name);
    if (this.young === undefined) return plain;
    const shift = this.young.population.growthShift(name, this.ageYears);
    return { ...plain, mean: plain.mean + shift };
  }

  /** The dimension's own model, before growth keeps it from shrinking. */
  unshifted(name: MeasurementName): Marginal {
    const found = this.plain.get(name);
    if (found !== undefined) return found;
    const result = this.modelled(name);
    this.plain.set(name, result);
    return result;
  }

  private modelled(name: MeasurementName): Marginal {
    const { young } = this;
    const surveyed = this.civilian(name);
    const youngest = this.model.civilians[this.gender].get(name)?.plan.fromYears ?? 0;
    if (surveyed !== undefined && this.ageYears >= youngest) {
      return marginalOf(surveyed, this.drivers);
    }
    if (young === undefined) return marginalOf(this.soldier(name), this.drivers);
    const child = childMarginal(name, this.children(young.grown));
    if (surveyed === undefined) return child;
    // Younger than the survey measures: the child's own growth, in proportion to the youngest; its
    // spread and shape become the survey's over the years before.
    const joined = lnMedian(child) + young.population.at(youngest).joinStep(name, young.grown);
    const share = smoothStep(this.ageYears, youngest - JOINING_YEARS, youngest);
    const mixed = blend(child, marginalOf(surveyed, this.drivers), share);
    return withMedian(mixed, Math.exp(joined));
  }

  /** ln of the general survey's level over the child model's, at the youngest age it measures. */
  private joinStep(name: MeasurementName, grown: Cohort): number {
    const found = this.joins.get(name);
    if (found !== undefined) return found;
    const child = childMarginal(name, this.children(grown));
    const step = lnMedian(this.unshifted(name)) - lnMedian(child);
    this.joins.set(name, step);
    return step;
  }

  /** What the general population's survey says of a dimension; its youngest, below its ages. */
  private civilian(name: MeasurementName): Given | undefined {
    const civilian = this.model.civilians[this.gender].get(name);
    if (civilian === undefined) return undefined;
    const given = civilian.at(this.drivers, this.ageYears);
    const { departsAs = name } = civilian.plan;
    return { ...given, level: given.level + this.departure(departsAs) };
  }

  /** What a country's people depart by from the US's in a dimension. */
  private departure(name: MeasurementName): number {
    const { calibration } = this.model;
    return calibration(this.gender, this.country, name) - calibration(this.gender, 'US', name);
  }

  /** The soldiers' model, with what civilians' girths show carried over. */
  private soldier(name: MeasurementName): Given {
    const fit = this.model.adults[this.gender].get(name);
    if (fit === undefined) throw new Error(`no adult fit of ${name} for ${this.gender}`);
    const loss = this.model.heightLoss(this.gender, this.ageYears);
    const youth = Math.log(Math.exp(this.drivers.lnStature) + loss);
    const lost = loss * (DIMENSION_PLAN[name].trunkShare ?? 0);
    const soldiers = adultGiven(fit, this.drivers, this.ageYears, youth, lost);
    const carry = this.model.carryOver[this.gender];
    const age = Math.max(this.ageYears, ADULT_AGE_YEARS);
    const given = carry.moved(name, soldiers, this.drivers, age, youth);
    const level = given.level + this.model.calibration(this.gender, this.country, name);
    // Studies are of adults: children's spread is left as their survey has it.
    const grown = smoothStep(this.ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
    const ratio = this.model.spread(this.gender, this.country, name) ** grown;
    return withResidual({ ...given, level }, ratio);
  }

  private children(grown: Cohort): Children {
    const { model, gender, country, ageYears, drivers } = this;
    return {
      gender,
      ageYears,
      drivers,
      driversAt: (age) => countryDrivers(model, gender, country, age),
      grownDrivers: grown.drivers,
      fits: model.children[gender],
      lnInfantHeadGirth: model.lnInfantHeadGirth,
      lnInfantArmShare: model.lnInfantArmShare,
      // The US's own departure corrects the adults' survey; it is taken up between 17 and 20 years.
      departure: (name) => this.departure(name),
      asAdult: (name) => this.civilian(name) ?? this.soldier(name),
      grown: (name) => grown.own(name),
      valueMm: (terms) => this.valueOf(terms),
      grownValueMm: (terms) => grown.valueOf(terms),
    };
  }
}
