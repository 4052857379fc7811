import type { MeasurementName } from '../../src/core/measurements.js';
import type { CountryUncertainty } from './country-uncertainty.js';
import type { Evaluation } from './evaluation.js';
import type { ByPredictor, GroupScore } from './given-drivers.js';
import { paragraphs, table, two } from './markdown.js';
import { PREDICTOR_LABELS, PREDICTOR_NAMES } from './predictors.js';
import { REASONS } from './reasons.js';
import { MODEL_PREDICTOR } from './summary.js';

/** Studies from which a dimension's error counts as established, and the error that asks why. */
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

/** The section on national studies predicted from their own drivers. */
export function studiesSection({
  byFamily: family,
  byCountry: country,
  uncertainty,
  modernCivilianRows,
}: Evaluation): string {
  return paragraphs([
    '## National studies, given their own stature and weight',
    'Each study’s dimensions are predicted from its own mean stature, BMI and age (25 where not said) and compared with its printed means. Errors are predicted less observed, in the SD of the dimension among US soldiers, so that a misprinted SD cannot flatter. Studies without a printed stature, or without mass and BMI, are left out. Whatever is learnt from studies is learnt without the survey family (first table) or without the country and its families; predictors that learn nothing from studies score the same in both.',
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
    `### Dimensions of ${ENOUGH_STUDIES} studies or more off by more than ${ASKS_WHY_SD} SD`,
    reasonTable(family.byDimension),
    '### How uncertain a country’s shift is',
    'Standard deviation (root mean square over the dimensions of a group, in SD of the dimension) of what the studies say of men of today, from the fit to all studies; how the group’s dimensions are taken says how much surveys differ. A country without a study has what it shares with its region and the world. The United States of the service rest on their own surveys alone.',
    uncertaintyTable(uncertainty),
    '### Today’s general population, drivers predicted too',
    `Not scored: of the national studies’ exact rows, ${modernCivilianRows} are of civilians measured from 1990 on; those after 1990 are soldiers, whose stature and mass are not their country’s. What would mend it: national civilian tables (Size Korea, Size UK, the Dutch and German adult surveys), imported as \`studies.csv\` of civilians.`,
  ]);
}
