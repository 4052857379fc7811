import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { IDENTITIES } from './dependencies.js';
import { DIMENSION_PLAN } from './dimension-plan.js';
import { parseFormula, type Term } from './formula.js';
import type { Formula } from './plan.js';

/**
 * Identities that are turned round for people. The plan takes the median of a small difference from two
 * large dimensions, because these are measured more often. But the spread of the difference would then rest
 * on small errors in the spreads of both. So a person is built from the small dimension, and one of the
 * large dimensions is derived. Each entry frees the dimension named second.
 */
const TURNED: readonly (readonly [
  derived: MeasurementName,
  free: MeasurementName,
  formula: Formula,
])[] = [
  ['SittingEyeHeight', 'EyeScalpDistance', 'SittingHeight - EyeScalpDistance'],
  ['WaistHeightStanding', 'WaistToCrotchLength', 'CrotchHeight + WaistToCrotchLength'],
];
const TURNED_FORMULAS = new Map(TURNED.map(([derived, , formula]) => [derived, formula]));
const FREED = new Set(TURNED.map(([, free]) => free));

/**
 * Free dimensions that form sums with stature. Their spread in a country is the US spread times the ratio
 * of the spreads of stature. The reason: 18 samples of 100 people and more print both SDs. In them, the
 * coefficient of variation of sitting height over that of stature is that of US soldiers within 3 % (median
 * absolute departure; C7 height, 10 samples: 1.5 %). With other spreads, one correlation for all countries
 * would contradict the sums.
 */
export const SPREAD_AS_STATURE: readonly MeasurementName[] = [
  ...(['SittingHeight', 'EyeScalpDistance', 'ShoulderHeight', 'C7HeightStanding'] as const),
  ...(['MidShoulderHeightSitting', 'CrotchHeight', 'WaistToCrotchLength'] as const),
];

/** The formula of a dimension that follows from others in every person; undefined for a free one. */
function formulaOf(name: MeasurementName): Formula | undefined {
  const { basis, identity } = DIMENSION_PLAN[name];
  if (FREED.has(name)) return undefined;
  return TURNED_FORMULAS.get(name) ?? identity ?? (basis.kind === 'alias' ? basis.of : undefined);
}

/**
 * The dimensions that follow from other dimensions in every person, and their formulas. A lone number is in
 * mm at the reference stature. It scales with the median stature of the population.
 */
export const DERIVED_FORMULAS: Readonly<Record<string, Formula>> = Object.fromEntries(
  MEASUREMENT_NAMES.flatMap((name) => {
    const formula = formulaOf(name);
    return formula === undefined ? [] : [[name, formula] as const];
  }),
);

const DERIVED_TERMS: ReadonlyMap<string, readonly Term[]> = new Map(
  Object.entries(DERIVED_FORMULAS).map(([name, formula]) => [name, parseFormula(formula)]),
);

/** A dimension with the terms of its formula. */
interface DerivedDimension {
  readonly measurement: MeasurementName;
  readonly terms: readonly Term[];
}

/** The dimensions of `DERIVED_FORMULAS` and their terms. Each comes after those that it depends on. */
export const DERIVED: readonly DerivedDimension[] = (() => {
  const found = new Map<MeasurementName, DerivedDimension>();
  const visit = (measurement: MeasurementName): void => {
    const terms = DERIVED_TERMS.get(measurement);
    if (terms === undefined || found.has(measurement)) return;
    for (const { of } of terms) if (of !== undefined) visit(of);
    found.set(measurement, { measurement, terms });
  };
  for (const name of MEASUREMENT_NAMES) visit(name);
  return [...found.values()];
})();

/** The dimensions that a person is built from; all others follow from them. */
export const FREE_NAMES: readonly MeasurementName[] = MEASUREMENT_NAMES.filter(
  (name) => !DERIVED_TERMS.has(name),
);

/** A coefficient times a free dimension. */
export interface FreeTerm {
  readonly coefficient: number;
  readonly of: MeasurementName;
}

function expand(name: MeasurementName): Map<MeasurementName, number> {
  const terms = DERIVED_TERMS.get(name);
  if (terms === undefined) return new Map([[name, 1]]);
  const sum = new Map<MeasurementName, number>();
  for (const { coefficient, of } of terms) {
    if (of === undefined) continue;
    for (const [free, inner] of expand(of)) {
      sum.set(free, (sum.get(free) ?? 0) + coefficient * inner);
    }
  }
  return sum;
}

/**
 * Every dimension as a sum of free dimensions, without lone numbers. For example, `EyeHeight` is `Stature -
 * EyeScalpDistance`. A free dimension is itself.
 */
export const FREE_TERMS: ReadonlyMap<MeasurementName, readonly FreeTerm[]> = new Map(
  MEASUREMENT_NAMES.map((name) => {
    const terms = [...expand(name)].filter(([, coefficient]) => coefficient !== 0);
    return [name, terms.map(([of, coefficient]) => ({ coefficient, of }))] as const;
  }),
);

/**
 * Sums and differences. Their spread follows from the spreads and correlations of their parts. An alias
 * without an identity is left out, because it shares the distribution of the dimension that it names.
 */
export const SUMS: readonly MeasurementName[] = MEASUREMENT_NAMES.filter(
  (name) =>
    DERIVED_TERMS.has(name) &&
    (DIMENSION_PLAN[name].basis.kind !== 'alias' || IDENTITIES.has(name)),
);

/**
 * Sums of two dimensions with a skewed part: girths and depths, and the ankle of children. The median of
 * such a sum is not the sum of the medians. Its distribution is not of the family of its parts.
 */
export const SKEWED_SUMS: ReadonlySet<string> = new Set<MeasurementName>([
  'CreaseBehindKneeToAnkle',
  'LegRoom',
  'MidHipCircumference',
]);
