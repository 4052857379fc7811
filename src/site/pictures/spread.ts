import { nonDecreasing } from '../../numerics/isotonic.js';

/**
 * Moves the heights of labels apart, in pixels. Labels are at least `least` apart and none is below `floor`.
 * The sum of the squared distances from the wanted heights is minimal.
 *
 * @param wanted heights from the lowest label to the highest, so pixel values decrease
 */
export function spread(wanted: readonly number[], least: number, floor: number): number[] {
  // With the needed distances removed, it is enough that the heights never increase.
  const levels = nonDecreasing(
    wanted.map((height, index) => -height - index * least),
    wanted.map(() => 1),
  );
  return levels.map((level, index) => Math.min(-level, floor) - index * least);
}
