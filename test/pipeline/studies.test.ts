import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RawTables } from '../../pipeline/raw-tables/raw-tables.js';
import {
  readStudyFiles,
  studiesOf,
  studyLosses,
  studySources,
} from '../../pipeline/raw-tables/studies.js';
import { newFolder } from '../support/folders.js';

/** A source folder of one sample with these dimensions. */
function writeSource(
  rawDir: string,
  source: string,
  { id, partOf, rows }: { id: string; partOf?: string; rows: readonly string[] },
): void {
  const folder = join(rawDir, source);
  mkdirSync(folder, { recursive: true });
  const drivers = [
    'study_id,survey_family,country,gender,age_mean,n,stature_mm,stature_sd_mm,stature_from,mass_kg',
    'mass_sd_kg,mass_from,bmi,bmi_sd,citation,part_of',
  ].join(',');
  const driver = `${id},f,AU,Female,,90,1660,60,${id},70,11,${id},,,,${partOf ?? ''}`;
  writeFileSync(join(folder, 'drivers.csv'), `${drivers}\n${driver}\n`);
  const head = [
    'study_id,survey_family,country,gender,age_min,age_max,age_mean,year,n,population,measurement',
    'match,is_best,mean_mm,sd_mm,p5_mm,p50_mm,p95_mm,check_definition,check_figure',
  ].join(',');
  const lines = rows.map((row) => `${id},f,AU,Female,,,,,90,,${row},1,500,20,,,,0,0`);
  writeFileSync(join(folder, 'studies.csv'), `${[head, ...lines].join('\n')}\n`);
  writeFileSync(join(folder, 'SOURCE.md'), '# A source\n');
}

const RAW = join(import.meta.dirname, '../../data/raw');

function rawWithPart(): string {
  const rawDir = newFolder('studies');
  writeSource(rawDir, 'one', {
    id: 'whole',
    rows: ['HandLength,exact', 'FootLength,poor', 'KneeHeight,close'],
  });
  writeSource(rawDir, 'two', {
    id: 'some',
    partOf: 'whole',
    rows: ['HandLength,exact', 'FootLength,exact', 'TrunkLength,exact'],
  });
  mkdirSync(join(rawDir, 'three'));
  return rawDir;
}

async function read(rawDir: string, without: readonly string[]) {
  const tables = await RawTables.open(rawDir, without);
  try {
    const files = await readStudyFiles(tables);
    const studies = studiesOf(files);
    const names = studies.map(({ id, rows }) => [id, rows.map(({ measurement }) => measurement)]);
    return { read: Object.fromEntries(names), losses: studyLosses(files) };
  } finally {
    tables.close();
  }
}

describe('national studies', () => {
  it('come from every source with a studies.csv', () => {
    expect(studySources(rawWithPart())).toEqual(['one', 'two']);
  });

  it('count people who are in two samples once, in the larger one', async () => {
    const { read: rows, losses } = await read(rawWithPart(), []);
    expect(rows.whole).toEqual(['FootLength', 'HandLength', 'KneeHeight']);
    // FootLength of the larger sample is known to differ, so the smaller sample keeps its own FootLength.
    expect(rows.some).toEqual(['FootLength', 'TrunkLength']);
    expect(losses).toEqual([]);
  });

  it('count nobody twice if a larger sample is itself a part', async () => {
    const rawDir = rawWithPart();
    writeSource(rawDir, 'four', {
      id: 'few',
      partOf: 'some',
      rows: ['FootLength,exact', 'HandLength,exact', 'KneeHeight,exact', 'PalmLength,exact'],
    });
    expect((await read(rawDir, [])).read.few).toEqual(['PalmLength']);
  });

  it('count no more people of a survey than it measured', async () => {
    const tables = await RawTables.open(RAW, []);
    const studies = studiesOf(await readStudyFiles(tables).finally(() => tables.close()));
    // RP-1024 contains US Air Force women of 1968 and NHES 1960–62, each as a whole and in parts.
    const measured = [
      ['rp1024-us-usaf-women1968', 'Female', 1905],
      ['rp1024-us-nhes1962', 'Female', 3581],
      ['rp1024-us-nhes1962', 'Male', 3091],
      ['asran-2015', 'Female', 232],
    ] as const;
    for (const [family, gender, people] of measured) {
      const counts = new Map<string, number>();
      for (const study of studies.filter((s) => s.family === family && s.gender === gender)) {
        for (const { measurement, match } of study.rows) {
          if (match === 'poor') continue; // Never fitted.
          counts.set(measurement, (counts.get(measurement) ?? 0) + study.n);
        }
      }
      expect(counts.size, family).toBeGreaterThan(5);
      expect(Math.max(...counts.values()), family).toBeLessThanOrEqual(people);
    }
  });

  it('leave the part its own rows when the larger sample is left out, and name the loss', async () => {
    const rawDir = rawWithPart();
    const { read: rows, losses } = await read(rawDir, ['one']);
    expect(rows).toEqual({ some: ['FootLength', 'HandLength', 'TrunkLength'] });
    expect(losses).toEqual([expect.stringMatching(/^Without one, .* national studies of two\./)]);
    const none = await read(rawDir, ['one', 'two']);
    expect(none.read).toEqual({});
    expect(none.losses).toEqual([expect.stringMatching(/^Without one, two, no country has /)]);
  });
});
