import type { DuckDBConnection } from '@duckdb/node-api';
import { CONSTRAINTS } from '../../src/core/constraints.js';
import { quoteName } from './duck.js';
import type { OutputTable } from './importer.js';
import { type PublishedColumn, selectedTable } from './published.js';
import { MINIMUM_CELL, percentileSql } from './statistics.js';

// Tables of statistics by group, each from one query on the table `people`.

const GENDER = ['gender', 'Male or Female', 'gender'] as const;
const AGE_GROUP = ['age_group', 'age group', 'age_group'] as const;
const ENOUGH = `HAVING count(*) >= ${MINIMUM_CELL}`;
const weightedMean = (x: string): string => `sum(w * ${x}) / sum(w)`;

/** Fields of a dimension's regression, in the order of the covariances in the table. */
const FIELDS = ['dimension', 'stature', 'bmi', 'age'] as const;
const PAIRS = FIELDS.flatMap((a, i) => FIELDS.slice(i).map((b) => [a, b] as const));

/**
 * Computes `subsamples.csv`: for each dimension, the means and covariances of its logarithm, ln stature, ln BMI and age
 * over the people who have all four. A regression therefore uses one sample, even if the survey measured a dimension on
 * only a part of its people.
 *
 * @param weighted whether people have the survey's sample weight; otherwise all have equal weights
 */
export function subsampleStatistics(
  connection: DuckDBConnection,
  dimensions: readonly string[],
  weighted = false,
): Promise<OutputTable> {
  const mean = weighted ? weightedMean : (x: string) => `avg(${x})`;
  const covariance = (a: string, b: string): string =>
    weighted
      ? `(${mean(`${a} * ${b}`)} - ${mean(a)} * ${mean(b)}) * count(*) / (count(*) - 1)`
      : `covar_samp(${a}, ${b})`;
  const rows = dimensions.map(
    (name) => `SELECT '${name}' AS variable, gender, age_group, sample_weight AS w,
      ln(${quoteName(name)}) AS dimension, ln(Stature) AS stature, ln(Bmi) AS bmi, AgeYears AS age FROM people`,
  );
  return selectedTable(
    connection,
    'subsamples.csv',
    [
      GENDER,
      AGE_GROUP,
      ['variable', 'the dimension', 'variable'],
      ['n', 'people with the dimension, stature, mass and age, at least 10', 'count(*)'],
      ...FIELDS.map((name): PublishedColumn => {
        const what = name === 'age' ? 'age in years' : `ln ${name}`;
        return [`mean_${name}`, `mean of ${what} over those people`, mean(name)];
      }),
      ...PAIRS.map(([a, b]): PublishedColumn => {
        const what = a === b ? 'variance' : 'covariance';
        return [`cov_${a}_${b}`, `${what} likewise, n - 1`, covariance(a, b)];
      }),
    ],
    `FROM (${rows.join(' UNION ALL ')})
     WHERE ${FIELDS.map((name) => `${name} IS NOT NULL`).join(' AND ')}
     GROUP BY gender, age_group, variable ${ENOUGH} ORDER BY gender, age_group, variable`,
  );
}

/** Minimum number of people of a cell of `tails.csv`: with it, two people on average are beyond each percentile. */
const TAIL_PEOPLE = 400;

/**
 * Computes `tails.csv`: weighted outermost percentiles of dimensions, for groups with enough people. Groups under two
 * years are counted in months and have few people.
 */
export function tailPercentiles(
  connection: DuckDBConnection,
  dimensions: readonly string[],
): Promise<OutputTable> {
  const rows = dimensions.map((name) => {
    const x = quoteName(name);
    return `SELECT '${name}' AS variable, gender, age_group, sample_weight AS w, ${x} AS x, row_id
      FROM people WHERE ${x} IS NOT NULL AND regexp_matches(age_group, '/\\d')`;
  });
  return selectedTable(
    connection,
    'tails.csv',
    [
      GENDER,
      AGE_GROUP,
      ['variable', 'the dimension, in mm', 'variable'],
      ['n', `people measured (unweighted), at least ${TAIL_PEOPLE}`, 'any_value(n)'],
      ['p0_5', 'percentile 0.5, interpolated between mid-positions', percentileSql(0.5)],
      ['p99_5', 'percentile 99.5, likewise', percentileSql(99.5)],
    ],
    `FROM (
       SELECT *, count(*) OVER cell AS n,
         (sum(w) OVER (cell ORDER BY x, row_id ROWS UNBOUNDED PRECEDING) - w / 2) / sum(w) OVER cell AS position
       FROM (${rows.join(' UNION ALL ')})
       WINDOW cell AS (PARTITION BY gender, age_group, variable))
     WHERE n >= ${TAIL_PEOPLE}
     GROUP BY gender, age_group, variable ORDER BY gender, age_group, variable`,
  );
}

/**
 * Computes `cycles.csv` from people whose age groups begin with the cycle and a slash: weighted means of ln stature and
 * ln BMI by cycle, gender and age group.
 *
 * @param years middle of each cycle
 */
export function cycleMeans(
  connection: DuckDBConnection,
  years: Readonly<Record<string, number>>,
): Promise<OutputTable> {
  const middles = Object.entries(years).map(([cycle, year]) => `WHEN '${cycle}' THEN ${year}`);
  return selectedTable(
    connection,
    'cycles.csv',
    [
      GENDER,
      ['cycle', 'cycle of the survey', 'cycle'],
      ['year', 'middle of the cycle', `CAST(CASE cycle ${middles.join(' ')} END AS DOUBLE)`],
      ['age_group', 'age group', 'ages'],
      ['n', `people with stature and mass (unweighted), at least ${MINIMUM_CELL}`, 'count(*)'],
      [
        'n_effective',
        'effective number of people: (sum w)^2 / sum w^2',
        'sum(w) ** 2 / sum(w * w)',
      ],
      ['mean_ln_stature', 'mean of ln stature in mm', weightedMean('s')],
      ['mean_ln_bmi', 'mean of ln BMI in kg/m2', weightedMean('b')],
      [
        'sd_ln_bmi',
        'standard deviation of ln BMI',
        `sqrt(${weightedMean('b * b')} - (${weightedMean('b')}) ** 2)`,
      ],
    ],
    `FROM (
       SELECT gender, split_part(age_group, '/', 1) AS cycle, split_part(age_group, '/', 2) AS ages,
         sample_weight AS w, ln(Stature) AS s, ln(Bmi) AS b
       FROM people WHERE Stature IS NOT NULL AND Bmi IS NOT NULL)
     GROUP BY gender, cycle, ages ${ENOUGH} ORDER BY gender, cycle, ages`,
  );
}

/** ln of each variable of `exact_ages.csv`, from the columns of `people`. */
const LOGARITHMS: Readonly<Record<string, string>> = {
  Stature: 'ln(Stature)',
  BodyMass: 'ln(BodyMass)',
  Bmi: 'ln(BodyMass) - 2 * ln(Stature / 1000)',
  UpperArmCircumferenceMidpoint: 'ln(UpperArmCircumferenceMidpoint)',
};

/**
 * Computes `exact_ages.csv` from people of 1 to 5 years whose age groups begin with the period and a slash, and whose
 * column `AgeMonths` is null where no months were released. It has the weighted SD of ln of a variable about a line on
 * age, within completed years of age. Ages are in whole months, so the variance that remains within a month, slope² ÷
 * 1728, is taken off.
 */
export function exactAges(connection: DuckDBConnection): Promise<OutputTable> {
  const rows = Object.entries(LOGARITHMS).map(
    ([name, sql]) => `SELECT gender, split_part(age_group, '/', 1) AS period, '${name}' AS name,
      floor(AgeMonths / 12) AS year, (AgeMonths + 0.5) / 12 AS a, sample_weight AS w, ${sql} AS x
      FROM people WHERE floor(AgeMonths / 12) BETWEEN 1 AND 5`,
  );
  return selectedTable(
    connection,
    'exact_ages.csv',
    [
      GENDER,
      ['period', 'cycles that are pooled', 'period'],
      ['age_years', 'completed years', 'year'],
      ['variable', 'measurement name, or a driver (mass, BMI)', 'name'],
      [
        'n',
        `people measured whose age in months was released (unweighted), at least ${MINIMUM_CELL}`,
        'n',
      ],
      ['mean_age', 'mean age in years', 'ma'],
      ['slope', 'change of ln of the variable in one year of age', 'ax / aa'],
      ['sd', 'standard deviation of ln of the variable', 'sqrt(xx * n / (n - 1))'],
      [
        'sd_at_age',
        'the same at an exact age: about a line on age',
        'sqrt((xx - ax * ax / aa) * n / (n - 2) - (ax / aa) ** 2 / 1728)',
      ],
    ],
    `FROM (
       WITH v AS (SELECT * FROM (${rows.join(' UNION ALL ')}) WHERE x IS NOT NULL),
       middle AS (
         SELECT gender, period, name, year, count(*) AS n, sum(w) AS total,
           ${weightedMean('a')} AS ma, ${weightedMean('x')} AS mx
         FROM v GROUP BY ALL ${ENOUGH})
       SELECT gender, period, name, year, n, ma,
         sum(w * (a - ma) ** 2) / total AS aa, sum(w * (a - ma) * (x - mx)) / total AS ax,
         sum(w * (x - mx) ** 2) / total AS xx
       FROM v JOIN middle USING (gender, period, name, year)
       GROUP BY gender, period, name, year, n, ma, total)
     ORDER BY gender, period, year, name`,
  );
}

/**
 * Computes `orders.csv`: how many people break a constraint of `CONSTRAINTS`. Only constraints whose two dimensions the
 * survey has are counted.
 *
 * @param names dimensions of the survey
 * @param ageGroup SQL of the age group in the columns of `people`
 */
export function orderShares(
  connection: DuckDBConnection,
  names: readonly string[],
  ageGroup: string,
): Promise<OutputTable> {
  const known = CONSTRAINTS.filter(({ above, below }) => {
    return names.includes(above) && names.includes(below);
  });
  const rows = known.map(
    (
      { above, below, factor },
      i,
    ) => `SELECT ${i} AS i, gender, ${ageGroup} AS ages, '${above}' AS above,
      '${below}' AS below, CAST(${factor} AS DOUBLE) AS factor, ${quoteName(above)} AS a, ${quoteName(below)} AS b
      FROM people`,
  );
  const broken = 'count(*) FILTER (WHERE a < factor * b)';
  return selectedTable(
    connection,
    'orders.csv',
    [
      GENDER,
      ['age_group', 'age group', 'ages'],
      [
        'above',
        'the dimension that is larger in nearly everybody (`src/core/constraints.ts`)',
        'above',
      ],
      ['below', 'the smaller one', 'below'],
      ['factor', 'how many times the smaller one it is at least', 'factor'],
      ['n', 'people who have both dimensions (unweighted)', 'count(*)'],
      [
        'broken',
        `people who break the order; empty for 1 to ${MINIMUM_CELL - 1} people`,
        `CASE WHEN ${broken} BETWEEN 1 AND ${MINIMUM_CELL - 1} THEN NULL ELSE ${broken} END`,
      ],
    ],
    `FROM (${rows.join(' UNION ALL ')}) WHERE a IS NOT NULL AND b IS NOT NULL
     GROUP BY i, gender, ages, above, below, factor ${ENOUGH} ORDER BY i, gender, ages`,
  );
}
