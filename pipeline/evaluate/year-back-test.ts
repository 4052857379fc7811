import { BMI_TREND_STEPS, type BmiSeries, bmiSeries } from '../fit/covariates/bmi-years.js';
import { cohortSeries, cohortTrend } from '../fit/covariates/cohort-stature.js';
import { type EvenSeries, fitTrend, projected } from '../numerics/damped-trend.js';
import { mean } from '../numerics/numbers.js';
import type { SourceTables } from '../raw-tables/source-tables.js';
import { groupBy } from './metrics.js';

/** A projection over 12 years, compared with the later value and with the assumption of no change. */
export interface BackTest {
  readonly quantity: string;
  readonly unit: string;
  /** Last year that the projection knew, and the year with which it was compared. */
  readonly from: number;
  readonly to: number;
  /** Damping factor, fitted to the years up to `from`. */
  readonly phi: number;
  readonly countries: number;
  /** Number of countries in which the projection beats no change, over both genders and all ages. */
  readonly better: number;
  /** Mean absolute errors. */
  readonly error: number;
  readonly errorOfNoChange: number;
}

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

function backTest(
  cases: readonly Case[],
  phi: number,
  about: Pick<BackTest, 'quantity' | 'unit' | 'from' | 'to'>,
): BackTest {
  const countries = groupBy(cases, ({ country }) => country).map(([, ofCountry]) => ({
    error: mean(ofCountry.map((c) => Math.abs(projected(c.known, STEPS, phi) - c.came))),
    still: mean(ofCountry.map((c) => Math.abs((c.known.at(-1) as number) - c.came))),
  }));
  return {
    ...about,
    phi,
    countries: countries.length,
    better: countries.filter(({ error, still }) => error < still).length,
    error: mean(countries.map(({ error }) => error)),
    errorOfNoChange: mean(countries.map(({ still }) => still)),
  };
}

/**
 * Repeats the projection with the values up to 12 years before the last year of each table. The tables' estimates of
 * early years already use later data, so every projection looks better than it is.
 */
export function backTestYears({ bmiByYear = [], cohorts: born }: SourceTables): BackTest[] {
  const [known, all] = [bmiSeries(bmiByYear, LAST_YEAR_KNOWN), bmiSeries(bmiByYear)];
  const ofBmi = (field: keyof BmiSeries, quantity: string): BackTest => {
    const cases = [...known].flatMap(([key, series]) =>
      series[field].map((ofGroup, group): Case => {
        const came = all.get(key)?.[field][group]?.at(-1) as number;
        return { country: key.slice(0, 2), known: ofGroup, came };
      }),
    );
    const { phi } = fitTrend(
      cases.map((one) => one.known),
      BMI_TREND_STEPS,
    );
    return backTest(cases, phi, { quantity, unit: 'ln', from: LAST_YEAR_KNOWN, to: 2022 });
  };
  const cohorts = [...cohortSeries(born)].map(([key, { years, means }]): Case => {
    const cut = years.indexOf(LAST_COHORT_KNOWN) + 1;
    return { country: key.slice(0, 2), known: means.slice(0, cut), came: means.at(-1) as number };
  });
  const { phi } = cohortTrend(
    cohorts.map((one) => one.known),
    STEPS,
  );
  const about = { quantity: 'stature by year of birth', unit: 'mm' };
  return [
    ofBmi('mean', 'mean of ln BMI'),
    ofBmi('lnSd', 'ln of the SD of ln BMI'),
    backTest(cohorts, phi, { ...about, from: LAST_COHORT_KNOWN, to: 1996 }),
  ];
}
