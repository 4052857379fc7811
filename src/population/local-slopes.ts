import { DEEPEST } from '../core/constraints.js';
import { curveSlope, curveValue } from '../lookup/cell.js';
import type { Basis, JointPeople } from './joint.js';
import type { Cohort, CohortCurves } from './people-model.js';

/** The values of one person's quantities, and their slopes with respect to the scores of the free quantities. */
export class LocalSlopes {
  constructor(
    private readonly joint: JointPeople,
    private readonly cohort: Cohort,
    private readonly basis: Basis,
    private readonly curves: CohortCurves,
  ) {}

  /**
   * Adds the slopes of coefficient × quantity near the scores of a person, in mm or kg/m² per score.
   *
   * @param quantity a length or BMI
   * @param scores one for each quantity of `basis.free`
   * @param slopes by position of the free quantity in the basis
   * @param carrier the depth that is the deepest place; by default the largest depth
   * @returns coefficient × value of the quantity
   * @throws Error for a quantity without a model
   */
  add(
    quantity: number,
    coefficient: number,
    scores: Float64Array,
    slopes: Map<number, number>,
    carrier?: number,
  ): number {
    const position = this.basis.position[quantity];
    if (position >= 0) {
      const knots = this.curves.of(quantity) as Float64Array;
      const score = scores[position];
      const before = slopes.get(position) ?? 0;
      slopes.set(position, before + coefficient * curveSlope(knots, score));
      return coefficient * curveValue(knots, score);
    }
    if (quantity === this.joint.deepest)
      return this.addDeepest(coefficient, scores, slopes, carrier);
    const terms = this.joint.derivedOf.get(quantity);
    if (terms === undefined) throw new Error(`no quantity ${quantity}`);
    return terms.reduce((sum, { coefficient: inner, of }) => {
      if (of < 0) return sum + coefficient * inner * this.sizeRatio();
      return sum + this.add(of, coefficient * inner, scores, slopes);
    }, 0);
  }

  /** Near the scores of a person, the deepest place stays the same. */
  private addDeepest(
    coefficient: number,
    scores: Float64Array,
    slopes: Map<number, number>,
    carrier?: number,
  ) {
    const { joint, basis, curves } = this;
    const depthAt = (depth: number): number =>
      curveValue(curves.of(depth) as Float64Array, scores[basis.position[depth]]);
    const deepest = carrier ?? joint.depths.reduce((a, b) => (depthAt(b) > depthAt(a) ? b : a));
    const plusMm = DEEPEST.plusMm * this.sizeRatio();
    return coefficient * plusMm + this.add(deepest, coefficient, scores, slopes);
  }

  /** Median stature of the cohort over the reference stature. */
  private sizeRatio(): number {
    return this.joint.sizeRatio(this.cohort, this.curves);
  }
}
