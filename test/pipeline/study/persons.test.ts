import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deviation, mean, quantile } from 'd3-array';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readBands, USUAL_BANDS } from '../../../pipeline/study/age-bands.js';
import {
  importPersons,
  type PersonsImportOptions,
  tabulatePersons,
} from '../../../pipeline/study/persons-study.js';
import { removeStudy } from '../../../pipeline/study/study.js';
import { samplePeople } from '../../../src/operations/sample-people.js';
import { freshEnv, run } from '../../support/cli.js';
import { newFolder } from '../../support/folders.js';
import { modelOf } from '../../support/models.js';
import { realArtifacts } from '../../support/servers.js';
import { itInWholeRun } from '../../support/whole-run.js';
import { parseCsv } from '../import/synthetic.js';
import { sources } from './sources.js';

// cspell:ignore assise
const NAMES = [
  ...(['Stature', 'BodyMass', 'SittingHeight'] as const),
  ...(['ButtockKneeLength', 'ThighCircumferenceMidpoint', 'FootLength'] as const),
];
type Name = (typeof NAMES)[number];
interface Person {
  readonly gender: 'Male' | 'Female';
  readonly age: number;
  readonly values: Readonly<Record<Name, number>>;
}

/** Adults of Portugal as the model has them, in mm and kg. */
let people: readonly Person[];
beforeAll(async () => {
  const folder = await realArtifacts();
  vi.stubEnv('ARTIFACTS_DIR', folder);
  const sampled = samplePeople.run(
    {
      population: { groups: [{ countries: ['PT'], ageMin: 18, ageMax: 75 }] },
      ...{ count: 400, seed: 46, measurements: [...NAMES] },
    },
    modelOf(folder),
  );
  people = sampled.people.map(({ gender, age, measurements }) => {
    const values = NAMES.map((name) => [name, Number(measurements[name]?.toFixed(1))]);
    return { gender, age, values: Object.fromEntries(values) } as Person;
  });
});

const SOURCE = '# Porto\n\n- Citation: A 2019\n- Licence: CC0\n\nWorkers of Porto.\n';

/** Writes a file of persons in the folder of a study; resolves to its path. */
function file(lines: readonly string[]): string {
  const folder = join(newFolder('persons'), 'porto-2019');
  mkdirSync(folder);
  writeFileSync(join(folder, 'SOURCE.md'), SOURCE);
  writeFileSync(join(folder, 'people.csv'), `${lines.join('\n')}\n`);
  return join(folder, 'people.csv');
}

const HEADINGS = ['gender', 'age', ...NAMES.map((name) => `${name} (${unitOf(name)})`)];
function unitOf(name: Name): string {
  return name === 'BodyMass' ? 'kg' : 'mm';
}
const lineOf = ({ gender, age, values }: Person) =>
  [gender, age, ...NAMES.map((name) => values[name])].join();
const plain = (persons: readonly Person[]) => [HEADINGS.join(), ...persons.map(lineOf)];

function optionsOf(rawDir: string, more: Partial<PersonsImportOptions> = {}): PersonsImportOptions {
  return {
    ...{ rawDir, date: '2026-11-27', everyone: { country: 'Portugal' }, said: new Map() },
    ...{ unit: undefined, massUnit: undefined, decimal: undefined, match: new Map() },
    ...{ bands: readBands(USUAL_BANDS), isDry: false, ...more },
  };
}

/** The rows of a table of the study, by column. */
const rowsOf = (rawDir: string, table: string) =>
  parseCsv(readFileSync(join(rawDir, 'porto-2019', table), 'utf8'));

/** The rows of the tables of a file that is not imported. */
async function tabulated(lines: readonly string[], more: Partial<PersonsImportOptions> = {}) {
  const { written } = await tabulatePersons(file(lines), optionsOf('', more));
  return (table: string) => parseCsv(written.get(table) ?? '');
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a) as number, mean(b) as number];
  const products = a.map((value, i) => (value - meanA) * ((b[i] as number) - meanB));
  const sum = products.reduce((total, one) => total + one, 0);
  return sum / (a.length - 1) / ((deviation(a) as number) * (deviation(b) as number));
}

describe('a study of persons', () => {
  it('has the figures of its groups, as computed here', async () => {
    const rows = await tabulated(plain(people), {
      ...{ year: 2019, population: 'workers' },
      match: new Map([['SittingHeight', 'exact']]),
    });
    const studies = rows('studies.csv');
    const drivers = rows('drivers.csv');
    const correlations = rows('correlations.csv');
    expect(drivers.length).toBe(8);
    expect(studies.length).toBe(8 * (NAMES.length - 1));
    const women = people.filter((one) => one.gender === 'Female' && one.age >= 30 && one.age < 45);
    const of = (name: Name) => women.map(({ values }) => values[name]);
    const id = 'porto-2019-female-30-44';
    const sitting = of('SittingHeight');
    const row = studies.find((one) => one.study_id === id && one.measurement === 'SittingHeight');
    expect(row).toMatchObject({ country: 'PT', age_min: '30', age_max: '44', year: '2019' });
    expect(row).toMatchObject({ n: String(women.length), match: 'exact', population: 'workers' });
    /** A figure that is rounded to its step, so that the step times the number of people is two SDs. */
    const close = (text: string | undefined, value: number | undefined, sd: number) =>
      expect(Math.abs(Number(text) - (value as number))).toBeLessThanOrEqual(
        Math.max(1, (5 * sd) / women.length) / 2,
      );
    const sd = deviation(sitting) as number;
    close(row?.mean_mm, mean(sitting), sd);
    close(row?.sd_mm, sd, sd);
    // The mean of neighbours lies between the next percentiles.
    for (const p of [5, 50, 95]) {
      const found = Number(row?.[`p${p}_mm`]);
      expect(found).toBeGreaterThan(Number(quantile(sitting, Math.max(1, p - 5) / 100)) - 1);
      expect(found).toBeLessThan(Number(quantile(sitting, Math.min(99, p + 5) / 100)) + 1);
    }
    const driver = drivers.find((one) => one.study_id === id);
    const ages = women.map(({ age }) => age);
    close(driver?.age_mean, mean(ages), deviation(ages) as number);
    close(driver?.stature_mm, mean(of('Stature')), deviation(of('Stature')) as number);
    const massSd = deviation(of('BodyMass')) as number;
    close(driver?.mass_sd_kg, massSd, massSd);
    const bmi = women.map(({ values }) => values.BodyMass / (values.Stature / 1000) ** 2);
    close(driver?.bmi, mean(bmi), deviation(bmi) as number);
    for (const other of ['Stature', 'BodyMass'] as const) {
      const found = correlations.find(
        (one) => one.study_id === id && one.measurement === 'SittingHeight' && one.other === other,
      );
      expect(Number(found?.correlation)).toBeCloseTo(correlation(sitting, of(other)), 1);
    }
    expect(studies.find(({ measurement }) => measurement === 'Stature')?.match).toBe('close');
  });

  it('shows no person: neither two imports that differ by one, nor a median', async () => {
    const women = people.filter(({ gender }) => gender === 'Female').slice(0, 61);
    const tables = async (persons: readonly Person[]) => {
      const rows = await tabulated(plain(persons), { bands: readBands('18-110') });
      return [...rows('studies.csv'), ...rows('drivers.csv')];
    };
    const [all, less] = [await tables(women), await tables(women.slice(1))];
    const misses = all.flatMap((row, i) => {
      const columns = { mean_mm: row.measurement, stature_mm: 'Stature', mass_kg: 'BodyMass' };
      return Object.entries(columns).flatMap(([column, name]) => {
        if (row[column] === undefined) return [];
        const [first = 0, ...others] = women.map(({ values }) => values[name as Name]);
        const sd = deviation([first, ...others]) as number;
        // All figures are multiples of a step that is two SDs over all people.
        const least = Math.max(column === 'mass_kg' ? 0.1 : 1, (2 * sd) / women.length);
        const step = [0.1, 0.2, 0.5, 1, 2, 5, 10].find((one) => one >= least) as number;
        for (const figure of [row[column], row.p50_mm ?? 0]) {
          const parts = Number(figure) / step;
          expect(parts, `${name} ${figure} by ${step}`).toBeCloseTo(Math.round(parts), 6);
        }
        const told = 61 * Number(row[column]) - 60 * Number(less[i]?.[column]);
        return [Math.abs(told - first) / sd];
      });
    });
    expect(misses.length).toBe(7);
    // With exact means, it is below 0.001.
    expect(mean(misses)).toBeGreaterThan(0.3);
  });

  it('keeps nothing but the table, without cells of fewer than ten people', async () => {
    const rawDir = sources();
    const men = people.filter(({ gender }) => gender === 'Male');
    const old = men.filter(({ age }) => age >= 60);
    const young = men.filter(({ age }) => age < 30).slice(0, 30);
    // Nine feet of 30 young men were measured, and nine of the old men.
    const lines = [...young, ...old.slice(0, 9)].map((one, i) =>
      i < 9 ? lineOf(one) : lineOf(one).replace(/,[^,]*$/, ','),
    );
    const path = file([HEADINGS.join(), ...lines]);
    const done = await importPersons(path, optionsOf(rawDir));
    expect(done.leftOut).toEqual([
      'Suppressed, because fewer than 10 people: 2 cells.',
      '  Male, PT 18-29: FootLength',
      '  Male, PT 60-',
    ]);
    const folder = join(rawDir, 'porto-2019');
    expect(readdirSync(folder).sort()).toEqual([
      ...['SOURCE.md', 'correlations.csv', 'drivers.csv', 'studies.csv'],
    ]);
    for (const row of rowsOf(rawDir, 'studies.csv')) {
      expect(row).toMatchObject({ study_id: 'porto-2019-male-18-29', n: '30' });
      expect(row).toMatchObject({ p5_mm: '', p95_mm: '' });
      expect(row.measurement).not.toBe('FootLength');
    }
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    expect(text).not.toContain('people.csv');
    expect(text).not.toContain('FootLength');
    expect(text).toContain('Nothing else of the persons is kept.');
    expect(await removeStudy(rawDir, 'porto-2019')).toBe(folder);
    expect(existsSync(folder)).toBe(false);
  });

  itInWholeRun(
    'is the same from a messy file: F and M, French headings, decimal commas, NA, repeated rows',
    async () => {
      const rawDir = sources();
      const comma = (value: number, digits: number) => value.toFixed(digits).replace('.', ',');
      const lines = people.map(({ gender, age, values }, i) =>
        [
          ...[`P${i}`, gender === 'Female' ? 'F' : 'M', age],
          ...[comma(values.Stature / 10, 2), i === 7 ? 'NA' : comma(values.BodyMass, 1)],
          ...[comma(values.SittingHeight / 10, 2), comma(values.ButtockKneeLength / 10, 2)],
          ...[comma(values.ThighCircumferenceMidpoint / 10, 2), i === 9 ? '-999' : ''],
        ].join(';'),
      );
      const messy = [
        'Code;Sexe;Âge;Taille (cm);Poids (kg);Hauteur assise (cm);Buttock-knee length (cm);Tour de cuisse (cm);Foot length (cm)',
        ...lines,
        // The whole row again, the row of another code, another row of a code, and what is no adult of the study.
        ...[
          lines[3],
          lines[5]?.replace('P5;', 'P900;'),
          lines[6]?.replace(/;[^;]*;[^;]*$/, ';44,4;'),
        ],
        ...['P901;X;40;170;70;90;60;50;25', 'P902;F;12;150;40;80;50;40;22', 'P903;F;40;170', ''],
      ] as string[];
      const done = await importPersons(file(messy), optionsOf(rawDir, { id: 'Code' }));
      expect(done.headings.guessed.join('\n')).toMatch(
        /"Taille \(cm\)" is Stature in cm \(a guess/,
      );
      expect(done).toMatchObject({ rows: 406, people: 400 });
      expect(done.leftOut).toEqual([
        'Missing values: NA: 1, -999: 1.',
        'Not used: 3 rows.',
        expect.stringContaining('line 405: gender: "X" is neither Female nor Male'),
        expect.stringContaining('line 406: age 12 is in no age band (18-29, 30-44, 45-59, 60-)'),
        expect.stringContaining('line 407: The row has 4 cells'),
        'Repeated, so left out: 3 rows.',
        ...['  line 402 repeats line 5', '  line 403 repeats line 7', '  line 404 repeats line 8'],
      ]);
      const same = people.map((one, i) => {
        const cells = lineOf(one).split(',');
        return [...cells.slice(0, 3), i === 7 ? '' : cells[3], ...cells.slice(4, 7)].join();
      });
      const clean = await tabulated([HEADINGS.slice(0, 7).join(), ...same]);
      for (const table of ['studies.csv', 'drivers.csv', 'correlations.csv']) {
        expect(rowsOf(rawDir, table)).toEqual(clean(table));
      }
    },
  );

  itInWholeRun(
    'leaves misread values out, names their lines, and takes no missing id for a person',
    async () => {
      const lines = plain(people).map(
        (line, i) => `${line},${i === 0 ? 'Code' : i % 2 ? 'NA' : i}`,
      );
      const misread = (line: number, heading: string) => {
        const cells = (lines[line - 1] as string).split(',');
        const at = HEADINGS.indexOf(heading);
        lines[line - 1] = cells.with(at, String(10 * Number(cells[at]))).join();
      };
      misread(4, 'BodyMass (kg)');
      misread(21, 'Stature (mm)');
      const done = await importPersons(file(lines), optionsOf(sources(), { id: 'Code' }));
      expect(done.people).toBe(400);
      const leftOut = done.leftOut.join('\n');
      expect(leftOut).toMatch(/five times or more\): 1 value\.\n {2}line 4: BodyMass/);
      expect(leftOut).toMatch(/misread.*\n {2}line 21: Stature/i);
    },
  );

  itInWholeRun(
    'refuses options of the other kind of file, and a match without a column',
    async () => {
      const path = file(plain(people));
      const env = freshEnv({ ARTIFACTS_DIR: await realArtifacts() });
      const strange = await run(`study import ${path} --dry-run`, env);
      expect([strange.code, strange.stderr]).toEqual([
        2,
        expect.stringContaining('--dry-run belongs to a file of persons'),
      ]);
      const mapped = await run(`study import --persons ${path} --map x.json`, env);
      expect(mapped.stderr).toContain('--map belongs to a table of printed figures');
      const words = `study import --persons ${path} --country PT --dry-run`;
      const span = await run(`${words} --match Stature=exact --match Span=poor`, env);
      expect(span.stderr).toContain('--match names Span, which no column of');
    },
  );

  it('shows in a dry run what an import would do, and writes nothing', async () => {
    const rawDir = sources();
    const path = file(plain(people));
    const before = [readdirSync(rawDir), readdirSync(dirname(path))];
    const words = `study import --persons ${path} --country PT --raw ${rawDir} --dry-run`;
    const env = freshEnv({ ARTIFACTS_DIR: await realArtifacts() });
    const { code, stdout } = await run(words, env);
    expect(code).toBe(0);
    expect(stdout).toContain('400 of 400 rows are people of the study.');
    expect(stdout).toMatch(/^measurement +country +gender +ages +n +mean +SD +P5 +P50 +P95/m);
    const men = people.filter((one) => one.gender === 'Male' && one.age >= 60);
    const [, average] =
      new RegExp(`^Stature +PT +Male +60- +${men.length} +([\\d.]+) `, 'm').exec(stdout) ?? [];
    expect(
      Math.abs(Number(average) - (mean(men, ({ values }) => values.Stature) ?? 0)),
    ).toBeLessThan(3);
    expect(stdout).toContain('Nothing was written.');
    expect([readdirSync(rawDir), readdirSync(dirname(path))]).toEqual(before);
  });

  itInWholeRun('is refused if the file cannot be a study', async () => {
    const rawDir = sources();
    const few = file(plain(people.slice(0, 9)));
    await expect(importPersons(few, optionsOf(rawDir))).rejects.toThrow('no cell has ten people');
    const noId = importPersons(few, optionsOf(rawDir, { id: 'Nr' }));
    await expect(noId).rejects.toThrow(
      '--id: no column has the heading "Nr". The headings are "gender",',
    );
    const nowhere = importPersons(few, optionsOf(rawDir, { everyone: { country: 'Atlantis' } }));
    await expect(nowhere).rejects.toThrow(/no row is a person.*\n.*"Atlantis" is no country/);
    const coats = [`clothing,${HEADINGS.join()}`, ...people.map((one) => `winter,${lineOf(one)}`)];
    await expect(importPersons(file(coats), optionsOf(rawDir))).rejects.toThrow(
      'clothing is "winter". A study has people who are nude.',
    );
    const missing = importPersons(`${few}.csv`, optionsOf(rawDir));
    await expect(missing).rejects.toThrow('no such file');
    const many = ['gender,age,Stature (mm)', ...Array<string>(100_001).fill('F,40,1600')];
    await expect(importPersons(file(many), optionsOf(rawDir))).rejects.toThrow(
      'has more than 100,000 rows',
    );
    for (const [bands, why] of [
      ['18-29,25-40', 'the bands do not rise'],
      ['adults', '"adults" is no band'],
      ['5-17', 'a study has people of 15 to 110 years'],
    ] as const) {
      expect(() => readBands(bands)).toThrow(`--bands ${bands}: ${why}`);
    }
  });
});
