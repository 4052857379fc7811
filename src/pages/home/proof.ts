import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberText } from '../../core/number-text.js';
import { projectDir } from '../../core/project-dir.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { titlesByUse } from '../../screens/shared/evidence.js';

/** A figure of the first page and what it says. */
export interface Proof {
  readonly figure: string;
  readonly text: string;
  readonly href: string;
}

/** Left-out surveys against the answers, in the last evaluation. */
interface Evaluated {
  readonly figures: { readonly womenAbsMm: number };
  readonly tables: { readonly served: readonly { readonly key: string; readonly held: number }[] };
}

/** Measurements of a survey of whole bodies, and the first year of a survey of today. */
const [WHOLE, TODAY] = [50, 1999];

/** Titles of the surveys of today that measured whole bodies, and of that of all people, in one line. */
export function surveysOf({ manifest }: PredictionModel): string {
  const named = manifest.population?.surveys.filter(
    ({ role, year, measurements }) =>
      role === 'general population' || (year >= TODAY && measurements.length >= WHOLE),
  );
  return titlesByUse(named ?? []).join('; ');
}

/** Basis and quality of the numbers, from the model and from its last evaluation. */
export function proofOf({ manifest }: PredictionModel): readonly Proof[] {
  const surveys = manifest.population?.surveys ?? [];
  const people = surveys.reduce((sum, one) => sum + one.people[0] + one.people[1], 0);
  const file = join(projectDir(), 'docs', 'accuracy-summary.json');
  const { figures, tables } = JSON.parse(readFileSync(file, 'utf8')) as Evaluated;
  const all = tables.served.find(({ key }) => key === 'all');
  if (all === undefined) throw new Error('docs/accuracy-summary.json has no row of all values');
  return [
    {
      figure: `${surveys.length}`,
      text: 'surveys and national samples with measured bodies',
      href: '/docs/model',
    },
    {
      figure: numberText(Number(people.toPrecision(3))),
      text: 'measured people in them',
      href: '/docs/model',
    },
    {
      figure: `${figures.womenAbsMm.toFixed(1)} mm`,
      text: 'mean error of the stature of women, in samples that the model has not seen',
      href: '/docs/accuracy',
    },
    {
      figure: `${(100 * all.held).toFixed(0)} %`,
      text: 'of the values in such surveys, of all ages, lie inside the stated 90 % interval',
      href: '/docs/accuracy',
    },
  ];
}
