import { GENDERS } from '../core/genders.js';
import {
  CellFinder,
  type CellKey,
  type CellStatus,
  covariateIndex,
  dimensionRow,
  emptyKey,
  normalDensity,
  slopeIndex,
  zOfPercentile,
} from './cell.js';
import {
  adultAges,
  BODY_SLOPES,
  DRIVER_COLUMNS,
  MASS_QUANTITIES,
  Z_COUNT,
  Z_FIRST,
  Z_MEDIAN,
  Z_STEP,
} from './format.js';
import type { ArtifactViews, PopulationViews } from './reader.js';

/** Why a cell of a year has no answer. This type adds a reason to those of `CellStatus`. */
export type YearStatus = CellStatus | 'year_without_model';

/** A term of an identity, with the index of its measurement; −1 means a length in mm. */
interface Term {
  readonly coefficient: number;
  readonly of: number;
}

/** Covariates of one population: indices in the arrays below. */
const [MEAN_S, SD_S, SKEW_S, MEAN_B, SD_B, SKEW_B] = [0, 1, 2, 3, 4, 5] as const;

/** In another year, a cell keeps at least this share of its SD. */
const LEAST_SD_SHARE = 0.5;
/** Standard normal score of P99. Beyond P99, the curves of the model are straight. */
const Z99 = zOfPercentile(99);

/** z of each knot. `WEIGHT` is the share of people that the knot represents: φ(z) over the sum of φ. */
const Z = Float64Array.from({ length: Z_COUNT }, (_, i) => Z_FIRST + i * Z_STEP);
const WEIGHT = Z.map((z) => normalDensity(z));
const WEIGHTS = WEIGHT.map((weight) => weight / WEIGHT.reduce((sum, each) => sum + each, 0));

/**
 * Cells of any year. A cell of another year is the cell of the reference year, moved in proportion to the change of the
 * population's covariates, ln stature and ln BMI. The cell's slopes on the covariates are the factors. The changes are
 *
 * - of the mean of ln D: b₁ Δ mean(ln S) + b₂ Δ mean(ln B);
 * - of its variance: Δ(b₁² σ_S² + b₃² σ_B²), where b₃² is the change of the variance of ln D with σ_B²;
 * - of its third central moment: Δ(b₁³ σ_S³ γ_S + b₃³ σ_B³ γ_B), by the first term of the expansion of Cornish and
 *   Fisher 1938 (Rev. Int. Stat. Inst. 5:307).
 *
 * The medians of identities (LegLength = Stature − SittingHeight) follow from their moved parts. The median of a skewed
 * sum differs from the sum of the medians of its parts; this difference stays. Everything else stays as in the
 * reference year: proportions at a given stature and BMI, and correlations.
 */
export class YearCells {
  private readonly finder: CellFinder;
  private readonly population: PopulationViews;
  private readonly ages: readonly number[];
  private readonly years: readonly number[];
  private readonly identities: ReadonlyMap<number, readonly Term[]>;
  private readonly stature: number;
  private readonly before = new Float64Array(DRIVER_COLUMNS.length);
  private readonly after = new Float64Array(DRIVER_COLUMNS.length);
  private readonly scratch = new Float64Array(Z_COUNT);
  private readonly key: CellKey = emptyKey();

  constructor(private readonly views: ArtifactViews) {
    this.finder = new CellFinder(views);
    this.population = views.population;
    const { axes, population } = views.manifest;
    this.ages = adultAges(views.manifest);
    this.years = population.years;
    const indexOf = (name: string) => axes.measurements.indexOf(name);
    this.stature = indexOf('Stature');
    this.identities = new Map(
      population.identities.map(({ measurement, terms }) => [
        indexOf(measurement),
        terms.map(({ coefficient, of }) => ({
          coefficient,
          of: of === undefined ? -1 : indexOf(of),
        })),
      ]),
    );
  }

  /**
   * Fills `knots` (`Z_COUNT` values in mm) with the quantiles of a length in a year, in the clothing and
   * posture of the key.
   */
  fill(key: CellKey, year: number, knots: Float64Array): YearStatus {
    if (year === this.views.manifest.referenceYear) return this.finder.fill(key, knots);
    if (!this.setCovariates(key, year)) return 'year_without_model';
    Object.assign(this.key, key, { clothing: 0, posture: 0 });
    const status = this.finder.fill(this.key, knots);
    if (status !== 'ok') return status;
    this.moveLength(key.measurement, knots);
    if (key.clothing !== 0 || key.posture !== 0) {
      this.finder.applyProfiles(key, this.medianMm(this.stature, this.after), knots);
    }
    return 'ok';
  }

  /**
   * Fills `knots` with the quantiles of BMI (kg/m²) or body mass (kg) in a year. The measurement, clothing and posture
   * of the key are not used.
   *
   * @param body index in `MASS_QUANTITIES`
   */
  fillBody(body: number, key: CellKey, year: number, knots: Float64Array): YearStatus {
    const { population, finder } = this;
    const name = MASS_QUANTITIES[body];
    if (name === undefined) return 'no_model';
    finder.blend(population.bodyQuantiles, body * GENDERS.length + key.gender, key, knots);
    if (year === this.views.manifest.referenceYear) return 'ok';
    if (!this.setCovariates(key, year)) return 'year_without_model';
    this.move(BODY_SLOPES[name].stature, BODY_SLOPES[name].bmi, BODY_SLOPES[name].bmi, knots);
    return 'ok';
  }

  /** Reads the covariates of the reference year and of `year`. Returns false if the year is not known. */
  private setCovariates(key: CellKey, year: number): boolean {
    const { population, years } = this;
    if (!(key.ageYears >= this.ages[0])) return false;
    if (!(year >= years[0] && year <= (years.at(-1) as number))) return false;
    this.readCovariates(population, key, this.views.manifest.referenceYear, this.before);
    this.readCovariates(population, key, year, this.after);
    return true;
  }

  /** The covariates at an age and in a year, by linear interpolation between knots. */
  private readCovariates(
    { covariates }: PopulationViews,
    { gender, country, ageYears }: CellKey,
    year: number,
    to: Float64Array,
  ): void {
    const { ages, years, views } = this;
    const countries = views.manifest.axes.countries.length;
    const [a, ageShare] = between(ages, ageYears);
    const [y, yearShare] = between(years, year);
    let column = 0;
    for (const values of Object.values(covariates)) {
      let sum = 0;
      for (let dy = 0; dy < 2; dy++) {
        const inYear = dy === 0 ? 1 - yearShare : yearShare;
        if (inYear === 0) continue;
        for (let da = 0; da < 2; da++) {
          const atAge = da === 0 ? 1 - ageShare : ageShare;
          if (atAge === 0) continue;
          const row = covariateIndex(countries, ages.length, y + dy, gender, country, a + da);
          sum += inYear * atAge * values[row];
        }
      }
      to[column] = sum;
      column += 1;
    }
  }

  /** Moves the cell of a length from the reference year to the year of the covariates. */
  private moveLength(measurement: number, knots: Float64Array): void {
    const { population, ages, key } = this;
    const row = dimensionRow(measurement, key.gender);
    const [a, share] = between(ages, key.ageYears);
    const medianMm = knots[Z_MEDIAN];
    const slope = (slopes: Float32Array): number => {
      const from = slopes[slopeIndex(ages.length, row, a)];
      if (share === 0) return from;
      return from + share * (slopes[slopeIndex(ages.length, row, a + 1)] - from);
    };
    this.move(
      slope(population.slopeStature),
      slope(population.slopeBmi),
      slope(population.slopeBmiSpread),
      knots,
    );
    const terms = this.identities.get(measurement);
    if (terms === undefined) return;
    const departureMm = medianMm - this.valueMm(terms, this.before);
    const ratio = (this.valueMm(terms, this.after) + departureMm) / knots[Z_MEDIAN];
    for (let i = 0; i < Z_COUNT; i++) knots[i] *= ratio;
  }

  /** Value of an identity, from the medians of its parts in the year of the given covariates. */
  private valueMm(terms: readonly Term[], covariates: Float64Array): number {
    const reference = this.views.manifest.referenceStaturesMm[this.key.gender];
    let sum = 0;
    for (const { coefficient, of } of terms) {
      const part =
        of < 0 ? Math.exp(covariates[MEAN_S]) / reference : this.medianMm(of, covariates);
      sum += coefficient * part;
    }
    return sum;
  }

  /** Median of a length in the year of the given covariates. */
  private medianMm(measurement: number, covariates: Float64Array): number {
    const terms = this.identities.get(measurement);
    if (terms !== undefined) return this.valueMm(terms, covariates);
    const { key, scratch } = this;
    const asked = key.measurement;
    key.measurement = measurement;
    this.finder.fill(key, scratch);
    if (covariates === this.after) this.moveLength(measurement, scratch);
    key.measurement = asked;
    return scratch[Z_MEDIAN];
  }

  /** Moves a cell by the change of the covariates. */
  private move(
    slopeStature: number,
    slopeBmi: number,
    slopeSpread: number,
    knots: Float64Array,
  ): void {
    const [from, to] = [this.before, this.after];
    const meanChange =
      slopeStature * (to[MEAN_S] - from[MEAN_S]) + slopeBmi * (to[MEAN_B] - from[MEAN_B]);
    const varianceChange =
      varianceOf(to, slopeStature, slopeSpread) - varianceOf(from, slopeStature, slopeSpread);
    const thirdChange =
      thirdOf(to, slopeStature, slopeSpread) - thirdOf(from, slopeStature, slopeSpread);
    let mean = 0;
    for (let i = 0; i < Z_COUNT; i++) {
      const ln = Math.log(knots[i]);
      knots[i] = ln;
      mean += WEIGHTS[i] * ln;
    }
    let [variance, third] = [0, 0];
    for (let i = 0; i < Z_COUNT; i++) {
      const distance = knots[i] - mean;
      const square = WEIGHTS[i] * distance * distance;
      variance += square;
      third += square * distance;
    }
    const least = LEAST_SD_SHARE ** 2 * variance;
    const newVariance = Math.max(least, variance + varianceChange);
    const newSd = Math.sqrt(newVariance);
    const widening = newSd / Math.sqrt(variance);
    const skewChange =
      (third + thirdChange) / (newVariance * newSd) - third / (variance * Math.sqrt(variance));
    for (let i = 0; i < Z_COUNT; i++) {
      const z = Z[i];
      const at = Math.min(Z99, Math.max(-Z99, z));
      // Cornish and Fisher's parabola. Beyond P1 and P99 it continues as its tangent.
      const bend = at * at - 1 + 2 * at * (z - at);
      const moved = widening * (knots[i] - mean) + (newSd * skewChange * bend) / 6;
      knots[i] = Math.exp(mean + meanChange + moved);
    }
  }
}

/** The part of the variance of ln D that changes with the spreads of the covariates. */
function varianceOf(covariates: Float64Array, slopeStature: number, slopeSpread: number): number {
  const stature = slopeStature * covariates[SD_S];
  const bmi = slopeSpread * covariates[SD_B];
  return stature * stature + bmi * bmi;
}

/**
 * The part of the third central moment of ln D that the covariates explain. The two covariates count as independent.
 */
function thirdOf(covariates: Float64Array, slopeStature: number, slopeSpread: number): number {
  const stature = slopeStature * covariates[SD_S];
  const bmi = slopeSpread * covariates[SD_B];
  return stature ** 3 * covariates[SKEW_S] + bmi ** 3 * covariates[SKEW_B];
}

/** Index of the knot at or before `x`, and the share of the way from it to the next knot; 0 at the last knot. */
function between(knots: readonly number[], x: number): [index: number, share: number] {
  let i = 0;
  while (i + 1 < knots.length && knots[i + 1] <= x) i++;
  if (i + 1 >= knots.length) return [i, 0];
  const from = knots[i];
  return [i, (x - from) / (knots[i + 1] - from)];
}
