import type { Gender } from '../../src/core/genders.js';
import {
  MEASUREMENTS,
  type MeasurementName,
  measurementIndex,
} from '../../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS, type PostureId } from '../../src/core/profiles.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import { parseFormula } from '../plans/formula.js';
import {
  type AllowanceKey,
  CLOTHING_RULES,
  POSTURE_RULES,
  PROFILE_FORMULAS,
  type Rule,
} from '../plans/profile-rules.js';
import type { SourceTables } from '../raw-tables/source-tables.js';

/** Shift and added SD of a profile, in mm at the reference stature. */
export interface Allowance {
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

/** Sources of the allowances: the published rows, and the means by which a slump is distributed. */
export type ProfileSources = Pick<SourceTables, 'allowances' | 'ansur1'>;

type Kind = 'clothing' | 'posture';
/**
 * Factors on published rows, by the key of the row. The rows times their factors sum to a dimension's
 * allowance.
 */
export type Shares = ReadonlyMap<string, number>;

/** Rows whose figure for one gender applies to both genders. */
const FIGURE_OF: ReadonlyMap<string, Gender> = new Map(
  CLOTHING_RULES.flatMap(({ allowance, figureOf }) =>
    figureOf === undefined ? [] : [[keyOf(allowance), figureOf] as const],
  ),
);

/** Standard deviation of a uniform distribution over a range of width 1. */
const UNIFORM_SD = 1 / Math.sqrt(12);

/**
 * Reads a published figure: `25`, `20..30` (uniform over the range), `up to 40` (counts as 40), or
 * `-1..-1.5 %` (of the median stature).
 *
 * @throws Error for anything else
 */
export function parseAllowance(text: string, statureMm: number): Allowance {
  const match = /^(?:up to )?([+-]?\d+(?:\.\d+)?)(?:\.\.([+-]?\d+(?:\.\d+)?))?( %)?$/.exec(text);
  if (match === null) throw new Error(`cannot read the allowance ${text}`);
  const unit = match[3] === undefined ? 1 : statureMm / 100;
  const from = Number(match[1]) * unit;
  const to = match[2] === undefined ? from : Number(match[2]) * unit;
  return { shift: (from + to) / 2, sd: Math.abs(to - from) * UNIFORM_SD };
}

/** Key of a published row within its kind. */
export function keyOf({ condition, dimensions }: AllowanceKey): string {
  return `${condition}: ${dimensions}`;
}

/** The allowances of every dimension for one gender. */
export class ProfileAllowances {
  constructor(
    private readonly sources: ProfileSources,
    private readonly gender: Gender,
    private readonly statureMm: number,
  ) {}

  /**
   * Factors on the published rows for a dimension under a clothing profile. They come from the dimension's
   * own rules. An alias or a sum of other dimensions takes them from its parts.
   *
   * @throws Error when a rule names a dimension that follows from others
   */
  clothing(name: MeasurementName, profile: string): Shares {
    return this.shares(CLOTHING_RULES, profile, name, () => true);
  }

  /**
   * Factors on the published rows for a dimension in a posture. A sum follows its parts only if all of them
   * have a model in that posture: when a standing person relaxes, EyeHeight is not a sum of sitting
   * heights.
   */
  posture(name: MeasurementName, profile: string): Shares {
    const held = (part: MeasurementName) =>
      MEASUREMENTS[measurementIndex(part) as number]?.postures.includes(profile as PostureId) ===
      true;
    return held(name) ? this.shares(POSTURE_RULES, profile, name, held) : new Map();
  }

  /**
   * Shift and added SD. A person has one value of a published row in all dimensions. So a shoe that is in
   * both Stature and LegLength cancels in their difference. Different rows are independent.
   *
   * @throws Error when the row is not in `data/raw/allowances`
   */
  amount(kind: Kind, shares: Shares): Allowance {
    let shift = 0;
    let variance = 0;
    for (const [key, share] of shares) {
      const published = this.sources.allowances.find(
        (row) =>
          row.kind === kind &&
          keyOf({ condition: String(row.condition), dimensions: String(row.dimensions) }) === key,
      );
      if (published === undefined) throw new Error(`no allowance ${key}`);
      const gender = FIGURE_OF.get(key) ?? this.gender;
      const text = String(gender === 'Male' ? published.male : published.female);
      const allowance = parseAllowance(text, this.statureMm);
      shift += share * allowance.shift;
      variance += (share * allowance.sd) ** 2;
    }
    return { shift, sd: Math.sqrt(variance) };
  }

  /** Height of a landmark above the seat, as a share of that of C7; at most 1. */
  trunkShare(landmark: MeasurementName): number {
    return Math.min(1, this.aboveSeatMm(landmark) / this.aboveSeatMm('C7HeightSitting'));
  }

  private aboveSeatMm(name: MeasurementName): number {
    const group = this.sources.ansur1.group(this.gender, 'adult');
    if (group === undefined) throw new Error(`ansur1 has no adults of gender ${this.gender}`);
    const standing = MEASUREMENTS[measurementIndex(name) as number]?.definedIn === 'standing';
    return group.moment(name).mean - (standing ? group.moment('LegLength').mean : 0);
  }

  private shares(
    rules: readonly Rule<string>[],
    profile: string,
    name: MeasurementName,
    held: (part: MeasurementName) => boolean,
  ): Shares {
    const sum = new Map<string, number>();
    const add = (key: string, share: number) => {
      const total = (sum.get(key) ?? 0) + share;
      if (Math.abs(total) < 1e-12) sum.delete(key);
      else sum.set(key, total);
    };
    const own = rules.filter(
      (rule) => rule.profiles.includes(profile) && rule.names.includes(name),
    );
    const parts = partsOf(name, held);
    if (parts === undefined) {
      for (const rule of own) {
        const share = rule.landmark === undefined ? 1 : this.trunkShare(rule.landmark);
        add(keyOf(rule.allowance), share * (rule.factor ?? 1));
      }
      return sum;
    }
    if (own.length > 0)
      throw new Error(`${name} follows from other dimensions; no rule of ${profile} may name it`);
    for (const { coefficient, of } of parts) {
      if (of === undefined) continue; // Clothing and posture do not change a constant.
      for (const [key, share] of this.shares(rules, profile, of, held)) {
        add(key, coefficient * share);
      }
    }
    return sum;
  }
}

/** Terms of a dimension's first formula whose parts all have a model, if there is one. */
function partsOf(name: MeasurementName, held: (part: MeasurementName) => boolean) {
  const { basis, identity } = DIMENSION_PLAN[name];
  const planned = identity ?? (basis.kind === 'alias' ? basis.of : undefined);
  const formulas = PROFILE_FORMULAS[name] ?? (planned === undefined ? [] : [planned]);
  return formulas
    .map(parseFormula)
    .find((terms) => terms.every(({ of }) => of === undefined || held(of)));
}

/** Applies the rules to the published allowances of every dimension and gender. */
export function fitProfiles(
  sources: ProfileSources,
  genders: readonly Gender[],
  medianMm: (gender: Gender, name: MeasurementName) => number | undefined,
): ProfileColumns {
  const clothing: Allowance[] = [];
  const posture: Allowance[] = [];
  const byGender = genders.map(
    (gender) => new ProfileAllowances(sources, gender, medianMm(gender, 'Stature') as number),
  );
  for (const { name } of MEASUREMENTS) {
    for (const allowances of byGender) {
      for (const id of CLOTHING_IDS) {
        clothing.push(allowances.amount('clothing', allowances.clothing(name, id)));
      }
      for (const id of POSTURE_IDS) {
        posture.push(allowances.amount('posture', allowances.posture(name, id)));
      }
    }
  }
  return {
    clothingShiftMm: Float32Array.from(clothing, ({ shift }) => shift),
    clothingSdMm: Float32Array.from(clothing, ({ sd }) => sd),
    postureShiftMm: Float32Array.from(posture, ({ shift }) => shift),
    postureSdMm: Float32Array.from(posture, ({ sd }) => sd),
  };
}
