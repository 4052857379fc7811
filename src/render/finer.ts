/** How far a point between two others lies on the curve through them, from 0 (on the line) to 1. */
const CURVED = 0.75;

/**
 * A surface with four triangles for each of a coarse one, whose outline shows no corners (Phong tessellation; Boubekeur
 * and Alexa 2008, ACM Transactions on Graphics 27:141). New points lie on the middle of each edge, after the old ones.
 */
export class Finer {
  /** Triangle `t` of the coarse surface has the triangles `4 t` to `4 t + 3`. */
  readonly triangles: Uint32Array;
  /** The ends of the edge of each new point. */
  private readonly ends: Uint32Array;

  /** @param count number of the points of the coarse surface */
  constructor(
    coarse: Uint16Array,
    private readonly count: number,
  ) {
    const known = new Map<number, number>();
    const ends: number[] = [];
    const middle = (a: number, b: number): number => {
      const key = Math.min(a, b) * count + Math.max(a, b);
      const number = known.get(key) ?? count + known.size;
      if (!known.has(key)) ends.push(a, b);
      known.set(key, number);
      return number;
    };
    this.triangles = new Uint32Array(4 * coarse.length);
    for (let i = 0; i < coarse.length; i += 3) {
      const [a = 0, b = 0, c = 0] = coarse.subarray(i, i + 3);
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      this.triangles.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], 4 * i);
    }
    this.ends = Uint32Array.from(ends);
  }

  /** The points of the fine surface. */
  points(points: Float64Array, normals: Float32Array): Float64Array {
    const fine = this.means(points, 3, Float64Array);
    for (let i = 0, to = 3 * this.count; i < this.ends.length; i += 2, to += 3) {
      const p = 3 * this.ends[i];
      const q = 3 * this.ends[i + 1];
      let [atP, atQ] = [0, 0];
      for (let k = 0; k < 3; k++) {
        atP += (CURVED / 4) * (points[q + k] - points[p + k]) * normals[p + k];
        atQ += (CURVED / 4) * (points[q + k] - points[p + k]) * normals[q + k];
      }
      for (let k = 0; k < 3; k++) fine[to + k] -= atP * normals[p + k] - atQ * normals[q + k];
    }
    return fine;
  }

  /** Values of the fine surface, of which each point has `size`: means where points are new. */
  means<T extends Float64Array | Float32Array | Uint8Array>(
    values: T,
    size: number,
    Values: new (length: number) => T,
  ): T {
    const from = size * this.count;
    const fine = new Values(from + (size * this.ends.length) / 2);
    fine.set(values.subarray(0, from));
    for (let i = 0, to = from; i < this.ends.length; i += 2) {
      const p = size * this.ends[i];
      const q = size * this.ends[i + 1];
      for (let k = 0; k < size; k++) fine[to++] = (values[p + k] + values[q + k]) / 2;
    }
    return fine;
  }
}
