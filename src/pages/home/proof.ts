import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberText } from '../../core/number-text.js';
import { projectDir } from '../../core/project-dir.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { titleOf } from '../../screens/shared/evidence.js';

/** Errors of the predictions of a measurement in left-out surveys of adults, in the last evaluation. */
export interface MeasuredErrors {
  readonly name: string;
  readonly meanAbsMm: number;
  /** Mean of half the stated 90 % intervals. */
  readonly halfWidthMm: number;
  /** Predicted less measured mean of each survey. */
  readonly errorsMm: readonly number[];
}

type Surveys = NonNullable<PredictionModel['manifest']['population']>['surveys'];

/** Measurements of a survey of whole bodies, and the first year of a survey of today. */
const [WHOLE, TODAY] = [50, 1999];

/** The titles of the surveys of today that measured whole bodies, and that of all people. */
function wholeBodies(surveys: Surveys): readonly string[] {
  const named = surveys.filter(
    ({ role, year, measurements }) =>
      role === 'general population' || (year >= TODAY && measurements.length >= WHOLE),
  );
  return [...new Set(named.map(({ name }) => titleOf(name).split(/,| \(/)[0] ?? ''))];
}

function peopleOf(surveys: Surveys): number {
  return surveys.reduce((sum, { people: [men, women] }) => sum + men + women, 0);
}

/** Surveys, the people in them, and errors of predictions of surveys that were left out. */
export function proofOf({ manifest }: PredictionModel) {
  const surveys = manifest.population?.surveys ?? [];
  const file = join(projectDir(), 'docs', 'accuracy-summary.json');
  const { tables } = JSON.parse(readFileSync(file, 'utf8')) as {
    tables: { millimetres: readonly MeasuredErrors[] };
  };
  return {
    surveys: surveys.length,
    people: numberText(Number(peopleOf(surveys).toPrecision(3))),
    wholeBodies: wholeBodies(surveys),
    errors: tables.millimetres,
  };
}
