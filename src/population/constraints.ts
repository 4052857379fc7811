import { CONSTRAINTS, type ConstraintKind } from '../core/constraints.js';
import type { CohortCurves, PeopleModel } from './people-model.js';

/** A constraint on two quantities: `above` is at least `factor` × `below` from an age on. */
export interface QuantityConstraint {
  readonly above: number;
  readonly below: number;
  readonly factor: number;
  readonly fromYears: number;
}

/** The enforced constraints of `CONSTRAINTS` by quantity: all, or those of one kind. */
export function quantityConstraints(
  bodies: Pick<PeopleModel, 'indexOf'>,
  kind?: ConstraintKind,
): readonly QuantityConstraint[] {
  return CONSTRAINTS.filter(
    (constraint) => constraint.enforced && (kind === undefined || constraint.kind === kind),
  ).map(({ above, below, factor, fromYears }) => ({
    ...{ above: bodies.indexOf(above), below: bodies.indexOf(below), factor, fromYears },
  }));
}

/** The constraints that the medians of a cohort meet. The others do not apply to its people. */
export function keptByMedians(
  constraints: readonly QuantityConstraint[],
  curves: CohortCurves,
): readonly QuantityConstraint[] {
  return constraints.filter(({ above, below, factor }) => {
    return curves.middle(above).median > factor * curves.middle(below).median;
  });
}

/** Whether a person of an age breaks a constraint. Values without a model are not compared. */
export function isBroken(
  { above, below, factor, fromYears }: QuantityConstraint,
  ageYears: number,
  values: Float64Array,
): boolean {
  return ageYears >= fromYears && values[above] < factor * values[below];
}

/** Whether a person's values are positive and meet the constraints. */
export function isOrdered(
  constraints: readonly QuantityConstraint[],
  ageYears: number,
  values: Float64Array,
): boolean {
  for (const constraint of constraints) if (isBroken(constraint, ageYears, values)) return false;
  for (const value of values) if (value <= 0) return false;
  return true;
}
