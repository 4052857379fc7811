import { INFLUENCES } from '../lookup/shape-file.js';
import { CELLS, type PersonShape } from './shape.js';
import { type Posed, vectorAt } from './skeleton.js';
import type { SparseRows } from './sparse-rows.js';

/**
 * The effect of each column of a shape on a reading of a posed body: the sum of gradient × column over the points of
 * the reading. Gradients at the posed body are converted to gradients at the rest pose. The reading is linear in the
 * amounts of the columns as long as its points and the rotations stay the same.
 */
export class ReadingColumns {
  private sums: Float64Array;
  /** For each bone: gradient × point of the mean body (nine numbers), and gradient (three numbers). */
  private readonly outer: Float64Array;
  private readonly inner: Float64Array;
  /** For each bone: gradients by its shift, by its posed head, and by the joint of the rest pose that is its head. */
  private readonly shift: Float64Array;
  private readonly moved: Float64Array;
  private readonly joints: Float64Array;

  constructor(private readonly shape: PersonShape) {
    const bones = shape.model.views.header.bones.length;
    this.sums = new Float64Array(shape.columns);
    this.outer = new Float64Array(9 * bones);
    this.inner = new Float64Array(3 * bones);
    this.shift = new Float64Array(3 * bones);
    this.moved = new Float64Array(3 * bones);
    this.joints = new Float64Array(3 * bones);
  }

  /** Adds the gradient at the posed head of a bone. */
  addHead(bone: number, x: number, y: number, z: number): void {
    const t = 3 * bone;
    this.moved[t] += x;
    this.moved[t + 1] += y;
    this.moved[t + 2] += z;
  }

  /** Adds the gradient at a posed vertex. */
  addVertex({ vertices, rotations: r }: Posed, vertex: number, x: number, y: number, z: number) {
    const { model, mean } = this.shape;
    const { weights, contact } = model.skeleton;
    const { skinBone } = model.views;
    const { shift, outer, inner } = this;
    const own = contact.slope(vertex, vertices[3 * vertex]) * x;
    let [gx, gy, gz] = [0, 0, 0];
    for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
      const w = weights[k];
      if (w === 0) break;
      const m = 9 * skinBone[k];
      const t = m / 3;
      gx += w * (r[m] * own + r[m + 3] * y + r[m + 6] * z);
      gy += w * (r[m + 1] * own + r[m + 4] * y + r[m + 7] * z);
      gz += w * (r[m + 2] * own + r[m + 5] * y + r[m + 8] * z);
      shift[t] += w * own;
      shift[t + 1] += w * y;
      shift[t + 2] += w * z;
    }
    this.addPoint(vertex, gx, gy, gz);
    const mx = mean[3 * vertex];
    const my = mean[3 * vertex + 1];
    const mz = mean[3 * vertex + 2];
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
      outer[m] += wx * mx;
      outer[m + 1] += wx * my;
      outer[m + 2] += wx * mz;
      outer[m + 3] += wy * mx;
      outer[m + 4] += wy * my;
      outer[m + 5] += wy * mz;
      outer[m + 6] += wz * mx;
      outer[m + 7] += wz * my;
      outer[m + 8] += wz * mz;
    }
  }

  /**
   * Returns the sums of everything that was added since the last call.
   *
   * @param rotations those of the pose
   */
  take(rotations: Float64Array): Float64Array {
    this.pullHeads(rotations);
    const { outer, inner, joints, sums } = this;
    const { model, generated } = this.shape;
    const { matrices, shifts, count, moved, joints: moves } = generated.stretches;
    const { vertices, joints: ends, localModes } = model.views.header;
    const from = CELLS + localModes.length;
    const bones = inner.length / 3;
    model.skeleton.heads.forEach((point, bone) => {
      const [gx, gy, gz] = vectorAt(joints, bone);
      if (gx === 0 && gy === 0 && gz === 0) return;
      this.addPoint(point, gx, gy, gz);
      for (let mode = 0; mode < count; mode++) {
        const at = 3 * (ends * mode + point - vertices);
        sums[from + mode] =
          sums[from + mode] + gx * moves[at] + gy * moves[at + 1] + gz * moves[at + 2];
      }
    });
    for (let mode = 0; mode < count; mode++) {
      let sum = 0;
      for (const bone of moved[mode]) {
        const m = 9 * (bones * mode + bone);
        for (let i = 0; i < 9; i++) sum += outer[9 * bone + i] * matrices[m + i];
        for (let i = 0; i < 3; i++) sum += inner[3 * bone + i] * shifts[m / 3 + i];
      }
      sums[from + mode] += sum;
    }
    for (const used of [outer, inner, joints]) used.fill(0);
    this.sums = new Float64Array(sums.length);
    return sums;
  }

  /** Converts the gradients at shifts and posed heads to gradients at the joints. */
  private pullHeads(r: Float64Array): void {
    const { joints, shift, moved } = this;
    const { parents } = this.shape.model.skeleton;
    // Rotates a gradient by the inverse rotation of a bone, and adds it to the gradient of a joint. It takes plain
    // numbers, because vectors would fill the heap.
    const pull = (by: number, x: number, y: number, z: number, joint: number, sign: 1 | -1) => {
      const m = 9 * by;
      const t = 3 * joint;
      for (let k = 0; k < 3; k++) {
        const column = r[m + k] * x + r[m + k + 3] * y + r[m + k + 6] * z;
        joints[t + k] += sign * column;
      }
    };
    for (let bone = parents.length - 1; bone >= 0; bone--) {
      const t = 3 * bone;
      const sx = shift[t];
      const sy = shift[t + 1];
      const sz = shift[t + 2];
      // The shift of a bone is its posed head minus the rotated head of the rest pose.
      const x = moved[t] + sx;
      const y = moved[t + 1] + sy;
      const z = moved[t + 2] + sz;
      if (sx !== 0 || sy !== 0 || sz !== 0) pull(bone, sx, sy, sz, bone, -1);
      if (x === 0 && y === 0 && z === 0) continue;
      const parent = parents[bone];
      if (parent < 0) {
        joints[t] += x;
        joints[t + 1] += y;
        joints[t + 2] += z;
        continue;
      }
      this.addHead(parent, x, y, z);
      pull(parent, x, y, z, bone, 1);
      pull(parent, x, y, z, parent, -1);
    }
    shift.fill(0);
    moved.fill(0);
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
