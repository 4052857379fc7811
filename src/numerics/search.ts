/** The first index below `end` that meets a condition, or `end`. All higher indices must meet it too. */
export function firstIndex(end: number, meets: (index: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (meets(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The highest number known to meet a condition after an interval is halved some times. All lower numbers meet it. */
export function bisected(
  [from, to]: readonly [number, number],
  rounds: number,
  meets: (at: number) => boolean,
): number {
  let [low, high] = [from, to];
  for (let round = 0; round < rounds; round++) {
    const middle = (low + high) / 2;
    if (meets(middle)) low = middle;
    else high = middle;
  }
  return low;
}
