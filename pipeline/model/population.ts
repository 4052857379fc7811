import type { CountryCode } from '../../src/core/countries.js';
import { type Gender, type PerGender, perGender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { blend, lnMedian, type Marginal, withMedian } from '../numerics/marginal.js';
import { memoise, smoothStep } from '../numerics/numbers.js';
import { ADULT_AGE_YEARS, REFERENCE_YEAR } from '../plans/axes.js';
import { DIMENSION_ORDER } from '../plans/dependencies.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import {
  BROADENED_YEARS,
  BROADENING_ADULTS,
  type Broadening,
  broadening,
  withBroadening,
} from './children/broadening.js';
import { estimateChild, type Grown } from './children/child-estimator.js';
import { GROWING_YEARS } from './children/growth.js';
import { Cohort } from './cohort.js';
import type { FittedModel } from './fitted-model.js';
import { deriveDeepest } from './identities/deepest.js';
import { separateExcesses, withExcessOfMedians } from './identities/excess.js';
import { shiftsAgainstShrinking, withIdentity, withoutShrinking } from './identities/rules.js';
import { deriveSums, spreadAsStature } from './identities/sum-rule.js';
import { estimateMilitary } from './regressions/military-estimator.js';
import { estimateNhanes } from './regressions/nhanes-estimator.js';

/** Years below the youngest age in NHANES over which a child's spread changes into that of NHANES. */
const JOINING_YEARS = 4;

/** Country whose surveys are the base of the model. */
const HOME: CountryCode = 'US';

/** The populations of a model. They share the US populations, with which others are compared. */
export class Populations {
  /** The US population in the reference year. */
  readonly home = memoise((gender: Gender) => this.of(gender, HOME));
  /** The people of 20 years of a country as the adult models estimate them, without the rules of growth. */
  readonly adults: (country: CountryCode) => PerGender<Cohort> = memoise((country: CountryCode) =>
    perGender((gender) => adultsOf(this.model, gender, country)),
  );

  constructor(readonly model: FittedModel) {}

  /** Makes a population. At first, only its growth is computed. */
  of(gender: Gender, country: CountryCode, year: number = REFERENCE_YEAR): Population {
    return new Population(this, gender, country, year);
  }
}

/** The dimensions of a gender with a model. Each comes after those that it depends on. */
function namesOf(model: FittedModel, gender: Gender): readonly MeasurementName[] {
  return DIMENSION_ORDER.filter((name) => model.military[gender].has(name));
}

/** People of 20 years as the adult models estimate them. */
function adultsOf(model: FittedModel, gender: Gender, country: CountryCode): Cohort {
  const cohort = new Cohort(model, gender, country, ADULT_AGE_YEARS);
  for (const name of namesOf(model, gender)) {
    const { basis } = DIMENSION_PLAN[name];
    const estimate =
      basis.kind === 'alias'
        ? cohort.marginal(basis.of)
        : (estimateNhanes(model, cohort, name) ?? estimateMilitary(model, cohort, name));
    cohort.setEstimate(name, estimate);
    const marginal = withIdentity(name, estimate, cohort);
    cohort.setMarginal(name, withExcessOfMedians(name, marginal, cohort));
  }
  return cohort;
}

/**
 * Distributions of every dimension in one population (gender and country) in one year. In the reference
 * year, they exist at any age; in other years, from `YEARS_FROM_AGE` on. Only the covariates change by
 * year. Proportions at a given stature and BMI, and the growth of children into adults, stay those of the
 * reference year.
 */
export class Population {
  private readonly model: FittedModel;
  /** The dimensions with a model. Each comes after those that it depends on. */
  private readonly names: readonly MeasurementName[];
  private readonly cohorts: Map<number, Cohort>;
  private readonly nhanesSteps = new Map<MeasurementName, number>();
  /** Additions to ln D that keep dimensions from shrinking, at the ages of `GROWING_YEARS`. */
  private readonly shifts = new Map<MeasurementName, readonly number[] | undefined>();
  /** Additions that keep girths, breadths and depths from shrinking. */
  private readonly broadenings = new Map<MeasurementName, Broadening | undefined>();
  /** The same population in the reference year, once it is needed. */
  private reference: Population | undefined;

  constructor(
    private readonly populations: Populations,
    private readonly gender: Gender,
    private readonly country: CountryCode,
    private readonly year: number,
  ) {
    const { model } = populations;
    this.model = model;
    this.names = namesOf(model, gender);
    this.cohorts = new Map();
    if (year !== REFERENCE_YEAR) return;
    const cohortAt = (years: number) => new Cohort(model, gender, country, years);
    const growing = GROWING_YEARS.map(cohortAt);
    const adults = BROADENING_ADULTS.map(cohortAt);
    for (const cohort of [...growing, ...adults]) this.cohorts.set(cohort.ageYears, cohort);
    for (const name of this.names) this.computeGrowth(name, growing, adults);
    for (const cohort of [...growing, ...adults]) this.applyJointRules(cohort);
  }

  /**
   * The population at one age.
   *
   * @throws RangeError for an age without covariates in the year
   */
  at(ageYears: number): Cohort {
    const known = this.cohorts.get(ageYears);
    if (known !== undefined) return known;
    const cohort = new Cohort(this.model, this.gender, this.country, ageYears, this.year);
    this.compute(cohort);
    this.cohorts.set(ageYears, cohort);
    return cohort;
  }

  /** The population at 20 years, towards which children grow, and its two genders. */
  private get grown(): Grown {
    const adults = this.populations.adults(this.country);
    return { cohort: this.at(ADULT_AGE_YEARS), adults };
  }

  private compute(cohort: Cohort): void {
    for (const name of this.names) {
      cohort.setEstimate(name, this.estimate(name, cohort));
      this.applyRules(name, cohort);
    }
    this.applyJointRules(cohort);
  }

  /**
   * Computes a dimension at all ages of growth together, because a child's distribution depends on the
   * estimates at other ages. Adults come first, because children grow towards their adult size.
   */
  private computeGrowth(
    name: MeasurementName,
    growing: readonly Cohort[],
    adults: readonly Cohort[],
  ): void {
    const all = [...growing, ...adults];
    for (const cohort of all.toReversed()) {
      cohort.setEstimate(name, this.estimate(name, cohort));
    }
    this.shifts.set(name, shiftsAgainstShrinking(name, growing));
    this.broadenings.set(name, broadening(name, all));
    for (const cohort of all) this.applyRules(name, cohort);
  }

  /** Applies the rules that turn the estimate of a dimension into its distribution, in this order. */
  private applyRules(name: MeasurementName, cohort: Cohort): void {
    const estimate = cohort.estimate(name);
    const growing = withoutShrinking(estimate, cohort, this.growthOf(cohort).shifts.get(name));
    const broadening = this.growthOf(cohort).broadenings.get(name);
    const broader = withBroadening(growing, cohort.ageYears, broadening);
    const marginal = withIdentity(name, broader, cohort);
    cohort.setMarginal(name, withExcessOfMedians(name, marginal, cohort));
  }

  /** The population whose rules of growth apply. Other years take the rules of the reference year. */
  private growthOf({ ageYears }: Cohort): Population {
    if (ageYears >= BROADENED_YEARS || this.year === REFERENCE_YEAR) return this;
    this.reference ??= this.populations.of(this.gender, this.country);
    return this.reference;
  }

  /** Sets the spreads that follow from other dimensions. All distributions must be known. */
  private applyJointRules(cohort: Cohort): void {
    const { model, gender, country } = this;
    if (country !== HOME || this.year !== REFERENCE_YEAR) {
      spreadAsStature(cohort, this.populations.home(gender).at(cohort.ageYears));
    }
    const rho = model.joint?.(gender, cohort.ageYears);
    if (rho === undefined) return;
    separateExcesses(cohort, rho);
    deriveDeepest(cohort, rho);
    deriveSums(cohort, rho);
  }

  /** The estimate from the survey that measured the dimension at this age. */
  private estimate(name: MeasurementName, cohort: Cohort): Marginal {
    const { model, gender } = this;
    const { basis } = DIMENSION_PLAN[name];
    if (basis.kind === 'alias') return cohort.marginal(basis.of);
    const nhanes = estimateNhanes(model, cohort, name);
    const youngestYears = model.nhanes[gender].get(name)?.plan.fromYears ?? 0;
    if (nhanes !== undefined && cohort.ageYears >= youngestYears) return nhanes;
    if (cohort.isAdult) return estimateMilitary(model, cohort, name);
    const child = estimateChild(model, cohort, this.grown, name);
    if (nhanes === undefined) return child;
    // The level grows as the child estimate does. Spread and shape change into those of NHANES.
    const lnMm = lnMedian(child) + this.nhanesStep(name, youngestYears);
    const share = smoothStep(cohort.ageYears, youngestYears - JOINING_YEARS, youngestYears);
    return withMedian(blend(child, nhanes, share), Math.exp(lnMm));
  }

  /** ln of the NHANES estimate over the child estimate, at the youngest age that NHANES measures. */
  private nhanesStep(name: MeasurementName, youngestYears: number): number {
    const known = this.nhanesSteps.get(name);
    if (known !== undefined) return known;
    const youngest = this.at(youngestYears);
    const child = estimateChild(this.model, youngest, this.grown, name);
    const step = lnMedian(youngest.estimate(name)) - lnMedian(child);
    this.nhanesSteps.set(name, step);
    return step;
  }
}
