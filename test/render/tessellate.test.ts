import { expect, it } from 'vitest';
import { rounder } from '../../src/render/tessellate.js';

/** An octahedron: 6 vertices, 12 edges, 8 triangles, counterclockwise from outside. */
const POINTS = Float64Array.from([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]);
const TRIANGLES = Uint16Array.from([
  ...[0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4],
  ...[2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
]);

it('a surface has one new point for each edge, between its ends and farther out than the edge', () => {
  const partOf = Uint8Array.from([0, 1, 2, 3, 4, 5]);
  const {
    points,
    triangles,
    partOf: parts,
  } = rounder({ points: POINTS, triangles: TRIANGLES, partOf });
  expect(points).toHaveLength(3 * (6 + 12));
  expect(points.subarray(0, 18)).toEqual(POINTS);
  expect(triangles).toHaveLength(3 * 4 * 8);
  expect(parts).toHaveLength(18);
  for (let t = 0; t < TRIANGLES.length; t += 3) {
    const corners = TRIANGLES.subarray(t, t + 3);
    const middles = triangles.subarray(4 * t + 9, 4 * t + 12);
    for (const [k, middle] of middles.entries()) {
      const ends = [corners[k] as number, corners[(k + 1) % 3] as number];
      const at = [...points.subarray(3 * middle, 3 * middle + 3)];
      // Both ends lie at 1 from the origin, each on its own axis. A flat middle would be at 1/2 on both axes.
      const along = ends.map((end) =>
        at.reduce((sum, mm, axis) => sum + mm * (POINTS[3 * end + axis] as number), 0),
      );
      expect(along).toEqual([expect.closeTo(0.625, 6), expect.closeTo(0.625, 6)]);
      expect(ends).toContain(parts[middle]);
    }
  }
});
