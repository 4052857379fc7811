import type { CountryCode } from '../src/core/countries.js';
import { GENDERS } from '../src/core/genders.js';
import { dotChart, lineChart } from './evaluate/svg.js';
import type { Calibration } from './fit/calibration.js';
import type { Fit } from './fit/fit-model.js';
import { countryDrivers, type FittedModel } from './fit/fitted-model.js';
import { lnQuantileOf } from './fit/marginal.js';
import { Population } from './fit/population.js';
import { AGES_YEARS } from './model/axes.js';

/** Countries of the figure on stature: the US, one taller, one of fast change, one shorter. */
const STATURE_COUNTRIES = ['US', 'NL', 'JP', 'GT'] as const;
/** Countries of the figure on proportions. */
const SHARE_COUNTRIES: readonly CountryCode[] = ['US', 'JP'];
const OLDEST_SHARE_YEARS = 40;
/** Countries of the figure on calibration, by region; those marked have no study of their own. */
const SHIFT_COUNTRIES = [
  ...['US', 'UK', 'IE', 'DE', 'NL', 'FR', 'JP', 'KR', 'CN', 'VN', 'MY', 'IN', 'PK'],
  ...['IR', 'IQ', 'ZA', 'NG', 'BR', 'PE'],
];
const WITHOUT_STUDY: ReadonlySet<string> = new Set(['IE', 'CN', 'MY', 'PK', 'IQ', 'NG', 'PE']);

/** Quantiles of three dimensions with one mean and SD of ln D, and different skewness. */
function quantilePlot(): string {
  const xs = Array.from({ length: 81 }, (_, i) => (i - 40) / 10);
  return lineChart({
    title: 'Quantiles of a dimension: mean of ln D = ln 100, SD 0.15, three values of skewness',
    xLabel: 'standard normal score z; P1 and P99 are at −2.33 and 2.33',
    yLabel: 'mm',
    xs,
    series: [-0.6, 0, 1.2].map((skew) => {
      const quantile = lnQuantileOf({ mean: Math.log(100), sd: 0.15, skew });
      return { label: `skewness ${skew}`, values: xs.map((z) => Math.exp(quantile(z))) };
    }),
    marks: [],
  });
}

/** exp(mean of ln stature) of women over age. */
function staturePlot(model: FittedModel): string {
  return lineChart({
    title: 'Stature of women in 2022, by age and country',
    xLabel: 'age, years',
    yLabel: 'mm',
    xs: AGES_YEARS,
    series: STATURE_COUNTRIES.map((country) => ({
      label: country,
      values: AGES_YEARS.map((age) =>
        Math.exp(countryDrivers(model, 'Female', country, age).lnStature),
      ),
    })),
    marks: [],
  });
}

/** Median sitting height as a share of median stature, from birth to adulthood. */
function sittingSharePlot(model: FittedModel): string {
  const ages = AGES_YEARS.filter((age) => age <= OLDEST_SHARE_YEARS);
  return lineChart({
    title: 'Median sitting height ÷ median stature, by age',
    xLabel: 'age, years',
    yLabel: '%',
    xs: ages,
    series: SHARE_COUNTRIES.flatMap((country) =>
      GENDERS.map((gender) => {
        const population = new Population(model, gender, country);
        const share = (age: number): number => {
          const cohort = population.at(age);
          return (100 * cohort.medianMm('SittingHeight')) / cohort.medianMm('Stature');
        };
        return { label: `${country}, ${gender}`, values: ages.map(share) };
      }),
    ),
    marks: [],
  });
}

/** What the studies say of men's sitting height in a country, with its standard deviation. */
function shiftPlot(calibration: Calibration): string {
  const expected = SHIFT_COUNTRIES.map((country) =>
    calibration.expected({ gender: 'Male', country, era: 0 }, 'SittingHeight'),
  );
  return dotChart({
    title: 'Sitting height of men given stature, BMI and age: departure from the US base survey',
    xLabel: 'standard deviations of the dimension; dashed: no departure',
    categories: SHIFT_COUNTRIES.map((country) =>
      WITHOUT_STUDY.has(country) ? `${country} (no study)` : country,
    ),
    series: [
      { label: 'prediction', values: expected.map(({ value }) => value) },
      { label: 'one standard deviation less', values: expected.map(({ value, sd }) => value - sd) },
      { label: 'one more', values: expected.map(({ value, sd }) => value + sd) },
    ],
    marks: [0],
  });
}

/** The figures of `docs/model.md` that show the fitted model: file name and SVG text. */
export function modelFigures({ model, calibration }: Fit): ReadonlyMap<string, string> {
  return new Map([
    ['quantile-curve.svg', quantilePlot()],
    ['stature-by-age.svg', staturePlot(model)],
    ['sitting-share.svg', sittingSharePlot(model)],
    ['country-shift.svg', shiftPlot(calibration)],
  ]);
}
