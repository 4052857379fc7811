import { farthestAround, type Mesh, skinOf } from './contact-map.js';
import { type Posed, vectorAt } from './skeleton.js';

/** Skin gives way if the thighs have less than the first share in it, and fully up to the other. */
const SHARES = { none: 0.6, full: 0.5 } as const;
/** Nearer to the middle plane, the belly lies on thighs this far from it, as a share of the hip joint's distance. */
const MIDDLE = 0.3;
/** Distance of the belly's skin from the thigh, in distances of the hip joint from the middle. */
const GAP = 0.015;

/** The belly of a sitting body and the thighs on which it lies. */
export class LapContact {
  private readonly belly: Uint16Array;
  /** How much each vertex of the belly gives way. */
  private readonly shares: Float64Array;
  /** Triangles of the left thigh. Bodies are symmetric. */
  private readonly thigh: Uint16Array;
  private readonly hipMm: number;

  /** @param standing the standing body, in which the belly is in front of the hip joint */
  constructor(mesh: Mesh, standing: Posed) {
    const { skeleton } = mesh;
    const [hipX, , hipZ] = vectorAt(standing.heads, skeleton.bone('thigh_l'));
    this.hipMm = hipX;
    const { shares } = skeleton.movedBy(/^thigh_[lr]$/);
    this.belly = skeleton
      .movedBy(/^(pelvis|spine_0[12])$/)
      .vertices.filter(
        (vertex) => shares[vertex] < SHARES.none && standing.vertices[3 * vertex + 2] > hipZ,
      );
    this.shares = Float64Array.from(this.belly, (vertex) =>
      Math.min(1, (SHARES.none - shares[vertex]) / (SHARES.none - SHARES.full)),
    );
    this.thigh = skinOf(mesh, /^thigh_l$/);
  }

  /**
   * Lays the belly on the thighs: skin that bending the hips moves into them rises above them. What can be seen of
   * belly and thighs keeps its form.
   *
   * @param vertices x, y, z of the sitting vertices, mm; changed in place
   */
  lay(vertices: Float64Array): void {
    const topAt = farthestAround(this.thigh, vertices, 1, 0);
    this.belly.forEach((vertex, i) => {
      const at = 3 * vertex;
      const beside = Math.max(Math.abs(vertices[at]), MIDDLE * this.hipMm);
      const up = topAt(beside, vertices[at + 2]) + GAP * this.hipMm - vertices[at + 1];
      if (up > 0) vertices[at + 1] += this.shares[i] * up;
    });
  }
}
