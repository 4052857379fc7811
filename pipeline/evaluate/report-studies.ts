import type { MeasurementName } from '../../src/core/measurements.js';
import type { CountryUncertainty } from './country-uncertainty.js';
import type { Evaluation } from './evaluation.js';
import type { ByPredictor, GroupScore } from './given-drivers.js';
import { paragraphs, percent, table, two } from './markdown.js';
import { PREDICTOR_LABELS, PREDICTOR_NAMES } from './predictors.js';
import { REASONS } from './reasons.js';
import { MODEL_PREDICTOR } from './summary.js';
import type { IntervalCoverage } from './survey-intervals.js';

/** Number of studies from which a dimension's error counts as established, and the error that needs a reason. */
const ENOUGH_STUDIES = 5;
const ASKS_WHY_SD = 0.5;

function predictorTable(sets: readonly (readonly [label: string, scores: ByPredictor])[]): string {
  const header = ['mean absolute error, SD', ...sets.map(([label]) => label)];
  const rows = PREDICTOR_NAMES.map((name) => [
    PREDICTOR_LABELS[name],
    ...sets.map(([, scores]) => two(scores[name].meanAbs)),
  ]);
  const counts = ['rows', ...sets.map(([, scores]) => String(scores[MODEL_PREDICTOR].rows))];
  return table(header, [...rows, counts]);
}

function weightingTable(scores: ByPredictor): string {
  const header = ['exact matches', 'mean', 'a family once', 'median', 'bias'];
  const rows = PREDICTOR_NAMES.map((name) => {
    const { meanAbs, familyMeanAbs, medianAbs, bias } = scores[name];
    return [PREDICTOR_LABELS[name], ...[meanAbs, familyMeanAbs, medianAbs, bias].map(two)];
  });
  return table(header, rows);
}

function groupTable(first: string, groups: readonly GroupScore[]): string {
  const header = [first, 'studies', 'families', ...PREDICTOR_NAMES, 'bias'];
  const rows = groups.map(({ key, studies, families, scores }) => [
    key,
    String(studies),
    String(families),
    ...PREDICTOR_NAMES.map((name) => two(scores[name].meanAbs)),
    two(scores[MODEL_PREDICTOR].bias),
  ]);
  return table(header, rows);
}

function reasonTable(groups: readonly GroupScore[]): string {
  const off = groups
    .filter(({ studies, scores }) => {
      return studies >= ENOUGH_STUDIES && scores[MODEL_PREDICTOR].meanAbs > ASKS_WHY_SD;
    })
    .sort((a, b) => b.scores[MODEL_PREDICTOR].meanAbs - a.scores[MODEL_PREDICTOR].meanAbs);
  if (off.length === 0) return 'None.';
  const rows = off.map(({ key, studies, scores }) => {
    const { meanAbs, bias } = scores[MODEL_PREDICTOR];
    const reason = REASONS[key as MeasurementName] ?? 'Unexplained.';
    return [key, String(studies), two(meanAbs), two(bias), reason];
  });
  return table(['dimension', 'studies', 'error', 'bias', 'reason'], rows);
}

function uncertaintyTable(rows: readonly CountryUncertainty[]): string {
  const groups = Object.keys(rows[0]?.sd ?? {});
  return table(
    ['country', 'families', 'rows', ...groups],
    rows.map(({ place, families, rows: count, sd }) => [
      place,
      String(families),
      String(count),
      ...groups.map((group) => two(sd[group] ?? Number.NaN)),
    ]),
  );
}

function intervalTable(rows: readonly IntervalCoverage[]): string {
  return table(
    ['means of left-out surveys', 'rows', 'inside the 90 % interval', 'half width, SD'],
    rows.map(({ key, rows: count, held, halfWidthSd }) => [
      key,
      String(count),
      percent(held),
      two(halfWidthSd),
    ]),
  );
}

/** The section on national studies predicted from their own drivers. */
export function studiesSection({
  byFamily: family,
  byCountry: country,
  uncertainty,
}: Evaluation): string {
  return paragraphs([
    '## National studies, given their own stature and weight',
    'Each study’s dimensions are predicted from its own mean stature, BMI and age (25 if the study gives none) and compared with its printed means. An error is predicted − observed, in the SD of the dimension among US soldiers, so that a misprinted SD does not improve the score. Studies without a printed stature, or without mass and BMI, are not scored. A predictor learns from the other studies only: from all but the survey family, or from all but the country and its families. Predictors that do not learn from studies score the same in both cases.',
    predictorTable([
      ['exact', family.exact],
      ['exact, not doubted', family.exactUndoubted],
      ['exact and close', family.fair],
      ['all', family.all],
      ['exact, countries left out', country.exact],
      ['P5, exact', family.exactP5],
      ['P95, exact', family.exactP95],
    ]),
    weightingTable(family.exact),
    '![Error by dimension](accuracy/studies-by-dimension.svg)',
    '### By dimension, exact matches, families left out',
    groupTable('dimension', family.byDimension),
    '### By country, exact matches, countries left out',
    '![Error by country](accuracy/studies-by-country.svg)',
    groupTable('country', country.byCountry),
    '### By gender',
    groupTable('gender', family.byGender),
    `### Dimensions of ${ENOUGH_STUDIES} studies or more with an error over ${ASKS_WHY_SD} SD`,
    reasonTable(family.byDimension),
    '### Does the uncertainty hold?',
    'Each left-out survey’s means, exact matches, against the 90 % interval that the fit to the other families gives for the mean of a new survey of that country, given its own stature and weight. The interval contains the uncertainty of the country’s shift, the definitions and instruments of a new family, and its number of people. Standard errors of a group are widened where families that are left out inside the fit show that they are too small (section 12.4 of `docs/model.md`); heads and faces with published levels had 79 % before. Goal: 85 to 95 % over all rows and in each group of dimensions. Ages are those of the samples; groups of few rows come from few families, so chance alone moves them by 5 points and more.',
    intervalTable(family.intervals),
    'The same with the whole country left out:',
    intervalTable(country.intervals),
    '### Uncertainty of the countries’ shifts',
    'Standard deviation of the shift for men of today, from the fit to all studies: the root mean square over the dimensions of a group, in SD of the dimension. How much surveys differ depends on how the dimensions of a group are measured. A country without a study has the shifts that it shares with its region and the world. The service’s level for the United States comes from US surveys only.',
    uncertaintyTable(uncertainty),
  ]);
}
