import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../core/project-dir.js';
import type { PredictionModel } from '../../operations/prediction-model.js';

/** A figure of the first page and what it says. */
export interface Proof {
  readonly figure: string;
  readonly text: string;
  readonly href: string;
}

/** The figures of the last evaluation that the first page shows. */
interface Evaluated {
  readonly figures: { readonly givenDriversExact: number; readonly surveyIntervals90: number };
}

/** What the numbers rest on and how good they are, from the model and from its last evaluation. */
export function proofOf({ manifest }: PredictionModel): readonly Proof[] {
  const surveys = manifest.population?.surveys ?? [];
  const people = surveys.reduce((sum, one) => sum + one.people[0] + one.people[1], 0);
  const file = join(projectDir(), 'docs', 'accuracy-summary.json');
  const { figures } = JSON.parse(readFileSync(file, 'utf8')) as Evaluated;
  return [
    {
      figure: `${surveys.length}`,
      text: 'surveys and national samples with measured bodies',
      href: '/docs/model',
    },
    {
      figure: Number(people.toPrecision(3)).toLocaleString('en'),
      text: 'measured people in them',
      href: '/docs/model',
    },
    {
      figure: `${figures.givenDriversExact.toFixed(2)} SD`,
      text: 'mean error of the means of surveys that the model has not seen',
      href: '/docs/accuracy',
    },
    {
      figure: `${(100 * figures.surveyIntervals90).toFixed(0)} %`,
      text: 'of such means lie inside the stated 90 % interval',
      href: '/docs/accuracy',
    },
    {
      figure: 'CC0',
      text: 'is the licence of the mesh of all bodies (MakeHuman)',
      href: '/docs/body',
    },
  ];
}
