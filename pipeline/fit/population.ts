import type { CountryCode } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { DIMENSION_ORDER } from '../model/dependencies.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import { estimateChild } from './child-estimator.js';
import { Cohort } from './cohort.js';
import type { FittedModel } from './fitted-model.js';
import { GROWING_YEARS } from './growth.js';
import { blend, lnMedian, type Marginal, withMedian } from './marginal.js';
import { estimateMilitary } from './military-estimator.js';
import { estimateNhanes } from './nhanes-estimator.js';
import { smoothStep } from './numbers.js';
import { shiftsAgainstShrinking, withIdentity, withoutShrinking } from './rules.js';

/** Years below the youngest age in NHANES over which a child's spread turns into that of NHANES. */
const JOINING_YEARS = 4;

/** Distributions of every dimension in one population (gender and country) at any age. */
export class Population {
  /** The dimensions with a model, each after those it depends on. */
  private readonly names: readonly MeasurementName[];
  private readonly cohorts: Map<number, Cohort>;
  private readonly grown: Cohort;
  private readonly nhanesSteps = new Map<MeasurementName, number>();
  /** Additions to ln D that keep dimensions from shrinking, at the ages of `GROWING_YEARS`. */
  private readonly shifts = new Map<MeasurementName, readonly number[] | undefined>();

  constructor(
    private readonly model: FittedModel,
    private readonly gender: Gender,
    private readonly country: CountryCode,
  ) {
    this.names = DIMENSION_ORDER.filter((name) => model.military[gender].has(name));
    const growing = GROWING_YEARS.map((years) => new Cohort(model, gender, country, years));
    this.cohorts = new Map(growing.map((cohort) => [cohort.ageYears, cohort]));
    this.grown = this.cohorts.get(ADULT_AGE_YEARS) as Cohort;
    for (const name of this.names) this.computeGrowth(name, growing);
  }

  /** The population at one age. */
  at(ageYears: number): Cohort {
    const known = this.cohorts.get(ageYears);
    if (known !== undefined) return known;
    const cohort = new Cohort(this.model, this.gender, this.country, ageYears);
    for (const name of this.names) {
      cohort.setEstimate(name, this.estimate(name, cohort));
      this.applyRules(name, cohort);
    }
    this.cohorts.set(ageYears, cohort);
    return cohort;
  }

  /**
   * Computes a dimension at all ages of growth together, because a child's distribution depends on
   * the estimates at other ages. Adults come first: children grow towards their adult size.
   */
  private computeGrowth(name: MeasurementName, growing: readonly Cohort[]): void {
    for (const cohort of growing.toReversed()) {
      cohort.setEstimate(name, this.estimate(name, cohort));
    }
    this.shifts.set(name, shiftsAgainstShrinking(name, growing));
    for (const cohort of growing) this.applyRules(name, cohort);
  }

  /** From the estimate of a dimension to its distribution, in this order. */
  private applyRules(name: MeasurementName, cohort: Cohort): void {
    const estimate = cohort.estimate(name);
    const growing = withoutShrinking(estimate, cohort, this.shifts.get(name));
    const marginal = withIdentity(name, growing, cohort);
    cohort.setMarginal(name, marginal);
  }

  /** The estimate from the survey that measured the dimension at this age. */
  private estimate(name: MeasurementName, cohort: Cohort): Marginal {
    const { model, gender, grown } = this;
    const { basis } = DIMENSION_PLAN[name];
    if (basis.kind === 'alias') return cohort.marginal(basis.of);
    const nhanes = estimateNhanes(model, cohort, name);
    const youngestYears = model.nhanes[gender].get(name)?.plan.fromYears ?? 0;
    if (nhanes !== undefined && cohort.ageYears >= youngestYears) return nhanes;
    if (cohort.isAdult) return estimateMilitary(model, cohort, name);
    const child = estimateChild(model, cohort, grown, name);
    if (nhanes === undefined) return child;
    // The level grows as the child estimate does; spread and shape turn into those of NHANES.
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
