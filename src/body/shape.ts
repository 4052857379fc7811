import { GENDERS, type Gender } from '../core/genders.js';
import { MACRO_LEVELS, macroIndex, macroStart, type ShapeViews } from '../lookup/shape-file.js';
import { generatedModes } from './generated-modes.js';
import { Skeleton } from './skeleton.js';
import type { SparseRows } from './sparse-rows.js';

/** Indices of the first three parameters of a shape; the local and the generated modes follow. */
export const PARAMETER = { muscle: 0, weight: 1, scale: 2, first: 3 } as const;
/** Half the width, in levels, over which the interpolation of muscle and weight is rounded. */
const ROUNDING = 0.06;
/** Number of shapes of muscle × weight, and which of them is in the middle of both. */
const CELLS = MACRO_LEVELS * MACRO_LEVELS;
const MEAN_CELL = (CELLS - 1) / 2;
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
  /** The nine shapes of muscle × weight: nine values for each coordinate. */
  private readonly macros: Float32Array;
  private readonly generated: SparseRows;
  private readonly locals: number;
  /** The numbers of all points. */
  private readonly all: Uint16Array;

  constructor(
    readonly model: BodyModel,
    readonly gender: Gender,
    readonly ageYears: number,
  ) {
    this.macros = macroShapes(model.views, gender, ageYears);
    const mean = Float64Array.from(
      { length: this.macros.length / CELLS },
      (_, i) => this.macros[CELLS * i + MEAN_CELL] as number,
    );
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
    this.all = Uint16Array.from({ length: model.points }, (_, point) => point);
    this.names = ['muscle', 'weight', 'scale', ...localModes, ...names];
  }

  /**
   * x, y, z of points for parameters, mm.
   *
   * @param only the points that are wanted, if not all
   * @param into where to write; what is not wanted stays as it is
   */
  points(
    x: Float64Array,
    only: Uint16Array = this.all,
    into: Float64Array = new Float64Array(3 * this.model.points),
  ): Float64Array {
    const shares = products(levels(x[0] as number), levels(x[1] as number));
    const { local } = this.model;
    const { generated, size } = this;
    const localWeights = x.subarray(PARAMETER.first);
    const generatedWeights = x.subarray(PARAMETER.first + this.locals);
    const scale = 1 + (x[PARAMETER.scale] as number);
    for (let n = 0; n < only.length; n++) {
      const first = 3 * (only[n] as number);
      for (let i = first; i < first + 3; i++) {
        const mm =
          mixedAt(this.macros, shares, i) +
          size * moveAt(local, localWeights, i) +
          moveAt(generated, generatedWeights, i);
        into[i] = scale * mm;
      }
    }
    return into;
  }

  /**
   * The derivatives at some parameters.
   *
   * @param points the points at these parameters
   */
  tangent(x: Float64Array, points: Float64Array): Tangent {
    const scale = 1 + (x[PARAMETER.scale] as number);
    const [m, w] = [x[0] as number, x[1] as number];
    const local = { rows: this.model.local, from: PARAMETER.first, factor: scale * this.size };
    const generated = {
      rows: this.generated,
      from: PARAMETER.first + this.locals,
      factor: scale,
    };
    return new Tangent(
      this.macros,
      products(levelSlopes(m), levels(w)).map((share) => scale * share),
      products(levels(m), levelSlopes(w)).map((share) => scale * share),
      points,
      scale,
      [local, generated],
    );
  }
}

/** The nine products of shares of muscle and shares of weight, in the order of the macro shapes. */
function products(muscle: readonly number[], weight: readonly number[]): Float64Array {
  return Float64Array.from(muscle.flatMap((m) => weight.map((w) => m * w)));
}

/** The sum of nine shapes at one coordinate. */
function mixedAt(macros: Float32Array, shares: Float64Array, i: number): number {
  const at = CELLS * i;
  let sum = 0;
  for (let k = 0; k < CELLS; k++) sum += (shares[k] as number) * (macros[at + k] as number);
  return sum;
}

/** How far the modes move one coordinate. */
function moveAt({ start, column, value }: SparseRows, weights: Float64Array, i: number): number {
  const end = start[i + 1] as number;
  let sum = 0;
  for (let at = start[i] as number; at < end; at++) {
    sum += (value[at] as number) * (weights[column[at] as number] as number);
  }
  return sum;
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
    private readonly macros: Float32Array,
    private readonly byMuscle: Float64Array,
    private readonly byWeight: Float64Array,
    private readonly points: Float64Array,
    private readonly scale: number,
    private readonly sparse: readonly ScaledRows[],
  ) {}

  /** Adds gradient × derivative of one coordinate to a row over the parameters. */
  add(coordinate: number, gradient: number, row: Float64Array): void {
    if (gradient === 0) return;
    const { macros } = this;
    row[0] = (row[0] as number) + gradient * mixedAt(macros, this.byMuscle, coordinate);
    row[1] = (row[1] as number) + gradient * mixedAt(macros, this.byWeight, coordinate);
    row[2] = (row[2] as number) + (gradient * (this.points[coordinate] as number)) / this.scale;
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

/** The nine shapes of muscle × weight of people of a gender and age, of no race, by coordinate. */
function macroShapes(views: ShapeViews, gender: Gender, ageYears: number): Float32Array {
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
  const ends = [
    { knot: above - 1, part: 1 - share },
    { knot: above, part: share },
  ];
  const length = positions.length;
  const shapes = new Float32Array(CELLS * length);
  /** Adds the mean of both ages of a mode to one of the nine shapes. */
  const add = (cell: number, toShape: number): void => {
    const [first, second] = ends.map(({ knot, part }) => {
      const mode = macroIndex(ages.length, genderIndex, knot, cell);
      return { at: macroStart(header, mode), unit: part * (macroScale[mode] as number) };
    }) as [{ at: number; unit: number }, { at: number; unit: number }];
    for (let i = 0; i < length; i++) {
      const to = CELLS * i + toShape;
      shapes[to] =
        (shapes[to] as number) +
        first.unit * (macro[first.at + i] as number) +
        second.unit * (macro[second.at + i] as number);
    }
  };
  add(0, 0);
  for (let i = 0; i < length; i++) {
    shapes.fill(
      (positions[i] as number) + (shapes[CELLS * i] as number),
      CELLS * i,
      CELLS * i + CELLS,
    );
  }
  for (let cell = 0; cell < CELLS; cell++) add(1 + cell, cell);
  return shapes;
}
