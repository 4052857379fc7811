/**
 * The convex hull of points in the plane, counterclockwise (Andrew 1979, Information Processing Letters 9:216).
 *
 * @returns indices of the corners
 */
export function convexHull(u: Float64Array, v: Float64Array): number[] {
  const order = Array.from(u.keys()).sort((a, b) => u[a] - u[b] || v[a] - v[b]);
  const turns = (o: number, a: number, b: number): number =>
    (u[a] - u[o]) * (v[b] - v[o]) - (v[a] - v[o]) * (u[b] - u[o]);
  const half = (points: readonly number[]): number[] => {
    const chain: number[] = [];
    for (const point of points) {
      while (
        chain.length >= 2 &&
        turns(chain.at(-2) as number, chain.at(-1) as number, point) <= 0
      ) {
        chain.pop();
      }
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(order), ...half(order.reverse())];
}
