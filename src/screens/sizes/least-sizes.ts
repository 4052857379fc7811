/** Numbers of sizes that are tried. */
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30] as const;
/** Number of steps in the first request. `AT_ONCE` is the number in each later request. */
const AT_FIRST = 7;
const AT_ONCE = 3;
/** Number of points on the curve after the first point that reaches the target. */
const BEYOND = 2;

/** A curve of shares, and the smallest number of sizes that reaches the target. */
export interface SizesCurve {
  readonly curve: readonly { readonly sizes: number; readonly share: number }[];
  readonly least: number | undefined;
}

/**
 * The shares that some numbers of sizes serve, and the smallest number that reaches a target share. If the
 * target is reached between two steps, all numbers between these steps are tried. The search assumes that
 * more sizes serve more people.
 *
 * @param sharesOf returns the shares that these numbers of sizes serve, 0 to 1, in the same order
 * @param target the share to serve, 0 to 1
 */
export async function leastSizes(
  sharesOf: (sizes: readonly number[]) => Promise<readonly number[]>,
  target: number,
): Promise<SizesCurve> {
  const points = new Map<number, number>();
  const ask = async (all: readonly number[]): Promise<void> => {
    const shares = await sharesOf(all);
    for (const [index, sizes] of all.entries()) points.set(sizes, shares[index] as number);
  };
  const served = () => [...points.keys()].sort((one, other) => one - other);
  const leastOf = () => served().find((sizes) => (points.get(sizes) as number) >= target);
  let count: number = AT_FIRST;
  for (let from = 0; from < STEPS.length && count > 0; ) {
    await ask(STEPS.slice(from, from + count));
    from += count;
    const least = leastOf();
    count =
      least === undefined ? AT_ONCE : BEYOND - served().filter((sizes) => sizes > least).length;
  }
  const step = leastOf();
  const before = served().findLast((sizes) => step !== undefined && sizes < step);
  if (step !== undefined && before !== undefined && step - before > 1) {
    await ask(Array.from({ length: step - before - 1 }, (_, index) => before + 1 + index));
  }
  const curve = served().map((sizes) => ({ sizes, share: points.get(sizes) as number }));
  return { curve, least: leastOf() };
}
