import { BoundedMap } from '../core/bounded-map.js';
import { DEEPEST } from '../core/constraints.js';
import { Z_MEDIAN } from '../lookup/format.js';
import { choleskyInPlace, lowerTriangle } from '../numerics/numerics.js';
import {
  type Cohort,
  CohortCurves,
  type PeopleModel,
  type Profiles,
  valueInProfiles,
} from './people-model.js';

/** The free quantities of one gender and age, and the correlations of their scores. */
export class Basis {
  /** Index of each free quantity; BMI is the last. */
  readonly free: readonly number[];
  /** Position of each quantity in `free`; −1 for a derived quantity. */
  readonly position: Int32Array;
  #rho: Float64Array | undefined;
  #factor: Float64Array | undefined;

  constructor(
    free: readonly number[],
    private readonly peopleModel: PeopleModel,
    private readonly gender: number,
    private readonly ageYears: number,
  ) {
    this.free = free;
    this.position = new Int32Array(peopleModel.names.length).fill(-1);
    for (const [i, quantity] of free.entries()) this.position[quantity] = i;
  }

  /** Correlations of the scores, as a triangle. Completing a person needs them. */
  get rho(): Float64Array {
    this.#rho ??= this.#correlations();
    return this.#rho;
  }

  /** Lower Cholesky factor of the correlations, as a triangle. Drawing a person needs it. */
  get factor(): Float64Array {
    if (this.#factor === undefined) {
      this.#factor = this.#rho?.slice() ?? this.#correlations();
      choleskyInPlace(this.#factor, this.free.length);
    }
    return this.#factor;
  }

  #correlations(): Float64Array {
    const { peopleModel, free, gender, ageYears } = this;
    return lowerTriangle(free.length, (i, j) =>
      peopleModel.rho(gender, ageYears, free[i], free[j]),
    );
  }
}

/** Maximum number of bases that are kept, enough for each gender and exact age of a population. A basis is small (60 kB). */
const BASES_MAX = 384;

/**
 * Complete people of a normal copula. A person is a vector of normal scores of the free quantities. Derived quantities
 * are computed from the free quantities of the same person, so that parts sum to wholes.
 */
export class JointPeople {
  private readonly bases = new BoundedMap<string, Basis>(BASES_MAX);
  /** Terms of each derived quantity. */
  readonly derivedOf: ReadonlyMap<number, readonly { coefficient: number; of: number }[]>;

  /** The quantity that is the largest of other quantities. `depths` are these quantities. */
  readonly deepest: number;
  readonly depths: readonly number[];

  constructor(readonly peopleModel: PeopleModel) {
    this.deepest = peopleModel.indexOf(DEEPEST.measurement);
    this.depths = DEEPEST.of.map((name) => peopleModel.indexOf(name));
    this.derivedOf = new Map(peopleModel.derived.map(({ quantity, terms }) => [quantity, terms]));
  }

  /** The basis of a gender at an age; it is computed once. */
  basis({ gender, ageYears }: Pick<Cohort, 'gender' | 'ageYears'>): Basis {
    const key = `${gender}|${ageYears}`;
    const known = this.bases.get(key);
    if (known !== undefined) return known;
    const basis = this.compute(gender, ageYears);
    this.bases.set(key, basis);
    return basis;
  }

  private compute(gender: number, ageYears: number): Basis {
    const { peopleModel } = this;
    const free: number[] = [];
    for (let quantity = 0; quantity < peopleModel.measurements; quantity++) {
      if (this.derivedOf.has(quantity) || quantity === this.deepest) continue;
      if (!peopleModel.has(quantity, gender, ageYears)) continue;
      free.push(quantity);
    }
    free.push(peopleModel.bmi);
    return new Basis(free, peopleModel, gender, ageYears);
  }

  /**
   * Computes the values of all quantities of a nude and erect person (mm, kg/m², kg) from the scores of the free
   * quantities.
   *
   * @param curves curves of the person's cohort
   * @param scores one for each quantity of `basis.free`
   * @param values result; NaN for a quantity without a model
   */
  values(
    cohort: Cohort,
    basis: Basis,
    curves: CohortCurves,
    scores: Float64Array,
    values: Float64Array,
  ): void {
    const { peopleModel } = this;
    values.fill(Number.NaN);
    const { free } = basis;
    for (let i = 0; i < free.length; i++) {
      const quantity = free[i];
      values[quantity] = curves.value(quantity, scores[i]);
    }
    this.derive(cohort, curves, values);
    const statureM = values[peopleModel.stature] / 1000;
    values[peopleModel.mass] = values[peopleModel.bmi] * statureM * statureM;
  }

  /**
   * If a quantity is only another name of a second one, such as elbow height of a counter, returns the second one;
   * otherwise the quantity itself.
   */
  dimensionOf(quantity: number): number {
    const [only, ...others] = this.derivedOf.get(quantity) ?? [];
    if (only === undefined || others.length > 0 || only.coefficient !== 1) return quantity;
    return only.of < 0 ? quantity : this.dimensionOf(only.of);
  }

  /** The free quantities that a quantity is computed from. A free quantity is its own part. */
  partsOf(quantity: number): number[] {
    const { bmi, mass, stature } = this.peopleModel;
    if (quantity === mass) return [bmi, ...this.partsOf(stature)];
    if (quantity === this.deepest) return this.depths.flatMap((depth) => this.partsOf(depth));
    const terms = this.derivedOf.get(quantity);
    if (terms === undefined) return [quantity];
    return terms.flatMap(({ of }) => (of < 0 ? [] : this.partsOf(of)));
  }

  /** Value of a quantity of a nude and erect person, from the values of the free quantities that it depends on. */
  valueOf(quantity: number, cohort: Cohort, curves: CohortCurves, values: Float64Array): number {
    const { bmi, mass, stature } = this.peopleModel;
    if (quantity === mass) {
      const statureM = this.valueOf(stature, cohort, curves, values) / 1000;
      return values[bmi] * statureM * statureM;
    }
    if (quantity === this.deepest) return this.deepestOf(cohort, curves, values);
    const terms = this.derivedOf.get(quantity);
    if (terms === undefined) return values[quantity];
    return terms.reduce((sum, { coefficient, of }) => {
      const part =
        of < 0 ? this.sizeRatio(cohort, curves) : this.valueOf(of, cohort, curves, values);
      return sum + coefficient * part;
    }, 0);
  }

  /**
   * Median stature of a cohort divided by the reference stature. Constant lengths in sums are multiplied by this ratio.
   */
  sizeRatio({ gender }: Cohort, curves: CohortCurves): number {
    const reference = this.peopleModel.views.manifest.referenceStaturesMm[gender];
    return (curves.of(this.peopleModel.stature)?.[Z_MEDIAN] ?? reference) / reference;
  }

  /** The depth of the deepest place of a trunk, from the depths of its places. */
  private deepestOf(cohort: Cohort, curves: CohortCurves, values: Float64Array): number {
    const depths = this.depths.map((depth) => values[depth]);
    return Math.max(...depths) + DEEPEST.plusMm * this.sizeRatio(cohort, curves);
  }

  /** Computes the derived lengths from the free ones. */
  private derive(cohort: Cohort, curves: CohortCurves, values: Float64Array): void {
    const { peopleModel } = this;
    const ratio = this.sizeRatio(cohort, curves);
    for (const { quantity, terms } of peopleModel.derived) {
      if (curves.of(quantity) === undefined) continue;
      let sum = 0;
      for (const { coefficient, of } of terms) {
        sum += coefficient * (of < 0 ? ratio : values[of]);
      }
      values[quantity] = sum;
    }
    if (curves.of(this.deepest) !== undefined) {
      values[this.deepest] = this.deepestOf(cohort, curves, values);
    }
  }

  /**
   * Adds clothing and posture to values of a person. Each value keeps its percentile among the people of the cohort.
   * BMI and body mass do not change.
   *
   * @param nude curves of the cohort, nude and erect
   * @param inProfiles curves of the cohort with the profiles
   * @param values of all quantities
   * @param quantities the quantities to change, each once
   */
  applyProfiles(
    nude: CohortCurves,
    dressed: CohortCurves,
    values: Float64Array,
    quantities: readonly number[],
  ): void {
    for (const quantity of quantities) {
      const value = values[quantity];
      if (quantity >= this.peopleModel.measurements || Number.isNaN(value)) continue;
      values[quantity] = valueInProfiles(nude, dressed, quantity, value);
    }
  }

  /** Curves of cohorts with profiles of clothing and posture. */
  curves(profiles?: Profiles): CohortCurves {
    return new CohortCurves(this.peopleModel, profiles);
  }
}
