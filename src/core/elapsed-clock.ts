/**
 * Makes a clock for measuring elapsed time from a wall clock. It never goes back: when the wall
 * clock is set back, it continues from where it was instead of standing still for as long.
 */
export function elapsedClock(wall: () => number): () => number {
  let offsetMs = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = wall();
    if (nowMs < lastMs) offsetMs += lastMs - nowMs;
    lastMs = nowMs;
    return nowMs + offsetMs;
  };
}
