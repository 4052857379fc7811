import { across, length, minus, sum, times, unit, type Vector } from './vectors.js';

/** Directions in which elbows and knees of the left side bend: x forward, y to the left, z up. */
export const ELBOW_TO: Vector = [-0.2, 0.35, -1];
export const KNEE_TO: Vector = [0.4, 0, 1];

/**
 * Two bones from a joint toward a place: the joint between them, and the end. The middle joint lies in the direction
 * `toward`. Bones that are too short are straight.
 */
export function twoBones(
  from: Vector,
  to: Vector,
  one: number,
  other: number,
  toward: Vector,
): readonly [middle: Vector, end: Vector] {
  const way = minus(to, from);
  const far = length(way);
  const direction = unit(way);
  if (far >= one + other) {
    return [sum(from, times(direction, one)), sum(from, times(direction, one + other))];
  }
  const along = (one ** 2 + far ** 2 - other ** 2) / (2 * far);
  const within = Math.max(-one, Math.min(one, along));
  const aside = times(across(toward, direction), Math.sqrt(one ** 2 - within ** 2));
  return [sum(from, sum(times(direction, within), aside)), to];
}
