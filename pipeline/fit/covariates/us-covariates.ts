import { type Gender, perGender } from '../../../src/core/genders.js';
import { risingToAdult } from '../../model/children/growth.js';
import type { ByAge, Covariates } from '../../model/covariates.js';
import type { HeightLoss } from '../../model/fitted-model.js';
import { marginalThrough } from '../../numerics/marginal.js';
import { localLinear, memoise, smoothStep } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS, STANDING_FROM_YEARS } from '../../plans/axes.js';
import type { SourceTables } from '../../raw-tables/source-tables.js';
import type { Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import { standingGroups } from './group-covariates.js';
import { cdcCurve, infantLevels } from './infant-levels.js';
import { OLDEST_GROUP_YEARS, windowYears } from './smoothing.js';
import { fitUsSpreads } from './us-spreads.js';
import type { UsTrend } from './us-trend.js';
import { whoStandards } from './who-standards.js';

type LevelKey = 'lnStature' | 'lnBmi';

interface Series {
  readonly ages: number[];
  readonly weights: number[];
  readonly values: Record<LevelKey, number[]>;
}

function series(nhanes: Survey, gender: Gender): Series {
  const found = standingGroups(nhanes, gender);
  return {
    ages: found.map(({ age }) => age),
    weights: found.map(({ n }) => n),
    values: {
      lnStature: found.map(({ group }) => drawnStature(group)),
      lnBmi: found.map(({ group }) => group.moment('Bmi').tMean),
    },
  };
}

/** Mean of ln stature of a group. It is drawn through the percentiles, because the model gives percentiles. */
function drawnStature(group: SurveyGroup): number {
  const { p5, p50, p95 } = group.moment('Stature');
  return marginalThrough(p5, p50, p95).mean;
}

/** Last age of the WHO growth standards. */
const WHO_UNTIL_YEARS = 5;
/** Middle of the youngest group of standing children. */
const YOUNGEST_YEARS = 2.5;
/** Ages between which the ratio of lying infants changes into that of standing children. */
const JOINED_YEARS = [1.25, 2.75] as const;
/**
 * Half width for the ratio of NHANES to the reference in stature. The ratio changes less with age than stature itself.
 */
const SECULAR_WINDOW = 2.2;

/**
 * Covariates of the US population by exact age.
 * - Under 2 years: lying length, and mass over its square (`infantLevels`). The step to standing height is WHO's. It
 * falls between the knots of age at 1.999 and 2 years.
 * - From 2 years: NHANES 2011–2023, smoothed by age. In childhood, the ratio of NHANES to a reference is smoothed, so that
 * the reference gives the shape: WHO at 2 years, which changes into CDC 2000 until 5.
 * - Above the survey's oldest group: the published height loss, and a constant BMI.
 *
 * @param change change since the middle of NHANES 2011–2023; absent for the covariates of those years
 */
export function fitUsCovariates(
  tables: Pick<SourceTables, 'nhanes' | 'cdc' | 'whoHeights'>,
  heightLoss: HeightLoss,
  change?: UsTrend['change'],
): ByAge<Covariates> {
  const cdcStatureMm = cdcCurve(tables.cdc, 'stature_mm');
  const infants = infantLevels(tables);
  const byGender = perGender((gender) => series(tables.nhanes, gender));
  const smooth = (from: Series, key: LevelKey, age: number): number => {
    const at = Math.min(Math.max(age, STANDING_FROM_YEARS), OLDEST_GROUP_YEARS);
    return localLinear(from.ages, from.values[key], from.weights, at, windowYears(age));
  };
  const who = tables.whoHeights && whoStandards(tables.whoHeights);
  /** ln of the reference from 2 years: until 5 years, WHO changes into CDC, as far as there is WHO. */
  const lnReference: ByAge = (gender, age) => {
    const cdc = Math.log(cdcStatureMm(gender, age));
    if (who === undefined || age >= WHO_UNTIL_YEARS) return cdc;
    const share = smoothStep(age, STANDING_FROM_YEARS, WHO_UNTIL_YEARS);
    return share * cdc + (1 - share) * Math.log(who.statureMm(gender, age).median);
  };
  /** ln of NHANES ÷ reference in stature: the secular change, which is smooth over the years of age. */
  const secular: ByAge = (gender, age) => {
    const from = byGender[gender];
    const gaps = from.ages.map((a, i) => from.values.lnStature[i] - lnReference(gender, a));
    const at = Math.min(Math.max(age, YOUNGEST_YEARS), 19.5);
    return localLinear(from.ages, gaps, from.weights, at, SECULAR_WINDOW);
  };
  /** Moves a curve of infants and that of standing children towards each other, so that a step at 2 years vanishes. */
  const joined = (age: number, step: () => number): number => {
    if (who === undefined || age <= JOINED_YEARS[0] || age >= JOINED_YEARS[1]) return 0;
    const share = smoothStep(age, ...JOINED_YEARS);
    return step() * (age < STANDING_FROM_YEARS ? share : share - 1);
  };
  /** The step of the ratio to the reference. */
  const stepOf = (gender: Gender): number => {
    if (who === undefined) return 0;
    const { median } = who.statureMm(gender, STANDING_FROM_YEARS - 1e-9);
    const lying = infants.lnLength(gender, STANDING_FROM_YEARS - 1e-9) - Math.log(median);
    return secular(gender, STANDING_FROM_YEARS) - lying;
  };
  const lnStature: ByAge = (gender, age) => {
    const met = joined(age, () => stepOf(gender));
    if (age < STANDING_FROM_YEARS) return infants.lnLength(gender, age) + met;
    if (age < ADULT_AGE_YEARS) return lnReference(gender, age) + secular(gender, age) + met;
    const oldest = smooth(byGender[gender], 'lnStature', age);
    const further = heightLoss(gender, age) - heightLoss(gender, Math.min(age, OLDEST_GROUP_YEARS));
    return Math.log(Math.exp(oldest) - further);
  };
  const measuredLnBmi: ByAge = (gender, age) =>
    age < STANDING_FROM_YEARS ? infants.lnBmi(gender, age) : smooth(byGender[gender], 'lnBmi', age);
  /** BMI steps with the length, and mass does not. */
  const lnBmi: ByAge = (gender, age) => {
    const lnMass = (at: number) => measuredLnBmi(gender, at) + 2 * lnStature(gender, at);
    const step = () => lnMass(STANDING_FROM_YEARS) - lnMass(STANDING_FROM_YEARS - 1e-9);
    return measuredLnBmi(gender, age) + joined(age, step);
  };
  const spreads = fitUsSpreads(tables, (gender, age) => {
    const from = Math.max(age - 0.5, STANDING_FROM_YEARS);
    const to = Math.min(age + 0.5, ADULT_AGE_YEARS - 1e-9);
    const yearly = (curve: typeof lnStature) =>
      (curve(gender, to) - curve(gender, from)) / (to - from);
    return { lnStature: yearly(lnStature), lnBmi: yearly(lnBmi) };
  });
  const changed = (gender: Gender, ageYears: number, key: LevelKey) =>
    change?.(gender, ageYears)[key] ?? 0;
  const known = perGender((gender) => {
    const rising = risingToAdult(
      (age) => joinAtTwenty(lnStature, gender, age) + changed(gender, age, 'lnStature'),
    );
    return memoise(
      (ageYears: number): Covariates => ({
        ...spreads(gender, ageYears),
        lnStature: rising(ageYears),
        lnBmi: lnBmi(gender, ageYears) + changed(gender, ageYears, 'lnBmi'),
      }),
    );
  });
  return (gender, ageYears) => known[gender](ageYears);
}

/** Spreads the step between the child and the adult curve over the five years before 20. */
function joinAtTwenty(curve: ByAge, gender: Gender, age: number): number {
  if (age >= ADULT_AGE_YEARS || age <= 15) return curve(gender, age);
  const step = curve(gender, ADULT_AGE_YEARS) - curve(gender, ADULT_AGE_YEARS - 1e-9);
  return curve(gender, age) + (step * (age - 15)) / 5;
}
