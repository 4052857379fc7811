import { CONSTRAINTS, DEEPEST } from '../../src/core/constraints.js';
import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { Z95, Z99 } from '../numerics/marginal.js';
import { interpolate } from '../numerics/numbers.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import { GROWTH, isSkeletal } from '../plans/growth-rules.js';
import { NHANES_DIMENSIONS, SOFT_DIMENSIONS } from '../plans/nhanes-plan.js';
import type { Body } from './anatomy-sweep.js';

/** Bounds at an age; linear between ages. A rule holds from its first to its last age. */
export type Bounds = readonly (readonly [ageYears: number, low: number, high: number])[];

/** A figure that a rule compares with its bounds; the note names the dimension where there are many. */
export interface Figure {
  readonly value: number;
  readonly note?: string;
}

/** Fields of every rule. */
interface Common {
  /** Name of the figure, as the page shows it. */
  readonly name: string;
  readonly gender?: Gender;
  readonly bounds: Bounds;
  /** Where the bounds come from. */
  readonly source: string;
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
  readonly ages?: readonly [from: number, to: number];
  readonly of: (first: Body, second: Body) => number | readonly Figure[];
}

export type Rule = BodyRule | PairRule;

const ratio = (
  name: string,
  of: MeasurementName,
  to: MeasurementName,
  bounds: Bounds,
  source: string,
): Rule => {
  return { kind: 'body', name, bounds, source, of: (body) => body.mm(of) / body.mm(to) };
};
const size = (name: string, of: MeasurementName, bounds: Bounds, source: string): Rule => {
  return { kind: 'body', name, bounds, source, of: (body) => body.mm(of) };
};
const change = (first: Body, second: Body): number => second.mm('Stature') - first.mm('Stature');

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

const ANSUR = 'ANSUR II, means of soldiers';
const NEWBORN =
  'Sajjan 2022, Int. J. Res. Med. Sci., doi 10.18203/2320-6012.ijrms20220977 (abstract): hands of 60 ± 7 mm and feet of 71 ± 5 mm, 200 newborns of Mumbai with preterm ones; − 10 to + 20 %';

/** The bounds at an age. */
export function boundsAt(bounds: Bounds, ageYears: number): [low: number, high: number] {
  const ages = bounds.map(([age]) => age);
  const at = (limit: 1 | 2) => interpolate(ages, bounds.map((row) => row[limit]), ageYears); // biome-ignore format: short
  return [at(1), at(2)];
}

/** Percentiles at which parts of the body are compared besides the median, and the ages. */
const TAILS = [['P1', -Z99], ['P5', -Z95], ['P95', Z95], ['P99', Z99]] as const; // biome-ignore format: pairs
const TAIL_YEARS = [1, 3, 5, 8, 12, 16, 20, 50, 80];
/** The orders that every person keeps, without the dimension whose spread is a rule that the sweep leaves out. */
const ORDERS = CONSTRAINTS.filter(
  ({ enforced, above }) => enforced && above !== DEEPEST.measurement,
);
/** A child may have a wrist as thick as the hand, but not a percentile of children. */
const hasOrder = ({ ageYears }: Body, { fromYears, below }: (typeof ORDERS)[number]) =>
  ageYears >= fromYears || below === 'WristCircumference';

/** Figures of a rule at the percentiles of `TAILS`. */
const atTails = (of: (mm: Body['mm']) => Figure[]) => (body: Body) =>
  TAILS.flatMap(([percentile, z]) =>
    of((name) => body.mm(name, z)).map(({ value, note }) => ({
      value,
      note: `${percentile} ${note}`,
    })),
  );

/** Ratios of parts. */
// biome-ignore format: bounds in one line read as a table
const RATIOS: readonly Rule[] = [
  ratio('wrist girth ÷ hand girth', 'WristCircumference', 'HandCircumference',
    [[0, 0.8, 0.99], [2, 0.8, 0.99], [5, 0.75, 0.95], [10, 0.74, 0.9], [99, 0.74, 0.9]],
    'ANSUR II, P1 to P99 of soldiers: 0.77 to 0.90; lean boys down to 0.74; the hand is always larger',
  ),
  ratio('head girth ÷ stature', 'HeadGirth', 'Stature',
    [[0, 0.64, 0.75], [1, 0.57, 0.66], [2, 0.51, 0.6], [5, 0.42, 0.51], [10, 0.355, 0.425], [14, 0.315, 0.385], [20, 0.3, 0.37], [60, 0.3, 0.375], [99, 0.31, 0.4]],
    'WHO 2006, medians of girth and length, ± 9 %',
  ),
  ratio('sitting height ÷ stature', 'SittingHeight', 'Stature',
    [[0, 0.63, 0.715], [1, 0.59, 0.66], [2, 0.565, 0.625], [5, 0.53, 0.585], [10, 0.495, 0.55], [14, 0.475, 0.55], [20, 0.475, 0.555], [60, 0.465, 0.55], [99, 0.45, 0.54]],
    'Snyder 1977, medians ± 5 %; adults: means of `world` and `ansur2-origins`, 0.496 to 0.545, − 4 to + 2 %; under 2 and over 60 years our own assumption',
  ),
  ratio('crotch height ÷ stature', 'CrotchHeight', 'Stature',
    [[0, 0.27, 0.36], [2, 0.36, 0.44], [5, 0.41, 0.47], [10, 0.45, 0.51], [20, 0.44, 0.52], [99, 0.44, 0.54]],
    'stature less sitting height (above), ± 3 % of stature',
  ),
  ratio('foot length ÷ stature', 'FootLength', 'Stature',
    [[0, 0.145, 0.17], [10, 0.145, 0.165], [20, 0.14, 0.162], [60, 0.14, 0.166], [99, 0.14, 0.172]],
    'Snyder 1977, medians: 0.144 to 0.159; adults: means of `world` and `ansur2-origins`, 0.144 to 0.158; ± 3 %; older people: loss of height',
  ),
  ratio('ankle height ÷ foot length', 'FootHeight', 'FootLength',
    [[0, 0.2, 0.34], [20, 0.22, 0.3], [99, 0.22, 0.3]],
    `${ANSUR}: 0.26; Snyder 1977: 0.24 to 0.29`,
  ),
  ratio('calf girth ÷ thigh girth', 'CalfCircumference', 'ThighCircumferenceBelowButtock',
    [[0, 0.6, 0.8], [5, 0.6, 0.78], [20, 0.54, 0.72], [60, 0.54, 0.74], [99, 0.54, 0.76]],
    `${ANSUR}: 0.61 and 0.63; Snyder 1977: 0.7 at 5 years; ± 15 %`,
  ),
  ratio('chest girth ÷ head girth', 'ChestCircumferenceNipple', 'HeadGirth',
    [[0, 0.88, 1], [1, 0.91, 1.04], [2, 0.92, 1.08], [5, 0.99, 1.2]],
    'Snyder 1977: 1.02 at 2 and 1.10 at 5 years, ± 10 %; Ounsted 1986, doi 10.1016/0378-3782(86)90095-2 (abstract): of English children of 2 years, 46 % have the larger head; under 2 years our own assumption',
  ),
  ratio('span ÷ stature', 'Span', 'Stature',
    [[2, 0.96, 1.04], [10, 0.965, 1.04], [20, 0.98, 1.07], [50, 0.98, 1.08], [99, 0.98, 1.14]],
    'means of `ansur2-origins` and `world`: 0.993 (women of East Asian origin) to 1.061 (Black men), ± 1 %; older people: loss of height; children: our own assumption',
  ),
  ratio('navel height ÷ elbow height', 'WaistHeightStanding', 'ElbowHeight',
    [[0, 0.85, 1], [99, 0.85, 1]],
    `${ANSUR}: 0.96; the elbow hangs at or above the navel`,
  ),
  ratio('waist girth ÷ hip girth', 'WaistCircumferenceAbdominal', 'HipCircumferenceMax',
    [[1, 0.75, 1], [10, 0.75, 0.95], [20, 0.7, 1], [40, 0.72, 1], [50, 0.75, 1.02], [60, 0.75, 1.035], [80, 0.75, 1.04], [99, 0.75, 1.04]],
    'NHANES 2011–2023, men: 0.96 at 40, 0.98 at 50, 1.00 at 60 and 1.02 at 80; + 2 %',
  ),
];

/** The rules of the anatomist's page. */
// biome-ignore format: bounds in one line read as a table
export const RULES: readonly Rule[] = [
  ...RATIOS,
  {
    kind: 'body', ages: TAIL_YEARS, name: 'the ratios above at P1, P5, P95 and P99, against their bounds',
    of: (body) => atTails((mm) => RATIOS.flatMap((rule) => {
      if (rule.kind !== 'body' || body.ageYears > (rule.bounds.at(-1)?.[0] ?? 0)) return [];
      const value = rule.of({ ...body, mm }, body) as number;
      const [low, high] = boundsAt(rule.bounds, body.ageYears);
      return [{ value: Math.max(low / value, value / high), note: rule.name }];
    }))(body),
    bounds: [[1, 0, 1.1], [80, 0, 1.1]],
    source: 'the bounds of medians, 10 % wider: our own assumption',
  },
  {
    kind: 'body', ages: TAIL_YEARS, name: 'the smaller ÷ the larger of two parts at P1, P5, P95 and P99',
    of: (body) => atTails((mm) => ORDERS.filter((order) => hasOrder(body, order)).map(({ above, below, factor }) =>
      ({ value: (factor * mm(below)) / mm(above), note: `${below} ÷ ${above}` })))(body),
    bounds: [[1, 0, 1], [80, 0, 1]],
    source: '`src/core/constraints.ts`: what is larger in every person is larger at every percentile',
  },
  size('head girth at birth, mm', 'HeadGirth', [[0, 325, 362]], 'WHO 2006: 339 and 345; ± 5 %'),
  size('calf girth at birth, mm', 'CalfCircumference', [[0, 98, 122]],
    'Indian J. Child Health 2019;6(2), doi 10.32677/IJCH.2019.v06.i02.010 (abstract): 109 in newborns of normal mass, 92 in light ones; 109 ± 10 %'),
  size('arm girth at birth, mm', 'UpperArmCircumferenceMidpoint', [[0, 95, 118]],
    'Figueira and Segre 2004, Sao Paulo Med. J. 122(2) (abstract): 108 at term, SD 7 to 8; ± 10 %'),
  size('hand length at birth, mm', 'HandLength', [[0, 54, 70]], NEWBORN),
  size('foot length at birth, mm', 'FootLength', [[0, 69, 86]], NEWBORN),
  {
    kind: 'body', name: 'BMI, P50, kg/m²',
    of: ({ bmi }) => bmi[1],
    bounds: [[0, 11.7, 14.8], [1, 15, 18.5], [2, 14.2, 17.6], [5, 13.5, 17.6], [8, 13.5, 19.5], [10, 14.1, 20.5], [14, 16, 25.5], [20, 18.3, 36], [30, 18.5, 38], [80, 18.5, 36], [99, 17.5, 34]],
    source: 'WHO 2006 and 2007, medians − 1.5 SD and + 1.5 SD; adults: NCD-RisC 2024, poorest Africa and Polynesia',
  },
  {
    kind: 'body', name: 'mass at the median length, score of WHO', ages: [0, 1],
    of: massForLength,
    bounds: [[0, -1, 1], [1, -1, 1]],
    source: 'WHO 2006, weight for length; JME 2021: where most are wasted (India 2006, 20 %), the middle child is about 1 below',
  },
  {
    kind: 'body', name: 'BMI, P1, kg/m²',
    of: ({ bmi }) => bmi[0],
    bounds: [[20, 13.5, 26], [80, 13.5, 26], [99, 13, 26]],
    source: 'Henry, after Field Exchange 15 (ennonline.net/fex/15/limits): life ends near 13 in men and 11 in women; the upper bound is our own assumption',
  },
  {
    kind: 'body', name: 'BMI, P99 ÷ P50',
    of: ({ bmi }) => bmi[2] / bmi[1],
    bounds: [[20, 1.25, 2.2], [60, 1.25, 2.15], [85, 1.25, 1.95], [99, 1.25, 1.95]],
    source: 'NHANES 2011–2023: men 1.79 and women 2.05 at 30, 1.51 and 1.68 at 80; ± 15 %',
  },
  {
    kind: 'years', name: 'a distance of two parts in a year, mm',
    of: (younger, older) =>
      DISTANCES.map((name) => ({
        value: older.mm(name) - younger.mm(name),
        note: name,
      })),
    bounds: [[2, -12, 40], [5, -12, 25], [19, -12, 20]],
    source: 'growth of the parts: Snyder 1977 has at most 12 mm a year of chest depth',
  },
  {
    kind: 'years', name: 'growth, mm a year, 2 to 5 years',
    of: change,
    bounds: [[2, 62, 100], [3, 58, 85], [4, 52, 80]],
    source: 'WHO 2006, medians 88, 76 and 70 mm; stunted children two thirds',
  },
  {
    kind: 'body',
    name: 'growth of a quarter, share of that until 2 years, against WHO',
    of: shapes,
    bounds: [[0, 0.85, 1.15], [1, 0.85, 1.15]],
    source: 'WHO 2006, median lengths, ± 15 %',
  },
  {
    kind: 'body',
    name: 'change of the rate of growth between quarters, mm a year',
    of: (body) =>
      quarters(body)
        .filter((from) => from >= 2.25 && from <= 9)
        .map((from) => ({ value: rate(body, from + 0.25) - rate(body, from), note: `from ${from}` })),
    bounds: [[2, -8, 8], [9, -8, 8]],
    source: 'WHO 2006 and CDC 2000: at most 7 from 27 months, 5 from 33 months to puberty',
  },
  {
    kind: 'years', name: 'growth, mm a year, 5 to 10 years',
    of: change,
    bounds: [[5, 48, 76], [9, 46, 68]],
    source: 'Tanner and Davies 1985, J. Pediatr. 107:317, after medicalalgorithms.com: P10, P50 and P90 of boys are 51, 64 and 77 mm at 5.5 and 42, 52 and 62 at 9.5 years; girls begin puberty',
  },
  {
    kind: 'years', name: 'growth, mm a year, 10 to 17 years',
    of: change,
    bounds: [[10, 8, 80], [12, 2, 90], [14, 0, 90], [17, -1, 26]],
    source: 'Abbassi 1998, Pediatrics 102:507 (abstract): peaks of 95 mm in boys and 83 in girls, less in means of all',
  },
  {
    kind: 'ages', ages: [18, 20], gender: 'Male', name: 'growth from 18 to 20, men, mm',
    of: change,
    bounds: [[18, -1, 16]],
    source: 'CDC 2000: 7 mm; more where growth ends later: our own assumption',
  },
  {
    kind: 'ages', ages: [18, 20], gender: 'Female', name: 'growth from 18 to 20, women, mm',
    of: change,
    bounds: [[18, -1, 11]],
    source: 'the same: 2 mm',
  },
  {
    kind: 'ages', ages: [18, 60], name: 'stature at 60 less that at 18, mm',
    of: change,
    bounds: [[18, -110, 30]],
    source: 'NCD-RisC 2016, eLife 5:e13410: cohorts of Africa fell by up to 40 mm, less 12 mm lost by 60',
  },
  {
    kind: 'ages', ages: [40, 80], name: 'stature at 80 less that at 40, mm',
    of: change,
    bounds: [[40, -140, -30]],
    source: 'Sorkin 1999, Am. J. Epidemiol. 150:969: loss of 50 to 80 mm; cohorts − 90 to + 20 mm',
  },
  {
    kind: 'genders', name: 'boys less girls, stature, mm',
    of: (boys, girls) => boys.mm('Stature') - girls.mm('Stature'),
    bounds: [[0, 0, 20], [2, 0, 25], [5, -10, 25], [9, -15, 25], [10, -25, 20], [12, -60, 15], [13, -50, 45], [14, -15, 85]],
    source: 'WHO 2006 and 2007: 7 to 16 mm until 9, − 15 at 12, + 30 to 60 at 14; ± 15 mm, puberty ± 1 year',
  },
  {
    kind: 'genders', name: 'men less women, stature, mm',
    of: (men, women) => men.mm('Stature') - women.mm('Stature'),
    bounds: [[20, 88, 150], [30, 90, 150], [60, 95, 150], [99, 95, 160]],
    source: 'NCD-RisC 2016, cohorts of 1960, 1980 and 1996: P5, P50 and P95 of countries are 85 to 94, 116 to 122 and 134 to 146 mm',
  },
  {
    kind: 'genders', name: 'gap of boys and girls ÷ stature, ln',
    of: gaps((name) => !SOFT.has(name)),
    bounds: [[3, -0.065, 0.065], [9, -0.065, 0.065]],
    source: 'Snyder 1977: nearly all of 87 dimensions within 5 %; without seat, thighs and differences',
  },
  {
    kind: 'genders', name: 'the same, soft dimensions',
    of: gaps((name) => SOFT.has(name)),
    bounds: [[3, -0.1, 0.1], [9, -0.1, 0.1]],
    source: 'the same, and 4 % for countries where girls have a higher BMI',
  },
  {
    kind: 'body', name: 'bone ÷ stature, against the US',
    of: (body, home) =>
      SKELETAL.filter((name) => !DIFFERENCES.has(name)).map((name) => ({
        value: body.mm(name) / body.mm('Stature') / (home.mm(name) / home.mm('Stature')),
        note: name,
      })),
    bounds: [[2, 0.85, 1.15], [99, 0.85, 1.15]],
    source: '`ansur2-origins`: proportions of six origins differ by up to 6 % from those of White soldiers; 15 % is our own assumption',
  },
  {
    kind: 'body', name: 'spread of a bone, against the US',
    of: (body, home) =>
      BONES.filter((name) => !SEAT.test(name)).map((name) => ({
        value: body.lnSd(name) / home.lnSd(name),
        note: name,
      })),
    bounds: [[20, 0.72, 1.2], [60, 0.72, 1.2]],
    source: 'CV of adult stature of 18 countries: 0.76 to 0.98 of that of the US (`stature-sd`, `korea2015`, `world`); without what contains the soft seat',
  },
  {
    kind: 'years', name: 'growth of a bone in a year, ln',
    of: (younger, older) =>
      SKELETAL.filter((name) => !DIFFERENCES.has(name)).map((name) => ({
        value: Math.log(older.mm(name) / younger.mm(name)),
        note: name,
      })),
    bounds: [[2, -0.005, 0.3], [5, -0.005, 0.15], [19, -0.005, 0.12]],
    source: 'no bone shrinks before 20; none grows by an eighth in a year after 5',
  },
  {
    kind: 'years', name: 'a girth, breadth or depth in a year, ln',
    of: (younger, older) =>
      OWN.filter(({ name }) => !isSkeletal(name) && !DIFFERENCES.has(name)).map(({ name }) => ({
        value: Math.log(older.mm(name) / younger.mm(name)),
        note: name,
      })),
    bounds: [[2, -0.02, 0.12], [19, -0.02, 0.12]],
    source: 'Snyder 1977 and NHANES: P50 of single years, after smoothing',
  },
];
