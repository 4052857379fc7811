import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceText } from '../../../pipeline/import/output.js';
import { IMPORTERS } from '../../../pipeline/import/run-import.js';
import { describedSource } from '../../../pipeline/sources.js';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { MEASUREMENT_NAMES } from '../../../src/core/measurements.js';
import { parseCsv } from './synthetic.js';

const RAW = join(import.meta.dirname, '../../../data/raw');
const LARGEST_FILE_BYTES = 3_000_000;

/** Variables of the surveys that are not among the 148 measurements. */
const EXTRA = new Set([
  'BodyMass',
  'Bmi',
  'AgeYears',
  'AgeYearsSquared',
  'BicepsCircumferenceFlexed',
  'ForearmForearmBreadth',
  'HeadToNoseTipOfFace',
  'HeadToStomionOfFace',
  'IliacHeightSitting',
  'AcromionOlecranonLength',
  'RecumbentLength',
  'SagittalAbdominalDiameter',
  'UpperLegLength',
  'WaistCircumferenceIliac',
]);

function table(source: string, file: string): Record<string, string>[] {
  return parseCsv(readFileSync(join(RAW, source, file), 'utf8'));
}

const sources = IMPORTERS.map((importer) => importer.source);
/** Sources whose figures are in the importer have no input file. */
const READ = new Set(IMPORTERS.filter(({ files }) => files.length > 0).map((one) => one.source));
const surveys = sources.filter((source) => existsSync(join(RAW, source, 'moments.csv')));

describe('committed survey tables', () => {
  it.each(sources)('%s has tables that parse and a SOURCE.md', (source) => {
    const files = readdirSync(join(RAW, source));
    const about = readFileSync(join(RAW, source, 'SOURCE.md'), 'utf8');
    expect(about).toMatch(/^- Citation: .+$/m);
    expect(about).toMatch(/^- Licence: .+$/m);
    expect(about).toMatch(/^- Imported: \d{4}-\d{2}-\d{2}/m);
    // A new import keeps what is said about the source.
    const renewed = sourceText(describedSource(about), { date: 'D', command: 'C' }, [], []);
    expect(about.replace(/^(- Imported: ).+$/m, '$1D, with `C`')).toContain(
      renewed.slice(0, renewed.indexOf('## Tables')),
    );
    expect(/`[0-9a-f]{64}`/.test(about)).toBe(READ.has(source));
    expect(about).not.toMatch(/(^|[\s`(])\/\w+\//m); // No path of a private machine.
    for (const file of files.filter((name) => name !== 'SOURCE.md')) {
      const text = readFileSync(join(RAW, source, file), 'utf8');
      expect(Buffer.byteLength(text)).toBeLessThan(LARGEST_FILE_BYTES);
      const rows = parseCsv(text);
      expect(about).toContain(`| ${file} | ${rows.length} |\n`);
      for (const row of rows) {
        if (row.n === undefined || row.n === '') continue;
        if (Number(row.n) < 10) throw new Error(`${source}/${file} has a cell of ${row.n} people`);
      }
    }
  });

  it.each(surveys)('%s names known variables and consistent covariances', (source) => {
    const known = new Set<string>([...MEASUREMENT_NAMES, ...EXTRA]);
    const variance = new Map<string, number>();
    for (const row of table(source, 'moments.csv')) {
      if (!known.has(row.variable ?? '')) throw new Error(`unknown variable ${row.variable}`);
      variance.set(`${row.gender}|${row.age_group}|${row.variable}`, Number(row.t_sd) ** 2);
    }
    let own = 0;
    for (const row of table(source, 'covariances.csv')) {
      const of = (name = ''): number => {
        return variance.get(`${row.gender}|${row.age_group}|${name}`) ?? Number.NaN;
      };
      const cov = Number(row.cov);
      if ((row.a ?? '') > (row.b ?? '')) throw new Error(`${row.a} after ${row.b}`);
      if (row.a !== row.b) continue;
      own += 1;
      // Ages of a top-coded group do not vary, so the tolerance needs an absolute part.
      const near = Math.abs(cov - of(row.a)) <= 1e-5 * of(row.a) + 1e-12;
      if (!near) throw new Error(`variance of ${row.a} differs`);
    }
    expect(own).toBe(variance.size);
  });

  it('carries the published figures it was checked against', () => {
    const mean = (source: string, gender: string, group: string, variable: string): number => {
      const row = table(source, 'moments.csv').find(
        (r) => r.gender === gender && r.age_group === group && r.variable === variable,
      );
      return Number(row?.mean);
    };
    expect(mean('ansur2', 'Male', 'adult', 'Stature')).toBeCloseTo(1756.2, 0);
    expect(mean('ansur2', 'Female', 'adult', 'BodyMass')).toBeCloseTo(67.76, 1);
    expect(mean('ansur1', 'Male', 'adult', 'Stature')).toBeCloseTo(1755.8, 0);
    expect(mean('usaf1967', 'Male', 'adult', 'Stature')).toBeCloseTo(1773.4, 0);
    expect(mean('usaf1967', 'Male', 'adult', 'BodyMass')).toBeCloseTo(78.74, 1);
    expect(mean('nhanes', 'Male', '2011-2023/30-34', 'Stature')).toBeCloseTo(1767, -1);
  });

  it('covers every country, with Hong Kong absent from BMI only', () => {
    const countries = (source: string, file: string): Set<string | undefined> =>
      new Set(table(source, file).map((row) => row.country));
    const all = new Set<string | undefined>(COUNTRY_CODES);
    expect(countries('ncdrisc-2016', 'height_by_birth_year.csv')).toEqual(all);
    expect(countries('ncdrisc-2020', 'height_at_19.csv')).toEqual(all);
    for (const [source, file] of [
      ['ncdrisc-2024-bmi', 'bmi_gamma.csv'],
      ['ncdrisc-2024-bmi-children', 'bmi_gamma_by_age.csv'],
    ] as const) {
      const bmi = countries(source, file);
      expect([...all].filter((code) => !bmi.has(code))).toEqual(['HK']);
    }
  });

  it('keeps sane fits of children’s BMI only, and lists the others', () => {
    const kept = table('ncdrisc-2024-bmi-children', 'bmi_gamma_by_age.csv');
    const dropped = table('ncdrisc-2024-bmi-children', 'dropped.csv');
    expect(kept.length + dropped.length).toBe(5250);
    for (const row of kept) {
      expect(Number(row.mean)).toBeGreaterThan(12);
      expect(Number(row.mean)).toBeLessThan(45);
      expect(Number(row.sd) / Number(row.mean)).toBeGreaterThan(0.05);
      expect(Number(row.sd) / Number(row.mean)).toBeLessThan(0.4);
    }
    const tonga = dropped.find(
      (row) => row.country === 'TO' && row.gender === 'Male' && row.age_years === '19',
    );
    // The file says that this fit converged.
    expect(Number(tonga?.mean)).toBeGreaterThan(400);
    expect(tonga?.converged).toBe('1');
  });
});
