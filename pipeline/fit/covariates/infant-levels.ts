import { perGender } from '../../../src/core/genders.js';
import type { ByAge } from '../../model/covariates.js';
import { interpolate, localLinear } from '../../numerics/numbers.js';
import { STANDING_FROM_YEARS } from '../../plans/axes.js';
import type { Rows, SourceTables } from '../../raw-tables/source-tables.js';
import type { Survey } from '../../raw-tables/surveys.js';
import { whoStandards } from './who-standards.js';

/** Medians of a reference of children, by gender and age. */
interface Curves {
  /** Lying length under 2 years, mm. */
  readonly lengthMm: ByAge;
  /** Mass over squared lying length under 2 years, kg/m². */
  readonly bmi: ByAge;
  /** Head circumference until 3 years, mm. */
  readonly headGirthMm: ByAge;
}

/** Levels of the infants of the US, in ln of mm or kg/m². */
export interface InfantLevels {
  /** Mean ln of lying length, under 2 years. */
  readonly lnLength: ByAge;
  /** Mean ln of BMI with lying length, under 2 years. */
  readonly lnBmi: ByAge;
  /** ln of the median head girth, until 3 years. */
  readonly lnHeadGirth: ByAge;
}

/** Groups of months in NHANES of the period of today. */
const MONTHS = '2011-2023/m';
/** Half width in years of the window over which the ratio of NHANES to the reference is smoothed. */
const RATIO_WINDOW = 1.2;
/**
 * Weight of the reference at birth, in children. No survey of the US has newborns: that they are those of WHO is our own
 * assumption.
 */
const NEWBORNS = 400;

interface Points {
  readonly ages: number[];
  readonly lnRatios: number[];
  readonly weights: number[];
}

const atBirth = (): Points => ({ ages: [0], lnRatios: [0], weights: [NEWBORNS] });

/** ln of NHANES over the reference in the groups of months, by age. */
function ratios(nhanes: Survey, reference: Curves) {
  return perGender((gender) => {
    const points = { length: atBirth(), bmi: atBirth(), head: atBirth() };
    const groups = nhanes
      .groupsOf(gender, MONTHS)
      .map(([, group]) => ({ group, age: group.moment('AgeYears').mean }))
      .sort((a, b) => a.age - b.age);
    for (const { group, age } of groups) {
      const add = (to: Points, lnMeasured: number, of: number, n: number) => {
        to.ages.push(age);
        to.lnRatios.push(lnMeasured - Math.log(of));
        to.weights.push(n);
      };
      const [length, mass] = [group.moment('Stature'), group.moment('BodyMass')];
      add(points.length, Math.log(length.p50), reference.lengthMm(gender, age), length.n);
      const lnBmi = mass.tMean - 2 * (length.tMean - Math.log(1000));
      add(points.bmi, lnBmi, reference.bmi(gender, age), mass.n);
      const head = group.moments.get('HeadGirth');
      if (head === undefined) continue;
      add(points.head, Math.log(head.p50), reference.headGirthMm(gender, age), head.n);
    }
    return points;
  });
}

/**
 * Levels of the infants of the US: the reference times the ratio of NHANES to it. That of length and BMI is smoothed
 * over age; that of the head, which has three groups only, is linear between them. At birth, the reference has a
 * weight (`NEWBORNS`).
 * The reference is that of WHO, as CDC recommends under 2 years (MMWR 2010;59 RR-9), or CDC 2000 where the standards
 * of WHO are left out.
 */
export function infantLevels({
  nhanes,
  whoHeights,
  cdc,
}: Pick<SourceTables, 'nhanes' | 'whoHeights' | 'cdc'>): InfantLevels {
  const reference = whoHeights === undefined ? cdcInfants(cdc) : whoInfants(whoHeights);
  const found = ratios(nhanes, reference);
  const smooth = ({ ages, lnRatios, weights }: Points, age: number) =>
    localLinear(ages, lnRatios, weights, Math.min(age, STANDING_FROM_YEARS), RATIO_WINDOW);
  return {
    lnLength: (gender, age) =>
      Math.log(reference.lengthMm(gender, age)) + smooth(found[gender].length, age),
    lnBmi: (gender, age) => Math.log(reference.bmi(gender, age)) + smooth(found[gender].bmi, age),
    lnHeadGirth: (gender, age) => {
      const { ages, lnRatios } = found[gender].head;
      return Math.log(reference.headGirthMm(gender, age)) + interpolate(ages, lnRatios, age);
    },
  };
}

function whoInfants(rows: Rows): Curves {
  const who = whoStandards(rows);
  return {
    lengthMm: (gender, age) => who.statureMm(gender, age).median,
    bmi: (gender, age) => who.bmi(gender, age).median,
    headGirthMm: (gender, age) => who.headGirthMm(gender, age).median,
  };
}

function cdcInfants(rows: Rows): Curves {
  const [length, mass] = [
    cdcCurve(rows, 'recumbent_length_mm'),
    cdcCurve(rows, 'body_mass_0_3_kg'),
  ];
  return {
    lengthMm: length,
    bmi: (gender, age) => mass(gender, age) / (length(gender, age) / 1000) ** 2,
    headGirthMm: cdcCurve(rows, 'head_girth_mm'),
  };
}

/** Median of a measure in the CDC 2000 reference, linear between the ages of the table. */
export function cdcCurve(rows: Rows, measure: string): ByAge {
  const curves = perGender((gender) => {
    const found = rows.filter((row) => row.measure === measure && row.gender === gender);
    if (found.length === 0) throw new Error(`cdc2000 has no ${measure}`);
    return { ages: found.map((r) => Number(r.age_years)), m: found.map((r) => Number(r.m)) };
  });
  return (gender, age) => interpolate(curves[gender].ages, curves[gender].m, age);
}
