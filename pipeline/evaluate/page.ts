import { LARGEST_ERROR_SD } from '../fit/evidence/evidence.js';
import { goalsTable } from './goals.js';
import { paragraphs, percent, three, two } from './markdown.js';
import type { AccuracyRecord } from './report.js';
import { type TableName, tableText } from './tables.js';

/** Why goals are missed, and what would help. */
const MISSED = `- **National studies.** Surveys differ in instrument and landmark: two surveys of one country differ by 0.15 to 0.25 SD.
- **NHANES.** The model is smooth over age, and other years follow NCD-RisC. Skewness is at most 1.2; waists at 15 to 17 years have more.
- **Snyder’s children.** Girths follow NHANES of today. Forehead, ankle and hairline have the mean of the genders before puberty. Arms miss at 14 to 18 years, because no bone may shrink.
- **Boys of Turkey.** Their table has US boys of 17 at 1768 mm, NHANES 1751. Half of the difference is taken off everywhere.
- **Persons.** The spread given other quantities differs between the two ANSUR surveys.`;

/** The text of `docs/accuracy.md`. */
export function accuracyPage({ figures: f, tables, sampled }: AccuracyRecord): string {
  const shown = (name: TableName): string => tableText(name, tables[name]);
  const { A, B, C } = LARGEST_ERROR_SD;
  const parts = [
    '# Accuracy',
    '<!-- team: begin -->',
    'Written by `npm run evaluate` from `docs/accuracy-summary.json`; do not edit. `accuracy.json` of a release, also below `data/evaluations`, has every figure.',
    '<!-- team: end -->',
    'Errors are in standard deviations (SD) of the dimension: predicted − observed. “Errors” are means of absolute errors, a “bias” has signs. No fit has seen the data, except where it says “fitted”.',
    '## Goals',
    goalsTable(f),
    '“Within”: within that figure, or two standard errors of the survey if these are more. Why goals are missed:',
    MISSED,
    '## What a user is served',
    `Left-out surveys are predicted from country, gender, age and year alone. The fit has not seen a survey’s family, nor (last column) its country, nor effects of age from it (Korea). Stature, its loss, and BMI stay: they come from elsewhere. Adults: national studies since 1985 of 100 people or more, mostly soldiers; one (Korea) has ages over 60. Under 5 years: surveys of stunted, wasted and overweight children. 5 to 17 years: the United States, each dimension predicted as if NHANES had not measured it. The interval is that of \`evidence\`, with the sampling error of the survey. Grades and kinds: from 5 years.`,
    shown('served'),
    '## Means of national studies, given stature and BMI',
    `These scores show the proportions alone: a study’s dimensions are predicted from its mean stature, BMI and age (25 years if none). The unit is the SD among US soldiers. The last one learns from other families, or countries; the others are baselines. ${tables.predictors[0]?.rows} rows match exactly; ${percent(f.surveyIntervals90)} of their means lie inside the 90 % interval.`,
    shown('predictors'),
    'The largest errors of dimensions with five studies or more:',
    shown('worst'),
    `**Conditional ranges.** Of a survey’s people, these shares are inside the 80, 90 and 95 % ranges of one dimension given another, with other surveys’ correlations: ${tables.ranges.map(({ survey, covered }) => `${survey} ${percent(covered[80])}, ${percent(covered[90])}, ${percent(covered[95])}`).join('; ')}.`,
    '## United States against NHANES 2011–2023',
    `Errors over gender and age. “Fitted” is the answer for 2017 (calf, thigh: 2003), for 2022 below 5 years. “Left out” is a model that has not seen the dimension there, given stature and BMI.`,
    shown('nhanes'),
    `ANSUR I (1988), predicted from ANSUR II (2012): means are missed by ${two(f.ansur1MeanAbs)} SD, and predicted SDs are ${two(f.ansur1SdRatio)} times the observed ones. Snyder’s children (1977) are missed by ${two(f.snyderAbs)} SD (fitted), and by ${two(f.snyderLeftOutAbs)} SD at a year of age that was left out.`,
    `From 1 to 5 years, SDs at an exact age are missed by ${percent(f.exactAgeSdAbs)} (stature), ${percent(f.exactAgeMassAbs)} (body mass), ${percent(f.exactAgeBmiAbs)} (BMI) and ${percent(f.exactAgeArmAbs)} (arm girth).`,
    '## Evidence for medians',
    `Shares of dimensions, genders and countries by grade, and the middle half width of the 90 % intervals in percent of the median. The standard error is against the median that a national survey would find. The grade follows from the expected error, 0.8 standard errors: A up to ${A} SD, B up to ${B}, C up to ${C}, D more.`,
    shown('grades'),
    '## Countries, years and populations',
    `**Levels.** The stature of women of 25 to 49 years in samples that were left out is missed by ${f.womenAbsMm.toFixed(1)} mm. Known figures outside their tolerance:`,
    shown('known'),
    `**Small children.** Shares of wasted and overweight children in left-out surveys are missed by ${two(f.wastingPoints)} and ${two(f.overweightPoints)} points, with biases of ${two(f.wastingBiasPoints)} and ${two(f.overweightBiasPoints)}.`,
    `**Years.** Girths of Americans of 2003 are missed by ${two(f.nhanes2003Abs)} SD.`,
    `**Persons within limits.** Counted in one ANSUR survey within random limits, and predicted with the correlations of the other. Persons of NHANES 2007–2010, of whom no body measure is fitted, are missed by ${two(f.nhanesUnfittedJointPoints)} points within three or five limits, and by ${two(f.nhanesUnfittedSinglePoints)} points below single ones.`,
    `**Ranges of persons.** Persons of ANSUR I, completed from eight quantities about the medians of ANSUR II: ${percent(f.completedAboutOtherMedians90)} lie inside their 90 % range, which contains the errors of the medians.`,
    `**Sampled people.** Of ${sampled.people.toLocaleString('en')} Americans, ${sampled.brokenIdentities} break an identity and ${sampled.brokenConstraints} a constraint. Sums miss their whole by ${three(f.sumsWorst)} SD at most.`,
  ];
  return `${paragraphs(parts)}\n`;
}
