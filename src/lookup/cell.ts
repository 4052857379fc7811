import { AGE_LIMITS } from '../core/limits.js';
import {
  cellIndex,
  dimensionRow,
  type GridSize,
  gridSize,
  profileIndex,
  Z_COUNT,
  Z_MEDIAN,
} from './format.js';
import type { ArtifactViews } from './reader.js';

/** One cell to look up: every axis by its index, and the age in exact years. */
export interface CellKey {
  measurement: number;
  gender: number;
  country: number;
  ageYears: number;
  clothing: number;
  posture: number;
}

/** Why a cell has no answer. */
export type CellStatus = 'ok' | 'no_model' | 'age_without_model';

/** Index of the knots one standard deviation below and above the median. */
const MINUS_ONE = Z_MEDIAN - 3;
const PLUS_ONE = Z_MEDIAN + 3;

/** Finds cells in the mapped grid and interpolates them by age, without allocating memory. */
export class CellFinder {
  readonly views: ArtifactViews;
  private readonly ages: Float64Array;
  /** For each whole year, the last age knot at or before it. */
  private readonly knotOfYear: Uint8Array;
  private readonly size: GridSize;
  private readonly statureMeasurement: number;

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
   * Fills `knots` (`Z_COUNT` values in mm) with the cell's quantiles in the clothing and posture of the
   * key. The added shift and spread scale with the cell's median stature, so that those of a child
   * stay in proportion. The added spread widens the curve about the median: k = √(1 + (σ added ÷ σ)²).
   */
  fill(key: CellKey, knots: Float64Array): CellStatus {
    const { views } = this;
    const row = dimensionRow(key.measurement, key.gender);
    const block = views.block[row] as number;
    if (block < 0) return 'no_model';
    if (
      key.ageYears < (views.ageMinYears[row] as number) ||
      key.ageYears > (views.ageMaxYears[row] as number)
    ) {
      return 'age_without_model';
    }
    this.blend(this.views.quantiles, block, key, knots);
    if (key.clothing !== 0 || key.posture !== 0) this.dress(key, this.medianStatureMm(key), knots);
    return 'ok';
  }

  /**
   * Fills `knots` with the quantiles of a block of a grid at the country and age of the key: linear
   * between the two age knots around the age.
   *
   * @param quantiles the grid of lengths, or the grid of the body, whose blocks `bodyIndex` counts
   */
  blend(quantiles: Float32Array, block: number, key: CellKey, knots: Float64Array): void {
    const knot = this.ageKnot(key.ageYears);
    const weight = this.ageWeight(knot, key.ageYears);
    const from = cellIndex(this.size, block, key.country, knot);
    if (weight === 0) {
      for (let i = 0; i < Z_COUNT; i++) knots[i] = quantiles[from + i] as number;
      return;
    }
    const to = cellIndex(this.size, block, key.country, knot + 1);
    for (let i = 0; i < Z_COUNT; i++) {
      const start = quantiles[from + i] as number;
      knots[i] = start + weight * ((quantiles[to + i] as number) - start);
    }
  }

  /** Index of the age knot at or before `ageYears`, never the last one. */
  private ageKnot(ageYears: number): number {
    let knot = this.knotOfYear[Math.floor(ageYears)] as number;
    const last = this.ages.length - 2;
    while (knot < last && (this.ages[knot + 1] as number) <= ageYears) knot++;
    return Math.min(knot, last);
  }

  private ageWeight(knot: number, ageYears: number): number {
    const from = this.ages[knot] as number;
    return (ageYears - from) / ((this.ages[knot + 1] as number) - from);
  }

  /**
   * Applies the allowances of the key's clothing and posture to a nude, erect cell.
   *
   * @param medianStatureMm median stature of the population
   */
  dress(key: CellKey, medianStatureMm: number, knots: Float64Array): void {
    const { views } = this;
    const { axes } = views.manifest;
    const row = dimensionRow(key.measurement, key.gender);
    const clothing = profileIndex(axes.clothing.length, row, key.clothing);
    const posture = profileIndex(axes.postures.length, row, key.posture);
    const scale = medianStatureMm / this.referenceStatureMm(key.gender);
    const shift =
      scale *
      ((views.clothingShiftMm[clothing] as number) + (views.postureShiftMm[posture] as number));
    const addedSd =
      scale *
      Math.hypot(views.clothingSdMm[clothing] as number, views.postureSdMm[posture] as number);
    const sd = ((knots[PLUS_ONE] as number) - (knots[MINUS_ONE] as number)) / 2;
    const widening = sd > 0 ? Math.hypot(1, addedSd / sd) : 1;
    const median = knots[Z_MEDIAN] as number;
    for (let i = 0; i < Z_COUNT; i++) {
      knots[i] = median + shift + widening * ((knots[i] as number) - median);
    }
  }

  private referenceStatureMm(gender: number): number {
    return this.views.manifest.referenceStaturesMm[gender] as number;
  }

  private medianStatureMm(key: CellKey): number {
    const { quantiles, block } = this.views;
    const statureBlock = block[dimensionRow(this.statureMeasurement, key.gender)] as number;
    const knot = this.ageKnot(key.ageYears);
    const weight = this.ageWeight(knot, key.ageYears);
    const from = cellIndex(this.size, statureBlock, key.country, knot) + Z_MEDIAN;
    const to = cellIndex(this.size, statureBlock, key.country, knot + 1) + Z_MEDIAN;
    const start = quantiles[from] as number;
    return start + weight * ((quantiles[to] as number) - start);
  }
}
