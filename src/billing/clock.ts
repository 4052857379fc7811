/** Milliseconds since the epoch. */
export type Clock = () => number;

/**
 * A clock for measuring elapsed time with a wall clock: it never goes back, and where the wall
 * clock is set back it goes on from where it was instead of standing still for as long.
 */
export function elapsedClock(wall: Clock): Clock {
  let offsetMs = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = wall();
    if (nowMs < lastMs) offsetMs += lastMs - nowMs;
    lastMs = nowMs;
    return nowMs + offsetMs;
  };
}
