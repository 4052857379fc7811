import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberText } from '../../core/number-text.js';
import { projectDir } from '../../core/project-dir.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { titleOf } from '../../screens/shared/evidence.js';
import { capital } from '../../site/in-sentence.js';
import { percent } from '../../site/labels.js';

/** Left-out surveys against the answers, in the last evaluation. */
interface Evaluated {
  readonly figures: { readonly womenAbsMm: number };
  readonly tables: {
    readonly served: readonly Readonly<{ key: string; meanAbsSd: number; held: number }>[];
  };
}

/** Measurements of a survey of whole bodies, and the first year of a survey of today. */
const [WHOLE, TODAY] = [50, 1999];

/** The surveys of today that measured whole bodies, and that of all people: title, country, last year and people. */
export function surveysOf({ manifest }: PredictionModel): readonly (readonly string[])[] {
  const named = (manifest.population?.surveys ?? []).filter(
    ({ role, year, measurements }) =>
      role === 'general population' || (year >= TODAY && measurements.length >= WHOLE),
  );
  return [...new Set(named.map(({ name }) => titleOf(name)))].map((title) => {
    const parts = named.filter(({ name }) => titleOf(name) === title);
    const year = Math.max(...parts.map((one) => one.year));
    return [
      title.split(/,| \(/)[0] ?? '',
      parts[0]?.country ?? '',
      `${year}`,
      numberText(peopleOf(parts)),
    ];
  });
}

function peopleOf(surveys: readonly { readonly people: readonly [number, number] }[]): number {
  return surveys.reduce((sum, { people: [men, women] }) => sum + men + women, 0);
}

function evaluated(): Evaluated {
  const file = join(projectDir(), 'docs', 'accuracy-summary.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Evaluated;
}

/** What a visitor asks for: beginnings of rows of the last evaluation. */
const SHOWN = [
  ...['stature', 'heights', 'girths', 'head and face, surveyed'],
  ...['under 5 years', '18 to 59 years', '60 years'],
];

/** Mean error of the values of left-out surveys, and the share inside the stated interval, by measurement and age. */
export function errorsOf(): readonly (readonly string[])[] {
  const { served } = evaluated().tables;
  return SHOWN.map((name) => {
    const row = served.find(({ key }) => key.startsWith(name));
    if (row === undefined) throw new Error(`docs/accuracy-summary.json has no row ${name}`);
    return [capital(row.key), row.meanAbsSd.toFixed(2), percent(row.held)];
  });
}

/** Number of surveys and of the people in them, and the mean error of the stature of women in left-out samples. */
export function proofOf({ manifest }: PredictionModel) {
  const surveys = manifest.population?.surveys ?? [];
  return {
    surveys: surveys.length,
    people: numberText(Number(peopleOf(surveys).toPrecision(3))),
    womenMm: evaluated().figures.womenAbsMm.toFixed(1),
  };
}
