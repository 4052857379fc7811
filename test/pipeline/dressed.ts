import { DIMENSION_PLAN } from '../../pipeline/plans/dimension-plan.js';
import { SKEWED_SUMS } from '../../pipeline/plans/joint-plan.js';
import { CONSTRAINTS } from '../../src/core/constraints.js';
import { GENDERS } from '../../src/core/genders.js';
import {
  MEASUREMENTS,
  type MeasurementName,
  measurementIndex,
} from '../../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../src/core/profiles.js';
import { CellFinder } from '../../src/lookup/cell.js';
import { Z_COUNT, Z_MEDIAN } from '../../src/lookup/format.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';

type Triple = readonly [whole: MeasurementName, part: MeasurementName, rest: MeasurementName];

/** Sums: whole = part + rest at the median, in any clothing. */
const SUMS: readonly Triple[] = [
  ['Stature', 'SittingHeight', 'LegLength'],
  ['EyeHeight', 'SittingEyeHeight', 'LegLength'],
  ['ShoulderHeight', 'SittingShoulderHeight', 'LegLength'],
  ['C7HeightStanding', 'C7HeightSitting', 'LegLength'],
  ['MidShoulderHeightStanding', 'MidShoulderHeightSitting', 'LegLength'],
  ['SittingHeight', 'SittingEyeHeight', 'EyeScalpDistance'],
  ['SittingEyeHeight', 'SittingElbowHeight', 'EyeToTableDistance'],
  ['ButtockKneeLength', 'AbdominalDepth', 'LegRoom'],
  ['WaistHeightStanding', 'CrotchHeight', 'WaistToCrotchLength'],
  ['PoplitealHeight', 'FootHeight', 'CreaseBehindKneeToAnkle'],
];
/** Names of one dimension, whose quantiles are equal. */
const SAME = MEASUREMENTS.flatMap(({ name }) => {
  const { basis, identity } = DIMENSION_PLAN[name];
  return basis.kind === 'alias' && identity === undefined ? [[name, basis.of] as const] : [];
});
/** A whole, its part, and the age in years from which the part is smaller at every quantile. */
export const PARTS = CONSTRAINTS.filter(({ factor }) => factor === 1).map(
  ({ above, below, fromYears }) => [above, below, fromYears] as const,
);
/** Rounding error of sums of float32 quantiles near 2 m, in mm. */
const ROUNDING_MM = 0.002;

/** Quantile curves of one population in one clothing and posture, by name of dimension. */
class Dressed {
  private readonly known = new Map<MeasurementName, Float64Array | undefined>();

  constructor(
    private readonly finder: CellFinder,
    private readonly cell: { gender: number; country: number; ageYears: number },
    private readonly clothing: number,
    private readonly posture: number,
  ) {}

  /** The curve; undefined if there is no model for the posture or the age. */
  curve(name: MeasurementName): Float64Array | undefined {
    if (this.known.has(name)) return this.known.get(name);
    const measurement = measurementIndex(name) as number;
    const { cell, clothing, posture } = this;
    const postures: readonly string[] = MEASUREMENTS[measurement]?.postures ?? [];
    const knots = new Float64Array(Z_COUNT);
    const held = postures.includes(POSTURE_IDS[posture] as string);
    const status = held && this.finder.fill({ measurement, clothing, posture, ...cell }, knots);
    const curve = status === 'ok' ? knots : undefined;
    this.known.set(name, curve);
    return curve;
  }

  /** Median of a whole − medians of its two parts; undefined if one of them has no model. */
  departureMm([whole, part, rest]: Triple): number | undefined {
    const [sum, first, second] = [whole, part, rest].map((name) => this.curve(name)?.[Z_MEDIAN]);
    if (sum === undefined || first === undefined || second === undefined) return undefined;
    return sum - first - second;
  }
}

/** Whether the part is larger than the whole at any quantile of a population. */
function crossed(dressed: Dressed, whole: MeasurementName, part: MeasurementName): boolean {
  const above = dressed.curve(whole);
  const below = dressed.curve(part);
  if (above === undefined || below === undefined) return false;
  return above.some((value, i) => !(value > (below[i] as number)));
}

function* faultsOf(dressed: Dressed, bare: Dressed, ageYears: number): Generator<string> {
  for (const [whole, part, from] of PARTS) {
    // If tails cross even without clothing, the fault lies in the model and not in the allowances.
    // Winter clothes on the thigh of a sitting infant reach the elbow.
    const covered = part === 'ThighThickness';
    if (ageYears < from || covered || crossed(bare, whole, part)) continue;
    if (crossed(dressed, whole, part)) yield `${whole} > ${part}`;
  }
  for (const [whole, part, rest] of SUMS) {
    const departureMm = dressed.departureMm([whole, part, rest]);
    if (departureMm === undefined) continue;
    // The median of a skewed sum differs from the sum of the medians of its parts. The difference is equal in any
    // clothing.
    const skewed = [whole, part, rest].some((name) => SKEWED_SUMS.has(name));
    const expectedMm = skewed ? (bare.departureMm([whole, part, rest]) as number) : 0;
    if (!(Math.abs(departureMm - expectedMm) < ROUNDING_MM)) yield `${whole} = ${part} + ${rest}`;
  }
  for (const [name, other] of SAME) {
    const one = dressed.curve(name);
    if (one?.some((value, i) => value !== dressed.curve(other)?.[i])) yield `${name} = ${other}`;
  }
  for (const { name } of MEASUREMENTS) {
    if (dressed.curve(name)?.some((value) => !(value > 0))) yield `${name} > 0`;
  }
}

/**
 * Finds rules that fail in any clothing and posture, and the first place of each failure. It checks every `every`th
 * country and age knot: heights are in order and parts below wholes at every quantile (if this holds without clothing),
 * sums hold at the median, aliases are equal, and values are above 0.
 */
export function dressedFaults(views: ArtifactViews, every: number): Map<string, string> {
  const finder = new CellFinder(views);
  const faults = new Map<string, string>();
  const { countries, agesYears } = views.manifest.axes;
  for (let gender = 0; gender < GENDERS.length; gender++) {
    for (let country = 0; country < countries.length; country += every) {
      agesYears.forEach((ageYears, age) => {
        if (age % every !== country % every && ageYears > 2) return;
        const cell = { gender, country, ageYears };
        const bare = new Dressed(finder, cell, 0, 0);
        for (let clothing = 0; clothing < CLOTHING_IDS.length; clothing++) {
          for (let posture = 0; posture < POSTURE_IDS.length; posture++) {
            const dressed = new Dressed(finder, cell, clothing, posture);
            for (const fault of faultsOf(dressed, bare, ageYears)) {
              const profile = `${CLOTHING_IDS[clothing]}, ${POSTURE_IDS[posture]}`;
              const where = `${GENDERS[gender]}, ${countries[country]}, ${ageYears} years, ${profile}`;
              if (!faults.has(fault)) faults.set(fault, where);
            }
          }
        }
      });
    }
  }
  return faults;
}
