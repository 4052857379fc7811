import { mean } from '../numerics/numbers.js';
import type { LevelError, LevelScores } from './levels.js';
import { paragraphs, percent, table, two } from './markdown.js';
import { share } from './metrics.js';
import { nationalMeansSection, nationalMeansWithin } from './national-means.js';

/** The levels in a few figures. */
export interface LevelFigures {
  /** Measured samples of women, each left out: mean of predicted − measured, and of its absolute value, mm. */
  readonly womenBiasMm: number;
  readonly womenAbsMm: number;
  /** Share of all samples inside their 90 % interval. */
  readonly levelIntervals90: number;
  /** Smaller share of cells of BMI within 0.4 kg/m² of the country's own fit, children or adults. */
  readonly bmiWithin: number;
  /** Share of known figures of single countries within their tolerance. */
  readonly nationalWithin: number;
}

export function levelFigures({ women, conscripts, bmi, national }: LevelScores): LevelFigures {
  const errors = women.map(({ errorMm }) => errorMm);
  return {
    womenBiasMm: mean(errors),
    womenAbsMm: mean(errors.map(Math.abs)),
    levelIntervals90: share([...women, ...conscripts], ({ within }) => within),
    bmiWithin: Math.min(...bmi.map(({ within }) => within)),
    nationalWithin: nationalMeansWithin(national),
  };
}

/** Rows of the table of goals. */
export function levelGoals(figures: LevelFigures): [string, string, string, boolean][] {
  const signed = `${figures.womenBiasMm.toFixed(1)} mm; mean error ${figures.womenAbsMm.toFixed(1)} mm`;
  return [
    [
      'mean stature of measured women of 25 to 49, each sample left out',
      'within ± 3 mm on average',
      signed,
      Math.abs(figures.womenBiasMm) <= 3,
    ],
    [
      'mean BMI within 0.4 kg/m² of the country’s own fit, 5 to 17 and 20 and over (fitted)',
      '≥ 90 % of the cells',
      percent(figures.bmiWithin),
      figures.bmiWithin >= 0.9,
    ],
    [
      'known figures of single countries within their tolerance',
      'all',
      percent(figures.nationalWithin),
      figures.nationalWithin === 1,
    ],
  ];
}

const signed = (value: number, digits: number): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;

function errorTable(errors: readonly LevelError[]): string {
  return table(
    ['people', 'ages', 'year', 'measured, mm', 'error, mm', 'error, SD', 'in the 90 % interval'],
    errors.map(({ country, gender, ages, year, measuredMm, errorMm, errorSd, within }) => [
      `${country}, ${gender === 'Male' ? 'men' : 'women'}`,
      ages,
      String(year),
      measuredMm.toFixed(0),
      signed(errorMm, 1),
      signed(errorSd, 2),
      within ? 'yes' : 'no',
    ]),
  );
}

/** The section on the levels of stature and BMI. */
export function levelsSection(scores: LevelScores): string {
  const figures = levelFigures(scores);
  const errors = scores.women.map(({ errorMm }) => errorMm);
  return paragraphs([
    '## Levels of stature and BMI',
    'The level of a country is its own (section 4 of `docs/model.md`). Until artifact `2022.ae1734c74d77` it was the level of the United States times a ratio to them in the same source. Where source and NHANES disagree about the United States, every country inherited the difference.',
    '### Measured women, each sample left out',
    `Demographic and health surveys measured women of 25 to 49 years. Each sample is predicted from a level that was fitted without it. The mean error is ${signed(mean(errors), 1)} mm, the mean absolute error ${mean(errors.map(Math.abs)).toFixed(1)} mm. The model before had −2.1 and 4.0 mm, and the cohort table less the loss of height, as it is, +6.4 mm.`,
    errorTable(scores.women),
    '### Whole cohorts of conscripts',
    'Nearly all young people of a country and year, who were never fitted. Soldiers who were selected are left out. Few such samples have a printed year.',
    errorTable(scores.conscripts),
    `The 90 % interval of the level holds ${percent(figures.levelIntervals90)} of the samples above.`,
    '### BMI against the country’s own fit',
    'Mean BMI of the model less that of the country’s own gamma fit, without the United States, which have NHANES. Fits that an importer dropped are not counted. Before, 68 % of the children’s cells and 63 % of the adults’ were within 0.4 kg/m²; adults were 0.27 kg/m² too light on average.',
    table(
      ['age', 'cells', 'within 0.4 kg/m²', 'mean error', 'mean absolute error'],
      scores.bmi.map(({ group, cells, within, bias, meanAbs }) => [
        group,
        String(cells),
        percent(within),
        signed(bias, 2),
        two(meanAbs),
      ]),
    ),
    nationalMeansSection(scores.national),
  ]);
}
