import type { CurvePoint } from './data-types.js';

/** Numbers of sizes that are tried in turn. */
const STEPS = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30] as const;
/** Points of the curve beyond the first that serves enough. */
const BEYOND = 2;

/** A curve of shares, and the least number of sizes on it that serves enough. */
export interface SizesCurve {
  readonly curve: readonly CurvePoint[];
  readonly least: number | undefined;
}

/**
 * The share served by each of some numbers of sizes, and the least number that serves a share. Numbers
 * between two steps are tried where the share is reached between them; more sizes are taken to serve
 * more people.
 *
 * @param shareOf share served by a number of sizes, 0 to 1
 * @param target the share to serve, 0 to 1
 */
export async function leastSizes(
  shareOf: (sizes: number) => Promise<number>,
  target: number,
): Promise<SizesCurve> {
  const points = new Map<number, number>();
  const at = async (sizes: number): Promise<number> => {
    const share = points.get(sizes) ?? (await shareOf(sizes));
    points.set(sizes, share);
    return share;
  };
  let least: number | undefined;
  let before: number = STEPS[0];
  let beyond = 0;
  for (const step of STEPS) {
    if (least !== undefined && ++beyond > BEYOND) break;
    const reached = (await at(step)) >= target;
    if (least === undefined && reached) {
      let [low, high] = [before, step as number];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if ((await at(middle)) >= target) high = middle;
        else low = middle;
      }
      least = high;
    }
    before = step;
  }
  const curve = [...points].map(([sizes, share]) => ({ sizes, share }));
  return { curve: curve.sort((one, other) => one.sizes - other.sizes), least };
}
