import type { Trended, TrendTest } from '../fit/drivers/us-trend.js';
import { FIRST_YEAR, LAST_YEAR, REFERENCE_YEAR } from '../plans/axes.js';
import type { Evaluation } from './evaluation.js';
import { paragraphs, table, two } from './markdown.js';
import type { BackTest } from './year-back-test.js';
import type { YearScore } from './year-errors.js';

function backTestTable(tests: readonly BackTest[]): string {
  const header = ['quantity', 'from', 'to', 'φ', 'countries', 'better', 'error', 'no change'];
  const digits = ({ unit }: BackTest) => (unit === 'mm' ? 1 : 4);
  const rows = tests.map((test) => [
    `${test.quantity}, ${test.unit}`,
    String(test.from),
    String(test.to),
    two(test.phi),
    String(test.countries),
    String(test.better),
    test.error.toFixed(digits(test)),
    test.errorOfNoChange.toFixed(digits(test)),
  ]);
  return table(header, rows);
}

function trendTable(tests: readonly TrendTest[]): string {
  const names: Readonly<Record<Trended, string>> = {
    lnStature: 'mean of ln stature',
    lnBmi: 'mean of ln BMI',
  };
  return table(
    ['quantity', 'share of the slope', 'error', 'no change'],
    tests.map(({ quantity, share, error, noChange }) => {
      return [names[quantity], two(share), error.toFixed(4), noChange.toFixed(4)];
    }),
  );
}

function scoreTable(scores: readonly YearScore[]): string {
  const header = [
    ...['people', 'quantity', 'rows', 'error, own year', `error, ${REFERENCE_YEAR}`],
    ...['bias, own year', `bias, ${REFERENCE_YEAR}`],
  ];
  return `| ${header.join(' | ')} |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n${scores
    .map((score) => {
      const { ownYearAbs, referenceYearAbs, ownYearBias, referenceYearBias } = score;
      const figures = [ownYearAbs, referenceYearAbs, ownYearBias, referenceYearBias].map(two);
      return `| ${[score.people, score.quantity, String(score.rows), ...figures].join(' | ')} |`;
    })
    .join('\n')}`;
}

/** The section on other years than the reference year. */
export function yearsSection({ years }: Evaluation): string {
  const civilians = years.studies.filter(({ people }) => people === 'civilians');
  return paragraphs([
    '## Other years',
    `Drivers of adults are known from ${FIRST_YEAR} to ${LAST_YEAR} (section 4.6 of \`docs/model.md\`).`,
    '### Back-test of the projection',
    'The projection is repeated with what was known 12 years before the last year of each table. Bad fits, gaps and the damping factor φ are then known from the early years only. An error is a mean over both genders, all ages and all countries. A country counts as better where the projection has a smaller error than no change. The tables’ estimates of the early years know the later surveys, which flatters every projection.',
    backTestTable(years.backTests),
    '### The trend of the United States',
    'The last cycle of NHANES (2021–2023), predicted from the pool of those since 2011 before it and from a share of the slope since 1999. Root mean square error over genders and age bands, ln. The share is chosen by this test; a gain of less than 10 % counts as none.',
    trendTable(years.trend),
    '### The United States of 2003',
    'NHANES 1999–2006 by gender and age group of adults, against the model’s 2003 and, as “no change”, its reference year. The model’s level comes from NHANES (2011–2023, with its trend to the reference year), the change from NCD-RisC. An error is predicted − observed.',
    scoreTable(years.nhanes),
    'BMI and girths agree better with 2003 than with the reference year. _Stature does not agree._ In NCD-RisC, Americans born in 1938 are 24 mm taller than those born in 1919. In NHANES, people over 80 years were as tall in 1999–2006 as in 2011–2023, and middle-aged people were up to 10 mm taller. Immigration from countries of shorter people is one reason; NCD-RisC gives one stature to a cohort for all its life. Statures of elderly Americans in early years are therefore 0.3 SD too low.',
    '### National samples from 1985 on, with predicted drivers',
    `Each sample’s stature, BMI and dimensions are predicted for the people of its country, gender, mean age (25 if it gives none) and year. A sample older than ${FIRST_YEAR} is compared with ${FIRST_YEAR}, up to five years away. Soldiers and cadets are selected people, whose stature and mass are not those of their country. The proportions were calibrated by these very samples, so only the difference between own year and ${REFERENCE_YEAR} tells something of the years.`,
    scoreTable(years.studies),
    civilians.length === 0
      ? 'No sample of civilians from 1985 on is in the tables, so the service’s answers for today’s general population outside the United States are not scored. A score needs national civilian tables (Size Korea, Size UK, the Dutch and German adult surveys).'
      : 'Civilians are the score that counts for the service’s answers.',
  ]);
}
