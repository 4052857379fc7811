import type { CountryCode } from '../src/core/countries.js';
import { GENDERS } from '../src/core/genders.js';
import { zOfPercentile } from '../src/lookup/quantile-curve.js';
import { dotChart, lineChart } from './evaluate/svg.js';
import type { Calibration } from './fit/calibration/calibration.js';
import type { Fit } from './fit/fit-model.js';
import { countryDrivers, type FittedModel } from './model/fitted-model.js';
import { Populations } from './model/population.js';
import { adultModelOf } from './model/regressions/nhanes-estimator.js';
import { lnQuantile, lnQuantileOf } from './numerics/marginal.js';
import { AGES_YEARS } from './plans/axes.js';

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
  const populations = new Populations(model);
  return lineChart({
    title: 'Median sitting height ÷ median stature, by age',
    xLabel: 'age, years',
    yLabel: '%',
    xs: ages,
    series: SHARE_COUNTRIES.flatMap((country) =>
      GENDERS.map((gender) => {
        const population = populations.of(gender, country);
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

/** A row of the worked example of `docs/model.md`: step, quantity, value. */
type ExampleRow = readonly [step: number, quantity: string, value: string];

/** The worked example of `docs/model.md`: the knee height of Japanese women of 70 years. */
export function workedExample({ model }: Pick<Fit, 'model'>): readonly ExampleRow[] {
  const [gender, country, age, name] = ['Female', 'JP', 70, 'KneeHeight'] as const;
  const us = model.usDrivers(gender, age);
  const drivers = countryDrivers(model, gender, country, age);
  const cohort = new Populations(model).of(gender, country).at(age);
  const adult = model.military[gender].get(name);
  if (adult === undefined) throw new Error(`no military fit of ${name}`);
  const [b1, b2, b3, b4] = adult.slopes;
  const [s, b, a, a2] = adult.centre;
  const loss = model.heightLoss(gender, age);
  const lnYouth = Math.log(Math.exp(drivers.lnStature) + loss);
  const held = adult.oldestYears;
  const marginal = cohort.marginal(name);
  const percentile = (of: number) => Math.exp(lnQuantile(marginal, zOfPercentile(of))).toFixed(1);
  return [
    [1, 'mean of ln S in the US', us.lnStature.toFixed(4)],
    [1, 'difference of Japan in ln S', (drivers.lnStature - us.lnStature).toFixed(4)],
    [1, 'm_S of Japan', drivers.lnStature.toFixed(4)],
    [2, 'mean of ln B in the US', us.lnBmi.toFixed(4)],
    [2, 'difference of Japan in ln B', (drivers.lnBmi - us.lnBmi).toFixed(4)],
    [2, 'm_B of Japan', drivers.lnBmi.toFixed(4)],
    [3, 'σ_S of Japan', drivers.lnStatureSd.toFixed(4)],
    [3, 'σ_B of Japan', drivers.lnBmiSd.toFixed(4)],
    [3, 'ρ', drivers.rho.toFixed(4)],
    [4, 'loss of height at 70 years, mm', loss.toFixed(1)],
    [4, 'ln S′', lnYouth.toFixed(4)],
    [5, 'level ℓ', adult.level.toFixed(4)],
    [5, 'b₁ (ln S′ − s̄)', (b1 * (lnYouth - s)).toFixed(4)],
    [5, 'b₂ (ln B − b̄)', (b2 * (drivers.lnBmi - b)).toFixed(4)],
    [5, 'b₃ (a − ā) + b₄ (a² − q̄)', (b3 * (held - a) + b4 * (held ** 2 - a2)).toFixed(4)],
    [6, 'shift of Japan by national studies', model.calibration(gender, country, name).toFixed(4)],
    [6, 'mean μ of ln D', marginal.mean.toFixed(4)],
    [7, 'residual SD τ after calibration', adultModelOf(model, cohort, name).residualSd.toFixed(4)],
    [7, 'SD σ of ln D', marginal.sd.toFixed(4)],
    [7, 'skewness γ of ln D', marginal.skew.toFixed(4)],
    [8, 'P5, mm', percentile(5)],
    [8, 'P50, mm', percentile(50)],
    [8, 'P95, mm', percentile(95)],
  ];
}

/** The page `docs/model.md` with the table of its worked example computed from the fitted model. */
export function withWorkedExample(page: string, fit: Pick<Fit, 'model'>): string {
  const rows = workedExample(fit).map((row) => `| ${row.join(' | ')} |\n`);
  // The table is the only one of the page whose rows begin with a step.
  return page.replace(/(?:^\| \d \| .*\|\n)+/m, rows.join(''));
}
