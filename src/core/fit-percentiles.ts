/** Percentiles of the curves on the Fit screen. */
export const FIT_PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const;
