import { vertexNormals } from './surface.js';

/** How far new points move from the flat triangle to the round surface. */
const ROUNDNESS = 0.5;

/** A surface of triangles with the number of the part of each vertex. */
interface Triangles {
  readonly points: Float64Array;
  readonly triangles: Uint16Array | Uint32Array;
  readonly partOf: Uint8Array;
}

/**
 * Divides each triangle into four, with the new points on a round surface (Boubekeur and Alexa 2008, "Phong
 * tessellation", ACM Transactions on Graphics 27:141). A head at large scale looks polygonal without it.
 */
export function rounder({ points, triangles, partOf }: Triangles): Triangles {
  const normals = vertexNormals(points, triangles);
  const count = points.length / 3;
  const more: number[] = [];
  const parts: number[] = [];
  const middles = new Map<number, number>();
  const middle = (a: number, b: number): number => {
    const key = a < b ? a * count + b : b * count + a;
    const known = middles.get(key);
    if (known !== undefined) return known;
    // The mean of the projections of the middle onto the tangent planes at both ends.
    const half = [0, 1, 2].map((k) => (at(a, k) + at(b, k)) / 2);
    const off = (end: number): number =>
      half.reduce((sum, mm, k) => sum + (mm - at(end, k)) * normal(end, k), 0);
    const [offA, offB] = [off(a), off(b)];
    for (let k = 0; k < 3; k++) {
      const moved = (offA * normal(a, k) + offB * normal(b, k)) / 2;
      more.push((half[k] as number) - ROUNDNESS * moved);
    }
    parts.push(partOf[a] as number);
    const index = count + middles.size;
    middles.set(key, index);
    return index;
  };
  const at = (vertex: number, k: number): number => points[3 * vertex + k] as number;
  const normal = (vertex: number, k: number): number => normals[3 * vertex + k] as number;
  const divided = new Uint32Array(4 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [
      triangles[t] as number,
      triangles[t + 1] as number,
      triangles[t + 2] as number,
    ];
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    divided.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], 4 * t);
  }
  const all = new Float64Array(points.length + more.length);
  all.set(points);
  all.set(more, points.length);
  const allParts = new Uint8Array(count + parts.length);
  allParts.set(partOf);
  allParts.set(parts, count);
  return { points: all, triangles: divided, partOf: allParts };
}
