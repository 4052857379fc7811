import { GENDERS, type Gender } from '../../src/core/genders.js';
import { mean } from '../numerics/numbers.js';
import { type ClassCoverage, coverageByClass } from './coverage-classes.js';
import type { Evaluation } from './evaluation.js';
import type { GroupScore } from './given-drivers.js';
import { groupBy } from './metrics.js';
import { PREDICTOR_LABELS, PREDICTOR_NAMES } from './predictors.js';
import { MODEL_PREDICTOR } from './summary.js';
import { dotChart, lineChart } from './svg.js';
import type { NhanesError } from './us-nhanes.js';

const GOAL_SD = 0.3;

function groupPlot(title: string, groups: readonly GroupScore[]): string {
  const sorted = [...groups].sort(
    (a, b) => b.scores[MODEL_PREDICTOR].meanAbs - a.scores[MODEL_PREDICTOR].meanAbs,
  );
  return dotChart({
    title,
    xLabel: 'mean absolute error, SD; dashed line: the goal',
    categories: sorted.map(({ key, studies }) => `${key} (${studies})`),
    series: PREDICTOR_NAMES.map((name) => ({
      label: PREDICTOR_LABELS[name],
      values: sorted.map(({ scores }) => scores[name].meanAbs),
    })),
    marks: [GOAL_SD],
  });
}

function nhanesPlot(errors: readonly NhanesError[], gender: Gender): string {
  const medians = errors.filter(
    (error) => error.gender === gender && error.percentile === 50 && error.status === 'left out',
  );
  const xs = [...new Set(medians.map(({ ageYears }) => ageYears))].sort((a, b) => a - b);
  return lineChart({
    title: `US ${gender === 'Male' ? 'men and boys' : 'women and girls'}: error of the median against NHANES, dimension left out of the fit`,
    xLabel: 'age, years',
    yLabel: 'SD',
    xs,
    series: groupBy(medians, ({ measurement }) => measurement).map(([label, group]) => ({
      label,
      values: xs.map((x) => group.find(({ ageYears }) => ageYears === x)?.errorSd),
    })),
    marks: [-0.05, 0.05],
  });
}

function snyderPlot({ snyder }: Evaluation): string {
  const xs = [...new Set(snyder.map(({ age }) => age))].sort((a, b) => a - b);
  const meanAbs = (values: readonly number[]): number | undefined =>
    values.length === 0 ? undefined : mean(values.map(Math.abs));
  const at = (x: number, inSample: boolean): number | undefined =>
    meanAbs(snyder.filter((e) => e.age === x && e.inSample === inSample).map((e) => e.errorSd));
  const leftOut = (x: number): number | undefined =>
    meanAbs(snyder.flatMap((e) => (e.age === x && e.leftOutSd !== undefined ? e.leftOutSd : [])));
  return lineChart({
    title: 'Children’s proportions: mean absolute error over dimensions',
    xLabel: 'age, years',
    yLabel: 'SD',
    xs,
    series: [
      { label: 'whole model, fitted dimensions', values: xs.map((x) => at(x, true)) },
      { label: 'whole model, unseen dimensions', values: xs.map((x) => at(x, false)) },
      { label: 'survey fit, this year left out', values: xs.map(leftOut) },
    ],
    marks: [0.1],
  });
}

function coveragePlot({ coverage }: Evaluation): string {
  const cells = coverageByClass(coverage.model.bins);
  const middle = ({ lowPct, highPct }: ClassCoverage): number => (lowPct + highPct) / 2;
  const xs = [...new Set(cells.map(middle))].sort((a, b) => a - b);
  return lineChart({
    title: 'People of ANSUR I inside 80 % conditional ranges, by percentile of the anchor',
    xLabel: 'percentile of the anchor',
    yLabel: '% inside',
    xs,
    series: groupBy(cells, ({ pairClass }) => pairClass).map(([label, group]) => ({
      label,
      values: xs.map((x) => 100 * (group.find((cell) => middle(cell) === x)?.predicted[80] ?? 0)),
    })),
    marks: [78, 80, 82],
  });
}

/** The plots of the report: file name under `docs/accuracy` and SVG text. */
export function plots(evaluation: Evaluation): ReadonlyMap<string, string> {
  const files = new Map([
    [
      'studies-by-dimension.svg',
      groupPlot('National studies by dimension (studies)', evaluation.byFamily.byDimension),
    ],
    [
      'studies-by-country.svg',
      groupPlot('National studies by country (studies)', evaluation.byCountry.byCountry),
    ],
    ['snyder-by-age.svg', snyderPlot(evaluation)],
    ['conditional-ranges.svg', coveragePlot(evaluation)],
  ]);
  for (const gender of GENDERS) {
    files.set(`nhanes-${gender.toLowerCase()}.svg`, nhanesPlot(evaluation.nhanes, gender));
  }
  return files;
}
