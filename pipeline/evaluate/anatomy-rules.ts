import { CONSTRAINTS, DEEPEST } from '../../src/core/constraints.js';
import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { Z95, Z99 } from '../numerics/marginal.js';
import { interpolate } from '../numerics/numbers.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import { GROWTH, isSkeletal } from '../plans/growth-rules.js';
import { NHANES_DIMENSIONS, SOFT_DIMENSIONS } from '../plans/nhanes-plan.js';
import table from './anatomy-rules.json' with { type: 'json' };
import type { Body } from './anatomy-sweep.js';

/** Bounds at an age; linear between ages. A rule holds from its first to its last age. */
export type Bounds = readonly (readonly [ageYears: number, low: number, high: number])[];

/** A figure that a rule compares with its bounds; the note names the dimension where there are many. */
export interface Figure {
  readonly value: number;
  readonly note?: string;
}

/** Fields of every rule, from a row of `anatomy-rules.json`. */
interface Common {
  /** Name of the figure, as the page shows it. */
  readonly name: string;
  readonly gender?: Gender;
  readonly bounds: Bounds;
  /** Where the bounds come from. */
  readonly source: string;
  /** Why breaches remain. */
  readonly remains?: string;
}

/** A rule about one body. */
export interface BodyRule extends Common {
  readonly kind: 'body';
  /** Ages at which it is checked; all by default. */
  readonly ages?: readonly number[];
  readonly of: (body: Body, home: Body) => number | readonly Figure[];
}

/** A rule about two bodies: the genders at one age, or one population at two ages. */
export interface PairRule extends Common {
  readonly kind: 'genders' | 'years' | 'ages';
  /** The two ages, for `ages`. Rules of `years` compare each age with the next one. */
  readonly ages?: readonly number[];
  readonly of: (first: Body, second: Body) => number | readonly Figure[];
}

export type Rule = BodyRule | PairRule;

/** A row of the table: the figure is `ratio` of two dimensions, `size` of one, or one of `FIGURES`. */
interface Row extends Common {
  readonly kind: Rule['kind'];
  readonly figure: string;
  readonly of?: MeasurementName;
  readonly to?: MeasurementName;
  readonly ages?: readonly number[];
}

const ROWS = table as readonly unknown[] as readonly Row[];
/** Ratios of parts. */
const RATIOS = ROWS.filter(
  (row): row is Required<Pick<Row, 'of' | 'to'>> & Row => row.to !== undefined,
);

/** Growth of a quarter of a year, mm a year. */
const rate = ({ grown }: Body, ageYears: number): number =>
  4 * (grown(ageYears + 0.25) - grown(ageYears));
/** The quarters of a year of age. */
const quarters = ({ ageYears }: Body): number[] => [0, 1, 2, 3].map((i) => ageYears + i / 4);
/** Medians of length in mm at each quarter of a year until 24 months, lying (WHO 2006). */
// biome-ignore format: a table
const WHO_LENGTHS_MM: Readonly<Record<Gender, readonly number[]>> = {
  Male: [498.8, 614, 676.4, 719.7, 757.4, 791.6, 822.6, 851.3, 878],
  Female: [491.5, 597.8, 657.5, 701.5, 740, 775.3, 807.1, 836.6, 864],
};
/** Last age with lying length. */
const LYING_UNTIL = 1.999;

/** Growth in the quarters of a year under 2 years, as a share of the growth until then, over the same of WHO. */
function shapes(body: Body): Figure[] {
  const who = (quarter: number) => WHO_LENGTHS_MM[body.gender][quarter];
  const growth = (body.grown(LYING_UNTIL) - body.grown(0)) / (who(8) - who(0));
  return quarters(body).map((from) => {
    const [i, to] = [4 * from, Math.min(from + 0.25, LYING_UNTIL)];
    const known = growth * (who(i + 1) - who(i));
    return { value: (body.grown(to) - body.grown(from)) / known, note: `from ${from}` };
  });
}

/** Medians of mass (kg) at lying lengths of 450, 500 … 800 mm, and power and spread of mass at a length (WHO 2006). */
// biome-ignore format: a table
const WHO_MASS: Readonly<Record<Gender, { kg: readonly number[]; power: number; spread: number }>> = {
  Male: { kg: [2.441, 3.3278, 4.5467, 5.9907, 7.2666, 8.4227, 9.5032, 10.4475], power: -0.3521, spread: 0.084 },
  Female: { kg: [2.4607, 3.3518, 4.5498, 5.8742, 7.0812, 8.163, 9.149, 10.0891], power: -0.3833, spread: 0.0905 },
};

/** Score of the median mass at the median length. The mass follows from the median BMI. */
function massForLength({ bmi, mm, gender }: Body): number {
  const length = mm('Stature');
  const { kg, power, spread } = WHO_MASS[gender];
  const known = interpolate(
    kg.map((_, i) => 450 + 50 * i),
    kg,
    length,
  );
  return (((bmi[1] * (length / 1000) ** 2) / known) ** power - 1) / (power * spread);
}

/** Dimensions with an estimate of their own. */
const OWN = MEASUREMENTS.filter(({ name }) => DIMENSION_PLAN[name].basis.kind !== 'alias');
/** Bones that were measured, without differences of others. */
const BONES = OWN.filter(({ name }) => GROWTH.has(name)).map(({ name }) => name);
const SKELETAL = OWN.filter(({ name }) => isSkeletal(name)).map(({ name }) => name);
/** Small differences of two large dimensions. They vary far more than either of the two. */
const DIFFERENCES = new Set<string>([
  ...['EyeBodyCentreDistance', 'EyeScalpDistance', 'LegRoom', 'SacralHeightSitting'],
  ...['SittingElbowHeight', 'WaistToCrotchLength', 'WaistHeightSitting'],
]);
/** Of these, each year of growth is checked. */
const DISTANCES: readonly MeasurementName[] = [
  'EyeBodyCentreDistance',
  'EyeScalpDistance',
  'LegRoom',
];
/** Dimensions that end in the fat of the seat and the thigh. */
const SEAT = /Thigh|Hip|Buttock/;
const OTHERS = OWN.map(({ name }) => name).filter(
  (name) => !DIFFERENCES.has(name) && !SEAT.test(name),
);
/** Dimensions that depend on fat, in which countries with fatter girls differ. */
const SOFT: ReadonlySet<string> = new Set([
  ...SOFT_DIMENSIONS,
  ...NHANES_DIMENSIONS.map(({ measurement }) => measurement),
]);

/** Gaps of boys over girls relative to stature, in ln. */
function gaps(chosen: (name: MeasurementName) => boolean): (boys: Body, girls: Body) => Figure[] {
  const names = OTHERS.filter(chosen);
  return (boys, girls) => {
    const taller = boys.mm('Stature') / girls.mm('Stature');
    return names.map((name) => ({
      value: Math.log(boys.mm(name) / girls.mm(name) / taller),
      note: name,
    }));
  };
}

/** The bounds at an age. */
export function boundsAt(bounds: Bounds, ageYears: number): [low: number, high: number] {
  const ages = bounds.map(([age]) => age);
  const at = (limit: 1 | 2) => interpolate(ages, bounds.map((row) => row[limit]), ageYears); // biome-ignore format: short
  return [at(1), at(2)];
}

/** Percentiles at which parts of the body are compared besides the median. */
const TAILS = [['P1', -Z99], ['P5', -Z95], ['P95', Z95], ['P99', Z99]] as const; // biome-ignore format: pairs
/** The orders that every person keeps, without the dimension whose spread is a rule that the sweep leaves out. */
const ORDERS = CONSTRAINTS.filter(
  ({ enforced, above }) => enforced && above !== DEEPEST.measurement,
);
/** A child may have a wrist as thick as the hand, but not a percentile of children. */
const hasOrder = ({ ageYears }: Body, { fromYears, below }: (typeof ORDERS)[number]) =>
  ageYears >= fromYears || below === 'WristCircumference';

/** Figures of a rule at the percentiles of `TAILS`. */
const atTails =
  (of: (body: Body, mm: (name: MeasurementName) => number) => Figure[]) => (body: Body) =>
    TAILS.flatMap(([percentile, z]) =>
      of(body, (name) => body.mm(name, z)).map(({ value, note }) => ({
        value,
        note: `${percentile} ${note}`,
      })),
    );

/** Logarithms of the growth of dimensions in a year. */
const growthOf = (names: readonly MeasurementName[]) => (younger: Body, older: Body) =>
  names
    .filter((name) => !DIFFERENCES.has(name))
    .map((name) => ({ value: Math.log(older.mm(name) / younger.mm(name)), note: name }));

/** Values of dimensions of a body, as multiples of those at home. */
const againstHome =
  (names: readonly MeasurementName[], of: (body: Body, name: MeasurementName) => number) =>
  (body: Body, home: Body) =>
    names.map((name) => ({ value: of(body, name) / of(home, name), note: name }));

/** Figures by the name that rows give them: of a body and the same body at home, or of two bodies. */
const FIGURES: Readonly<Record<string, Rule['of']>> = {
  ratiosAtTails: atTails((body, mm) =>
    RATIOS.flatMap(({ of, to, bounds, name }) => {
      if (body.ageYears > (bounds.at(-1)?.[0] ?? 0)) return [];
      const value = mm(of) / mm(to);
      const [low, high] = boundsAt(bounds, body.ageYears);
      return [{ value: Math.max(low / value, value / high), note: name }];
    }),
  ),
  ordersAtTails: atTails((body, mm) =>
    ORDERS.filter((order) => hasOrder(body, order)).map(({ above, below, factor }) => {
      return { value: (factor * mm(below)) / mm(above), note: `${below} ÷ ${above}` };
    }),
  ),
  lowBmi: ({ bmi }) => bmi[0],
  bmi: ({ bmi }) => bmi[1],
  highBmi: ({ bmi }) => bmi[2] / bmi[1],
  massForLength,
  quarters: shapes,
  rateChanges: (body) =>
    quarters(body)
      .filter((from) => from >= 2.25 && from <= 9)
      .map((from) => ({ value: rate(body, from + 0.25) - rate(body, from), note: `from ${from}` })),
  growth: (younger, older) => older.mm('Stature') - younger.mm('Stature'),
  distances: (younger, older) =>
    DISTANCES.map((name) => ({ value: older.mm(name) - younger.mm(name), note: name })),
  boneGrowth: growthOf(SKELETAL),
  softGrowth: growthOf(OWN.map(({ name }) => name).filter((name) => !isSkeletal(name))),
  fall: (boys, girls) => boys.mm('Stature') - girls.mm('Stature'),
  hardGaps: gaps((name) => !SOFT.has(name)),
  softGaps: gaps((name) => SOFT.has(name)),
  boneShares: againstHome(
    SKELETAL.filter((name) => !DIFFERENCES.has(name)),
    (body, name) => body.mm(name) / body.mm('Stature'),
  ),
  boneSpreads: againstHome(
    BONES.filter((name) => !SEAT.test(name)),
    (body, name) => body.lnSd(name),
  ),
};

function ruleOf({ figure, of, to, ...row }: Row): Rule {
  const found = FIGURES[figure];
  if (of === undefined) {
    if (found === undefined) throw new Error(`anatomy-rules.json has no figure ${figure}`);
    return { ...row, of: found };
  }
  return { ...row, of: ({ mm }) => (to === undefined ? mm(of) : mm(of) / mm(to)) };
}

/** The rules of the anatomist's page. */
export const RULES: readonly Rule[] = ROWS.map(ruleOf);
