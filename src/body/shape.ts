import { BoundedMap } from '../core/bounded-map.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { MACRO_LEVELS, macroIndex, macroStart, type ShapeViews } from '../lookup/shape-file.js';
import { type GeneratedModes, generatedModes } from './generated-modes.js';
import { skinTriangles } from './regions.js';
import { Skeleton } from './skeleton.js';
import { type SparseRows, sparseRows } from './sparse-rows.js';
import { clamp } from './vectors.js';
import { volumeOf } from './volume.js';

/** Indices of the first three parameters of a shape; the local and the generated modes follow. */
export const PARAMETER = { muscle: 0, weight: 1, scale: 2, first: 3 } as const;
/** The interpolation of muscle and weight is rounded over this many levels on each side of a corner. */
const ROUNDING = 0.06;
/** Number of shapes of muscle × weight. `MEAN_CELL` is the one in the middle of both. */
export const CELLS = MACRO_LEVELS * MACRO_LEVELS;
const MEAN_CELL = (CELLS - 1) / 2;
/** Index of the grown-up age among the ages of the mesh. */
const GROWN = 2;
/** Adults over this age have the head of this age. The mesh at 90 years has deeper creases than people of that age. */
const OLDEST_YEARS = 70;
/** Local modes have their original size at this height of the base mesh, mm. */
const BASE_HEIGHT_MM = 1665;

/** Number of recently used shapes that are kept. Each takes about 4 MB. */
const SHAPES_MAX = 12;

/** The body of an artifact, ready to make shapes of people. */
export class BodyModel {
  readonly skeleton: Skeleton;
  /** The local modes by coordinate. */
  readonly local: SparseRows;
  /** The numbers of all points: vertices and joints. */
  readonly all: Uint16Array;
  private readonly shapes = new BoundedMap<string, PersonShape>(SHAPES_MAX);

  constructor(readonly views: ShapeViews) {
    this.skeleton = new Skeleton(views);
    this.local = localRows(views);
    const { vertices, joints } = views.header;
    this.all = Uint16Array.from({ length: vertices + joints }, (_, point) => point);
  }

  /**
   * Returns the shapes of people of a gender and age. Adults share the shapes of the nearest decade of age, because
   * only the face differs.
   */
  shapeOf(gender: Gender, ageYears: number): PersonShape {
    const grown = this.views.header.agesYears[GROWN];
    const years =
      ageYears > grown ? clamp(10 * Math.round(ageYears / 10), grown, OLDEST_YEARS) : ageYears;
    const key = `${gender} ${years}`;
    const shape = this.shapes.get(key) ?? new PersonShape(this, gender, years);
    this.shapes.set(key, shape);
    return shape;
  }
}

function localRows(views: ShapeViews): SparseRows {
  const { header, localStart, localPoint, localMove, localScale } = views;
  const modes = header.localModes.map((_, mode) => {
    const [from, to] = [localStart[mode], localStart[mode + 1]];
    const moves = localMove.subarray(3 * from, 3 * to);
    return {
      points: localPoint.subarray(from, to),
      moves: Float64Array.from(moves, (move) => localScale[mode] * move),
    };
  });
  return sparseRows(modes, 3 * (header.vertices + header.joints), 0);
}

/**
 * Interpolation weights of the low, middle and high level at x. They are linear in x, also outside 0 to 1, except for a
 * rounded corner at x = ½.
 */
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
 * T are the local modes of the mesh, scaled by the relative height k of the mean person. G are the generated modes.
 */
export class PersonShape {
  /** Names of the parameters: muscle, weight, scale, local modes, generated modes. */
  readonly names: readonly string[];
  /** Volume of the mean person of the macro modes without the eyes, litres. */
  readonly volumeLitres: number;
  /** Height of this person, mm. `size` is this height divided by that of the base mesh. */
  readonly heightMm: number;
  readonly size: number;
  /** The nine shapes of muscle × weight: nine values for each coordinate. */
  readonly macros: Float32Array;
  readonly generated: GeneratedModes;
  /** Points of the mean person, mm. The bones are stretched on them. */
  readonly mean: Float32Array;
  /** Number of columns: nine shapes of muscle × weight, local modes, bone stretches, moves of the surface. */
  readonly columns: number;
  private readonly locals: number;

  constructor(
    readonly model: BodyModel,
    readonly gender: Gender,
    readonly ageYears: number,
  ) {
    const { views, skeleton } = model;
    this.macros = macroShapes(model, gender, ageYears);
    const mean = new Float64Array(3 * model.all.length);
    for (let i = 0; i < mean.length; i++) mean[i] = this.macros[CELLS * i + MEAN_CELL];
    let [low, high] = [Infinity, -Infinity];
    for (let i = 1; i < 3 * views.header.vertices; i += 3) {
      low = Math.min(low, mean[i]);
      high = Math.max(high, mean[i]);
    }
    this.heightMm = high - low;
    this.size = this.heightMm / BASE_HEIGHT_MM;
    this.mean = Float32Array.from(mean);
    const skin = views.triangles.subarray(0, 3 * skinTriangles(views.header.materials));
    this.volumeLitres = volumeOf(this.mean, skin);
    this.generated = generatedModes(views, skeleton, mean);
    const { localModes } = views.header;
    this.locals = localModes.length;
    this.names = ['muscle', 'weight', 'scale', ...localModes, ...this.generated.names];
    this.columns = this.names.length - PARAMETER.first + CELLS;
  }

  /** Amount of each column at some parameters, before the scale. */
  amounts(x: Float64Array): Float64Array {
    const amounts = new Float64Array(this.columns);
    amounts.set(products(levels(x[0]), levels(x[1])));
    amounts.set(x.subarray(PARAMETER.first), CELLS);
    return amounts;
  }

  /**
   * Derivatives, at some parameters, of readings that are linear in the points.
   *
   * @returns a function from the columns of a reading to one value for each parameter
   */
  slopes(x: Float64Array): (columns: Float64Array) => Float64Array {
    const amounts = this.amounts(x);
    const scale = 1 + x[PARAMETER.scale];
    const [m, w] = [x[PARAMETER.muscle], x[PARAMETER.weight]];
    const byMuscle = products(levelSlopes(m), levels(w));
    const byWeight = products(levels(m), levelSlopes(w));
    return (columns) => {
      const slopes = new Float64Array(this.names.length);
      let [muscle, weight, all] = [0, 0, 0];
      for (let k = 0; k < CELLS; k++) {
        muscle += byMuscle[k] * columns[k];
        weight += byWeight[k] * columns[k];
      }
      for (let k = 0; k < columns.length; k++) {
        all += columns[k] * amounts[k];
      }
      slopes[PARAMETER.muscle] = scale * muscle;
      slopes[PARAMETER.weight] = scale * weight;
      slopes[PARAMETER.scale] = all;
      for (let k = CELLS; k < columns.length; k++) {
        slopes[PARAMETER.first + k - CELLS] = scale * columns[k];
      }
      return slopes;
    };
  }

  /**
   * Computes x, y, z of the points at some parameters, mm.
   *
   * @param only the points to compute; by default all
   * @param into array for the result; other points stay as they are
   */
  points(
    x: Float64Array,
    only: Uint16Array = this.model.all,
    into: Float64Array = new Float64Array(3 * this.model.all.length),
  ): Float64Array {
    const { model, generated, macros, mean, size, locals } = this;
    const { local, views, skeleton } = model;
    const { vertices } = views.header;
    const { stretches, moves } = generated;
    const shares = products(levels(x[0]), levels(x[1]));
    const localWeights = x.subarray(PARAMETER.first);
    const stretchWeights = x.subarray(PARAMETER.first + locals);
    const moveWeights = x.subarray(PARAMETER.first + locals + stretches.count);
    const scale = 1 + x[PARAMETER.scale];
    const matrices = mixture(stretches.matrices, stretchWeights, stretches.count);
    const shifts = mixture(stretches.shifts, stretchWeights, stretches.count);
    const ends = mixture(stretches.joints, stretchWeights, stretches.count);
    const to = new Float64Array(3);
    const [s0, s1, s2, s3, s4, s5, s6, s7, s8] = shares;
    for (let n = 0; n < only.length; n++) {
      const point = only[n];
      const first = 3 * point;
      if (point < vertices) skeleton.skinOne(mean, matrices, shifts, point, to);
      else for (let k = 0; k < 3; k++) to[k] = ends[3 * (point - vertices) + k];
      for (let k = 0; k < 3; k++) {
        const at = CELLS * (first + k);
        const mixed =
          s0 * macros[at] +
          s1 * macros[at + 1] +
          s2 * macros[at + 2] +
          s3 * macros[at + 3] +
          s4 * macros[at + 4] +
          s5 * macros[at + 5] +
          s6 * macros[at + 6] +
          s7 * macros[at + 7] +
          s8 * macros[at + 8];
        into[first + k] =
          scale *
          (to[k] +
            mixed +
            size * moveAt(local, localWeights, first + k) +
            moveAt(moves, moveWeights, first + k));
      }
    }
    return into;
  }
}

/** The weighted sum of modes of the same length that are stored one after the other. */
function mixture(modes: Float64Array, weights: Float64Array, count: number): Float64Array {
  const length = modes.length / count;
  const sum = new Float64Array(length);
  for (let mode = 0; mode < count; mode++) {
    const weight = weights[mode];
    if (weight === 0) continue;
    const from = mode * length;
    for (let i = 0; i < length; i++) sum[i] += weight * modes[from + i];
  }
  return sum;
}

/** The nine products of a share of muscle and a share of weight, in the order of the macro shapes. */
function products(muscle: readonly number[], weight: readonly number[]): Float64Array {
  return Float64Array.from(muscle.flatMap((m) => weight.map((w) => m * w)));
}

/** How far the modes move one coordinate. */
function moveAt({ start, column, value }: SparseRows, weights: Float64Array, i: number): number {
  const end = start[i + 1];
  let sum = 0;
  for (let at = start[i]; at < end; at++) {
    sum += value[at] * weights[column[at]];
  }
  return sum;
}

/**
 * Returns the nine shapes of muscle × weight of people of a gender and age, averaged over races, by coordinate. In
 * adults only the head ages. The dimensions contain the other changes with age, and the body of the grown-up mesh meets
 * them better.
 */
function macroShapes(
  { views, skeleton, all }: BodyModel,
  gender: Gender,
  ageYears: number,
): Float32Array {
  const grownYears = views.header.agesYears[GROWN];
  const shapes = macrosAt(views, gender, Math.min(ageYears, grownYears), all);
  if (ageYears <= grownYears) return shapes;
  const { vertices } = views.header;
  const bone = skeleton.bone('head');
  const { vertices: moved, shares } = skeleton.movedBy(/^head$/);
  const ends = [skeleton.heads[bone], skeleton.tails[bone]];
  const older = macrosAt(views, gender, ageYears, Uint16Array.from([...moved, ...ends]));
  // Sets the head of the older mesh on the neck of the grown-up mesh.
  const [joint = 0] = ends;
  for (const point of [...moved, ...ends.slice(1)]) {
    const share = point < vertices ? shares[point] : 1;
    for (let i = 0; i < 3 * CELLS; i++) {
      const at = 3 * CELLS * point + i;
      const own = 3 * CELLS * joint + i;
      const shift = shapes[own] - older[own];
      shapes[at] = (1 - share) * shapes[at] + share * (older[at] + shift);
    }
  }
  return shapes;
}

/** Returns the nine shapes of a gender and age from the mesh, for some points. */
function macrosAt(
  views: ShapeViews,
  gender: Gender,
  ageYears: number,
  only: Uint16Array,
): Float32Array {
  const { header, positions, macro, macroScale } = views;
  const ages = header.agesYears;
  const genderIndex = GENDERS.indexOf(gender);
  const ends = agesAround(ages, ageYears).filter(({ part }) => part > 0);
  const shapes = new Float32Array(CELLS * positions.length);
  const sources = ends.map(({ knot, part }) => {
    const mode = macroIndex(ages.length, genderIndex, knot, 0);
    const scales = macroScale.subarray(mode, mode + 1 + CELLS);
    return {
      at: macroStart(header, mode),
      units: Float64Array.from(scales, (unit) => part * unit),
    };
  });
  for (const point of only) {
    for (let i = 3 * point; i < 3 * point + 3; i++) {
      let mean = positions[i];
      for (let end = 0; end < sources.length; end++) {
        const { at, units } = sources[end];
        mean += units[0] * macro[at + i];
      }
      for (let cell = 0; cell < CELLS; cell++) {
        let value = mean;
        for (let end = 0; end < sources.length; end++) {
          const { at, units } = sources[end];
          value += units[cell + 1] * macro[at + (cell + 1) * positions.length + i];
        }
        shapes[CELLS * i + cell] = value;
      }
    }
  }
  return shapes;
}

/** The two ages of the mesh around an age, as their numbers, and the part of each in a mean between them. */
export function agesAround(ages: readonly number[], ageYears: number) {
  const age = clamp(ageYears, ages[0], ages.at(-1) as number);
  const above = Math.max(
    1,
    ages.findIndex((knot) => knot >= age),
  );
  const [from, to] = [ages[above - 1], ages[above]];
  const share = (age - from) / (to - from);
  return [
    { knot: above - 1, part: 1 - share },
    { knot: above, part: share },
  ] as const;
}
