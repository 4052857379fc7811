import { GENDERS, type Gender } from '../../../src/core/genders.js';
import type { ChildFit } from '../../model/fitted-model.js';
import { localLinear, mean, memoise, smoothStep, tricube } from '../../numerics/numbers.js';
import { isSkeletal, PARTING, SURVEYED_FROM } from '../../plans/growth-rules.js';
import type { Subsample, SubsampleField, Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import { explainedVariance, regress } from '../regressions/regression.js';

/** Half width in years of the window over which the survey's single years are smoothed. */
const LEVEL_WINDOW = 2.2;
const SLOPE_WINDOW = 3.5;

/** Half width in years for skewness, which is mostly chance among the 40 to 130 children of one year. */
const SKEW_WINDOW = 6;
/** Ages between which the allometry of growth is fitted. It gives the proportions below these ages. */
const ALLOMETRY_FROM = SURVEYED_FROM;
const ALLOMETRY_TO = 5.5;
/** Oldest centre of the survey's single years. */
const OLDEST = 18.6;

/** The predictors, as the fields of a subsample. */
const FIELDS = ['stature', 'bmi', 'age'] as const;

/** The people of one year who have the dimension. */
interface Year extends Subsample {
  readonly group: SurveyGroup;
}

function years(snyder: Survey, gender: Gender, variable: string): Year[] {
  const found: Year[] = [];
  for (let age = 2; age <= 19; age++) {
    const group = snyder.group(gender, String(age));
    const subsample = group?.subsamples.get(variable);
    if (group !== undefined && subsample !== undefined) found.push({ ...subsample, group });
  }
  return found;
}

/**
 * Covariance within single years, pooled over the years near `age` by people and nearness.
 *
 * @param others years of the other gender, and the weight that they have
 */
function pooled(from: readonly Year[], age: number, others: readonly Year[] = [], share = 0) {
  const nearTo = (all: readonly Year[], by: number) =>
    all.flatMap((year) => {
      const weight = by * tricube(Math.abs(year.mean.age - age) / SLOPE_WINDOW) * (year.n - 1);
      return weight > 0 ? [{ year, weight }] : [];
    });
  const near = [...nearTo(from, 1), ...nearTo(others, share)];
  const total = near.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) throw new Error(`no children near ${age} years`);
  return (a: SubsampleField, b: SubsampleField): number =>
    near.reduce((sum, { year, weight }) => sum + weight * year.covariance(a, b), 0) / total;
}

/** Mean of a figure over the years near `age`, weighted by people and nearness. */
function averaged(from: readonly Year[], age: number, pick: (year: Year) => number): number {
  let [sum, weight] = [0, 0];
  for (const year of from) {
    const nearness = tricube(Math.abs(year.mean.age - age) / SKEW_WINDOW);
    if (nearness === 0) continue;
    const w = nearness * year.n;
    sum += w * pick(year);
    weight += w;
  }
  return sum / weight;
}

/** Third moment of the part that BMI does not explain. The third cumulants of independent parts add. */
function residualThird(from: readonly Year[], variable: string, age: number, slopeBmi: number) {
  const third = ({ group }: Year, of: string) => group.moment(of).tSkew * group.moment(of).tSd ** 3;
  return averaged(from, age, (year) => third(year, variable) - slopeBmi ** 3 * third(year, 'Bmi'));
}

/** Level, stature and BMI (all ln) by age. */
function curvesOf(from: readonly Year[]) {
  const ages = from.map(({ mean }) => mean.age);
  const weights = from.map(({ n }) => n);
  const curve = (pick: (year: Year) => number) => {
    const values = from.map(pick);
    return memoise((age: number) =>
      localLinear(ages, values, weights, Math.min(age, OLDEST), LEVEL_WINDOW),
    );
  };
  return {
    level: curve(({ mean }) => mean.dimension),
    stature: curve(({ mean }) => mean.stature),
    bmi: curve(({ mean }) => mean.bmi),
  };
}

/** Exponent of growth's allometry, D ∝ Sᵏ. */
function exponentOf({ level, stature }: ReturnType<typeof curvesOf>): number {
  return (
    (level(ALLOMETRY_TO) - level(ALLOMETRY_FROM)) /
    (stature(ALLOMETRY_TO) - stature(ALLOMETRY_FROM))
  );
}

/**
 * Fits a child's dimension to Snyder 1977. Level, stature and BMI are smoothed over age (local linear
 * regression). The slopes come from covariances within single years, pooled over neighbouring years, and before
 * puberty over both genders, because 40 children of a year and gender do not tell them.
 * Dimensions of the skeleton get no skewness of their own, because it differs from that of stature by
 * chance only. Below 2.5 years, the allometry of growth between 2.5 and 5.5 years gives the proportions (ln
 * D linear in ln S; Huxley 1932, Problems of Relative Growth). Both genders share one exponent, because
 * their exponents differ by less than the error. This is an extrapolation, as `docs/model.md` says.
 *
 * @param variable the survey's name of the dimension, or of a similar one that lends its growth
 * @returns undefined for a dimension that the survey does not have
 */
export function fitChild(
  snyder: Survey,
  gender: Gender,
  name: string,
  variable = name,
): ChildFit | undefined {
  const from = years(snyder, gender, variable);
  if (from.length < 10) return undefined;
  const { level, stature, bmi } = curvesOf(from);
  const others = years(snyder, gender === 'Male' ? 'Female' : 'Male', variable);
  const slopesAt = memoise((age: number) => {
    const at = Math.min(age, OLDEST);
    const share = 1 - smoothStep(at, PARTING.from, PARTING.to);
    const { slopes } = regress(pooled(from, at, others, share), 'dimension', FIELDS);
    const own = pooled(from, at);
    const residualVariance = FIELDS.reduce(
      (sum, field, i) => sum - 2 * slopes[i] * own(field, 'dimension'),
      own('dimension', 'dimension') + explainedVariance(own, FIELDS, slopes),
    );
    const [stature, bmi] = slopes as [number, number];
    return {
      stature,
      bmi,
      residualSd: Math.sqrt(residualVariance),
      residualThird: isSkeletal(name)
        ? 0
        : residualThird(from, variable, Math.min(age, OLDEST), bmi),
    };
  });
  const growth = mean(
    GENDERS.map((either) => exponentOf(curvesOf(years(snyder, either, variable)))),
  );
  return {
    growth,
    at(covariates, ageYears) {
      const age = Math.max(SURVEYED_FROM, ageYears);
      const slopes = slopesAt(Math.round(age * 4) / 4);
      return {
        level:
          level(age) +
          slopes.stature * (covariates.lnStature - stature(age)) +
          slopes.bmi * (covariates.lnBmi - bmi(age)),
        slopeStature: slopes.stature,
        slopeBmi: slopes.bmi,
        residualSd: slopes.residualSd,
        residualThird: slopes.residualThird,
      };
    },
  };
}

/** The fit of a gender with the mean level of both genders before puberty. */
export function withSharedLevel(own: ChildFit, other: ChildFit): ChildFit {
  return {
    ...own,
    at(covariates, ageYears) {
      const fit = own.at(covariates, ageYears);
      const share = (1 - smoothStep(ageYears, PARTING.from, PARTING.to)) / 2;
      const gap = other.at(covariates, ageYears).level - fit.level;
      return { ...fit, level: fit.level + share * gap };
    },
  };
}
