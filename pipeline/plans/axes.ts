/** Year that the answers describe. It is the latest year of the BMI table. Birth year = this year − age. */
export const REFERENCE_YEAR = 2022;

/** First and last year for which covariates are known or projected. */
export const FIRST_YEAR = 1990;
export const LAST_YEAR = 2035;

/**
 * Knots of years: those of the table of BMI by year, then projected ones. Values are linear between the
 * knots.
 */
export const YEARS: readonly number[] = [
  ...[FIRST_YEAR, 1994, 1998, 2002, 2006, 2010, 2014, 2018, REFERENCE_YEAR],
  ...[2026, 2030, LAST_YEAR],
];

/** Youngest age with years besides the reference year. BMI of children by year is unknown. */
export const YEARS_FROM_AGE = 18;

/**
 * Age knots in years. They are close together where growth curves bend (0 to 3): with those of 2 and 14 days, the mass
 * of the first three months is within 0.9 % of WHO's by day. At 1.999 years, length is measured lying, at 2 years standing.
 * Then come every birthday to 20, every five years to 90,
 * and 100 and 120, where surveys do not distinguish ages.
 */
export const AGES_YEARS: readonly number[] = [
  0, 0.0054757, 0.0383299, 0.0833333, 0.1666667, 0.25, 0.375, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.999,
  2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 25, 30, 35, 40, 45,
  50, 55, 60, 65, 70, 75, 80, 85, 90, 100, 120,
];

/** Until this age children are measured lying, from it on standing. */
export const STANDING_FROM_YEARS = 2;

/** Age at which the child model ends and the adult model begins. */
export const ADULT_AGE_YEARS = 20;

/** Ages of the correlation matrices. */
export const CORRELATION_AGES_YEARS: readonly number[] = [0, 2, 5, 8, 11, 14, 17, 20, 40, 70, 100];

/**
 * Ages in years at which the artifact has the evidence of each median. Between them, the evidence is
 * linear.
 */
export const EVIDENCE_AGES_YEARS: readonly number[] = [0, 1, 3, 6, 10, 14, 18, 25, 40, 60, 80, 100];
