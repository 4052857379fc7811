import { AGE_LIMITS } from './limits.js';

/** An exact age that represents a part of the people of one completed year. */
export interface AgeWithin {
  readonly ageYears: number;
  /** Share of the people of the year. */
  readonly share: number;
}

/** Completed age from which people hardly grow. All people of a year are then looked up in the middle of the year. */
const GROWN_AGE = 20;

/** Abscissas and weights of Gauss and Legendre on 0 to 1 (Abramowitz and Stegun 1964, table 25.4), by number. */
const RULES = {
  1: [[0.5, 1]],
  2: [
    [0.21132486540518713, 0.5],
    [0.7886751345948129, 0.5],
  ],
  3: [
    [0.1127016653792583, 5 / 18],
    [0.5, 4 / 9],
    [0.8872983346207417, 5 / 18],
  ],
} as const satisfies Readonly<Record<number, readonly (readonly [at: number, weight: number])[]>>;

/** Ends of the parts of a year between which the curves of an artifact have no bend over age, but for the first month. */
const PARTS: Readonly<Record<number, readonly number[]>> = {
  0: [0, 1 / 12, 2 / 12, 0.25, 0.375, 0.5, 0.75, 1],
  1: [0, 0.25, 0.5, 0.75, 1],
  2: [0, 0.5, 1],
  3: [0, 0.5, 1],
};
const WHOLE_YEAR = [0, 1] as const;

/** Number of ages in a part of the year. The faster children grow for their spread, the more ages are needed. */
function agesInPart(completedAge: number): keyof typeof RULES {
  if (completedAge >= GROWN_AGE) return 1;
  return completedAge >= 4 && completedAge < 8 ? 3 : 2;
}

function agesOf(completedAge: number): AgeWithin[] {
  const ends = PARTS[completedAge] ?? WHOLE_YEAR;
  return ends.slice(1).flatMap((to, part) => {
    const from = ends[part] as number;
    return RULES[agesInPart(completedAge)].map(([at, weight]) => ({
      ageYears: completedAge + from + at * (to - from),
      share: weight * (to - from),
    }));
  });
}

const AGES = Array.from({ length: AGE_LIMITS.maximum + 1 }, (_, age) => agesOf(age));

/**
 * Exact ages that represent the people of a completed year of age, whose ages are uniform within the year. Below 20
 * years they are those of Gauss–Legendre quadrature: 14 in the first year, 8 in the second, 4 in the third and fourth,
 * then 3, and 2 from 8 years. From 20 years it is the middle of the year.
 */
export function agesWithin(completedAge: number): readonly AgeWithin[] {
  return AGES[completedAge] ?? agesOf(completedAge);
}
