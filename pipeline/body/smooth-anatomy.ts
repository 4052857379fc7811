import { factor, substitute } from '../../src/numerics/numerics.js';
import { type BodyTables, trianglesOf } from './read-tables.js';

/** Radius of the smoothed surface around each landmark on the base mesh, mm. */
const RADII_MM: Readonly<Record<string, number>> = { thelion_l: 42, thelion_r: 42, omphalion: 32 };
/** The same of the flank: it lies at `at` on the left and the right of the base mesh. */
const FLANK_MM = { at: [118, 330, 30], radius: 75 } as const;

/**
 * Smooths the nipples and the navel of the base mesh, and the ledges of muscles and ribs on the flank. The same linear
 * map smooths every mode, so that no body has nipples, a navel or ledges. Inside the radius, the surface gets the
 * smallest squared Laplacian (Botsch and Kobbelt 2004, ACM TOG 23:630). The Laplacian is the cotangent Laplacian of the
 * base mesh (Pinkall and Polthier 1993, Experimental Mathematics 2:15).
 */
export function smoothAnatomy(tables: BodyTables): void {
  const [x, y, z] = FLANK_MM.at;
  const centres = [
    ...Object.entries(RADII_MM).map(([name, radius]) => [tables.landmarks[name], radius] as const),
    ...[x, -x].map((side) => [nearest(tables, [side, y, z]), FLANK_MM.radius] as const),
  ];
  for (const [centre, radius] of centres) {
    const map = fairing(tables, centre, radius);
    map(tables.positions);
    for (const { moves } of tables.modes) map(moves);
  }
}

/** The vertex of the body that is nearest to a place. */
function nearest({ positions, parts }: BodyTables, place: readonly number[]): number {
  const far = parts.map((part, point) =>
    part === 'body'
      ? Math.hypot(...place.map((mm, k) => mm - coordinate(positions, point, k)))
      : Infinity,
  );
  return far.indexOf(far.reduce((least, mm) => Math.min(least, mm)));
}

/**
 * Returns the map that smooths the points within a radius of a vertex. Each point has three coordinates.
 */
function fairing(
  tables: BodyTables,
  centre: number,
  radiusMm: number,
): (xyz: Float64Array) => void {
  const { positions } = tables;
  const distance = (point: number): number =>
    Math.hypot(
      ...[0, 1, 2].map((k) => coordinate(positions, point, k) - coordinate(positions, centre, k)),
    );
  const { weights, areas } = cotangents(tables);
  const inner = tables.parts.flatMap((part, point) =>
    part === 'body' && distance(point) < radiusMm ? [point] : [],
  );
  const isInner = new Map(inner.map((point, i) => [point, i]));
  // Rows of the Laplacian that contain an inner vertex.
  const rows = new Set(inner.flatMap((point) => [point, ...(weights.get(point)?.keys() ?? [])]));
  const n = inner.length;
  const matrix = new Float64Array(n * n);
  const outer = inner.map(() => new Map<number, number>());
  for (const row of rows) {
    const near = weights.get(row) ?? new Map<number, number>();
    const total = [...near.values()].reduce((sum, w) => sum + w, 0);
    // The squares are weighted by area, so that a region with many small triangles does not count more.
    const scale = 1 / Math.sqrt(areas[row]);
    const entries = [
      [row, -total * scale] as const,
      ...[...near].map(([point, w]) => [point, w * scale] as const),
    ];
    for (const [a, wa] of entries) {
      const i = isInner.get(a);
      if (i === undefined) continue;
      for (const [b, wb] of entries) {
        const j = isInner.get(b);
        const known = outer[i];
        if (j === undefined) known.set(b, (known.get(b) ?? 0) - wa * wb);
        else matrix[i * n + j] = matrix[i * n + j] + wa * wb;
      }
    }
  }
  if (!factor(matrix, n)) throw new Error('The Laplacian of the body is singular.');
  return (xyz) => {
    for (let axis = 0; axis < 3; axis++) {
      const right = Float64Array.from(outer, (known) => {
        let sum = 0;
        for (const [point, w] of known) sum += w * coordinate(xyz, point, axis);
        return sum;
      });
      substitute(matrix, n, right);
      inner.forEach((point, i) => {
        xyz[3 * point + axis] = right[i];
      });
    }
  };
}

const coordinate = (xyz: Float64Array, point: number, axis: number): number =>
  xyz[3 * point + axis];

/** Minimum weight of an edge. Obtuse angles have cotangents below 0, which would fold the surface. */
const LEAST_WEIGHT = 0.05;

/**
 * For each vertex of the body: the weights of its edges (half the sum of the opposite cotangents), and a
 * third of the area of the triangles around it, in mm².
 */
function cotangents({ positions, faces, parts }: BodyTables) {
  const weights = new Map<number, Map<number, number>>();
  const areas = new Float64Array(parts.length);
  const add = (a: number, b: number, w: number): void => {
    const near = weights.get(a) ?? new Map<number, number>();
    near.set(b, (near.get(b) ?? LEAST_WEIGHT) + w);
    weights.set(a, near);
  };
  const at = (point: number) => [0, 1, 2].map((k) => coordinate(positions, point, k));
  for (const { part, corners } of faces) {
    if (part !== 'body') continue;
    for (const triangle of trianglesOf(corners)) {
      triangle.forEach((tip, i) => {
        const [p, q] = [triangle[(i + 1) % 3], triangle[(i + 2) % 3]];
        const [o, u, v] = [at(tip), at(p), at(q)];
        const [x, y] = [u.map((mm, k) => mm - o[k]), v.map((mm, k) => mm - o[k])];
        const dot = x.reduce((sum, mm, k) => sum + mm * y[k], 0);
        const area = Math.sqrt(Math.max(1e-12, squared(x) * squared(y) - dot * dot));
        const half = Math.max(0, dot / area / 2);
        areas[tip] = areas[tip] + area / 6;
        add(p, q, half);
        add(q, p, half);
      });
    }
  }
  return { weights, areas };
}

const squared = (x: readonly number[]): number => x.reduce((sum, mm) => sum + mm * mm, 0);
