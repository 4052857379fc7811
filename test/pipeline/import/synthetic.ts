import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Importer } from '../../../pipeline/import/importer.js';
import {
  columnsOf,
  createCheckedPeople,
  driverVariables,
  type PersonVariable,
} from '../../../pipeline/import/person-survey.js';
import { surveyStatistics } from '../../../pipeline/import/statistics.js';
import { seeded } from '../../support/random.js';

/** One made-up person. Lengths are in mm, mass in tenths of a kg. */
export interface Person {
  readonly sex: 'M' | 'F';
  readonly stature: number;
  readonly foot: number | null;
  readonly WEIGHT: number;
  readonly age: number;
}

/** A made-up survey with about as many men as women. Every seventh foot is not measured. */
export function makePeople(count: number, seed = 7): Person[] {
  const random = seeded(seed).unit;
  const bell = (): number => random() + random() + random() + random() - 2;
  return Array.from({ length: count }, (_, index) => {
    const sex = index % 2 === 0 ? 'M' : 'F';
    // The medians of the soldiers of ANSUR II, with which the importer compares the units.
    const [statureMm, mass] = sex === 'M' ? [1755, 846] : [1626, 668];
    const stature = Math.round(statureMm + 80 * bell());
    const foot = index % 7 === 3 ? null : Math.round(stature * 0.153 + 12 * bell());
    const WEIGHT = Math.round(mass + 0.9 * (stature - statureMm) + 60 * bell());
    return { sex, stature, foot, WEIGHT, age: 23 + Math.floor(10 * random()) };
  });
}

/** The survey as CSV text. */
export function peopleCsv(people: readonly Person[]): string {
  const lines = people.map((p) => [p.sex, p.stature, p.foot ?? '', p.WEIGHT, p.age].join(','));
  return `${['sex,stature,foot,WEIGHT,age', ...lines].join('\n')}\n`;
}

const VARIABLES: readonly PersonVariable[] = [
  { name: 'Stature', unit: 'mm', sql: 'stature' },
  { name: 'FootLength', unit: 'mm', sql: 'foot' },
  ...driverVariables('WEIGHT / 10', 'stature', 'age + 0.5'),
];

/** An importer of the made-up survey, built from the same parts as the real importers. */
export function syntheticImporter(rows: number): Importer {
  return {
    source: 'synthetic',
    files: [
      {
        label: 'synthetic people',
        rows,
        numbers: columnsOf(VARIABLES),
        texts: ['sex'],
        figures: [],
      },
    ],
    async build(context) {
      const { connection, tables, log } = context;
      const rowsSql = `
        SELECT * EXCLUDE (sex), CASE WHEN sex = 'M' THEN 'Male' ELSE 'Female' END AS gender,
          'adult' AS age_group, 1.0 AS sample_weight FROM ${tables[0] ?? ''}`;
      await createCheckedPeople(context, 'ansur2', rowsSql, VARIABLES);
      return surveyStatistics(connection, VARIABLES, log);
    },
  };
}

/** A fresh directory for one test. */
export function scratchDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'vitruvia-import-'));
}

/** Writes a file of the given name into a directory and returns its path. */
export async function writeInput(directory: string, name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

/** All files of a directory as name and content, sorted by name. */
export async function readDirectory(directory: string): Promise<[string, string][]> {
  const names = (await readdir(directory)).sort();
  return Promise.all(
    names.map(
      async (name): Promise<[string, string]> => [
        name,
        await readFile(join(directory, name), 'utf8'),
      ],
    ),
  );
}

/** Rows of CSV text as records. */
export const parseCsv = (text: string): Record<string, string>[] => parse(text, { columns: true });
