import type { Evaluation } from './evaluation.js';
import { evidenceSection } from './evidence.js';
import { paragraphs, percent, table, three, two } from './markdown.js';
import { round4 } from './metrics.js';
import { PREDICTOR_LABELS } from './predictors.js';
import { childrenSection } from './report-children.js';
import { coverageJson, coverageSection } from './report-coverage.js';
import { personGoals, personsJson, personsSections } from './report-joint-shares.js';
import { levelGoals, levelsSection } from './report-levels.js';
import { populationGoals, populationsJson, populationsSections } from './report-populations.js';
import { studiesSection } from './report-studies.js';
import { sumsSection } from './report-sums.js';
import { ansurSection, nhanesSection, snyderSection } from './report-surveys.js';
import { yearsSection } from './report-years.js';
import { type AccuracySummary, summariseAccuracy } from './summary.js';
import { bodySection } from './us-bmi-and-mass.js';

function verdict(met: boolean): string {
  return met ? 'yes' : 'no';
}

/** The goals of the model, what it reaches, and whether it meets them. */
function goals(s: AccuracySummary): string {
  const rows: readonly (readonly [string, string, string, boolean])[] = [
    [
      'national studies, exact matches, survey families left out',
      '≤ 0.31 SD',
      three(s.givenDriversExact),
      s.givenDriversExact <= 0.31,
    ],
    [
      'the same, countries left out',
      '≤ 0.335 SD',
      three(s.givenDriversExactByCountryFolds),
      s.givenDriversExactByCountryFolds <= 0.335,
    ],
    [
      'the same as the first ÷ the error of scaling by stature',
      '≤ 0.45',
      two(s.givenDriversOverScaling),
      s.givenDriversOverScaling <= 0.45,
    ],
    ['national studies, P5 where printed, exact', '≤ 0.39 SD', three(s.p5Exact), s.p5Exact <= 0.39],
    [
      'national studies, P95 where printed, exact',
      '≤ 0.39 SD',
      three(s.p95Exact),
      s.p95Exact <= 0.39,
    ],
    [
      'means of left-out surveys inside the 90 % interval of a new survey',
      '87 to 93 %',
      percent(s.surveyIntervals90),
      Math.abs(s.surveyIntervals90 - 0.9) <= 0.03,
    ],
    [
      'NHANES’ own dimensions, medians within 0.05 SD or 2 standard errors (fitted)',
      'all groups',
      `${percent(s.nhanesMedianWithin)}; mean error ${two(s.nhanesMedianAbs)} SD`,
      s.nhanesMedianWithin === 1,
    ],
    [
      'the same, P5 and P95 within 0.10 SD or 2 standard errors (fitted)',
      'all groups',
      `${percent(s.nhanesTailsWithin)}; mean error ${two(s.nhanesTailsAbs)} SD`,
      s.nhanesTailsWithin === 1,
    ],
    [
      'the same, age bands with P0.5 and P99.5 within 0.25 SD (tails fitted to P1 and P99)',
      '≥ 90 % of the bands',
      percent(s.nhanesOutermostWithin),
      s.nhanesOutermostWithin >= 0.9,
    ],
    [
      'P95 of waist, arm and calf at 5 to 17 years, largest error of an age group (fitted)',
      '≤ 0.15 SD',
      two(s.childGirthP95Largest),
      s.childGirthP95Largest <= 0.15,
    ],
    [
      'sums of free dimensions that miss their whole by 0.05 SD or less from P1 to P99',
      'all cells',
      `${percent(s.sumsWithin)}; worst ${three(s.sumsWorst)} SD`,
      s.sumsWithin === 1,
    ],
    [
      'Snyder’s children within 0.10 SD or 2 standard errors (fitted)',
      'all ages',
      `${percent(s.snyderWithin)}, ${percent(s.snyderWithinOwn)} without the girths from NHANES; mean error ${two(s.snyderAbs)} SD, ${two(s.snyderLeftOutAbs)} for the survey fit with a year left out`,
      s.snyderWithin === 1,
    ],
    [
      'Snyder’s children, P5 and P95 within 0.10 SD or 2 standard errors (fitted)',
      'no goal; reported only',
      `${percent(s.snyderTailsWithin)}; mean error ${two(s.snyderTailsAbs)} SD`,
      s.snyderTailsWithin === 1,
    ],
    [
      'projections over 12 years that beat no change (data up to 2010 and cohorts up to 1984)',
      '≥ 2/3 of the countries',
      percent(s.yearsBetter),
      s.yearsBetter >= 2 / 3,
    ],
    ...levelGoals(s),
    ...personGoals(s),
    ...populationGoals(s),
    ...([80, 90, 95] as const).map((range): [string, string, string, boolean] => {
      const covered = s[`coverage${range}`];
      const asked = `${range - 2} to ${range + 2} %`;
      const met = Math.abs(covered - range / 100) <= 0.02 && s.coveragePairs >= 500;
      return [
        `people of ANSUR I inside the ${range} % conditional range, ${s.coveragePairs} pairs`,
        asked,
        percent(covered),
        met,
      ];
    }),
  ];
  return table(
    ['figure', 'goal', 'reached', 'met'],
    rows.map(([what, asked, reached, met]) => [what, asked, reached, verdict(met)]),
  );
}

/** Why goals are missed, and what would help. */
const MISSED =
  'Why some goals are missed. _National studies_: single surveys differ in instrument and landmark (heads, ears, eye to crown, thigh clearance; reasons by dimension are below), and other studies cannot predict these differences. Two surveys of one country differ by 0.15 to 0.25 SD themselves. Slopes between populations (0.001 SD) and weights that resist single outlying rows (0.001 SD) were tried and gain too little to keep. Modern civilian surveys with documented landmarks would help. _NHANES_: the model is smooth over age, so single age groups lie beyond two standard errors of a simple random sample. Standard errors that account for clusters and weights would be larger. _Waists of 15 to 17_: the skewness is limited to 1.2, and one family of curves serves all ages. _Known figures_: in NCD-RisC’s own classes 30 % of Japanese women of 20 to 29 are under 18.5 kg/m², and 21 % in the national survey; the logarithm of BMI is skewed in people and not in gamma distributions, so that at one mean more people are a little below it: 33.5 % in the model. The other end agrees: 25 kg/m² and more have 8.9 % in the national survey, 8.0 % in the fits and 9.4 % in the model. So 9 of the 13 points are the source’s, and 4 are the skewness. _Turkish boys of 17_ are 1749 mm in the table. The same table has US boys of 17 at 1768 mm, and NHANES at 1751 mm; half of this error is taken off everywhere (−9 mm). The rest (−4 mm) joins the adults: men born about 2000 are 1764 mm (standard error 10 mm) in the newer vintage, 1742 mm (6 mm) in the older one, and 1751 mm in the model. _Snyder_: girths follow NHANES of today, not the children of the 1970s. The other misses are arms and finger tips at 14 to 18, where no bone may shrink towards the adults of another survey. _Joint shares_: women of ANSUR II with the correlations of ANSUR I; the other three groups reach the goals. _Completed persons_: men reach the mean errors, women miss them by 0.004 and 0.006 SD. Single dimensions miss the coverage because the spread that is left differs between the two surveys; only correlations from both surveys could serve both.';

/** The report as Markdown. */
export function reportMarkdown(evaluation: Evaluation): string {
  const summary = summariseAccuracy(evaluation);
  const parts = [
    '# Accuracy',
    '<!-- team: begin -->',
    'Written by `npm run evaluate` from the survey tables under `data/raw`; the same tables and code give the same text. `accuracy.json` holds every figure.',
    '<!-- team: end -->',
    'Errors are in standard deviations (SD) of the dimension. Each figure is from a fit that had not seen the data it is scored on, except where it says fitted or in-sample.',
    `The model’s predictor of national studies in this run: ${PREDICTOR_LABELS[summary.predictor]}. The service’s answers contain more than this predictor. The studies are scored with the military regressions and their calibration; the service also takes the girths of civilians from NHANES and carries them over to other soft dimensions. No national study scores that part; the section on NHANES does.`,
    goals(summary),
    MISSED,
    levelsSection(evaluation.levels),
    studiesSection(evaluation),
    nhanesSection(evaluation.nhanes),
    bodySection(evaluation.body),
    evidenceSection(evaluation.evidence),
    ansurSection(evaluation.ansur1),
    snyderSection(evaluation.snyder),
    childrenSection(evaluation.nhanes),
    sumsSection(evaluation.sums),
    coverageSection(evaluation.coverage),
    personsSections(evaluation.persons),
    populationsSections(evaluation.populations),
    yearsSection(evaluation),
  ];
  return `${paragraphs(parts)}\n`;
}

/** Rows of one shape as columns and values, which takes a third of the space of objects. */
function columnar(rows: readonly object[]): { columns: string[]; rows: unknown[][] } {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => Object.values(row)) };
}

/** The report as JSON text, figures with four decimals. */
export function reportJson(evaluation: Evaluation): string {
  const { inputs, byFamily, byCountry, nhanes, ansur1, snyder } = evaluation;
  const report = {
    inputs,
    summary: summariseAccuracy(evaluation),
    nationalStudies: { byFamily, byCountry, uncertainty: evaluation.uncertainty },
    ansur1: columnar(ansur1),
    coverage: coverageJson(evaluation.coverage),
    persons: personsJson(evaluation.persons),
    populations: populationsJson(evaluation.populations),
    body: columnar(evaluation.body),
    evidence: evaluation.evidence,
    levels: evaluation.levels,
    years: evaluation.years,
    nhanes: columnar(nhanes),
    snyder: columnar(snyder),
  };
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? round4(value) : value;
  // One row per line, which a diff shows well.
  const text = JSON.stringify(report, rounded, 1)
    .replace(/\n {4,}/g, ' ')
    .replace(/\n {3}([\]}])/g, ' $1');
  return `${text}\n`;
}
