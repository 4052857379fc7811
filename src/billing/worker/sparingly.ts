const EVERY_MS = 10_000;

/**
 * Keeps an outage from filling the log: a trouble is told at once, further ones only every ten
 * seconds, with the number of those left out.
 *
 * @param tell what writes the line
 */
export function sparingly(
  tell: (error: unknown, leftOut: number) => void,
): (error: unknown) => void {
  let quietUntilMs = 0;
  let leftOut = 0;
  return (error) => {
    if (performance.now() < quietUntilMs) {
      leftOut++;
      return;
    }
    quietUntilMs = performance.now() + EVERY_MS;
    tell(error, leftOut);
    leftOut = 0;
  };
}
