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

/** Percentiles compared, with their keys. */
const PERCENTILES = [
  { key: 'p5', percentile: 5, z: zOfPercentile(5) },
  { key: 'p50', percentile: 50, z: 0 },
  { key: 'p95', percentile: 95, z: zOfPercentile(95) },
] as const;

/** Knots one standard deviation below and above the median. */
const [MINUS_ONE, PLUS_ONE] = [Z_MEDIAN - 3, Z_MEDIAN + 3];

/** Results of comparing the cells of two versions. */
export interface CellFindings {
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
      const blocks = [before, after].map(({ block }) => block[row] as number);
      if (blocks.includes(NO_BLOCK)) return;
      const known = dimensions.get(blocks.join());
      if (known !== undefined) known.names.push(measurement);
      else dimensions.set(blocks.join(), { measurement, gender, row, names: [measurement] });
    });
  });
  for (const key of dimensions.values()) new DimensionCells(before, after, key).compare(findings);
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

/** The cells of one dimension and gender in both versions. */
class DimensionCells {
  readonly #tally = new Tally();
  readonly #knots = [new Float64Array(Z_COUNT), new Float64Array(Z_COUNT)] as const;
  readonly #worst = new Map<'median' | 'tail' | 'step', { count: number; cell: MovedCell }>();
  #largest: MovedCell | undefined;

  constructor(
    private readonly before: ArtifactViews,
    private readonly after: ArtifactViews,
    private readonly key: DimensionKey,
  ) {}

  compare(findings: CellFindings): void {
    const { countries } = this.after.manifest.axes;
    const ages = this.#sharedAges();
    for (let country = 0; country < countries.length; country++) {
      this.#compareCountry(country, ages, findings);
    }
    const { measurement, gender, names } = this.key;
    if (this.#largest !== undefined) {
      const movements = { ...this.#tally.movements(), largest: this.#largest };
      findings.byDimension.push({ measurement, names, gender, ...movements });
    }
    for (const [rule, { count, cell }] of this.#worst) {
      const where = `${cell.country}, ${cell.ageYears} years`;
      const [from, to] = [cell.beforeMm, cell.afterMm].map((mm) => mm.toFixed(1));
      const detail =
        rule === 'step'
          ? `${where}: the step to the next age differs from its neighbours by ${to} mm, before by ${from} mm`
          : `${where}: P${cell.percentile} ${from} → ${to} mm (${cell.sd.toFixed(2)} SD)`;
      findings.jumps.push({ rule, what: `${measurement} ${gender}`, count, detail });
    }
  }

  /** Indices of the age knots at which both versions have a model. */
  #sharedAges(): number[] {
    const { row } = this.key;
    const from = Math.max(
      ...[this.before, this.after].map((views) => views.ageMinYears[row] as number),
    );
    const to = Math.min(
      ...[this.before, this.after].map((views) => views.ageMaxYears[row] as number),
    );
    return this.after.manifest.axes.agesYears.flatMap((years, age) =>
      years >= from && years <= to ? [age] : [],
    );
  }

  #compareCountry(country: number, ages: readonly number[], findings: CellFindings): void {
    const medians: { years: number; before: number; after: number; sd: number }[] = [];
    let moved = false;
    for (const age of ages) {
      const [before, after] = this.#knots;
      const same = this.#read(country, age);
      const sd = ((before[PLUS_ONE] as number) - (before[MINUS_ONE] as number)) / 2;
      const years = this.after.manifest.axes.agesYears[age] as number;
      findings.cells += 1;
      moved ||= !same;
      const mm = PERCENTILES.map(({ z }) =>
        same ? 0 : curveValue(after, z) - curveValue(before, z),
      ) as [number, number, number];
      if (mm.some((one) => Math.abs(one) >= MOVED_SD * sd)) findings.cellsMoved += 1;
      const tallies = [this.#tally, findings.overall];
      const more = [findings.byCountry[country], findings.byAge[age]];
      for (const tally of [...tallies, ...more]) tally?.add(mm, sd);
      if (!same) this.#judge(country, years, mm, sd);
      medians.push({ years, sd, before: before[Z_MEDIAN] ?? 0, after: after[Z_MEDIAN] ?? 0 });
    }
    if (moved) this.#judgeSteps(country, medians);
  }

  /** Fills the knots of both versions. Returns whether they are equal. */
  #read(country: number, age: number): boolean {
    const size = gridSize(this.after.manifest);
    let same = true;
    const from = [this.before, this.after].map(({ block }) =>
      cellIndex(size, block[this.key.row] as number, country, age),
    ) as [number, number];
    for (let i = 0; i < Z_COUNT; i++) {
      const before = this.before.quantiles[from[0] + i] as number;
      const after = this.after.quantiles[from[1] + i] as number;
      this.#knots[0][i] = before;
      this.#knots[1][i] = after;
      same &&= before === after;
    }
    return same;
  }

  #judge(country: number, ageYears: number, mm: readonly number[], sd: number): void {
    PERCENTILES.forEach(({ percentile, z }, i) => {
      const beforeMm = curveValue(this.#knots[0], z);
      const moved = (mm[i] as number) / sd;
      const cell = this.#cell(country, ageYears, {
        ...{ percentile, beforeMm, afterMm: beforeMm + (mm[i] as number), sd: moved },
      });
      if (percentile === 50 && Math.abs(moved) > Math.abs(this.#largest?.sd ?? 0)) {
        this.#largest = cell;
      }
      this.#largest ??= cell;
      const rule = percentile === 50 ? 'median' : 'tail';
      const limit = rule === 'median' ? JUMP.medianSd : JUMP.tailSd;
      if (Math.abs(moved) > limit) this.#note(rule, cell);
    });
  }

  /**
   * Finds steps between ages that differ from the mean of the neighbouring steps. That mean is the growth expected at
   * the age. The change is a jump if this difference increased by a larger factor than the dimension itself.
   */
  #judgeSteps(
    country: number,
    cells: readonly { years: number; before: number; after: number; sd: number }[],
  ): void {
    const standsOut = (which: 'before' | 'after', i: number): number => {
      const [a, b, c, d] = [i - 1, i, i + 1, i + 2].map((at) => cells[at]);
      if (a === undefined || b === undefined || c === undefined || d === undefined) return 0;
      const rate = (from: typeof a, to: typeof a) =>
        (to[which] - from[which]) / (to.years - from.years);
      return (rate(b, c) - (rate(a, b) + rate(c, d)) / 2) * (c.years - b.years);
    };
    for (let i = 1; i + 2 < cells.length; i++) {
      const { years, sd, before, after } = cells[i] as (typeof cells)[number];
      // If a dimension is larger at all ages, its steps are larger, too. That alone is not a jump.
      const beforeMm = standsOut('before', i);
      const afterMm = (standsOut('after', i) * before) / after;
      const more = (Math.abs(afterMm) - Math.abs(beforeMm)) / sd;
      if (more <= JUMP.stepSd) continue;
      this.#note(
        'step',
        this.#cell(country, years, { percentile: 50, beforeMm, afterMm, sd: more }),
      );
    }
  }

  #cell(
    country: number,
    ageYears: number,
    moved: Pick<MovedCell, 'percentile' | 'beforeMm' | 'afterMm' | 'sd'>,
  ): MovedCell {
    const { measurement, gender } = this.key;
    const code = this.after.manifest.axes.countries[country] ?? '';
    return { measurement, gender, country: code, ageYears, ...moved };
  }

  #note(rule: 'median' | 'tail' | 'step', cell: MovedCell): void {
    const worst = this.#worst.get(rule);
    const farther = worst === undefined || Math.abs(cell.sd) > Math.abs(worst.cell.sd);
    this.#worst.set(rule, {
      count: (worst?.count ?? 0) + 1,
      cell: farther ? cell : worst.cell,
    });
  }
}
