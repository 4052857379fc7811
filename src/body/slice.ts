import { polygonHull } from 'd3-polygon';
import type { Cut, Region } from './regions.js';
import { vectorAt } from './skeleton.js';
import { across, between, cross, dot, length, minus, sum, times, type Vector } from './vectors.js';

/** The change of a measured value with the position of a posed vertex or of a bone's head. */
export interface Term {
  readonly kind: 'vertex' | 'head';
  readonly index: number;
  readonly gradient: Vector;
}

/** The point that a plane is attached to: a mean of vertices and heads of bones. */
export type Anchor = readonly {
  readonly kind: Term['kind'];
  readonly index: number;
  readonly share: number;
  /** How far the plane moves when the point moves forward. */
  readonly ahead?: number;
}[];

/** A point of an edge that lies in a plane. */
export interface SlicePoint {
  readonly at: Vector;
  /** From the edge's first end to its second. */
  readonly edge: Vector;
  /** A vertex. A number above the count of vertices is a cut. */
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

/** The points where a plane meets the edges of a part. */
export interface Slice {
  readonly points: readonly SlicePoint[];
  readonly cuts: readonly Cut[];
  /** Vertices of the mesh; the numbers of cuts follow. */
  readonly count: number;
}

/** Memory of `distancesFrom`. All slices share it, because there are hundreds in a fit. */
let far = new Float64Array();

/**
 * The distance of each vertex and cut of a part from a plane, mm. The next call changes the answer.
 *
 * @param mesh x, y, z of each vertex, mm
 * @param level distance of the plane from the origin along its normal, mm
 */
export function distancesFrom(
  { vertices, cuts }: Region,
  mesh: Float64Array,
  [nx, ny, nz]: Vector,
  level: number,
): Float64Array {
  const count = mesh.length / 3;
  if (far.length < count + cuts.length) far = new Float64Array(count + cuts.length);
  const measure = (vertex: number): void => {
    const at = 3 * vertex;
    far[vertex] = mesh[at] * nx + mesh[at + 1] * ny + mesh[at + 2] * nz - level;
  };
  for (let i = 0; i < vertices.length; i++) measure(vertices[i]);
  cuts.forEach(({ from, to, share }, i) => {
    measure(from);
    measure(to);
    far[count + i] = (1 - share) * far[from] + share * far[to];
  });
  return far;
}

/** The points where a plane meets the edges of a part. Its parameters are those of `distancesFrom`. */
export function sliceOf(part: Region, mesh: Float64Array, normal: Vector, level: number): Slice {
  const { edges, cuts } = part;
  const far = distancesFrom(part, mesh, normal, level);
  const count = mesh.length / 3;
  const at = (end: number): Vector => {
    const cut = cuts[end - count];
    return cut === undefined
      ? vectorAt(mesh, end)
      : between(vectorAt(mesh, cut.from), vectorAt(mesh, cut.to), cut.share);
  };
  const points: SlicePoint[] = [];
  for (let i = 0; i < edges.length; i += 2) {
    const from = edges[i];
    const to = edges[i + 1];
    const a = far[from];
    const b = far[to];
    if (a > 0 === b > 0) continue;
    const share = a / (a - b);
    if (from < count && to < count) {
      // Nearly all edges: without vectors in between.
      const f = 3 * from;
      const t = 3 * to;
      const x = mesh[f];
      const y = mesh[f + 1];
      const z = mesh[f + 2];
      const ex = mesh[t] - x;
      const ey = mesh[t + 1] - y;
      const ez = mesh[t + 2] - z;
      const place: Vector = [x + share * ex, y + share * ey, z + share * ez];
      points.push({ at: place, edge: [ex, ey, ez], from, to, share });
      continue;
    }
    const first = at(from);
    const edge = minus(at(to), first);
    points.push({ at: sum(first, times(edge, share)), edge, from, to, share });
  }
  return { points, cuts, count };
}

const X: Vector = [1, 0, 0];
const Z: Vector = [0, 0, 1];

/** The points of a slice that a tape around it touches, in order: its convex hull. */
export function hullOf(points: readonly SlicePoint[], normal: Vector): SlicePoint[] {
  const first = across(Math.abs(normal[2]) < 0.9 ? Z : X, normal);
  const second = cross(normal, first);
  const flat = points.map((point) => [dot(point.at, first), dot(point.at, second), point]);
  const hull = polygonHull(flat as unknown as [number, number][]) ?? [];
  return hull.map((corner) => (corner as unknown[])[2] as SlicePoint);
}

/** Length of a tape around the points of a hull, mm. */
export const perimeterOf = (hull: readonly SlicePoint[]): number =>
  hull.reduce((whole, { at }, i) => {
    const next = hull[(i + 1) % hull.length] as SlicePoint;
    return whole + length(minus(next.at, at));
  }, 0);

/** If the angle between an edge and the plane is smaller than this, its point does not slide. */
const FLATTEST = 1e-3;

/**
 * The terms of points where edges meet a plane. Such a point also slides along its edge when the edge or the plane
 * moves. AB is the edge, n the normal and G the gradient at the point. The gradient becomes
 * G′ = G − n (G·AB) ÷ (n·AB) at the edge, and n (G·AB) ÷ (n·AB) at the plane's anchor.
 */
export function sliding(
  { points, cuts, count }: Slice,
  gradients: readonly Vector[],
  normal: Vector,
  anchor: Anchor,
): Term[] {
  const terms: Term[] = [];
  let carried = 0;
  points.forEach(({ edge, from, to, share }, i) => {
    const gradient = gradients[i];
    const rise = dot(edge, normal);
    const slide = Math.abs(rise) < FLATTEST ? 0 : dot(gradient, edge) / rise;
    const g = minus(gradient, times(normal, slide));
    carried += slide;
    for (const [end, part] of [
      [from, 1 - share],
      [to, share],
    ] as const) {
      const cut = cuts[end - count];
      if (cut === undefined) {
        terms.push({ kind: 'vertex', index: end, gradient: times(g, part) });
        continue;
      }
      const { share: own } = cut;
      terms.push({ kind: 'vertex', index: cut.from, gradient: times(g, part * (1 - own)) });
      terms.push({ kind: 'vertex', index: cut.to, gradient: times(g, part * own) });
    }
  });
  for (const { kind, index, share, ahead = 0 } of anchor) {
    const gradient = sum(times(normal, carried * share), times(Z, carried * ahead));
    terms.push({ kind, index, gradient });
  }
  return terms;
}

/**
 * The weight of a point falls by the factor e for each such distance in front of the farthest point, up to `MOST_MM`.
 */
export const FADE_MM = 2;
const MOST_MM = 12;

/**
 * Returns the height at which a body reaches farthest back between two heights. Flat buttocks have no clear farthest
 * point. The height is therefore a mean in which a point counts less the farther it lies in front of the farthest
 * point.
 *
 * @param vertices x, y, z of each vertex, mm; the back lies at small z
 * @param candidates the vertices that count, each once
 * @returns the height, and the share that each vertex has in this mean
 */
export function heightOfBack(
  vertices: Float64Array,
  candidates: Iterable<number>,
  least: number,
  most: number,
): { heightMm: number; shares: readonly { readonly index: number; readonly share: number }[] } {
  const height = (index: number): number => vertices[3 * index + 1];
  const inside: number[] = [];
  let back = Infinity;
  for (const index of candidates) {
    const y = height(index);
    if (y <= least || y >= most) continue;
    inside.push(index);
    back = Math.min(back, vertices[3 * index + 2]);
  }
  const weights = inside.map((index) => {
    const ahead = vertices[3 * index + 2] - back;
    return ahead > MOST_MM ? 0 : Math.exp(-ahead / FADE_MM);
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = inside
    .map((index, i) => ({ index, share: weights[i] / all }))
    .filter(({ share }) => share > 0);
  const heightMm = shares.reduce((sum, { index, share }) => sum + share * height(index), 0);
  return { heightMm, shares };
}
