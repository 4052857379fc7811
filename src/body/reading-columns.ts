import { INFLUENCES } from '../lookup/shape-file.js';
import { CELLS, type PersonShape } from './shape.js';
import type { SparseRows } from './sparse-rows.js';

/**
 * The effect of each column of a shape on a reading: the sum of gradient × column over the points of the reading. The
 * reading is linear in the amounts of the columns as long as its points stay the same.
 */
export class ReadingColumns {
  private sums: Float64Array;
  /** For each bone: gradient × point of the mean body (nine numbers), and gradient (three numbers). */
  private readonly outer: Float64Array;
  private readonly inner: Float64Array;

  constructor(private readonly shape: PersonShape) {
    const bones = shape.model.views.header.bones.length;
    this.sums = new Float64Array(shape.columns);
    this.outer = new Float64Array(9 * bones);
    this.inner = new Float64Array(3 * bones);
  }

  /** Adds the gradient at a vertex. */
  addVertex(vertex: number, gx: number, gy: number, gz: number): void {
    this.addPoint(vertex, gx, gy, gz);
    const { model, mean } = this.shape;
    const { weights } = model.skeleton;
    const { skinBone } = model.views;
    const { outer, inner } = this;
    const x = mean[3 * vertex];
    const y = mean[3 * vertex + 1];
    const z = mean[3 * vertex + 2];
    for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
      const w = weights[k];
      if (w === 0) break;
      const m = 9 * skinBone[k];
      const t = m / 3;
      const wx = w * gx;
      const wy = w * gy;
      const wz = w * gz;
      inner[t] += wx;
      inner[t + 1] += wy;
      inner[t + 2] += wz;
      outer[m] += wx * x;
      outer[m + 1] += wx * y;
      outer[m + 2] += wx * z;
      outer[m + 3] += wy * x;
      outer[m + 4] += wy * y;
      outer[m + 5] += wy * z;
      outer[m + 6] += wz * x;
      outer[m + 7] += wz * y;
      outer[m + 8] += wz * z;
    }
  }

  /** Adds the gradient at a joint. The index of a joint counts the points before it. */
  addJoint(point: number, gx: number, gy: number, gz: number): void {
    if (gx === 0 && gy === 0 && gz === 0) return;
    this.addPoint(point, gx, gy, gz);
    const { model, generated } = this.shape;
    const { joints: moves, count } = generated.stretches;
    const { vertices, joints } = model.views.header;
    const { sums } = this;
    const from = CELLS + model.views.header.localModes.length;
    for (let mode = 0; mode < count; mode++) {
      const at = 3 * (joints * mode + point - vertices);
      sums[from + mode] =
        sums[from + mode] + gx * moves[at] + gy * moves[at + 1] + gz * moves[at + 2];
    }
  }

  /** Returns the sums of everything that was added since the last call. */
  take(): Float64Array {
    const { outer, inner, sums } = this;
    const { model, generated } = this.shape;
    const { matrices, shifts, count, moved } = generated.stretches;
    const from = CELLS + model.views.header.localModes.length;
    const bones = inner.length / 3;
    for (let mode = 0; mode < count; mode++) {
      let sum = 0;
      for (const bone of moved[mode]) {
        const m = 9 * (bones * mode + bone);
        for (let i = 0; i < 9; i++) {
          sum += outer[9 * bone + i] * matrices[m + i];
        }
        for (let i = 0; i < 3; i++) {
          sum += inner[3 * bone + i] * shifts[m / 3 + i];
        }
      }
      sums[from + mode] += sum;
    }
    outer.fill(0);
    inner.fill(0);
    this.sums = new Float64Array(sums.length);
    return sums;
  }

  private addPoint(point: number, gx: number, gy: number, gz: number): void {
    const { model, macros, generated, size } = this.shape;
    const { sums } = this;
    const first = 3 * point;
    const at = CELLS * first;
    for (let k = 0; k < CELLS; k++) {
      sums[k] =
        sums[k] +
        gx * macros[at + k] +
        gy * macros[at + CELLS + k] +
        gz * macros[at + 2 * CELLS + k];
    }
    const locals = model.views.header.localModes.length;
    const moved = CELLS + locals + generated.stretches.count;
    addRow(sums, CELLS, model.local, first, size * gx);
    addRow(sums, CELLS, model.local, first + 1, size * gy);
    addRow(sums, CELLS, model.local, first + 2, size * gz);
    addRow(sums, moved, generated.moves, first, gx);
    addRow(sums, moved, generated.moves, first + 1, gy);
    addRow(sums, moved, generated.moves, first + 2, gz);
  }
}

/** Adds gradient × the entries of one coordinate. */
function addRow(
  sums: Float64Array,
  from: number,
  { start, column, value }: SparseRows,
  coordinate: number,
  gradient: number,
): void {
  const end = start[coordinate + 1];
  for (let at = start[coordinate]; at < end; at++) {
    const k = from + column[at];
    sums[k] += gradient * value[at];
  }
}
