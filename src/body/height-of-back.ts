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
