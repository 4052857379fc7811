import { GENDERS, type Gender } from '../core/genders.js';
import { MACRO_LEVELS, macroIndex, macroStart, type ShapeViews } from '../lookup/shape-file.js';
import { generatedModes } from './generated-modes.js';
import { Skeleton } from './skeleton.js';
import type { SparseRows } from './sparse-rows.js';

/** Indices of the first three parameters of a shape; the local and the generated modes follow. */
export const PARAMETER = { muscle: 0, weight: 1, scale: 2, first: 3 } as const;
/** Half the width, in levels, over which the interpolation of muscle and weight is rounded. */
const ROUNDING = 0.06;
/** Height of the base mesh, mm, at which local modes have their size. */
const BASE_HEIGHT_MM = 1665;

/** The body of an artifact, ready to make shapes of people. */
export class BodyModel {
  readonly skeleton: Skeleton;
  /** The local modes by coordinate. */
  readonly local: SparseRows;
  private readonly shapes = new Map<string, PersonShape>();

  constructor(readonly views: ShapeViews) {
    this.skeleton = new Skeleton(views);
    this.local = localRows(views);
  }

  /** Number of vertices and joints. */
  get points(): number {
    return this.views.header.vertices + this.views.header.joints;
  }

  /** The shapes of people of a gender and age. The three used last are kept: each takes about 4 MB. */
  shapeOf(gender: Gender, ageYears: number): PersonShape {
    const key = `${gender} ${ageYears}`;
    const shape = this.shapes.get(key) ?? new PersonShape(this, gender, ageYears);
    this.shapes.delete(key);
    this.shapes.set(key, shape);
    const oldest = this.shapes.keys().next().value;
    if (this.shapes.size > 3 && oldest !== undefined) this.shapes.delete(oldest);
    return shape;
  }
}

function localRows(views: ShapeViews): SparseRows {
  const { header, localStart, localPoint, localMove, localScale } = views;
  const rows = 3 * (header.vertices + header.joints);
  const start = new Uint32Array(rows + 1);
  localPoint.forEach((point) => {
    for (let k = 1; k <= 3; k++) start[3 * point + k] = (start[3 * point + k] as number) + 1;
  });
  for (let i = 0; i < rows; i++) start[i + 1] = (start[i + 1] as number) + (start[i] as number);
  const next = start.slice(0, rows);
  const column = new Uint8Array(start[rows] as number);
  const value = new Float32Array(start[rows] as number);
  header.localModes.forEach((_, mode) => {
    const unit = localScale[mode] as number;
    for (let i = localStart[mode] as number; i < (localStart[mode + 1] as number); i++) {
      for (let k = 0; k < 3; k++) {
        const row = 3 * (localPoint[i] as number) + k;
        const at = next[row] as number;
        next[row] = at + 1;
        column[at] = mode;
        value[at] = unit * (localMove[3 * i + k] as number);
      }
    }
  });
  return { start, column, value };
}

/** Shares of the low, middle and high level at x from 0 to 1, with a rounded corner at ½; linear beyond. */
function levels(x: number): number[] {
  const u = x - 0.5;
  const a = Math.hypot(u, ROUNDING);
  return [a - u, 1 - 2 * a, a + u];
}

function levelSlopes(x: number): number[] {
  const u = x - 0.5;
  const d = u / Math.hypot(u, ROUNDING);
  return [d - 1, -2 * d, d + 1];
}

/**
 * The shapes of people of one gender and age:
 *
 *   points = (1 + s) · [Σ muscle × weight shares · macro + k Σ aₘ Tₘ + Σ bₘ Gₘ]
 *
 * with the local modes T of the mesh, sized by the height k of the mean person, and the generated modes G.
 */
export class PersonShape {
  /** Names of the parameters: muscle, weight, scale, local modes, generated modes. */
  readonly names: readonly string[];
  /** Height of the mean person of the macro modes over that of the base mesh. */
  readonly size: number;
  private readonly macros: readonly Float32Array[];
  private readonly generated: SparseRows;
  private readonly locals: number;

  constructor(
    readonly model: BodyModel,
    readonly gender: Gender,
    readonly ageYears: number,
  ) {
    this.macros = macroShapes(model.views, gender, ageYears);
    const mean = Float64Array.from(this.macros[4] as Float32Array);
    let [low, high] = [Infinity, -Infinity];
    for (let i = 1; i < 3 * model.views.header.vertices; i += 3) {
      low = Math.min(low, mean[i] as number);
      high = Math.max(high, mean[i] as number);
    }
    this.size = (high - low) / BASE_HEIGHT_MM;
    const { names, rows } = generatedModes(model.views, model.skeleton, mean);
    this.generated = rows;
    const { localModes } = model.views.header;
    this.locals = localModes.length;
    this.names = ['muscle', 'weight', 'scale', ...localModes, ...names];
  }

  /** x, y, z of all points for parameters, mm. */
  points(x: Float64Array): Float64Array {
    const points = this.mixed(levels(x[0] as number), levels(x[1] as number));
    this.addModes(this.model.local, x.subarray(PARAMETER.first), this.size, points);
    this.addModes(this.generated, x.subarray(PARAMETER.first + this.locals), 1, points);
    const scale = 1 + (x[PARAMETER.scale] as number);
    for (let i = 0; i < points.length; i++) points[i] = scale * (points[i] as number);
    return points;
  }

  private mixed(muscle: readonly number[], weight: readonly number[]): Float64Array {
    const points = new Float64Array(3 * this.model.points);
    for (let row = 0; row < MACRO_LEVELS; row++) {
      const part = muscle[row] as number;
      const [low, middle, high] = weight.map((share) => part * share) as [number, number, number];
      const [a, b, c] = this.macros.slice(MACRO_LEVELS * row) as [
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      for (let i = 0; i < points.length; i++) {
        points[i] =
          (points[i] as number) +
          low * (a[i] as number) +
          middle * (b[i] as number) +
          high * (c[i] as number);
      }
    }
    return points;
  }

  private addModes(rows: SparseRows, weights: Float64Array, factor: number, points: Float64Array) {
    const { start, column, value } = rows;
    for (let i = 0, at = 0; i < points.length; i++) {
      const end = start[i + 1] as number;
      let moved = 0;
      for (; at < end; at++)
        moved += (value[at] as number) * (weights[column[at] as number] as number);
      if (moved !== 0) points[i] = (points[i] as number) + factor * moved;
    }
  }

  /**
   * The derivatives at some parameters.
   *
   * @param points the points at these parameters
   */
  tangent(x: Float64Array, points: Float64Array): Tangent {
    const scale = 1 + (x[PARAMETER.scale] as number);
    const [m, w] = [x[0] as number, x[1] as number];
    const dense = [
      this.mixed(levelSlopes(m), levels(w)),
      this.mixed(levels(m), levelSlopes(w)),
      points.map((mm) => mm / scale),
    ];
    for (const macro of dense.slice(0, 2)) {
      for (let i = 0; i < macro.length; i++) macro[i] = scale * (macro[i] as number);
    }
    const local = { rows: this.model.local, from: PARAMETER.first, factor: scale * this.size };
    const generated = { rows: this.generated, from: PARAMETER.first + this.locals, factor: scale };
    return new Tangent(dense, [local, generated]);
  }
}

interface ScaledRows {
  readonly rows: SparseRows;
  /** Parameter of the first column. */
  readonly from: number;
  readonly factor: number;
}

/** The derivatives of all points by all parameters. */
export class Tangent {
  constructor(
    private readonly dense: readonly Float64Array[],
    private readonly sparse: readonly ScaledRows[],
  ) {}

  /** Adds gradient × derivative of one coordinate to a row over the parameters. */
  add(coordinate: number, gradient: number, row: Float64Array): void {
    if (gradient === 0) return;
    for (let k = 0; k < this.dense.length; k++) {
      row[k] =
        (row[k] as number) + gradient * ((this.dense[k] as Float64Array)[coordinate] as number);
    }
    for (const { rows, from, factor } of this.sparse) {
      const g = gradient * factor;
      const end = rows.start[coordinate + 1] as number;
      for (let at = rows.start[coordinate] as number; at < end; at++) {
        const k = from + (rows.column[at] as number);
        row[k] = (row[k] as number) + g * (rows.value[at] as number);
      }
    }
  }
}

/** The nine shapes of muscle × weight of people of a gender and age, of no race. */
function macroShapes(views: ShapeViews, gender: Gender, ageYears: number): Float32Array[] {
  const { header, positions, macro, macroScale } = views;
  const ages = header.agesYears;
  const age = Math.min(Math.max(ageYears, ages[0] as number), ages.at(-1) as number);
  const above = Math.max(
    1,
    ages.findIndex((knot) => knot >= age),
  );
  const [from, to] = [ages[above - 1] as number, ages[above] as number];
  const share = (age - from) / (to - from);
  const genderIndex = GENDERS.indexOf(gender);
  const add = (points: Float32Array, cell: number): void => {
    for (const [knot, part] of [
      [above - 1, 1 - share],
      [above, share],
    ] as const) {
      if (part === 0) continue;
      const mode = macroIndex(ages.length, genderIndex, knot, cell);
      const start = macroStart(header, mode);
      const unit = part * (macroScale[mode] as number);
      for (let i = 0; i < points.length; i++) {
        points[i] = (points[i] as number) + unit * (macro[start + i] as number);
      }
    }
  };
  const mean = positions.slice();
  add(mean, 0);
  return Array.from({ length: MACRO_LEVELS * MACRO_LEVELS }, (_, cell) => {
    const points = mean.slice();
    add(points, 1 + cell);
    return points;
  });
}
