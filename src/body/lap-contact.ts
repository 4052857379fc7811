import { type Posed, type Skeleton, vectorAt } from './skeleton.js';

/** Skin gives way if the thighs have at most this share in it, and fully from half of it on. */
const SHARE = 0.95;
/** A triangle belongs to a thigh if the shares of its corners sum to this. */
const THIGH = 1;
/** Nearer to the middle plane, the belly lies on thighs this far from it, as a share of the hip joint's distance. */
const MIDDLE = 0.3;
/** Distance between the skin of belly and thigh, mm. */
const GAP_MM = 0.5;

/** The belly of a sitting body and the thighs on which it lies. */
export class LapContact {
  private readonly belly: Uint16Array;
  private readonly shares: Float64Array;
  /** Triangles of the left thigh. Bodies are symmetric. */
  private readonly thighs: Uint16Array;
  private readonly middleMm: number;

  /** @param standing the standing body; it tells front from back */
  constructor(skeleton: Skeleton, triangles: Uint16Array, standing: Posed) {
    const [hipX, , hipZ] = vectorAt(standing.heads, skeleton.bone('thigh_l'));
    this.middleMm = MIDDLE * hipX;
    const { shares: thigh } = skeleton.movedBy(/^thigh_[lr]$/);
    const isFront = (vertex: number): boolean => standing.vertices[3 * vertex + 2] > hipZ;
    const { vertices } = skeleton.movedBy(/^(pelvis|spine_0[12])$/);
    this.belly = vertices.filter((vertex) => thigh[vertex] < SHARE && isFront(vertex));
    this.shares = Float64Array.from(this.belly, (vertex) =>
      Math.min(1, 2 * (1 - thigh[vertex] / SHARE)),
    );
    const { shares: left } = skeleton.movedBy(/^thigh_l$/);
    const thighs: number[] = [];
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
      if (left[a] + left[b] + left[c] >= THIGH) thighs.push(a, b, c);
    }
    this.thighs = Uint16Array.from(thighs);
  }

  /**
   * Lays the belly on the thighs: skin that bending the hips moves into them rises to their top. What can be seen of
   * belly and thighs keeps its form.
   *
   * @param vertices x, y, z of the sitting vertices, mm; changed in place
   */
  lay(vertices: Float64Array): void {
    const { belly, shares, thighs } = this;
    const far = Float64Array.from(belly, (vertex) =>
      Math.max(Math.abs(vertices[3 * vertex]), this.middleMm),
    );
    const order = Uint16Array.from(belly, (_, i) => i).sort((i, j) => far[i] - far[j]);
    const places = Float64Array.from(order, (i) => far[i]);
    const tops = new Float64Array(belly.length).fill(-Infinity);
    for (let t = 0; t < thighs.length; t += 3) {
      const a = 3 * thighs[t];
      const b = 3 * thighs[t + 1];
      const c = 3 * thighs[t + 2];
      const ax = vertices[a];
      const az = vertices[a + 2];
      const bx = vertices[b];
      const bz = vertices[b + 2];
      const cx = vertices[c];
      const cz = vertices[c + 2];
      const area = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
      // Only triangles that face up bear the belly.
      if (area <= 0) continue;
      const left = Math.min(ax, bx, cx);
      const right = Math.max(ax, bx, cx);
      let from = 0;
      for (let to = places.length; from < to; ) {
        const middle = (from + to) >> 1;
        if (places[middle] < left) from = middle + 1;
        else to = middle;
      }
      for (; from < places.length && places[from] <= right; from++) {
        const x = places[from];
        const i = order[from];
        const z = vertices[3 * belly[i] + 2];
        const wa = ((bz - z) * (cx - x) - (bx - x) * (cz - z)) / area;
        const wb = ((cz - z) * (ax - x) - (cx - x) * (az - z)) / area;
        const wc = 1 - wa - wb;
        if (wa < 0 || wb < 0 || wc < 0) continue;
        const top = wa * vertices[a + 1] + wb * vertices[b + 1] + wc * vertices[c + 1];
        if (top > tops[i]) tops[i] = top;
      }
    }
    for (let i = 0; i < belly.length; i++) {
      const at = 3 * belly[i] + 1;
      const up = tops[i] + GAP_MM - vertices[at];
      if (up > 0) vertices[at] += shares[i] * up;
    }
  }
}
