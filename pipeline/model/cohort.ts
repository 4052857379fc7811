import type { CountryCode } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { lnMedian, type Marginal } from '../numerics/marginal.js';
import { ADULT_AGE_YEARS, REFERENCE_YEAR } from '../plans/axes.js';
import { evaluate, type Term } from '../plans/formula.js';
import type { Covariates } from './covariates.js';
import { countryCovariates, type FittedModel } from './fitted-model.js';
import { type AnchorGap, anchorGaps } from './regressions/civilians.js';
import { type PredictorValues, predictorValues } from './regressions/military-model.js';

/** One population (gender and country) at one age in one year, with the distributions computed so far. */
export class Cohort {
  readonly covariates: Covariates;
  /** Values of the predictors of the military regressions. */
  readonly predictors: PredictorValues;
  /** Median stature over that of US adults. The lone numbers of formulas scale with this ratio. */
  private readonly sizeRatio: number;
  private readonly estimates = new Map<MeasurementName, Marginal>();
  private readonly marginals = new Map<MeasurementName, Marginal>();
  /** Medians of the marginals in mm. Each is computed when it is asked for. */
  private readonly mediansMm = new Map<MeasurementName, number>();
  private gaps: readonly AnchorGap[] | undefined;

  /** @throws RangeError for a year without covariates at this age */
  constructor(
    private readonly model: FittedModel,
    readonly gender: Gender,
    readonly country: CountryCode,
    readonly ageYears: number,
    readonly year: number = REFERENCE_YEAR,
  ) {
    this.covariates = countryCovariates(model, gender, country, ageYears, year);
    this.predictors = predictorValues(
      this.covariates,
      ageYears,
      model.heightLoss(gender, ageYears),
    );
    this.sizeRatio = Math.exp(this.covariates.lnStature) / model.referenceStatureMm[gender];
  }

  /** Whether the adult models apply. */
  get isAdult(): boolean {
    return this.ageYears >= ADULT_AGE_YEARS;
  }

  /** Difference between civilians and soldiers in the girths that NHANES measures, at an adult's age. */
  get anchorGaps(): readonly AnchorGap[] {
    const ageYears = Math.max(this.ageYears, ADULT_AGE_YEARS);
    const carryOver = this.model.carryOver[this.gender];
    this.gaps ??= anchorGaps(carryOver, this.covariates, { ...this.predictors, ageYears });
    return this.gaps;
  }

  /** Whether a dimension has a model for this gender. */
  has(name: MeasurementName): boolean {
    return this.model.military[this.gender].has(name);
  }

  /** Sets the estimate of a dimension, to which the other rules are then applied. */
  setEstimate(name: MeasurementName, estimate: Marginal): void {
    this.estimates.set(name, estimate);
  }

  /** Sets a dimension's final distribution. */
  setMarginal(name: MeasurementName, marginal: Marginal): void {
    this.marginals.set(name, marginal);
    this.mediansMm.delete(name);
  }

  /**
   * Estimated distribution of ln D (mm) of a dimension, before the other rules.
   *
   * @throws Error when the dimension has no model for this gender
   */
  estimate(name: MeasurementName): Marginal {
    return this.known(this.estimates, name);
  }

  /**
   * Distribution of ln D (mm) of a dimension, after all rules.
   *
   * @throws Error when the dimension has no model for this gender
   */
  marginal(name: MeasurementName): Marginal {
    return this.known(this.marginals, name);
  }

  /** Median of a dimension in mm. */
  medianMm(name: MeasurementName): number {
    const known = this.mediansMm.get(name);
    if (known !== undefined) return known;
    const medianMm = Math.exp(lnMedian(this.marginal(name)));
    this.mediansMm.set(name, medianMm);
    return medianMm;
  }

  /** Value of a formula in mm, from the medians of its dimensions. */
  valueMm(terms: readonly Term[]): number {
    return evaluate(terms, (name) => this.medianMm(name), this.sizeRatio);
  }

  private known(marginals: ReadonlyMap<MeasurementName, Marginal>, name: MeasurementName) {
    const found = marginals.get(name);
    if (found === undefined) throw new Error(`no model of ${name} for ${this.gender}`);
    return found;
  }
}
