/** Columns of the exported tables of dimensions. Each row has one number. */
export const TIDY_HEAD = [
  'measurement',
  'population',
  'gender',
  'countries',
  'age_min_years',
  'age_max_years',
  'clothing',
  'posture',
  'statistic',
  'percentile',
  'value',
  'unit',
  'reading',
  'grade',
  'source',
  'version',
] as const;
