import { GENDERS } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { scoreOfShare, shareBelow } from '../numerics/numerics.js';
import { type Manifest, PEOPLE_AGES, Z_COUNT, Z_FIRST, Z_MEDIAN, Z_STEP } from './format.js';
import type { ArtifactViews } from './reader.js';

// A cell of the artifact: its place in the columns, its interpolation by age, and its quantile curve.

/** Row of a measurement and gender in every column of `dimensions.arrow`. */
export function dimensionRow(measurement: number, gender: number): number {
  return measurement * GENDERS.length + gender;
}

/**
 * Index of a profile in a `clothing_*` or `posture_*` column, which holds a list for each dimension row.
 *
 * @param profiles number of profiles, the width of the column
 */
export function profileIndex(profiles: number, row: number, profile: number): number {
  return row * profiles + profile;
}

/** Numbers of countries and of age knots in the grid. */
export interface GridSize {
  readonly countries: number;
  readonly ages: number;
}

/** Size of the grid that a manifest describes. */
export function gridSize({ axes }: Manifest): GridSize {
  return { countries: axes.countries.length, ages: axes.agesYears.length };
}

/** Index of a cell's first knot in the column `quantiles`. The cell has `Z_COUNT` knots from there on. */
export function cellIndex(size: GridSize, block: number, country: number, age: number): number {
  return ((block * size.countries + country) * size.ages + age) * Z_COUNT;
}

/**
 * Row of `people.arrow`.
 *
 * @param country index of the country
 * @param ageYears completed years of age, 0 to 120
 */
export function peopleIndex(country: number, gender: number, ageYears: number): number {
  return (country * GENDERS.length + gender) * PEOPLE_AGES + ageYears;
}

/**
 * Row of `drivers.arrow`.
 *
 * @param ages number of `adultAges`
 * @param year index in `population.years`
 * @param age index in `adultAges`
 */
export function covariateIndex(
  countries: number,
  ages: number,
  year: number,
  gender: number,
  country: number,
  age: number,
): number {
  return ((year * GENDERS.length + gender) * countries + country) * ages + age;
}

/** Index in a `slope_*` column, which holds a list over `adultAges` for each dimension row. */
export function slopeIndex(ages: number, row: number, age: number): number {
  return row * ages + age;
}

/** Index of a cell's first knot in the column `quantiles` of `body.arrow`. */
export function bodyIndex(
  size: GridSize,
  body: number,
  gender: number,
  country: number,
  age: number,
): number {
  return cellIndex(size, body * GENDERS.length + gender, country, age);
}

/**
 * Index of the correlation of two measurements in the column `rho`.
 *
 * @param measurements number of measurements, the width of a matrix
 * @param age index in `correlationAgesYears`
 */
export function correlationIndex(
  measurements: number,
  age: number,
  gender: number,
  anchor: number,
  linked: number,
): number {
  return ((age * GENDERS.length + gender) * measurements + anchor) * measurements + linked;
}

/**
 * Row of `evidence.arrow`. `ages` is the number of `population.evidenceAgesYears`, and `age` is an index in that list.
 * `row` comes from `dimensionRow` or `bodyRow`.
 */
export function evidenceIndex(
  countries: number,
  ages: number,
  row: number,
  country: number,
  age: number,
): number {
  return (row * countries + country) * ages + age;
}

/** Row of a quantity of the body in `evidence.arrow`. These rows follow those of the measurements. */
export function bodyRow(measurements: number, body: number, gender: number): number {
  return dimensionRow(measurements + body, gender);
}

/** One cell to look up. Every axis is given by an index, except the age, which is in exact years. */
export interface CellKey {
  measurement: number;
  gender: number;
  country: number;
  ageYears: number;
  clothing: number;
  posture: number;
}

/** A key that a caller fills. */
export const emptyKey = (): CellKey => ({
  measurement: 0,
  gender: 0,
  country: 0,
  ageYears: 0,
  clothing: 0,
  posture: 0,
});

/** Why a cell has no answer. */
export type CellStatus = 'ok' | 'no_model' | 'age_without_model';

/** Indices of the knots one standard deviation below and above the median. */
const MINUS_ONE = Z_MEDIAN - 3;
const PLUS_ONE = Z_MEDIAN + 3;

/**
 * Ages between which values follow a curve over age whose rate does not jump, except at 2 years, where lying length
 * becomes standing height: it ends at the knot before. Before and after, values are linear.
 */
const [CURVED_FROM_YEARS, STANDING_FROM_YEARS, CURVED_UNTIL_YEARS] = [0.25, 2, 20] as const;
/** Smaller rates of growth count as this one, mm a year. */
const LEAST_RATE_MM = 1e-6;

/**
 * Share of the other rate of growth in the slope at a knot: half, or less where the slope would be more than three times
 * the smaller rate, so that stature does not fall between knots (Fritsch and Carlson 1980, SIAM J. Numer. Anal. 17:238).
 */
function shareOfOther(rate: number, other: number): number {
  if (other > rate) return Math.min(0.5, (2 * rate) / (other - rate));
  return rate === other ? 0.5 : 1 - Math.min(0.5, (2 * other) / (rate - other));
}

/** Finds cells in the mapped grid and interpolates them by age. It allocates no memory. */
export class CellFinder {
  readonly views: ArtifactViews;
  private readonly ages: Float64Array;
  /** For each whole year, the last age knot at or before it. */
  private readonly knotOfYear: Uint8Array;
  private readonly size: GridSize;
  private readonly statureMeasurement: number;
  /** Weights of the knot before an interval of age, of its two ends, and of the knot after it. */
  private readonly weights = new Float64Array(4);

  constructor(views: ArtifactViews) {
    this.views = views;
    const { axes } = views.manifest;
    this.ages = Float64Array.from(axes.agesYears);
    this.size = gridSize(views.manifest);
    this.statureMeasurement = axes.measurements.indexOf('Stature');
    this.knotOfYear = new Uint8Array(AGE_LIMITS.maximum + 1);
    for (let year = 0; year <= AGE_LIMITS.maximum; year++) {
      this.knotOfYear[year] = this.ages.findLastIndex((age) => age <= year);
    }
  }

  /**
   * Fills `knots` (`Z_COUNT` values in mm) with the cell's quantiles in the clothing and posture of the key. The added
   * shift and spread are proportional to the cell's median stature, so that they fit children too. The added spread
   * widens the curve about the median: k = √(1 + (σ added ÷ σ)²).
   */
  fill(key: CellKey, knots: Float64Array): CellStatus {
    const { views } = this;
    const row = dimensionRow(key.measurement, key.gender);
    const block = views.block[row];
    if (block < 0) return 'no_model';
    if (key.ageYears < views.ageMinYears[row] || key.ageYears > views.ageMaxYears[row]) {
      return 'age_without_model';
    }
    this.blend(this.views.quantiles, block, key, knots);
    if (key.clothing !== 0 || key.posture !== 0)
      this.applyProfiles(key, this.medianStatureMm(key), knots);
    return 'ok';
  }

  /**
   * Fills `knots` with the quantiles of a block of a grid at the country and age of the key. All quantiles and blocks have
   * the same weights of the knots of age, so sums and the order of quantiles are kept.
   *
   * @param quantiles the grid of lengths, or the grid of the body, whose blocks `bodyIndex` counts
   */
  blend(quantiles: Float32Array, block: number, key: CellKey, knots: Float64Array): void {
    const knot = this.ageKnot(key.ageYears);
    this.setWeights(knot, key);
    const from = cellIndex(this.size, block, key.country, knot);
    for (let i = 0; i < Z_COUNT; i++) knots[i] = this.weighed(quantiles, from + i);
  }

  /** Value at the age of the weights. `at` is the index of the value at the knot at or before it. */
  private weighed(values: Float32Array, at: number): number {
    const { weights } = this;
    let sum = weights[1] * values[at];
    if (weights[2] !== 0) sum += weights[2] * values[at + Z_COUNT];
    if (weights[0] !== 0) sum += weights[0] * values[at - Z_COUNT];
    if (weights[3] !== 0) sum += weights[3] * values[at + 2 * Z_COUNT];
    return sum;
  }

  /**
   * Sets the weights of an age: of the line between two knots, or of a cubic Hermite piece. The slopes of the median stature
   * are means of its neighbouring rates of growth (`shareOfOther`), and all dimensions have their shares. The piece after 2
   * years starts, and the one before ends, with the slope of the parabola through its knots and the next one on its side.
   */
  private setWeights(knot: number, { gender, country, ageYears }: CellKey): void {
    const { ages, weights, views } = this;
    const t = this.ageWeight(knot, ageYears);
    weights[0] = 0;
    weights[1] = 1 - t;
    weights[2] = t;
    weights[3] = 0;
    const from = ages[knot];
    if (t === 0 || from < CURVED_FROM_YEARS || from >= CURVED_UNTIL_YEARS) return;
    if (ages[knot + 1] === STANDING_FROM_YEARS) return;
    const block = views.block[dimensionRow(this.statureMeasurement, gender)];
    const stature = cellIndex(this.size, block, country, knot) + Z_MEDIAN;
    const rate = this.growthRate(knot, stature);
    const width = ages[knot + 1] - from;
    // Hermite's piece is the line, plus t (1 − t)² × (start slope − rise) − t² (1 − t) × (end slope − rise).
    const [atStart, atEnd] = [t * (1 - t) ** 2, -t * t * (1 - t)];
    const [first, last] = [from === STANDING_FROM_YEARS, ages[knot + 2] === STANDING_FROM_YEARS];
    if (!last) {
      const after = ages[knot + 2] - ages[knot + 1];
      const share = shareOfOther(rate, this.growthRate(knot + 1, stature + Z_COUNT));
      const ofAfter = atEnd * share - (first ? (atStart * width) / (width + after) : 0);
      weights[1] += ofAfter;
      weights[2] -= ofAfter * (1 + width / after);
      weights[3] = ofAfter * (width / after);
    }
    if (first) return;
    const before = from - ages[knot - 1];
    const share = shareOfOther(rate, this.growthRate(knot - 1, stature - Z_COUNT));
    const ofBefore = atStart * share - (last ? (atEnd * width) / (width + before) : 0);
    weights[0] = -ofBefore * (width / before);
    weights[1] += ofBefore * (1 + width / before);
    weights[2] -= ofBefore;
  }

  /** Growth of the median stature after a knot, mm a year; more than 0. `at` is the index of its value at the knot. */
  private growthRate(knot: number, at: number): number {
    const { quantiles } = this.views;
    const grown = quantiles[at + Z_COUNT] - quantiles[at];
    return Math.max(LEAST_RATE_MM, grown / (this.ages[knot + 1] - this.ages[knot]));
  }

  /** Index of the age knot at or before `ageYears`. It is never the index of the last knot. */
  private ageKnot(ageYears: number): number {
    let knot = this.knotOfYear[Math.floor(ageYears)];
    const last = this.ages.length - 2;
    while (knot < last && this.ages[knot + 1] <= ageYears) knot++;
    return Math.min(knot, last);
  }

  private ageWeight(knot: number, ageYears: number): number {
    const from = this.ages[knot];
    return (ageYears - from) / (this.ages[knot + 1] - from);
  }

  /**
   * Applies the allowances of the key's clothing and posture to a nude, erect cell.
   *
   * @param medianStatureMm median stature of the population
   */
  applyProfiles(key: CellKey, medianStatureMm: number, knots: Float64Array): void {
    const { views } = this;
    const { axes } = views.manifest;
    const row = dimensionRow(key.measurement, key.gender);
    const clothing = profileIndex(axes.clothing.length, row, key.clothing);
    const posture = profileIndex(axes.postures.length, row, key.posture);
    const scale = medianStatureMm / this.referenceStatureMm(key.gender);
    const shift = scale * (views.clothingShiftMm[clothing] + views.postureShiftMm[posture]);
    const addedSd = scale * Math.hypot(views.clothingSdMm[clothing], views.postureSdMm[posture]);
    const sd = (knots[PLUS_ONE] - knots[MINUS_ONE]) / 2;
    const widening = sd > 0 ? Math.hypot(1, addedSd / sd) : 1;
    const median = knots[Z_MEDIAN];
    for (let i = 0; i < Z_COUNT; i++) {
      knots[i] = median + shift + widening * (knots[i] - median);
    }
  }

  private referenceStatureMm(gender: number): number {
    return this.views.manifest.referenceStaturesMm[gender];
  }

  private medianStatureMm(key: CellKey): number {
    const { quantiles, block } = this.views;
    const statureBlock = block[dimensionRow(this.statureMeasurement, key.gender)];
    const knot = this.ageKnot(key.ageYears);
    this.setWeights(knot, key);
    return this.weighed(
      quantiles,
      cellIndex(this.size, statureBlock, key.country, knot) + Z_MEDIAN,
    );
  }
}

const INVERSE_ROOT_2_PI = 0.3989422804014327;

/** Standard normal z of a percentile in (0, 100). */
export function zOfPercentile(percentile: number): number {
  return scoreOfShare(percentile / 100);
}

/** Percentile of a standard normal z. */
export function percentileOfZ(z: number): number {
  return shareBelow(z) * 100;
}

/** Standard normal density φ(z) = exp(−z²/2) ÷ √(2π). */
export function normalDensity(z: number): number {
  return INVERSE_ROOT_2_PI * Math.exp(-0.5 * z * z);
}

/**
 * Quantile functions on the uniform z knots, as C¹ monotone piecewise cubics. The slope at a knot is the harmonic mean
 * of the neighbouring secants (Fritsch and Butland 1984, SIAM J. Sci. Stat. Comput. 5:300). Beyond the outer knots the
 * functions are linear. `knots` has `Z_COUNT` rising values in mm.
 */
const LAST = Z_COUNT - 1;
const PER_STEP = 1 / Z_STEP;

/** Slope at knot `i`, per knot step. */
function slopeAt(knots: Float64Array, i: number): number {
  if (i === 0) return knots[1] - knots[0];
  if (i === LAST) return knots[LAST] - knots[LAST - 1];
  const before = knots[i] - knots[i - 1];
  const after = knots[i + 1] - knots[i];
  const sum = before + after;
  return sum > 0 ? (2 * before * after) / sum : 0;
}

/** Value in mm at standard normal z. */
export function curveValue(knots: Float64Array, z: number): number {
  const position = (z - Z_FIRST) * PER_STEP;
  if (position <= 0) return knots[0] + position * slopeAt(knots, 0);
  if (position >= LAST) return knots[LAST] + (position - LAST) * slopeAt(knots, LAST);
  const i = Math.floor(position);
  return hermite(knots, i, position - i);
}

/** Derivative of the value by z, in mm per unit z. */
export function curveSlope(knots: Float64Array, z: number): number {
  const position = (z - Z_FIRST) * PER_STEP;
  if (position <= 0) return slopeAt(knots, 0) * PER_STEP;
  if (position >= LAST) return slopeAt(knots, LAST) * PER_STEP;
  const i = Math.floor(position);
  const t = position - i;
  const rise = knots[i + 1] - knots[i];
  const m0 = slopeAt(knots, i);
  const m1 = slopeAt(knots, i + 1);
  const slope = m0 + t * (6 * rise - 4 * m0 - 2 * m1 + t * (3 * m0 + 3 * m1 - 6 * rise));
  return slope * PER_STEP;
}

function hermite(knots: Float64Array, i: number, t: number): number {
  const start = knots[i];
  const rise = knots[i + 1] - start;
  const m0 = slopeAt(knots, i);
  const m1 = slopeAt(knots, i + 1);
  return start + t * (m0 + t * (3 * rise - 2 * m0 - m1 + t * (m0 + m1 - 2 * rise)));
}

/** The z at which the curve has the value `valueMm`. This is the inverse of `curveValue`. */
export function curveInverse(knots: Float64Array, valueMm: number): number {
  const first = knots[0];
  const last = knots[LAST];
  if (valueMm <= first) return Z_FIRST + ((valueMm - first) / slopeAt(knots, 0)) * Z_STEP;
  if (valueMm >= last) {
    return Z_FIRST + (LAST + (valueMm - last) / slopeAt(knots, LAST)) * Z_STEP;
  }
  let low = 0;
  let high = LAST;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (knots[middle] <= valueMm) low = middle;
    else high = middle;
  }
  return Z_FIRST + (low + solveHermite(knots, low, valueMm)) * Z_STEP;
}

/** Newton's method in a bracket. If a step would leave the bracket, the bracket is halved instead. */
function solveHermite(knots: Float64Array, i: number, valueMm: number): number {
  const start = knots[i];
  const rise = knots[i + 1] - start;
  const m0 = slopeAt(knots, i);
  const m1 = slopeAt(knots, i + 1);
  const target = valueMm - start;
  const c2 = 3 * rise - 2 * m0 - m1;
  const c3 = m0 + m1 - 2 * rise;
  let below = 0;
  let above = 1;
  let t = rise > 0 ? target / rise : 0;
  for (let round = 0; round < 40; round++) {
    const miss = t * (m0 + t * (c2 + t * c3)) - target;
    // This tolerance is far smaller than the answer's step of 0.001 mm.
    if (Math.abs(miss) <= rise * 1e-10) return t;
    if (miss > 0) above = t;
    else below = t;
    const slope = m0 + t * (2 * c2 + 3 * t * c3);
    const next = slope > 0 ? t - miss / slope : -1;
    t = next > below && next < above ? next : (below + above) / 2;
  }
  return t;
}
