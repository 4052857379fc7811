import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../src/core/profiles.js';
import { CLOTHING_RULES, POSTURE_RULES, type Rule } from '../model/profile-rules.js';
import type { Cell, RawTables } from '../tables/database.js';

/** Shift and added SD of a profile, in mm at the reference stature. */
interface Allowance {
  readonly shift: number;
  readonly sd: number;
}

/** The profile columns of `dimensions.arrow`. */
export interface ProfileColumns {
  readonly clothingShiftMm: Float32Array;
  readonly clothingSdMm: Float32Array;
  readonly postureShiftMm: Float32Array;
  readonly postureSdMm: Float32Array;
}

/** Standard deviation of a uniform distribution over a range of width 1. */
const UNIFORM_SD = 1 / Math.sqrt(12);

/**
 * A published figure: `25`, `20..30` (uniform over the range), `up to 40` (that much), or `-1..-1.5 %`
 * (of the dimension's own median).
 *
 * @throws Error for anything else
 */
export function parseAllowance(text: string, medianMm: number): Allowance {
  const match = /^(?:up to )?([+-]?\d+(?:\.\d+)?)(?:\.\.([+-]?\d+(?:\.\d+)?))?( %)?$/.exec(text);
  if (match === null) throw new Error(`cannot read the allowance ${text}`);
  const unit = match[3] === undefined ? 1 : medianMm / 100;
  const from = Number(match[1]) * unit;
  const to = match[2] === undefined ? from : Number(match[2]) * unit;
  return { shift: (from + to) / 2, sd: Math.abs(to - from) * UNIFORM_SD };
}

/** Reads the published allowances and applies the rules to every dimension and gender. */
export async function fitProfiles(
  tables: RawTables,
  genders: readonly Gender[],
  medianMm: (gender: Gender, name: MeasurementName) => number | undefined,
): Promise<ProfileColumns> {
  const rows = await tables.rows('allowances', 'allowances', 'kind, condition, dimensions, male');
  const clothing = columns(rows, 'clothing', CLOTHING_RULES, CLOTHING_IDS, genders, medianMm);
  const posture = columns(rows, 'posture', POSTURE_RULES, POSTURE_IDS, genders, medianMm);
  return {
    clothingShiftMm: clothing.shift,
    clothingSdMm: clothing.sd,
    postureShiftMm: posture.shift,
    postureSdMm: posture.sd,
  };
}

function columns<Id extends string>(
  rows: readonly Record<string, Cell>[],
  kind: string,
  rules: readonly Rule<Id>[],
  ids: readonly Id[],
  genders: readonly Gender[],
  medianMm: (gender: Gender, name: MeasurementName) => number | undefined,
) {
  const size = MEASUREMENT_NAMES.length * genders.length * ids.length;
  const shift = new Float32Array(size);
  const variance = new Float64Array(size);
  for (const rule of rules) {
    const { condition, dimensions } = rule.allowance;
    const published = rows.find(
      (row) => row.kind === kind && row.condition === condition && row.dimensions === dimensions,
    );
    if (published === undefined) throw new Error(`no allowance ${condition}: ${dimensions}`);
    for (const name of rule.names) {
      genders.forEach((gender, g) => {
        const median = medianMm(gender, name);
        if (median === undefined) return;
        const text = String(gender === 'Male' ? published.male : published.female);
        const allowance = parseAllowance(text, median);
        const factor = rule.factor ?? 1;
        for (const id of rule.profiles) {
          const dimension = MEASUREMENT_NAMES.indexOf(name) * genders.length + g;
          const at = dimension * ids.length + ids.indexOf(id);
          shift[at] = (shift[at] as number) + factor * allowance.shift;
          variance[at] = (variance[at] as number) + (factor * allowance.sd) ** 2;
        }
      });
    }
  }
  return { shift, sd: Float32Array.from(variance, Math.sqrt) };
}
