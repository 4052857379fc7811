import { GENDERS, type Gender } from '../../src/core/genders.js';
import {
  cellIndex,
  curveValue,
  dimensionRow,
  gridSize,
  zOfPercentile,
} from '../../src/lookup/cell.js';
import { NO_BLOCK, Z_COUNT, Z_MEDIAN } from '../../src/lookup/format.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';
import { JUMP, type Jump, MOVED_SD, type MovedCell, type MovedDimension } from './comparison.js';
import { Tally } from './tally.js';

/** Percentiles compared. */
const PERCENTILES = [5, 50, 95].map((percentile) => ({ percentile, z: zOfPercentile(percentile) }));

/** Knots one standard deviation below and above the median. */
const [MINUS_ONE, PLUS_ONE] = [Z_MEDIAN - 3, Z_MEDIAN + 3];

/** Results of comparing the cells of two versions. */
interface CellFindings {
  cells: number;
  cellsMoved: number;
  readonly overall: Tally;
  readonly byCountry: readonly Tally[];
  readonly byAge: readonly Tally[];
  readonly byDimension: MovedDimension[];
  readonly jumps: Jump[];
}

/** Compares every cell that has a model in both versions. Both versions must have the same axes. */
export function compareCells(before: ArtifactViews, after: ArtifactViews): CellFindings {
  const { measurements, countries, agesYears } = after.manifest.axes;
  const findings: CellFindings = {
    cells: 0,
    cellsMoved: 0,
    overall: new Tally(),
    byCountry: countries.map(() => new Tally()),
    byAge: agesYears.map(() => new Tally()),
    byDimension: [],
    jumps: [],
  };
  // Names of one dimension share a block. The block counts once, under its first name.
  const dimensions = new Map<string, DimensionKey & { readonly names: string[] }>();
  measurements.forEach((measurement, m) => {
    GENDERS.forEach((gender, g) => {
      const row = dimensionRow(m, g);
      const blocks = [before, after].map(({ block }) => block[row]);
      if (blocks.includes(NO_BLOCK)) return;
      const known = dimensions.get(blocks.join());
      if (known !== undefined) known.names.push(measurement);
      else dimensions.set(blocks.join(), { measurement, gender, row, names: [measurement] });
    });
  });
  for (const key of dimensions.values()) compareDimension(before, after, key, findings);
  return findings;
}

interface DimensionKey {
  readonly measurement: string;
  readonly gender: Gender;
  /** All names of the dimension. The first one is the name of its block. */
  readonly names: readonly string[];
  /** Row in `dimensions.arrow`. */
  readonly row: number;
}

/** Medians of one population at an age in both versions, and the SD of the older one, mm. */
interface Medians {
  readonly years: number;
  readonly before: number;
  readonly after: number;
  readonly sd: number;
}

/** Compares the cells of one dimension and gender at the ages at which both versions have a model. */
function compareDimension(
  before: ArtifactViews,
  after: ArtifactViews,
  { measurement, gender, names, row }: DimensionKey,
  findings: CellFindings,
): void {
  const { countries, agesYears } = after.manifest.axes;
  const size = gridSize(after.manifest);
  const from = Math.max(...[before, after].map(({ ageMinYears }) => ageMinYears[row]));
  const to = Math.min(...[before, after].map(({ ageMaxYears }) => ageMaxYears[row]));
  const ofDimension = new Tally();
  const cells: (MovedCell & { readonly rule: 'median' | 'tail' | 'step'; jumps: boolean })[] = [];
  countries.forEach((country, c) => {
    const medians: Medians[] = [];
    let isMoved = false;
    agesYears.forEach((ageYears, a) => {
      if (ageYears < from || ageYears > to) return;
      const [old, now] = [before, after].map(({ block, quantiles }) => {
        const at = cellIndex(size, block[row], c, a);
        return Float64Array.from(quantiles.subarray(at, at + Z_COUNT));
      }) as [Float64Array, Float64Array];
      const sd = (old[PLUS_ONE] - old[MINUS_ONE]) / 2;
      const isSame = old.every((mm, i) => mm === now[i]);
      isMoved ||= !isSame;
      const mm = PERCENTILES.map(({ z }) =>
        isSame ? 0 : curveValue(now, z) - curveValue(old, z),
      ) as [number, number, number];
      findings.cells += 1;
      if (mm.some((one) => Math.abs(one) >= MOVED_SD * sd)) findings.cellsMoved += 1;
      const tallies = [ofDimension, findings.overall, findings.byCountry[c], findings.byAge[a]];
      for (const tally of tallies) tally.add(mm, sd);
      medians.push({
        ...{ years: ageYears, sd },
        ...{ before: old[Z_MEDIAN], after: now[Z_MEDIAN] },
      });
      if (isSame) return;
      PERCENTILES.forEach(({ percentile, z }, i) => {
        const [beforeMm, moved] = [curveValue(old, z), mm[i]];
        const rule = percentile === 50 ? 'median' : 'tail';
        cells.push({
          ...{ measurement, gender, country, ageYears, percentile, rule },
          ...{ beforeMm, afterMm: beforeMm + moved, sd: moved / sd },
          jumps: Math.abs(moved / sd) > (rule === 'median' ? JUMP.medianSd : JUMP.tailSd),
        });
      });
    });
    if (!isMoved) return;
    for (const step of outstandingSteps(medians)) {
      const about = { measurement, gender, country, percentile: 50, rule: 'step', jumps: true };
      cells.push({ ...about, ...step } as (typeof cells)[number]);
    }
  });
  const farthest = <Cell extends MovedCell>(all: readonly Cell[]): Cell | undefined =>
    all.reduce<Cell | undefined>((most, one) => {
      return most === undefined || Math.abs(one.sd) > Math.abs(most.sd) ? one : most;
    }, undefined);
  const largest = farthest(cells.filter(({ rule }) => rule === 'median'));
  if (largest !== undefined) {
    const { rule: _, jumps: __, ...cell } = largest;
    findings.byDimension.push({
      ...{ measurement, names, gender, ...ofDimension.movements(), largest: cell },
    });
  }
  for (const rule of ['median', 'tail', 'step'] as const) {
    const jumps = cells.filter((cell) => cell.rule === rule && cell.jumps);
    const worst = farthest(jumps);
    if (worst === undefined) continue;
    const where = `${worst.country}, ${worst.ageYears} years`;
    const [was, is] = [worst.beforeMm, worst.afterMm].map((mm) => mm.toFixed(1));
    const detail =
      rule === 'step'
        ? `${where}: the step to the next age differs from its neighbours by ${is} mm, before by ${was} mm`
        : `${where}: P${worst.percentile} ${was} → ${is} mm (${worst.sd.toFixed(2)} SD)`;
    findings.jumps.push({ rule, what: `${measurement} ${gender}`, count: jumps.length, detail });
  }
}

/**
 * Steps between ages that differ from the mean of the neighbouring steps. That mean is the growth expected at the age.
 * The change is a jump if this difference increased by a larger factor than the dimension itself.
 */
function outstandingSteps(medians: readonly Medians[]) {
  const standsOut = (which: 'before' | 'after', i: number): number => {
    const [a, b, c, d] = medians.slice(i - 1, i + 3) as [Medians, Medians, Medians, Medians];
    const rate = (from: Medians, to: Medians) =>
      (to[which] - from[which]) / (to.years - from.years);
    return (rate(b, c) - (rate(a, b) + rate(c, d)) / 2) * (c.years - b.years);
  };
  return medians.slice(1, -2).flatMap(({ years, sd, before, after }, at) => {
    const beforeMm = standsOut('before', at + 1);
    // If a dimension is larger at all ages, its steps are larger, too. That alone is not a jump.
    const afterMm = (standsOut('after', at + 1) * before) / after;
    const more = (Math.abs(afterMm) - Math.abs(beforeMm)) / sd;
    return more > JUMP.stepSd ? [{ ageYears: years, beforeMm, afterMm, sd: more }] : [];
  });
}
