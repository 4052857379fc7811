import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCsv } from './synthetic.js';

const RAW = join(import.meta.dirname, '../../../data/raw');
const read = (path: string): Record<string, string>[] =>
  parseCsv(readFileSync(join(RAW, path), 'utf8'));

const SOURCES = ['world', 'world-more', 'nzdfas2016', 'korea2015'] as const;

describe('national studies', () => {
  const covariatesOf = (source: string): Map<string, Record<string, string>> =>
    new Map(read(`${source}/drivers.csv`).map((row) => [`${row.study_id}|${row.gender}`, row]));

  it('take stature from the same people under another name, and from no part of them', () => {
    const of = covariatesOf('world');
    const japan = of.get('rp1024-S46|Female');
    expect([japan?.stature_mm, japan?.stature_from]).toEqual(['1532', 'rp1024-jp-civ']);
    expect(of.get('rp1024-S38|Male')?.stature_mm).toBe('');
    const iran = covariatesOf('world-more').get('rp1024-S90|Male');
    expect([iran?.stature_mm, iran?.stature_from]).toEqual(['1668.5', 'rp1024-ir-military']);
  });

  it('have one family for one survey, also where the files name parts of it apart', () => {
    const families = new Map(
      SOURCES.flatMap((source) => read(`${source}/drivers.csv`)).map((row) => [
        row.study_id,
        row.survey_family,
      ]),
    );
    const of = (...studies: readonly string[]) =>
      new Set(studies.map((study) => families.get(study)));
    expect(of('rp1024-nato-1960-GR', 'rp1024-nato-1960-IT', 'rp1024-nato-1960-TR').size).toBe(1);
    expect(of('ru-2022-gaivoronsky-f', 'pooled-russia-recruits').size).toBe(1);
    expect(of('cz-fajfrova-acr', 'cz-2010-soumar-casri').size).toBe(1);
  });

  it('have no two families with the same people: means that agree in most dimensions', () => {
    const rows = SOURCES.flatMap((source) => read(`${source}/studies.csv`)).filter(
      (row) => row.is_best === '1',
    );
    const byFamily = new Map<string, Map<string, string>>();
    for (const row of rows) {
      const key = `${row.survey_family}|${row.country}|${row.gender}`;
      const means = byFamily.get(key) ?? new Map<string, string>();
      means.set(row.measurement ?? '', row.mean_mm ?? '');
      byFamily.set(key, means);
    }
    const entries = [...byFamily];
    for (const [i, [a, means]] of entries.entries()) {
      for (const [b, others] of entries.slice(i + 1)) {
        const common = [...means.keys()].filter((name) => others.has(name));
        if (common.length < 3) continue;
        const equal = common.filter((name) => means.get(name) === others.get(name)).length;
        expect(equal / common.length, `${a} and ${b}`).toBeLessThan(0.5);
      }
    }
  });

  it('have ten groups of Koreans, with elbows at the radiale and four dimensions in doubt', () => {
    const rows = read('korea2015/studies.csv');
    expect(new Set(rows.map((row) => `${row.study_id}|${row.gender}`)).size).toBe(10);
    const of = (name: string) =>
      Number(
        rows.find(
          ({ measurement, gender, age_min }) =>
            measurement === name && gender === 'Male' && age_min === '20',
        )?.mean_mm,
      );
    const underside = of('Stature') - of('SittingHeight') + of('SittingElbowHeight');
    expect(of('ElbowHeight') - underside).toBeGreaterThan(10);
    const doubted = rows.filter((row) => row.check_definition === '1');
    expect([...new Set(doubted.map(({ measurement }) => measurement))].sort()).toEqual([
      ...['ButtockPoplitealLength', 'PoplitealHeight', 'SittingElbowHeight', 'ThighThickness'],
    ]);
  });

  it('doubt dimensions that New Zealand read from 3D scans', () => {
    const scanned = read('nzdfas2016/studies.csv').filter((row) => row.measurement === 'HeadGirth');
    expect(scanned.length).toBeGreaterThan(0);
    for (const row of scanned) expect(row.check_definition).toBe('1');
  });
});
