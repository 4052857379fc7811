import type { Importer } from '../importer.js';
import { genderColumn, publishedImporter } from '../published.js';

/** WHO growth standards 2006: LMS parameters at whole months from 0 to 60, and of the first 91 days. */
export const WHO_2006: Importer = publishedImporter({
  source: 'who2006',
  title: 'WHO growth standards 2006, LMS parameters by month and day',
  citation:
    'WHO Multicentre Growth Reference Study Group. WHO child growth standards: length/height-for-age, weight-for-age, weight-for-length, weight-for-height and body mass index-for-age. Geneva: World Health Organization, 2006. Figures of its package anthro, commit b776d8a1.',
  licence:
    'Published reference values of the World Health Organization. WHO: terms for commercial use could not be read; operators may leave the source out with `--without <source>`.',
  notes: [
    'Day = 30.4375 × month. Days 1 to 91 have fractions of months. Length is measured lying to 23 months; from 24 months it is standing height.',
    'A standard of healthy children, not the children of a nation.',
    'The value at z SD is M × (1 + L × S × z) to the power of 1 ÷ L.',
  ],
  files: [
    {
      label: 'WHO 2006 LMS at whole months',
      numbers: ['age_months', 'l', 'm', 's'],
      texts: ['measure', 'gender'],
      rows: 604,
      // biome-ignore format: a row is a line
      figures: [
        ['length of boys at birth in cm (published: 49.88)', 'avg(m)', 49.8, 49.95, `measure = 'length_or_height_cm' AND gender = 'Male' AND age_months = 0`],
        ['height of girls at 60 months in cm (published: 109.4)', 'avg(m)', 109.2, 109.6, `measure = 'length_or_height_cm' AND gender = 'Female' AND age_months = 60`],
      ],
    },
    {
      label: 'WHO 2006 LMS by day, 0 to 91',
      numbers: ['age_days', 'l', 'm', 's'],
      texts: ['measure', 'gender'],
      rows: 552,
      figures: [['oldest day', 'max(age_days)', 91, 91]],
    },
  ],
  outputs: [
    {
      file: 'lms.csv',
      from: (months) => `(SELECT measure, gender, age_months, l, m, s FROM ${months}
        UNION ALL SELECT measure, gender, round(age_days / 30.4375, 4), l, m, s
        FROM input_2 WHERE age_days > 0)`,
      columns: [
        ['measure', 'quantity and unit', 'measure'],
        genderColumn('gender'),
        ['age_months', 'age in months', 'age_months'],
        ['l', 'Box-Cox power', 'l'],
        ['m', 'median, in the unit of the measure', 'm'],
        ['s', 'coefficient of variation', 's'],
      ],
      orderBy: ['measure', 'gender', 'age_months'],
    },
  ],
});
