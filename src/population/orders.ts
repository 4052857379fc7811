import { ORDERS, type OrderKind } from '../core/orders.js';
import type { Bodies, CohortCurves } from './bodies.js';

/** An order of two quantities: `above` is at least `factor` × `below` from an age on. */
export interface QuantityOrder {
  readonly above: number;
  readonly below: number;
  readonly factor: number;
  readonly fromYears: number;
}

/** The enforced orders of `ORDERS` by quantity; all, or those of one kind. */
export function quantityOrders(
  bodies: Pick<Bodies, 'indexOf'>,
  kind?: OrderKind,
): readonly QuantityOrder[] {
  return ORDERS.filter(
    (order) => order.enforced && (kind === undefined || order.kind === kind),
  ).map(({ above, below, factor, fromYears }) => ({
    ...{ above: bodies.indexOf(above), below: bodies.indexOf(below), factor, fromYears },
  }));
}

/** The orders that the medians of a cohort keep; others are none of its people. */
export function keptByMedians(
  orders: readonly QuantityOrder[],
  curves: CohortCurves,
): readonly QuantityOrder[] {
  return orders.filter(({ above, below, factor }) => {
    return curves.middle(above).median > factor * curves.middle(below).median;
  });
}

/** Whether a person of an age breaks an order; values without a model are not compared. */
export function isBroken(
  { above, below, factor, fromYears }: QuantityOrder,
  ageYears: number,
  values: Float64Array,
): boolean {
  return ageYears >= fromYears && values[above] < factor * values[below];
}

/** Whether a person's values are positive and keep the orders. */
export function isOrdered(
  orders: readonly QuantityOrder[],
  ageYears: number,
  values: Float64Array,
): boolean {
  for (const order of orders) if (isBroken(order, ageYears, values)) return false;
  for (const value of values) if (value <= 0) return false;
  return true;
}
