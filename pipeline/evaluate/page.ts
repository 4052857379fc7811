import { inSentence } from '../../src/site/in-sentence.js';
import { inWords } from '../../src/site/labels.js';
import { LARGEST_ERROR_SD } from '../fit/evidence/evidence.js';
import { goalsText, INSIDE_ASKED } from './goals.js';
import { paragraphs, percent, two } from './markdown.js';
import type { AccuracyRecord } from './report.js';
import { type TableName, tableText } from './tables.js';

/** Why goals are missed. */
const MISSED = `- **National studies.** By instrument and landmark, two surveys of one country differ by 0.15 to 0.25 SD.
- **NHANES.** The model is smooth over age, and skewness is at most 1.2; waists at 15 to 17 years have more.
- **Snyder’s children.** Girths follow NHANES of today. No bone shrinks, so arms miss at 14 to 18 years.
- **Persons.** The spread given other quantities differs between the two ANSUR surveys.`;

/** The rows of the first sentences. */
const FIRST_ROWS = ['all', '18 to 59 years', '60 years and over'] as const;

/** The text of `docs/accuracy.md`. */
export function accuracyPage({ figures: f, tables }: AccuracyRecord): string {
  const shown = (name: TableName): string => tableText(name, tables[name]);
  const worst = tables.worst.map(
    ({ dimension, meanAbs }) => `${inSentence(inWords(dimension))} (${two(meanAbs)} SD)`,
  );
  const known = tables.known.map(
    ({ people, quantity, published, predicted, unit }) =>
      `${quantity} of ${people} (${predicted.toFixed(1)}, published ${published} ${unit})`,
  );
  const { A, B, C } = LARGEST_ERROR_SD;
  const [all, adults, old] = FIRST_ROWS.map((first) => {
    const row = tables.served.find(({ key }) => key === first);
    if (row === undefined) throw new Error(`no row ${first}`);
    return row;
  });
  const parts = [
    '# Accuracy',
    '<!-- team: begin -->',
    'Written by `npm run evaluate` from `docs/accuracy-summary.json`; do not edit. `accuracy.json` of a release has every figure, also of persons and of sampled people.',
    '<!-- team: end -->',
    `Predictions miss the mean stature of women in national samples by ${f.womenAbsMm.toFixed(1)} mm. In surveys that no fit has seen, values are missed by ${two(adults.meanAbsSd)} SD at 18 to 59 years, ${two(old.meanAbsSd)} SD from 60 and ${two(all.meanAbsSd)} SD over all; ${percent(all.held)} lie inside the stated 90 % interval.`,
    'Errors are mean absolute errors, in standard deviations (SD) of the dimension. “Bias” is predicted − observed. No fit has seen the data, except where marked “fitted”.',
    '## What a user is served',
    `Left-out surveys are predicted from country, gender, age and year. The fit has not seen a survey’s family, nor (last column) its country, nor effects of age from it (Korea). Adults: national studies since 1985 of 100 people or more, mostly soldiers; only Korea has ages over 60. Under 5 years: surveys of stunted, wasted and overweight children. 5 to 17 years: the United States without NHANES. Grades and kinds are those of 5 years and over. The goal is ${INSIDE_ASKED} inside the interval. “Wide” means more: intervals are wider than needed. “Narrow” means fewer: they promise too much.`,
    shown('served'),
    '## Errors in mm',
    'National studies of adults, left out as above. Soldiers differ from their country.',
    shown('millimetres'),
    '## Means of national studies, given stature and BMI',
    `These scores show proportions alone, in SDs of US soldiers. Predictors learn from other families, or countries; the first three are baselines. ${tables.predictors[0].rows} rows match exactly; ${percent(f.surveyIntervals90)} of their means lie inside the 90 % interval.`,
    shown('predictors'),
    `The largest errors: ${worst.join(', ')}.`,
    '## United States against NHANES 2011–2023',
    'Each dimension is predicted without its values there, given stature and BMI.',
    shown('nhanes'),
    `ANSUR I (1988), predicted from ANSUR II (2012): means are missed by ${two(f.ansur1MeanAbs)} SD, and predicted SDs are ${two(f.ansur1SdRatio)} times the observed ones. Snyder’s children (1977) are missed by ${two(f.snyderAbs)} SD (fitted), and by ${two(f.snyderLeftOutAbs)} SD at a year of age that was left out.`,
    '## Evidence for medians',
    `Shares of medians by grade, and the middle half width of 90 % intervals. Grades follow from the expected error: A up to ${A} SD, B up to ${B}, C up to ${C}, D more.`,
    shown('grades'),
    '## Countries and small children',
    `**Levels.** Known figures outside their tolerance: ${known.join('; ') || 'none'}.`,
    `**Small children.** Shares of wasted and overweight children in left-out surveys are missed by ${two(f.wastingPoints)} and ${two(f.overweightPoints)} points.`,
    `**Shares** of US adults within several limits (NHANES 2007–2010, not fitted) are missed by ${two(f.nhanesUnfittedJointPoints)} points.`,
    '## Goals',
    goalsText(f),
    '“Within” allows two standard errors of the survey if these are more. Reasons:',
    MISSED,
  ];
  return `${paragraphs(parts)}\n`;
}
