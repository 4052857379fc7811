import type { CountryCode } from '../src/core/countries.js';
import { GENDERS } from '../src/core/genders.js';
import { zOfPercentile } from '../src/lookup/cell.js';
import { drawChart } from './chart.js';
import type { Fit } from './fit/fit-model.js';
import { countryCovariates, type FittedModel } from './model/fitted-model.js';
import { Populations } from './model/population.js';
import { adultModelOf } from './model/regressions/nhanes-estimator.js';
import { lnQuantile, lnQuantileOf } from './numerics/marginal.js';
import { AGES_YEARS } from './plans/axes.js';

/** Countries of the figure on proportions. */
const SHARE_COUNTRIES: readonly CountryCode[] = ['US', 'JP'];
const OLDEST_SHARE_YEARS = 40;
/**
 * Draws the quantiles of three dimensions. They have the same mean and SD of ln D, but different skewness.
 */
function quantilePlot(): string {
  const xs = Array.from({ length: 81 }, (_, i) => (i - 40) / 10);
  const skews = [-0.6, 0, 1.2];
  const lines = skews.map((skew) => {
    const quantile = lnQuantileOf({ mean: Math.log(100), sd: 0.15, skew });
    return { xs, ys: xs.map((z) => Math.exp(quantile(z))) };
  });
  return drawChart({
    title: 'Quantiles of a dimension: mean of ln D = ln 100, SD 0.15, three values of skewness',
    xLabel: 'standard normal score z; P1 and P99 are at −2.33 and 2.33',
    yLabel: 'mm',
    labels: skews.map((skew) => `skewness ${skew}`),
    panels: [{ lines }],
  });
}

/** Median sitting height as a share of median stature, from birth to adulthood. */
function sittingSharePlot(model: FittedModel): string {
  const xs = AGES_YEARS.filter((age) => age <= OLDEST_SHARE_YEARS);
  const populations = new Populations(model);
  const people = SHARE_COUNTRIES.flatMap((country) =>
    GENDERS.map((gender) => ({ country, gender })),
  );
  const lines = people.map(({ country, gender }) => {
    const population = populations.of(gender, country);
    const share = (age: number): number => {
      const cohort = population.at(age);
      return (100 * cohort.medianMm('SittingHeight')) / cohort.medianMm('Stature');
    };
    return { xs, ys: xs.map(share) };
  });
  return drawChart({
    title: 'Median sitting height ÷ median stature, by age',
    xLabel: 'age, years',
    yLabel: '%',
    labels: people.map(({ country, gender }) => `${country}, ${gender}`),
    panels: [{ lines }],
  });
}

/** Draws the figures of `docs/model.md` that show the fitted model. Returns SVG texts by file name. */
export function modelFigures({ model }: Pick<Fit, 'model'>): ReadonlyMap<string, string> {
  return new Map([
    ['quantile-curve.svg', quantilePlot()],
    ['sitting-share.svg', sittingSharePlot(model)],
  ]);
}

/** A row of the worked example of `docs/model.md`: step, quantity, value. */
type ExampleRow = readonly [step: number, quantity: string, value: string];

/** The worked example of `docs/model.md`: the knee height of Japanese women of 70 years. */
export function workedExample({ model }: Pick<Fit, 'model'>): readonly ExampleRow[] {
  const [gender, country, age, name] = ['Female', 'JP', 70, 'KneeHeight'] as const;
  const covariates = countryCovariates(model, gender, country, age);
  const cohort = new Populations(model).of(gender, country).at(age);
  const adult = model.military[gender].get(name);
  if (adult === undefined) throw new Error(`no military fit of ${name}`);
  const [b1, b2, b3, b4] = adult.slopes;
  const [s, b, a, a2] = adult.centre;
  const loss = model.heightLoss(gender, age);
  const lnYouth = Math.log(Math.exp(covariates.lnStature) + loss);
  const held = adult.oldestYears;
  const marginal = cohort.marginal(name);
  const percentile = (of: number) => Math.exp(lnQuantile(marginal, zOfPercentile(of))).toFixed(1);
  return [
    [1, 'm_S of Japan', covariates.lnStature.toFixed(4)],
    [2, 'm_B of Japan', covariates.lnBmi.toFixed(4)],
    [3, 'σ_S of Japan', covariates.lnStatureSd.toFixed(4)],
    [3, 'σ_B of Japan', covariates.lnBmiSd.toFixed(4)],
    [3, 'ρ', covariates.rho.toFixed(4)],
    [4, 'loss of height at 70 years, mm', loss.toFixed(1)],
    [4, 'ln S′', lnYouth.toFixed(4)],
    [5, 'level ℓ', adult.level.toFixed(4)],
    [5, 'b₁ (ln S′ − s̄)', (b1 * (lnYouth - s)).toFixed(4)],
    [5, 'b₂ (ln B − b̄)', (b2 * (covariates.lnBmi - b)).toFixed(4)],
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

/** Returns `docs/model.md` with the table of its worked example computed from the fitted model. */
export function withWorkedExample(page: string, fit: Pick<Fit, 'model'>): string {
  const rows = workedExample(fit).map((row) => `| ${row.join(' | ')} |\n`);
  // No other table of the page has rows that begin with a step.
  return page.replace(/(?:^\| \d \| .*\|\n)+/m, rows.join(''));
}
