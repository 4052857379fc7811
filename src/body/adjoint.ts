import { INFLUENCES } from '../lookup/shape-file.js';
import type { Skeleton } from './skeleton.js';

/** Converts gradients at a posed body to gradients at the rest pose. */
export class Adjoint {
  /** Gradient by x, y, z of each joint of the rest pose. A joint has the index of the bone whose head it is. */
  readonly joints: Float64Array;
  private readonly shift: Float64Array;
  private readonly moved: Float64Array;
  /** Gradient at the last vertex that was pulled back. */
  readonly vertex = new Float64Array(3);

  constructor(
    private readonly skeleton: Skeleton,
    private readonly skinBone: Uint8Array,
  ) {
    const bones = skeleton.parents.length;
    this.joints = new Float64Array(3 * bones);
    this.shift = new Float64Array(3 * bones);
    this.moved = new Float64Array(3 * bones);
  }

  /** Forgets all gradients. */
  clear(): void {
    this.joints.fill(0);
    this.shift.fill(0);
    this.moved.fill(0);
  }

  /** Adds the gradient at the posed head of a bone. */
  addHead(bone: number, x: number, y: number, z: number): void {
    const t = 3 * bone;
    this.moved[t] += x;
    this.moved[t + 1] += y;
    this.moved[t + 2] += z;
  }

  /** Adds the gradient at a posed vertex; `vertex` then holds the gradient at the vertex of the rest pose. */
  addVertex(r: Float64Array, at: number, x: number, y: number, z: number): void {
    const { shift, vertex } = this;
    let [gx, gy, gz] = [0, 0, 0];
    for (let k = INFLUENCES * at; k < INFLUENCES * (at + 1); k++) {
      const w = this.skeleton.weights[k];
      if (w === 0) break;
      const bone = this.skinBone[k];
      const m = 9 * bone;
      const t = 3 * bone;
      gx += w * (r[m] * x + r[m + 3] * y + r[m + 6] * z);
      gy += w * (r[m + 1] * x + r[m + 4] * y + r[m + 7] * z);
      gz += w * (r[m + 2] * x + r[m + 5] * y + r[m + 8] * z);
      shift[t] += w * x;
      shift[t + 1] += w * y;
      shift[t + 2] += w * z;
    }
    vertex[0] = gx;
    vertex[1] = gy;
    vertex[2] = gz;
  }

  /** Converts the collected gradients of one pose to gradients at the joints. */
  finish(r: Float64Array): void {
    const { joints, shift, moved } = this;
    const { parents } = this.skeleton;
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
      const p = 3 * parent;
      moved[p] += x;
      moved[p + 1] += y;
      moved[p + 2] += z;
      pull(parent, x, y, z, bone, 1);
      pull(parent, x, y, z, parent, -1);
    }
    shift.fill(0);
    moved.fill(0);
  }
}
