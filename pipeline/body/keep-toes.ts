import { ramp } from '../../src/body/vectors.js';
import { factor, substitute } from '../../src/numerics/numerics.js';
import type { BodyTables } from './read-tables.js';

/** Share of the toes' bone from which on, and up to which, a mode moves the toes as a whole. */
const SHARE = { none: 0.6, full: 0.95 } as const;

/**
 * Makes the modes of age, muscle and weight move, stretch and turn the toes of a foot as a whole, by the nearest affine
 * map. MakeHuman's children have toes that cross each other.
 */
export function keepToes({ positions, parts, bones, influences, modes }: BodyTables): void {
  for (const bone of ['ball_l', 'ball_r']) {
    const tip = bones.find(({ name }) => name === bone)?.tail;
    const shares = new Map<number, number>();
    for (const point of parts.keys()) {
      const [, weight = 0] = influences[point]?.find(([name]) => name === bone) ?? [];
      const share = point === tip ? 1 : ramp((weight - SHARE.none) / (SHARE.full - SHARE.none));
      if (share > 0) shares.set(point, share);
    }
    for (const { kind, moves } of modes) {
      if (kind !== 'local') makeAffine(positions, moves, shares);
    }
  }
}

/** Replaces the moves of points by the affine map that is nearest to them, as far as their shares say. */
function makeAffine(
  positions: Float64Array,
  moves: Float64Array,
  shares: ReadonlyMap<number, number>,
): void {
  const whole = [...shares].filter(([, share]) => share === 1).map(([point]) => point);
  const rowOf = (point: number) => [1, ...positions.subarray(3 * point, 3 * point + 3)];
  const matrix = new Float64Array(16);
  for (const point of whole) {
    const row = rowOf(point);
    row.forEach((a, i) => {
      row.forEach((b, j) => {
        matrix[4 * i + j] = matrix[4 * i + j] + a * b;
      });
    });
  }
  if (!factor(matrix, 4)) throw new Error('The toes lie in a plane.');
  for (let axis = 0; axis < 3; axis++) {
    const map = new Float64Array(4);
    for (const point of whole) {
      rowOf(point).forEach((a, i) => {
        map[i] = map[i] + a * moves[3 * point + axis];
      });
    }
    substitute(matrix, 4, map);
    for (const [point, share] of shares) {
      const to = rowOf(point).reduce((sum, a, i) => sum + a * map[i], 0);
      const own = moves[3 * point + axis];
      moves[3 * point + axis] = own + share * (to - own);
    }
  }
}
