import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkStudyTables,
  importStudy,
  newStudy,
  removeStudy,
} from '../../../pipeline/study/study.js';
import { readStudyMap } from '../../../pipeline/study/study-map.js';
import { studyTables } from '../../../pipeline/study/study-tables.js';
import { newFolder } from '../../support/folders.js';
import { itInWholeRun } from '../../support/whole-run.js';
import { parseCsv } from '../import/synthetic.js';
import { RAW, sources } from './sources.js';

const PUBLISHED = join(import.meta.dirname, 'jasdf-1988');
const folder = () => newFolder('study-test');

/** A copy of the published study. Its table and its column map are changed. */
function published(
  change: (table: string) => string = (table) => table,
  changeMap: (map: string) => string = (map) => map,
): string {
  const copy = join(folder(), 'jasdf-1988');
  cpSync(PUBLISHED, copy, { recursive: true });
  const file = join(copy, 'study.csv');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const map = join(copy, 'columns.json');
  writeFileSync(map, changeMap(readFileSync(map, 'utf8')));
  return file;
}

const FIGURES = 'country age_min age_max age_mean year n match is_best mean_mm sd_mm'.split(' ');

/** Figures of a table of studies, by gender and dimension. */
function figures(rawDir: string, source: string, study: string) {
  const rows = parseCsv(readFileSync(join(rawDir, source, 'studies.csv'), 'utf8'));
  const own = rows.filter((row) => row.study_id === study && row.from_means === '0');
  return new Map(
    own.map((row) => [`${row.gender} ${row.measurement}`, FIGURES.map((name) => row[name])]),
  );
}

describe('a study with printed figures', () => {
  it('is imported by a column map, with the figures that the project has of it', async () => {
    const rawDir = sources();
    const options = { rawDir, date: '2026-11-23' };
    const done = await importStudy(published(), options);
    expect(done).toMatchObject({
      rows: { 'studies.csv': 26, 'drivers.csv': 2 },
      leftOut: [],
      warnings: [],
    });
    const own = figures(rawDir, 'jasdf-1988', 'jasdf-1988');
    expect(own.size).toBe(26);
    expect(own).toEqual(figures(RAW, 'world', 'ja-1990-jasdf'));
    const covariates = readFileSync(join(rawDir, 'jasdf-1988/drivers.csv'), 'utf8');
    expect(covariates).toContain(',JP,Female,20.4,240,1584,50.2,jasdf-1988,54.2,6.18,jasdf-1988,');
    const source = readFileSync(join(rawDir, 'jasdf-1988/SOURCE.md'), 'utf8');
    expect(source).toContain('- Imported: 2026-11-23, with `npx vitruvia study import`');
    expect(source).toContain(
      'Women and men of the Japan Air Self-Defense Force, measured in 1988.',
    );
    expect(source).toMatch(/\| study\.csv \| \d+ \| `[0-9a-f]{64}` \|/);
  });

  itInWholeRun('is named as another level of the same part where it fits that', async () => {
    const file = published(
      (table) => table,
      (map) => map.replace('ThighCircumferenceBelowButtock', 'ThighCircumferenceMidpoint'),
    );
    const { warnings } = await importStudy(file, { rawDir: sources(), date: '2026-11-23' });
    const [first] = warnings.filter(({ what }) => what === 'ThighCircumferenceMidpoint');
    expect(first?.remedy).toMatch(/^It fits ThighCircumferenceBelowButtock \(\d+ mm\): the level/);
  });

  it('is refused with all its faults at their lines, also if SOURCE.md is empty', async () => {
    const file = published((table) => table.replace('Sitting height,cm', 'Sitting height,mm'));
    writeFileSync(join(dirname(file), 'SOURCE.md'), '');
    const rawDir = sources();
    const refused = importStudy(file, { rawDir, date: '2026-11-23' });
    await expect(refused).rejects.toThrow(/fill in\n {2}- Citation: .*\n {2}- Licence: /);
    await expect(refused).rejects.toThrow('4 faults in 1 file');
    await expect(refused).rejects.toThrow(
      `${file}:4: jasdf-1988 Female, SittingHeight: 85.5 mm is`,
    );
    await expect(refused).rejects.toThrow('It looks like cm: multiply by 10.');
    expect(existsSync(join(rawDir, 'jasdf-1988'))).toBe(false);
  });

  it('is not removed if it was not imported so, and needs the sources', async () => {
    const rawDir = sources();
    const nowhere = { rawDir: join(rawDir, 'nowhere'), date: '2026-11-23' };
    const copied = /nowhere has no sources .*Copy them first \(cp -r .*raw .*nowhere\)/;
    await expect(importStudy(published(), nowhere)).rejects.toThrow(copied);
    await expect(checkStudyTables(nowhere.rawDir, [])).rejects.toThrow(copied);
    await expect(removeStudy(rawDir, 'jasdf-1988')).rejects.toThrow('has no study jasdf-1988');
    await expect(removeStudy(rawDir, 'world')).rejects.toThrow('was not made by');
    expect(existsSync(join(RAW, 'world/studies.csv'))).toBe(true);
  });

  it('begins with a template, which says what is missing until it is filled in', async () => {
    const home = folder();
    const name = join(home, 'my-study');
    const files = await newStudy(name);
    expect(files.map((file) => file.slice(name.length + 1))).toEqual([
      ...['SOURCE.md', 'study.csv', 'columns.json'],
    ]);
    const rawDir = folder();
    const options = { rawDir, date: '2026-11-23' };
    const file = join(name, 'study.csv');
    await expect(importStudy(file, options)).rejects.toThrow(
      /fill in\n {2}- Citation: <.*\n {2}- Licence: </,
    );
    const source = join(name, 'SOURCE.md');
    const filled = '# My study\n\n- Citation: Me 2026\n- Licence: CC0\n';
    writeFileSync(source, `${filled}\n<Who was measured, where and how>\n`);
    await expect(importStudy(file, options)).rejects.toThrow('describe the people');
    await expect(newStudy(name)).rejects.toThrow('exists. Choose another name');
    await expect(newStudy(join(home, 'My Study'))).rejects.toThrow('cannot name a study');
    mkdirSync(join(home, 'bare'));
    writeFileSync(join(home, 'bare/study.csv'), 'measurement,mean\n');
    await expect(importStudy(join(home, 'bare/study.csv'), options)).rejects.toThrow(
      'SOURCE.md cannot be read',
    );
  });
});

describe('the column map of a study', () => {
  const terms = { name: 'one', citation: 'A 2026' };
  const table = {
    file: 'study.csv',
    headings: ['measurement', 'Mean', 'S.D.'],
    rows: [
      ['Stature', '66', '2'],
      ['Neck base', '39', '2'],
      ['SittingHeight', '', ''],
      ['', '', ''],
    ],
  };
  const map = (more: object) => readStudyMap(JSON.stringify(more), 'columns.json');

  it('converts units, leaves rows out with a reason, and keeps what it cannot read for the check', () => {
    const { tables, leftOut, lines } = studyTables(
      table,
      map({
        columns: { measurement: 'measurement', mean: 'Mean', sd: 'S.D.' },
        values: { gender: 'Male', country: 'NL', unit: 'in', match: 'exact', people: 'many' },
        measurements: { 'Neck base': null },
      }),
      terms,
    );
    expect(leftOut).toEqual([
      'study.csv:3: Neck base: left out by the map.',
      'study.csv:4: SittingHeight: there is no mean.',
    ]);
    expect(lines).toEqual({ 'studies.csv': [2], 'drivers.csv': [2] });
    const [studies, covariates] = tables.map(({ columns, rows }) =>
      Object.fromEntries(columns.map(([name], i) => [name, rows[0]?.[i]])),
    );
    expect(studies).toMatchObject({
      study_id: 'one-male',
      mean_mm: 1676.4,
      sd_mm: 50.8,
      n: 'many',
    });
    expect(covariates).toMatchObject({
      stature_mm: 1676.4,
      stature_from: 'one-male',
      mass_kg: null,
    });
  });

  it('by age group has a sample for each group, without a column for it', () => {
    const rows = ['20', '40'].map((from) => [
      'Stature',
      '1700',
      '60',
      from,
      String(Number(from) + 19),
    ]);
    const headings = ['measurement', 'mean', 'sd', 'from', 'to'];
    const columns = {
      measurement: 'measurement',
      mean: 'mean',
      sd: 'sd',
      age_min: 'from',
      age_max: 'to',
    };
    const byAge = map({ columns, values: { gender: 'Male', country: 'NL', match: 'exact' } });
    const { tables } = studyTables({ ...table, headings, rows }, byAge, terms);
    expect(tables[0]?.rows.map(([sample]) => sample)).toEqual(['one-male-20-39', 'one-male-40-59']);
  });

  it('is refused with all its faults at once', () => {
    const wrong = {
      column: {},
      values: { genders: 'Male', year: [1] },
      measurements: { a: 1 },
      samples: 1,
    };
    expect(() => map(wrong)).toThrow(
      [
        'columns.json: column is unknown. Write columns',
        'columns.json: values: genders is unknown. Write gender',
        'columns.json: values.year must be a text or a number',
        'columns.json: samples must be a list',
        'columns.json: measurements: "a" must be a name, a name and a match such as "Stature exact", or null',
      ].join('\n'),
    );
    const columns = { measurement: 'measurements', mean: 'Mean', sd: 'Std' };
    expect(() => studyTables(table, map({ columns }), terms)).toThrow(
      /names for measurement\. Perhaps "measurement"\.\n.*names for sd\. It has measurement, Mean, S\.D\./,
    );
    const rows = [['Stature', '1,720', '60']];
    const plain = { columns: { measurement: 'measurement', mean: 'Mean', sd: 'S.D.' } };
    expect(() => studyTables({ ...table, rows }, map(plain), terms)).toThrow(
      'study.csv:2: Stature: mean "1,720" is no number.',
    );
    const inFeet = map({ ...plain, values: { unit: 'ft' } });
    expect(() => studyTables(table, inFeet, terms)).toThrow('"ft" is no unit of Stature.');
  });
});
