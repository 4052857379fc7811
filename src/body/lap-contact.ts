import { farthestAround, type Mesh, skinOf } from './contact-map.js';
import { type Posed, vectorAt } from './skeleton.js';
import { clamp } from './vectors.js';

/** Skin gives way if the thighs have less than the first share in it, and fully up to the other. */
const SHARES = { none: 0.6, full: 0.5 } as const;
/** Nearer to the middle plane, the belly lies on thighs this far from it, as a share of the hip joint's distance. */
const MIDDLE = 0.3;
/**
 * Distance of the belly's skin from the thigh, in distances of the hip joint from the middle. The first is the smallest
 * distance. Skin from above the groin has up to the other one more, so that layers of the fold do not change places.
 */
const GAP = { least: 0.015, more: 0.02 } as const;

/** The belly of a sitting body and the thighs on which it lies. */
export class LapContact {
  private readonly belly: Uint16Array;
  /** For each vertex of the belly: distance from the thigh, mm, and how much it gives way. */
  private readonly gaps: Float64Array;
  private readonly shares: Float64Array;
  /** Triangles of the left thigh. Bodies are symmetric. */
  private readonly thigh: Uint16Array;
  private readonly middleMm: number;

  /** @param standing the standing body, in which the belly is in front of the hip joint */
  constructor(mesh: Mesh, standing: Posed) {
    const { skeleton } = mesh;
    const [hipX, hipY, hipZ] = vectorAt(standing.heads, skeleton.bone('thigh_l'));
    this.middleMm = MIDDLE * hipX;
    const { shares } = skeleton.movedBy(/^thigh_[lr]$/);
    this.belly = skeleton
      .movedBy(/^(pelvis|spine_0[12])$/)
      .vertices.filter(
        (vertex) => shares[vertex] < SHARES.none && standing.vertices[3 * vertex + 2] > hipZ,
      );
    this.shares = Float64Array.from(this.belly, (vertex) =>
      Math.min(1, (SHARES.none - shares[vertex]) / (SHARES.none - SHARES.full)),
    );
    this.gaps = Float64Array.from(this.belly, (vertex) => {
      const above = (standing.vertices[3 * vertex + 1] - hipY) / hipX;
      return hipX * (GAP.least + GAP.more * clamp(above, 0, 1));
    });
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
      const beside = Math.max(Math.abs(vertices[at]), this.middleMm);
      const up = topAt(beside, vertices[at + 2]) + this.gaps[i] - vertices[at + 1];
      if (up > 0) vertices[at + 1] += this.shares[i] * up;
    });
  }
}
