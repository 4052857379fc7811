import {
  isBroken,
  keptByMedians,
  type QuantityConstraint,
  quantityConstraints,
} from './constraints.js';
import type { Basis, JointBodies } from './joint.js';
import { LocalSlopes } from './local-slopes.js';
import type { Cohort, CohortCurves } from './people-model.js';

/** Maximum number of times that one person is mirrored. Once or twice is enough for nearly everybody. */
const MIRRORED_MOST = 60;

/** A constraint that a person breaks, linearised near the person's scores. */
interface Breach {
  /** Distance of the scores from meeting the constraint, along the shortest way in their space. */
  readonly distance: number;
  /** Positions of the free quantities that move, and the change of each along this way. */
  readonly way: ReadonlyMap<number, number>;
}

/**
 * Mirrors people who break a constraint at the boundary of those who meet it. Only the quantities of the constraint
 * move, each in proportion to its slope, so that the way is the shortest in standard deviations. The reflection method
 * ends after a few steps if people with all constraints exist (Motzkin and Schoenberg 1954, Canad. J. Math. 6:393). No
 * person is removed, so no kind of people becomes rarer, and no person is put on the boundary itself.
 */
export class OrderMirror {
  private readonly constraints: readonly QuantityConstraint[];

  constructor(private readonly joint: JointBodies) {
    this.constraints = quantityConstraints(joint.peopleModel);
  }

  /**
   * Mirrors a person until all constraints hold that the medians of the cohort meet.
   *
   * @param scores one for each quantity of `basis.free`; they are changed in place
   * @param values values of all quantities at the scores; they are changed in place
   * @param isFixed whether the free quantity at a position of the basis must stay
   * @returns whether the person meets the constraints and all values are positive
   */
  mirror(
    cohort: Cohort,
    basis: Basis,
    curves: CohortCurves,
    scores: Float64Array,
    values: Float64Array,
    isFixed: (position: number) => boolean,
  ): boolean {
    const slopes = new LocalSlopes(this.joint, cohort, basis, curves);
    for (let done = 0; done <= MIRRORED_MOST; done++) {
      const broken = this.constraints.filter((constraint) =>
        isBroken(constraint, cohort.ageYears, values),
      );
      const breached = broken.length === 0 ? broken : keptByMedians(broken, curves);
      if (breached.length === 0) return values.every((value) => !(value <= 0));
      const breaches = breached.map((constraint) => breachOf(constraint, slopes, scores, isFixed));
      const worst = breaches.reduce((a, b) => (b.distance > a.distance ? b : a));
      if (worst.way.size === 0) return false;
      for (const [position, change] of worst.way) {
        scores[position] += 2 * change;
      }
      this.joint.values(cohort, basis, curves, scores, values);
    }
    return false;
  }
}

function breachOf(
  { above, below, factor }: QuantityConstraint,
  slopes: LocalSlopes,
  scores: Float64Array,
  isFixed: (position: number) => boolean,
): Breach {
  const bySlope = new Map<number, number>();
  const missing =
    -slopes.add(above, 1, scores, bySlope) - slopes.add(below, -factor, scores, bySlope);
  const way = new Map(
    [...bySlope].filter(([position, slope]) => slope !== 0 && !isFixed(position)),
  );
  let square = 0;
  for (const slope of way.values()) square += slope * slope;
  for (const [position, slope] of way) way.set(position, (slope * missing) / square);
  return { distance: missing / Math.sqrt(square), way };
}
