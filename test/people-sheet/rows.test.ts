import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { PeopleSheet, type Row, type SheetOptions } from '../../src/people-sheet/people-sheet.js';
import { isMissing } from '../../src/people-sheet/sheet-cells.js';

const OPTIONS: SheetOptions = {
  ...{ unit: 'mm', massUnit: 'kg', wanted: ['HipBreadth'], ranges: false, decimalComma: false },
  ...{ everyone: { country: 'NL' }, said: new Map() },
};
const open = (headings: string, options: Partial<SheetOptions> = {}, ...rows: string[]) =>
  new PeopleSheet(
    headings.split(','),
    { ...OPTIONS, ...options },
    rows.map((row) => row.split(',')),
  );

/** The status and the note of a row without a request. */
const endOf = (row: Row) => [row.written().cells.at(-3), row.written().cells.at(-1)];

/** The values of a row, such as `170 cm`, or why it is refused. */
function valuesIn(sheet: PeopleSheet, ...cells: string[]): string {
  const row = sheet.read(cells);
  const values = row.request?.known.map(({ value, unit = '' }) => `${value} ${unit}`.trim());
  return values?.join(', ') ?? String(endOf(row)[1]);
}

it.each([
  ['Stature (mm)', '1700', '1700 mm'],
  ['stature_cm', '170', '170 cm'],
  ['Height [in]', '66.9', '66.9 in'],
  ['height', '1700', '1700 mm'],
  ['6.1.2', '1700', '1700 mm'],
  ['foot length inches', '9.8', '9.8 in'],
  ['StandingHeightCm', '170', '170 cm'],
  ['Stature (m)', '1.72', '1720 mm'],
  ['Stature (cm)', `5'10"`, '177.8 cm'],
  ['Stature (cm)', '1m72', '172 cm'],
  ['Stature (ft)', '5.11', `may mean 5'11" or 61.32 in`],
  ['Stature (ft)', `5'13"`, '13 inches are more than a foot'],
  ['height_ft,height_in', '5,10', '70 in'],
  ['height_ft,height_in', '5.0,0', '60 in'],
  ['height_ft,height_in', '5,', 'no number'],
  ['weight (lbs)', '143', '143 lb'],
  ['weight (st)', '11 st 4 lb', '158 lb'],
  ['weight_jin', '120', '60 kg'],
  ['weight (kg)', '145 lb', '65.77089365 kg'],
  ['Weight (kg)', 'heavy', '"heavy" is no mass.'],
  ['BMI', '22.5', '22.5'],
])('%s: %s is %s', (heading, text, values) => {
  const sheet = open(`sex,age,${heading}`);
  expect(valuesIn(sheet, 'f', '40', ...text.split(','))).toContain(values);
});

it('reads decimal commas: in such a sheet, 858,967 is no thousand', () => {
  const sheet = open('sex,age,Stature (mm),BMI', { decimalComma: true });
  expect(valuesIn(sheet, 'f', '40', '1.720,5', '22,5')).toBe('1720.5 mm, 22.5');
  expect(valuesIn(sheet, 'f', '40', '858,967', '22.5')).toBe('858.967 mm, 22.5');
});

// cspell:disable
it.each([
  ['Age (months)', '18', 1.5],
  ['Agemos', '24', 2],
  ['edad_meses', '6', 0.5],
  ['Age (weeks)', '26', 0.498],
  ['Umur (bulan)', '0', 0],
  ['AgeInYearsAtScreening', '2', 2],
  ['age', '18 months', 1.5],
  ['age', '2y 3m', 2.25],
  ['age', '3 years', 3.5],
  ['RIDAGEYR,RIDEXAGM', '1,20', 20 / 12],
  ['RIDAGEYR,RIDEXAGM', '40,', 40],
  ['DOB,date of measurement', '2019-06-30,31/12/2020', 1.506],
  ['age', '', 'age is empty.'],
  ['age', 'forty', 'age: "forty" is no number of years'],
  ['age', '22469', 'age: 22469 is more than'],
  ['DOB,date of measurement', ',1/2/2020', 'age is empty'],
  ['DOB,date of measurement', '1980,2020-01-01', 'from 1980 to 2020-01-01'],
  ['age,Age (years)', '40,40', 40],
  ['age,Age (years)', '40,41', 'Two columns differ in the age.'],
])('%s %s is %s years', (heading, text, age) => {
  const row = open(`sex,${heading},Stature`, {}, 'f,2019-06-30,31/12/2020,1').read([
    'f',
    ...text.split(','),
    '850',
  ]);
  if (typeof age === 'number') expect(row.request?.age).toBeCloseTo(age, 3);
  else expect(endOf(row)).toEqual(['not completed', expect.stringContaining(age)]);
});

it.each([
  [['XX', 'f', '40', '1700', '60', ''], 'country: "XX" is no country'],
  [['NL', '2', '40', '1700', '60', ''], '--values "2=Male" or --values "2=Female"'],
  [['NL', 'f', '40', 'tall', '', ''], 'Stature: "tall" is no number.'],
  [['NL', 'f', '40', '', '', ''], 'The row has no measurement; one is needed.'],
  [['NL', 'm', '40', '', '', '90'], 'The row has no measurement; one is needed.'],
  [['NL', 'f', '40', '60', '1700', ''], 'exchanged: "Stature" is 60, and "weight" is 1700.'],
  [['NL', 'f', '40', '1700'], 'The row has 4 cells, and the first line has 6.'],
])('says why %j cannot be completed, and keeps its cells', (cells, reason) => {
  const sheet = open('country,gender,age,Stature,weight,FemaleChestCircumferenceBelowBreasts (cm)');
  const row = sheet.read(cells);
  expect(endOf(row)).toEqual(['not completed', expect.stringContaining(reason)]);
  const written = row.written().cells;
  expect(written.slice(0, cells.length)).toEqual(cells);
  expect(written).toHaveLength(sheet.headings.length);
});

it.each([
  ['ES,H', {}, 'Male'],
  ['ES,M', {}, 'Female'],
  ['ES,1.0', { values: new Map([['1', 'Male']]) }, 'Male'],
])('%s of a sheet with H and M is %s', (cells, options, gender) => {
  const sheet = open('country,sexo,age,Stature', options, 'ES,H,40,1700', 'ES,M,30,1600');
  // `--values` says nothing of ages.
  expect(sheet.read([...cells.split(','), '1', '800'])).toMatchObject({
    request: { gender, age: 1 },
  });
});
// cspell:enable

it('fills open cells in the unit of their column, names what was known, and reads its own output', () => {
  const headings = 'sex,age,Stature (cm),weight (lb),Span (ft),Span (in),note';
  const sheet = open(headings, { ranges: true });
  const row = sheet.read(['f', '40', '170', '', '', '', 'x']);
  expect(row.request).toEqual({
    ...{ country: 'NL', gender: 'Female', age: 40 },
    known: [{ measurement: 'Stature', value: 170, unit: 'cm' }],
    wanted: ['Stature', 'BodyMass', 'Span', 'HipBreadth'],
  });
  const measurements = [
    { measurement: 'Stature', expected: 1700, low: 1700, high: 1700 },
    { measurement: 'BodyMass', expected: 70, low: 60, high: 90 },
    { measurement: 'Span', expected: 1549.4, low: 1524, high: 1828.8 },
    { measurement: 'HipBreadth', expected: 380, low: 350, high: 420 },
  ];
  const { cells, filled } = row.written({ measurements, plausibility: { note: 'Unusual.' } });
  expect(filled).toBe(3);
  expect(Object.fromEntries(cells.map((cell, i) => [sheet.headings[i], cell]))).toEqual({
    ...{ sex: 'f', age: '40', 'Stature (cm)': '170', 'weight (lb)': '154.324', 'Span (ft)': '5' },
    ...{ 'Span (in)': '1' },
    ...{ note: 'x', 'HipBreadth (mm)': '380' },
    ...{ 'Stature low (cm)': '170', 'Stature high (cm)': '170' },
    ...{ 'BodyMass low (lb)': '132.277', 'BodyMass high (lb)': '198.416' },
    ...{ 'Span low (ft)': '5', 'Span high (ft)': '6' },
    ...{ 'HipBreadth low (mm)': '350', 'HipBreadth high (mm)': '420' },
    ...{ fill_status: 'complete', fill_known: 'Stature', fill_note: 'Unusual.' },
  });
  const again = new PeopleSheet(sheet.headings, { ...OPTIONS, ranges: true });
  expect(again.headings).toEqual([
    ...headings.split(','),
    'HipBreadth (mm)',
    ...sheet.headings.slice(8),
  ]);
  expect(again.read(cells)).toMatchObject({ request: { known: row.request?.known } });
});

it('leaves out a value that only the other gender has, and names it', () => {
  const sheet = open('sex,age,Stature (cm),FemaleChestCircumferenceBelowBreasts (cm)', {
    ...{ wanted: [], checksAll: true },
  });
  const cells = ['m', '40', '180', '92'];
  const { cells: written } = sheet.read(cells).written({ measurements: [], plausibility: {} });
  expect(written).toEqual([
    ...[...cells, 'complete', 'Stature'],
    '"FemaleChestCircumferenceBelowBreasts (cm)" is left out: this service has it of women only.',
  ]);
});

it('names the column in a refusal of the service, and what a person has no model of', () => {
  const sheet = open('sex,age,Foot length (cm),BMI');
  const row = sheet.read(['m', '40', '249', '22']);
  const refused = 'Did you mean 249 mm? Set the unit of known[0] to mm; known[0].value is wrong.';
  expect(row.written({ code: 'x', refused }).cells.at(-1)).toBe(
    'Did you mean 249 mm? Set the unit of the column "Foot length (cm)" to mm; the column "Foot length (cm)" is wrong.',
  );
  expect(row.written({ measurements: [], plausibility: {} }).cells.at(-1)).toBe(
    'There is no model of HipBreadth for this person.',
  );
});

describe('missing values', () => {
  it.each(['NA', 'N/A', 'NaN', 'NULL', '#N/A', '-', '-9992', '−9992', '999', '9999'])(
    '%s is one beside statures in cm',
    (text) => expect(isMissing(text, [150, 199])).toBe(true),
  );
  it('99 kg is none beside masses, 999 is', () => {
    expect(isMissing('99', [50, 110])).toBe(false);
    expect(isMissing('999', [50, 110])).toBe(true);
    expect(isMissing('999', [850, 1100])).toBe(false);
  });
  it('are counted, open, and never complete alone', () => {
    const rows = ['NL,f,40,170,60', 'NL,f,30,999,61', 'NA,f,NA,NA,-', 'NA,f,40,,60'];
    const sheet = open('country,sex,age,Stature (cm),weight', { wanted: [] }, ...rows);
    const [full, open1, none, namibia] = rows.map((row) => sheet.read(row.split(',')));
    expect(full && endOf(full)[0]).toBe('complete');
    expect(open1).toMatchObject({ request: { known: [{ measurement: 'BodyMass' }] } });
    expect(none && endOf(none)[1]).toContain('age is empty');
    expect(namibia).toMatchObject({ request: { country: 'NA' } });
    expect([...sheet.missing]).toEqual([['999', 1]]);
  });
});

it('the sheet of LibreOffice among the examples has the rows of the CSV', () => {
  const example = (name: string) => readFileSync(join(projectDir(), 'examples', name));
  const content = strFromU8(unzipSync(example('people.ods'))['content.xml'] ?? new Uint8Array());
  const rows = content.split('<table:table-row').slice(1);
  // A cell without a text stands for as many as it repeats.
  const cells = rows.map((row) =>
    row
      .split('<table:table-cell')
      .slice(1)
      .flatMap((cell) => {
        const repeated = Number(/columns-repeated="(\d+)"/.exec(cell)?.[1] ?? 1);
        return Array<string>(repeated).fill(/<text:p>(.*?)<\/text:p>/.exec(cell)?.[1] ?? '');
      }),
  );
  const csv = example('people.csv').toString().trim();
  expect(cells.map((row) => row.join(',')).join('\n')).toBe(csv);
});
