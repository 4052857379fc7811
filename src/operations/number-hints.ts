/** Smallest and largest value that a field takes, if it has them. */
export interface Limits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Fields in percent begin at 1 or more, and end between these. */
const LEAST_PERCENT_MAX = 90;
const PERCENT_MAX = 100;

/**
 * The value that was probably meant by a number out of its limits: 95 for 0.95 in percent, and 0.95 for
 * 95 where a share is asked for.
 */
export function numberMeant(value: unknown, limits: Limits): number | undefined {
  const { minimum, maximum } = limits;
  if (typeof value !== 'number' || minimum === undefined || maximum === undefined) return undefined;
  const isPercent = minimum >= 1 && maximum > LEAST_PERCENT_MAX && maximum <= PERCENT_MAX;
  const factor = isPercent ? PERCENT_MAX : maximum <= 1 ? 1 / PERCENT_MAX : 1;
  // Without the rounding 0.07 would be 7.000000000000001 percent.
  const meant = Number((value * factor).toPrecision(12));
  return factor !== 1 && meant >= minimum && meant <= maximum ? meant : undefined;
}
