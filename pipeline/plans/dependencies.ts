import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { DIMENSION_PLAN } from './dimension-plan.js';
import { EXCESSES } from './excess-plan.js';
import { parseFormula, type Term } from './formula.js';
import { GROWTH } from './growth-rules.js';

type Formulas = ReadonlyMap<MeasurementName, readonly Term[]>;

/** Terms of the dimensions whose median follows from other medians at every age. */
export const IDENTITIES: Formulas = new Map(
  MEASUREMENT_NAMES.flatMap((name) => {
    const { identity } = DIMENSION_PLAN[name];
    return identity === undefined ? [] : [[name, parseFormula(identity)] as const];
  }),
);

/** Terms to which a child's dimension is in proportion. */
export const LIKENESSES: Formulas = new Map(
  MEASUREMENT_NAMES.flatMap((name) => {
    const { childhood } = DIMENSION_PLAN[name];
    return childhood?.kind === 'like' ? [[name, parseFormula(childhood.formula)] as const] : [];
  }),
);

/** Names whose distributions must be known before that of `name`. */
function dependenciesOf(name: MeasurementName): MeasurementName[] {
  const { basis } = DIMENSION_PLAN[name];
  const terms = [...(IDENTITIES.get(name) ?? []), ...(LIKENESSES.get(name) ?? [])];
  const { within = [], beyond = [] } = GROWTH.get(name) ?? {};
  return [
    ...(basis.kind === 'alias' ? [basis.of] : []),
    ...terms.flatMap(({ of }) => of ?? []),
    ...within,
    ...beyond,
    ...EXCESSES.flatMap((excess) => {
      if (!excess.medians || excess.name !== name) return [];
      return excess.base.flatMap(({ of }) => of ?? []);
    }),
  ];
}

/**
 * Returns all dimensions. Each comes after those that its distribution depends on.
 *
 * @throws Error naming the dimensions of a circle
 */
function orderOf(names: readonly MeasurementName[]): MeasurementName[] {
  const order = new Set<MeasurementName>();
  const visit = (name: MeasurementName, path: readonly MeasurementName[]): void => {
    if (order.has(name)) return;
    if (path.includes(name)) throw new Error(`circle of dimensions: ${[...path, name].join(', ')}`);
    for (const other of dependenciesOf(name)) visit(other, [...path, name]);
    order.add(name);
  };
  for (const name of names) visit(name, []);
  return [...order];
}

/** All dimensions in the order in which their distributions are computed. */
export const DIMENSION_ORDER: readonly MeasurementName[] = orderOf(MEASUREMENT_NAMES);
