import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { studyExpectations } from '../../../pipeline/fit/calibration/study-expectations.js';
import { RawTables } from '../../../pipeline/raw-tables/raw-tables.js';
import { checkStudies, readStudyFiles } from '../../../pipeline/raw-tables/studies.js';
import { type StudyFault, StudyFaults } from '../../../pipeline/raw-tables/study-faults.js';
import { MEAN_LIMIT_SD } from '../../../pipeline/raw-tables/study-ratios.js';
import { newFolder } from '../../support/folders.js';
import { cases } from '../../support/whole-run.js';
import { parseCsv } from '../import/synthetic.js';
import { fit, RAW } from './fit.js';

const SOURCES = ['nzdfas2016', 'world', 'world-more'];
const root = newFolder('study-check');
const expectations = studyExpectations(fit.samples, fit.model.cohortStature);
let folders = 0;

type Fields = Readonly<Record<string, string>>;
type File = 'studies' | 'drivers';

/** Changes to the 84 women of ASRAN 2015: fields by line of the file. `null` removes the line. */
type Changes = Partial<Record<File, Readonly<Record<number, Fields | null>>>>;

/** Copies the present studies with changed fields in `asran2015`. Returns the folder. */
function changed(changes: Changes): string {
  folders += 1;
  const rawDir = join(root, String(folders));
  mkdirSync(rawDir);
  for (const source of SOURCES) symlinkSync(join(RAW, source), join(rawDir, source));
  cpSync(join(RAW, 'asran2015'), join(rawDir, 'asran2015'), { recursive: true });
  for (const [file, lines] of Object.entries(changes)) {
    const path = join(rawDir, 'asran2015', `${file}.csv`);
    const rows = parseCsv(readFileSync(path, 'utf8')).flatMap((row, i) => {
      const change = lines[i + 2];
      return change === null ? [] : [{ ...row, ...change }];
    });
    const columns = Object.keys(rows[0] ?? {});
    const quoted = (text = '') => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const text = rows.map((row) => columns.map((name) => quoted(row[name])).join(','));
    writeFileSync(path, `${[columns.join(','), ...text].join('\n')}\n`);
  }
  return rawDir;
}

/** Returns the faults; if there are none, the warnings. */
async function check(rawDir: string): Promise<{ faults: StudyFault[]; warnings: StudyFault[] }> {
  const tables = await RawTables.open(rawDir, []);
  try {
    return { faults: [], warnings: checkStudies(await readStudyFiles(tables), expectations) };
  } catch (error) {
    if (!(error instanceof StudyFaults)) throw error;
    return { faults: [...error.faults], warnings: [] };
  } finally {
    tables.close();
  }
}

const ASRAN = parseCsv(readFileSync(join(RAW, 'asran2015/studies.csv'), 'utf8'));
const lineOf = (measurement: string) =>
  ASRAN.findIndex((row) => row.measurement === measurement) + 2;
const knee = lineOf('KneeHeight');
const kneeMm = Number(ASRAN[knee - 2]?.mean_mm);
const inUnit = (mmPerUnit: number): Fields => ({
  mean_mm: String(kneeMm / mmPerUnit),
  ...{ sd_mm: '', p5_mm: '', p50_mm: '', p95_mm: '' },
});

describe('national studies are checked', () => {
  it('and the present ones have neither faults nor doubtful figures', async () => {
    expect(await check(RAW)).toEqual({ faults: [], warnings: [] });
  });

  const kinds = ['a name of a country', 'a misspelt dimension', 'cm', 'two best rows', 'pounds'];
  const faults: readonly [string, Changes, number, Partial<StudyFault>][] = [
    [
      'a name of a country',
      { studies: { [knee]: { country: 'Australia' } } },
      knee,
      { what: 'country', remedy: 'Write AU' },
    ],
    [
      'a misspelt dimension',
      { studies: { [knee]: { measurement: 'KneeHight' } } },
      knee,
      { what: 'measurement', remedy: 'Write KneeHeight' },
    ],
    ['no people', { studies: { [knee]: { n: '0' } } }, knee, { what: 'n' }],
    [
      'ages in the wrong order',
      { studies: { [knee]: { age_min: '40', age_max: '20' } } },
      knee,
      { what: 'age_min' },
    ],
    [
      'cm',
      { studies: { [knee]: inUnit(10) } },
      knee,
      { what: 'KneeHeight', remedy: 'It looks like cm: multiply by 10' },
    ],
    [
      'the figure of another dimension',
      { studies: { [knee]: { ...inUnit(1), mean_mm: '400' } } },
      knee,
      {
        fault: expect.stringMatching(/times \(-\d\.\d SD\)/),
        remedy: expect.stringMatching(/^Compare/),
      },
    ],
    [
      'two best rows',
      { studies: { [knee]: { ...inUnit(1), measurement: 'LegLength', mean_mm: '790' } } },
      lineOf('LegLength'),
      { what: 'LegLength', fault: expect.stringContaining(`line ${knee} has this dimension`) },
    ],
    [
      'a row of a sample without drivers',
      { studies: { [knee]: { study_id: 'asran-2015-women-prt' } } },
      knee,
      {
        fault: 'the sample has no row in drivers.csv',
        remedy: expect.stringContaining('asran-2015-women-part Female'),
      },
    ],
    [
      'another stature than in the drivers',
      { drivers: { 2: { stature_mm: '1690' } } },
      lineOf('Stature'),
      { what: 'Stature', fault: expect.stringContaining('1690 mm in line 2 of drivers.csv') },
    ],
    [
      'an unknown larger sample',
      { drivers: { 2: { part_of: 'asran-2051' } } },
      2,
      { what: 'part_of', remedy: expect.stringContaining('asran-2015') },
    ],
    [
      'pounds',
      { drivers: { 2: { mass_kg: '153', mass_sd_kg: '25', bmi: '', bmi_sd: '' } } },
      2,
      { what: 'mass_kg', remedy: expect.stringContaining('looks like pounds') },
    ],
  ];
  const few = faults.filter(([name]) => kinds.includes(name));
  const more = faults.filter(([name]) => !kinds.includes(name));
  it.each(cases(few, more))('for %s', async (_, changes, line, expected) => {
    const { faults } = await check(changed(changes));
    expect(faults).toHaveLength(1);
    const file = join('asran2015', 'drivers' in changes && line === 2 ? 'drivers' : 'studies');
    expect(faults[0]).toMatchObject({ line, ...expected });
    expect(faults[0]?.file).toContain(`${file}.csv`);
    expect(faults[0]?.study).toMatch(/^asran-2015-women-prt|^asran-2015-women-part/);
  });

  it('for drivers without a study', async () => {
    const rawDir = changed({});
    const path = join(rawDir, 'asran2015/drivers.csv');
    const [head, row] = readFileSync(path, 'utf8').split('\n');
    const other = row?.replaceAll('asran-2015-women-part,', 'asran-2015-officers,');
    writeFileSync(path, `${head}\n${row}\n${other}\n`);
    const { faults } = await check(rawDir);
    expect(faults).toMatchObject([
      { line: 3, fault: 'the sample has a stature, but no row in studies.csv' },
    ]);
  });

  it('for a stature in cm in both files, and then judges the rest by the base survey', async () => {
    const stature = { mean_mm: '167.4', ...{ sd_mm: '', p5_mm: '', p50_mm: '', p95_mm: '' } };
    const { faults } = await check(
      changed({
        studies: { [lineOf('Stature')]: stature },
        drivers: { 2: { stature_mm: '167.4', stature_sd_mm: '6.5' } },
      }),
    );
    // The SD is in cm, too. Without this check, it would show only after the mean is mended.
    expect(faults.map(({ what }) => what)).toEqual(['stature_mm', 'stature_sd_mm', 'Stature']);
    for (const { remedy } of faults) expect(remedy).toMatch(/^It looks like cm.*: multiply by 10$/);
  });

  it('for a missing column, a missing file and a file that is no table', async () => {
    const renamed = changed({});
    const path = join(renamed, 'asran2015/studies.csv');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('mean_mm', 'mean'));
    expect((await check(renamed)).faults).toMatchObject([
      { line: 1, what: 'mean_mm', remedy: expect.stringContaining('Write mean_mm') },
    ]);
    rmSync(join(renamed, 'asran2015/drivers.csv'));
    expect((await check(renamed)).faults).toMatchObject([{ study: 'asran2015', what: 'the file' }]);
  });

  it('warns of a figure between the two limits and does not stop', async () => {
    const sample = fit.studies.find(({ id }) => id === 'asran-2015-women-part');
    if (sample === undefined) throw new Error('asran2015 has no sample');
    const expected = expectations.dimension(sample, 'KneeHeight');
    const { meanMm = 0, lnSd = 0 } = expected ?? {};
    const inSd = (MEAN_LIMIT_SD.warning + MEAN_LIMIT_SD.error) / 2;
    const figure = { ...inUnit(1), mean_mm: String(meanMm * Math.exp(inSd * lnSd)) };
    const { faults, warnings } = await check(changed({ studies: { [knee]: figure } }));
    expect(faults).toEqual([]);
    expect(warnings).toMatchObject([{ line: knee, what: 'KneeHeight' }]);
  });
});
