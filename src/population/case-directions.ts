import { zOfPercentile } from '../lookup/cell.js';
import { shifts } from './box-probability.js';
import type { ScoreSpace } from './score-space.js';

/** If a case reaches at least this share of a quantity's maximum, the quantity needs no case of its own. */
const REACHED = 0.97;
/** If no score along a direction reaches this value, the person at its end is too near the middle to be a case. */
const LEAST_SCORE = 0.3;
/** Points spread over the ellipsoid that may fill gaps. */
const SPREAD = 512;

/**
 * Directions of boundary cases in the space of scores, in opposite pairs. They are points of the ellipsoid of constant
 * density at distance 1 from the centre. First come the first two principal components, which separate small from tall
 * and the main proportions. Then, for the quantities that these reach least, come the points where such a quantity is
 * largest. The rest fill the widest gaps: further components, their diagonals, and points spread over the ellipsoid
 * (Bittner 2000, A-CADRE).
 *
 * @param count number of directions; if it is odd, the last has no opposite
 * @returns scores of each direction, one for each quantity
 */
export function caseDirections({ components, tops }: ScoreSpace, count: number): Float64Array[] {
  const pairs = Math.ceil(count / 2);
  const chosen = components.slice(0, Math.min(2, pairs));
  while (chosen.length < pairs) {
    const reached = tops.map((_, j) => Math.max(...chosen.map((one) => Math.abs(one[j]))));
    const least = reached.indexOf(Math.min(...reached));
    if (reached[least] >= REACHED) break;
    chosen.push(tops[least]);
  }
  const candidates = [
    ...[...components.slice(2), ...tops, ...diagonals(components)],
    ...spreadPoints(components),
  ].filter((candidate) => candidate.some((score) => Math.abs(score) >= LEAST_SCORE));
  const nearness = candidates.map((candidate) =>
    Math.max(...chosen.map((one) => Math.abs(cosine(components, one, candidate)))),
  );
  while (chosen.length < pairs) {
    const next = candidates[nearness.indexOf(Math.min(...nearness))];
    chosen.push(next);
    candidates.forEach((candidate, i) => {
      const near = Math.abs(cosine(components, next, candidate));
      nearness[i] = Math.max(nearness[i], near);
    });
  }
  return chosen.flatMap((one) => [one.map((score) => -score), one]).slice(0, count);
}

/** Cosine of the angle between two points at distance 1. Every component counts as having length 1. */
function cosine(components: readonly Float64Array[], a: Float64Array, b: Float64Array): number {
  return components.reduce((sum, component) => {
    const square = dot(component, component);
    if (square < 1e-9) return sum;
    return sum + (dot(a, component) / square) * (dot(b, component) / square);
  }, 0);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** Points with the same distance along every component, in all combinations of signs except opposites. */
function diagonals(components: readonly Float64Array[]): Float64Array[] {
  return Array.from({ length: 2 ** (components.length - 1) }, (_, signs) =>
    pointAlong(components, (i) => ((signs >> i) % 2 === 0 ? 1 : -1)),
  );
}

/** Points in random directions, the same in every run. */
function spreadPoints(components: readonly Float64Array[]): Float64Array[] {
  const random = shifts(90_001);
  return Array.from({ length: SPREAD }, () =>
    pointAlong(components, () => zOfPercentile(100 * random())),
  );
}

/** The point at distance 1 in a direction. The direction is given by distances along the components. */
function pointAlong(
  components: readonly Float64Array[],
  along: (component: number) => number,
): Float64Array {
  const distances = components.map((_, i) => along(i));
  const length = Math.hypot(...distances);
  const point = new Float64Array(components.length);
  components.forEach((component, i) => {
    component.forEach((score, j) => {
      point[j] += (distances[i] / length) * score;
    });
  });
  return point;
}
