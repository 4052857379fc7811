import type { BodyTables, RawFace } from './read-tables.js';

/** The hollow of the mouth begins so far behind the middle of the lips, and farther behind to the sides, mm. */
const LIPS = { behindMm: 2.5, perMm: 0.5 } as const;
/** The surface behind the lips ends in a point about so far behind them, mm. */
const TIP_MM = 80;

/**
 * Replaces the hollow of the mouth, which nobody sees and which would cross itself in small faces, by a flat cone behind
 * the lips.
 *
 * @returns the faces of a closed surface
 */
export function closeMouth({ faces, positions, landmarks }: BodyTables): RawFace[] {
  const at = (point: number) => [0, 1, 2].map((k) => positions[3 * point + k]);
  const [, lipsY = 0, lipsZ = 0] = at(landmarks.stomion);
  const isBehind = (point: number): boolean => {
    const [x = 0, , z = 0] = at(point);
    return z < lipsZ - LIPS.behindMm - LIPS.perMm * Math.abs(x);
  };
  const around = new Map<number, RawFace[]>();
  for (const face of faces) {
    for (const point of face.corners) around.set(point, [...(around.get(point) ?? []), face]);
  }
  const nearest = (points: Iterable<number>, to: readonly number[]): number => {
    const far = (point: number) => Math.hypot(...at(point).map((mm, k) => mm - to[k]));
    return [...points].reduce((best, point) => (far(point) < far(best) ? point : best));
  };
  // The hollow is what can be reached from its back without passing the lips.
  const inside = new Set([nearest(around.keys(), [0, lipsY, lipsZ - TIP_MM])]);
  for (const point of inside) {
    for (const { corners } of around.get(point) ?? []) {
      for (const corner of corners) if (isBehind(corner)) inside.add(corner);
    }
  }
  const isHollow = ({ corners }: RawFace) => corners.some((point) => inside.has(point));
  const hollow = faces.filter(isHollow);
  const uvOf = new Map(
    hollow.flatMap(({ corners, uvs }) =>
      corners.map((point, i) => [point, uvs.slice(2 * i, 2 * i + 2)] as const),
    ),
  );
  // The edges of the hollow that belong to no second face of it form its rim.
  const edges = new Map<string, readonly [from: number, to: number]>();
  for (const { corners } of hollow) {
    corners.forEach((from, i) => {
      const to = corners[(i + 1) % 4];
      if (!edges.delete(`${to} ${from}`)) edges.set(`${from} ${to}`, [from, to]);
    });
  }
  const next = new Map(edges.values());
  const tip = nearest(inside, [0, lipsY, lipsZ - TIP_MM]);
  const [first = 0] = next.keys();
  const rim = [first];
  while (rim.length < next.size) rim.push(next.get(rim.at(-1) as number) as number);
  const cone = rim.flatMap((_, i): RawFace[] => {
    if (i % 2 === 1) return [];
    const edge = [0, 1, 2].map((k) => rim[(i + k) % rim.length]);
    const corners = [tip, ...edge];
    // A texture shows nothing there.
    const uvs = corners.flatMap(() => uvOf.get(edge[1]) ?? []);
    return [{ part: 'body', corners, uvs }];
  });
  return [...faces.filter((face) => !isHollow(face)), ...cone];
}
