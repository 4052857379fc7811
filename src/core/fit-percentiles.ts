/** Percentiles of the curves on the Fit screen. */
export const FIT_PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const;

/** Percentiles of the person in the picture of the Fit screen. */
export const FIT_PERSONS = [5, 50, 95] as const;
