import { INFLUENCES } from '../lookup/shape-file.js';

/** Distance from the middle plane over which a leg begins to give way, mm. */
const SOFT_MM = 3;

/**
 * Flattens legs where they touch: points that skinning moves beyond the middle plane stay on their side of it. y is the
 * distance of a point from the plane, on the side of its leg. It becomes
 *
 *   (1 − a) y + a (y + √(y² + w²)) ÷ 2
 *
 * with the width w and the share a that the leg has in the point. A thigh is flat where it touches the other thigh. Its
 * girth makes it broader on the outside, and the volume counts nothing twice.
 */
export class LegContact {
  /** Share of the left leg minus share of the right leg, by vertex. */
  readonly shares: Float32Array;

  /**
   * @param names names of the bones
   * @param skinBone bones of each vertex, and their weights
   */
  constructor(names: readonly string[], skinBone: Uint8Array, weights: Float32Array) {
    const sides = names.map((name) =>
      /^(thigh|calf)_l$/.test(name) ? 1 : /^(thigh|calf)_r$/.test(name) ? -1 : 0,
    );
    this.shares = new Float32Array(skinBone.length / INFLUENCES);
    skinBone.forEach((bone, k) => {
      this.shares[Math.floor(k / INFLUENCES)] += sides[bone] * weights[k];
    });
  }

  /** Position after contact of a vertex of a leg that skinning moves to x, mm. */
  moved(vertex: number, x: number): number {
    const share = this.shares[vertex];
    if (share === 0) return x;
    const [side, part] = [Math.sign(share), 0.5 * Math.abs(share)];
    const y = side * x;
    return side * ((1 - part) * y + part * Math.sqrt(y * y + SOFT_MM * SOFT_MM));
  }

  /** How far a vertex at x, mm, moves after contact when skinning moves it by 1 mm sideways. */
  slope(vertex: number, x: number): number {
    const share = this.shares[vertex];
    if (share === 0) return 1;
    const part = 0.5 * Math.abs(share);
    const rest = 1 - part;
    const to = Math.sign(share) * x;
    // The inverse of `moved`: of the roots of (rest² − part²) y² − 2 rest to y + to² − part² w², the one on its branch.
    const root = part * Math.sqrt(to * to + (rest - part) * SOFT_MM * SOFT_MM);
    const y = (to * to - (part * SOFT_MM) ** 2) / (rest * to + root);
    return rest + (part * y) / Math.sqrt(y * y + SOFT_MM * SOFT_MM);
  }
}
