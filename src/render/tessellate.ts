import { vertexNormals } from './surface.js';

/** How far new points move from the flat triangle towards the round surface: 0 not at all, 1 fully. */
const ROUNDNESS = 0.5;

/** A surface of triangles with the number of the part of each vertex. */
interface Triangles {
  readonly points: Float64Array;
  readonly triangles: Uint16Array | Uint32Array;
  readonly partOf: Uint8Array;
}

/**
 * Divides each triangle into four and places the new points on a round surface (Boubekeur and Alexa 2008, "Phong
 * tessellation", ACM Transactions on Graphics 27:141). Without this, a head at large scale looks polygonal.
 */
export function rounder({ points, triangles, partOf }: Triangles): Triangles {
  const normals = vertexNormals(points, triangles);
  const count = points.length / 3;
  const edges = new Edges(count, triangles.length);
  const divided = new Uint32Array(4 * triangles.length);
  for (let t = 0, at = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    const ab = count + edges.between(a, b);
    const bc = count + edges.between(b, c);
    const ca = count + edges.between(c, a);
    at = write(divided, at, a, ab, ca);
    at = write(divided, at, ab, b, bc);
    at = write(divided, at, ca, bc, c);
    at = write(divided, at, ab, bc, ca);
  }
  const all = new Float64Array(points.length + 3 * edges.count);
  all.set(points);
  const parts = new Uint8Array(count + edges.count);
  parts.set(partOf);
  for (let edge = 0; edge < edges.count; edge++) {
    const a = edges.from[edge];
    const b = edges.to[edge];
    parts[count + edge] = partOf[a];
    // The middle of the edge is projected onto the tangent planes at both ends. The result is the mean of the two
    // projections.
    let offA = 0;
    let offB = 0;
    for (let k = 0; k < 3; k++) {
      const atA = points[3 * a + k];
      const atB = points[3 * b + k];
      const half = (atA + atB) / 2;
      offA += (half - atA) * normals[3 * a + k];
      offB += (half - atB) * normals[3 * b + k];
    }
    for (let k = 0; k < 3; k++) {
      const half = (points[3 * a + k] + points[3 * b + k]) / 2;
      const moved = (offA * normals[3 * a + k] + offB * normals[3 * b + k]) / 2;
      all[3 * (count + edge) + k] = half - ROUNDNESS * moved;
    }
  }
  return { points: all, triangles: divided, partOf: parts };
}

/** Writes a triangle. Returns the index for the next one. */
function write(triangles: Uint32Array, at: number, a: number, b: number, c: number): number {
  triangles[at] = a;
  triangles[at + 1] = b;
  triangles[at + 2] = c;
  return at + 3;
}

/** The edges of a surface. An edge gets its number when it is first asked for. */
class Edges {
  /** Number of edges so far. */
  count = 0;
  /** The two vertices of each edge, in the order in which they were first given. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** By vertex: one plus the number of the last edge whose lower vertex it is; 0 if there is none. */
  private readonly last: Uint32Array;
  /** By edge: one plus the number of the previous edge with the same lower vertex. */
  private readonly before: Uint32Array;

  constructor(vertices: number, most: number) {
    this.from = new Uint32Array(most);
    this.to = new Uint32Array(most);
    this.last = new Uint32Array(vertices);
    this.before = new Uint32Array(most);
  }

  /** Number of the edge between two vertices. */
  between(a: number, b: number): number {
    const { from, to, last, before } = this;
    const lower = Math.min(a, b);
    for (let next = last[lower]; next > 0; next = before[next - 1]) {
      const edge = next - 1;
      const one = from[edge];
      const other = to[edge];
      if ((one === a && other === b) || (one === b && other === a)) return edge;
    }
    const edge = this.count++;
    from[edge] = a;
    to[edge] = b;
    before[edge] = last[lower];
    last[lower] = edge + 1;
    return edge;
  }
}
