import { BMI_TREND_STEPS, type BmiSeries, bmiSeries } from '../fit/covariates/bmi-years.js';
import { cohortSeries, cohortTrend } from '../fit/covariates/cohort-stature.js';
import { type EvenSeries, fitTrend, projected } from '../numerics/damped-trend.js';
import { mean } from '../numerics/numbers.js';
import type { SourceTables } from '../raw-tables/source-tables.js';
import { groupBy } from './metrics.js';

/** Last year, and last year of birth, that the projections know. Each is 12 years before the last one of its table. */
const LAST_YEAR_KNOWN = 2010;
const LAST_COHORT_KNOWN = 1984;
const STEPS = 3;

/** A series up to the last known year, and the value that came later. */
interface Case {
  readonly country: string;
  readonly known: EvenSeries;
  readonly came: number;
}

/**
 * A projection over 12 years, compared with the later value and with the assumption of no change: mean absolute errors,
 * and number of countries in which the projection is better, over both genders and all ages.
 *
 * @param phi damping factor, fitted to the known values
 */
function backTest(quantity: string, cases: readonly Case[], phi: number) {
  const countries = groupBy(cases, ({ country }) => country).map(([, ofCountry]) => ({
    error: mean(ofCountry.map((c) => Math.abs(projected(c.known, STEPS, phi) - c.came))),
    still: mean(ofCountry.map((c) => Math.abs((c.known.at(-1) as number) - c.came))),
  }));
  return {
    ...{ quantity, phi, countries: countries.length },
    better: countries.filter(({ error, still }) => error < still).length,
    error: mean(countries.map(({ error }) => error)),
    errorOfNoChange: mean(countries.map(({ still }) => still)),
  };
}

/**
 * Repeats the projection with the values up to 12 years before the last year of each table. The tables' estimates of
 * early years already use later data, so every projection looks better than it is.
 */
export function backTestYears({ bmiByYear = [], cohorts: born }: SourceTables) {
  const [known, all] = [bmiSeries(bmiByYear, LAST_YEAR_KNOWN), bmiSeries(bmiByYear)];
  const ofBmi = (field: keyof BmiSeries, quantity: string) => {
    const cases = known.entries.flatMap(({ country, gender, value }) =>
      value[field].map((ofGroup, group): Case => {
        const came = all.get(gender, country)?.[field][group]?.at(-1) as number;
        return { country, known: ofGroup, came };
      }),
    );
    const { phi } = fitTrend(
      cases.map((one) => one.known),
      BMI_TREND_STEPS,
    );
    return backTest(quantity, cases, phi);
  };
  const cohorts = cohortSeries(born).entries.map(({ country, value: { years, means } }): Case => {
    const cut = years.indexOf(LAST_COHORT_KNOWN) + 1;
    return { country, known: means.slice(0, cut), came: means.at(-1) as number };
  });
  const { phi } = cohortTrend(
    cohorts.map((one) => one.known),
    STEPS,
  );
  return [
    ofBmi('mean', 'mean of ln BMI'),
    ofBmi('lnSd', 'ln of the SD of ln BMI'),
    backTest('stature by year of birth', cohorts, phi),
  ];
}
