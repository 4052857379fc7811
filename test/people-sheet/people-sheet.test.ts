import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { Refusal } from '../../src/failure.js';
import {
  PeopleSheet,
  type RowRequest,
  type SheetOptions,
} from '../../src/people-sheet/people-sheet.js';

/** Matches a cell of OpenDocument: its number of repetitions and its text. */
const CELL =
  /<table:table-cell\b(?:[^>]*?table:number-columns-repeated="(\d+)")?[^>]*?(?:\/>|><text:p>(.*?)<\/text:p><\/table:table-cell>)/gs;

const OPTIONS: SheetOptions = {
  unit: 'mm',
  massUnit: 'kg',
  wanted: ['HipBreadth'],
  ranges: false,
  decimalComma: false,
  everyone: {},
  said: new Map(),
};
const PERSON = ['country', 'gender', 'age'];
const sheetOf = (headings: readonly string[], options: Partial<SheetOptions> = {}) =>
  new PeopleSheet([...PERSON, ...headings], { ...OPTIONS, ...options });

/** The known measurements of a row of a Dutch woman. */
function knownOf(sheet: PeopleSheet, ...cells: string[]): RowRequest['known'] {
  const row = sheet.read(['NL', 'Female', '40', ...cells]);
  if (!('request' in row)) throw new Error(JSON.stringify(row));
  return row.request.known;
}

describe('headings of a sheet of people', () => {
  it.each([
    ['Stature (mm)', 'Stature', 'mm'],
    ['stature_cm', 'Stature', 'cm'],
    ['Height [in]', 'Stature', 'in'],
    ['height', 'Stature', 'mm'],
    ['Sitting height', 'SittingHeight', 'mm'],
    ['foot length inches', 'FootLength', 'in'],
    ['weight (lbs)', 'BodyMass', 'lb'],
    ['body mass', 'BodyMass', 'kg'],
    ['BMI', 'BMI', undefined],
  ])('%s is %s in %s', (heading, measurement, unit) => {
    const [known] = knownOf(sheetOf([heading]), '20');
    expect(known).toEqual({ measurement, value: 20, ...(unit && { unit }) });
  });

  it('leaves words that may be anything as they are, and says how to mean a measurement', () => {
    const sheet = sheetOf(['helmet', 'Forearm girth (cm)', 'name', 'Stature (mm)']);
    expect(sheet.report.notUsed).toEqual([
      '"helmet" is not used: none of its values could be compared with a person. If it is HeadGirth, say it with --columns.',
      expect.stringMatching(
        /^"Forearm girth \(cm\)" is not used: .* Not covered: the girth of the f/,
      ),
    ]);
    expect(knownOf(sheet, 'XL', '22', 'Ada', '1700')).toHaveLength(1);
    expect(sheet.headings.slice(3)).toEqual([
      ...['helmet', 'Forearm girth (cm)', 'name', 'Stature (mm)', 'HipBreadth (mm)'],
      ...['fill_status', 'fill_known', 'fill_note'],
    ]);
  });

  it('refuses a sheet without people or measurements, a wrong unit and a column twice', () => {
    const faults: Readonly<Record<string, string>> = {
      'country,gender,age': 'No column is a measurement.',
      'country,gender,Stature':
        'No column is named age. Add it, or give it for all rows with --age.',
      'country,gender,age,Stature (kg)': 'kg is no unit of Stature. Use mm or cm or in,',
      'country,gender,age,BMI (kg)': 'kg is no unit of BMI. It has none,',
      'country,gender,age,Stature (mm),height_cm':
        'The columns "Stature (mm)" and "height_cm" are both Stature.',
      'country,gender,sex,age,Stature': 'The columns "gender" and "sex" are both gender.',
    };
    for (const [headings, message] of Object.entries(faults)) {
      const open = () => new PeopleSheet(headings.split(','), OPTIONS);
      expect(open, headings).toThrow(Refusal);
      expect(open, headings).toThrow(message);
    }
    const everyone = { country: 'NL', gender: 'f', age: '40' };
    expect(() => new PeopleSheet(['Stature'], { ...OPTIONS, everyone })).not.toThrow();
  });
});

describe('rows of a sheet of people', () => {
  it('reads numbers as people type them', () => {
    const sheet = sheetOf(['Stature (cm)', 'weight (kg)']);
    expect(knownOf(sheet, `5'10"`, '145 lb')).toEqual([
      { measurement: 'Stature', value: 177.8, unit: 'cm' },
      { measurement: 'BodyMass', value: 65.77089365, unit: 'kg' },
    ]);
    const withCommas = sheetOf(['Stature (mm)', 'BMI'], { decimalComma: true });
    const values = (...cells: string[]) => knownOf(withCommas, ...cells).map(({ value }) => value);
    // In this sheet, a comma before three digits is a decimal comma, as in 858,967.
    expect(values('1.720,5', '22,5')).toEqual([1720.5, 22.5]);
    expect(values('858,967', '22.5')).toEqual([858.967, 22.5]);
  });

  it.each([
    [['XX', 'f', '40', '1700', ''], 'country: "XX" is no country'],
    [['NL', 'x', '40', '1700', ''], 'gender: "x" is neither Female nor Male.'],
    [['NL', 'f', 'forty', '1700', ''], 'age: "forty" is no number of years'],
    [['NL', 'f', '', '1700', ''], 'age is empty.'],
    [['NL', 'f', '40', 'tall', ''], 'Stature: "tall" is no number.'],
    [['NL', 'f', '40', '', ''], 'The row has no measurement; one is needed.'],
    [['NL', 'f', '40', '1700'], 'The row has 4 cells, and the first line has 5.'],
  ])('says why %j cannot be completed, and keeps its cells', (cells, reason) => {
    const sheet = sheetOf(['Stature', 'name']);
    const row = sheet.read(cells);
    expect(row).toMatchObject({ status: 'refused', reason: expect.stringContaining(reason) });
    const written = sheet.untouched(row as never);
    expect(written.slice(0, cells.length)).toEqual(cells);
    expect(written).toHaveLength(sheet.headings.length);
    expect(written.at(-3)).toBe('not completed');
  });

  it('gives a request the 20 measurements that tell most, and keeps the others', () => {
    const names =
      `AbdominalDepth ButtockKneeLength ButtockPoplitealLength ChestBreadth ChestDepth ElbowFingertipLength
      FootBreadth FootLength HandLength HeadBreadth HeadLength HipBreadth KneeHeight NeckCircumference PalmLength
      PoplitealHeight SittingHeight Stature EyeToSeat ThighThickness WorkReach BodyMass`.split(
        /\s+/,
      );
    expect(names).toHaveLength(22);
    const asked: unknown[] = [];
    const sheet = sheetOf(names, {
      wanted: ['EyeHeight'],
      order(known, targets, person) {
        asked.push([targets, person]);
        return known.toReversed();
      },
    });
    const cells = ['NL', 'f', '40', ...names.map((_, i) => String(100 + i))];
    const row = sheet.read(cells) as { cells: string[]; request: RowRequest };
    const person = { country: 'NL', gender: 'Female', ageYears: 40 };
    expect(asked).toEqual([[['EyeHeight'], person]]);
    expect(row.request.known.map(({ measurement }) => measurement)).toEqual(names.slice(2));
    const completed = [...names, 'EyeHeight'].map((measurement) => ({
      ...{ measurement, expected: 9, low: 8, high: 10 },
    }));
    const written = sheet.answered(row.cells, row.request, { completed });
    expect(written).toEqual([...cells, '9', 'complete', names.join(' '), '']);
    expect(sheet.filledOf(row.cells, { completed })).toBe(1);
    const [, , , first = '', ...rest] = cells;
    // A row with an empty cell gives a value that the full row only kept.
    const other = sheet.read(['NL', 'f', '40', first, ...rest.slice(0, -1), '']);
    expect(other).toMatchObject({ request: { known: { length: 20 } } });
    expect(sheet.crowded).toMatchObject({ rows: 2 });
    expect(Object.fromEntries(sheet.crowded.kept)).toEqual({
      ...{ AbdominalDepth: 2, ButtockKneeLength: 1 },
    });
    expect(sheet.crowded.given.get('ButtockKneeLength')).toBe(1);
  });

  it('fills open cells in the unit of their column, and names what was known', () => {
    const sheet = sheetOf(['Stature (cm)', 'weight (lb)', 'note'], { ranges: true });
    const row = sheet.read(['NL', 'f', '40', '170', '', 'x']) as {
      cells: string[];
      request: RowRequest;
    };
    expect(row.request).toEqual({
      country: 'NL',
      gender: 'Female',
      age: 40,
      known: [{ measurement: 'Stature', value: 170, unit: 'cm' }],
      wanted: ['Stature', 'BodyMass', 'HipBreadth'],
    });
    const completed = [
      { measurement: 'Stature', expected: 1700, low: 1700, high: 1700 },
      { measurement: 'BodyMass', expected: 70, low: 60, high: 90 },
      { measurement: 'HipBreadth', expected: 380, low: 350, high: 420 },
    ];
    const cells = sheet.answered(row.cells, row.request, { completed, note: 'Unusual.' });
    expect(Object.fromEntries(cells.map((cell, i) => [sheet.headings[i], cell]))).toEqual({
      ...{ country: 'NL', gender: 'f', age: '40', 'Stature (cm)': '170', 'weight (lb)': '154.324' },
      ...{ note: 'x', 'HipBreadth (mm)': '380' },
      ...{ 'Stature low (cm)': '170', 'Stature high (cm)': '170' },
      ...{ 'BodyMass low (lb)': '132.277', 'BodyMass high (lb)': '198.416' },
      ...{ 'HipBreadth low (mm)': '350', 'HipBreadth high (mm)': '420' },
      ...{ fill_status: 'complete', fill_known: 'Stature', fill_note: 'Unusual.' },
    });
    // The program reads its own output as if the estimates were empty, and makes the same columns.
    const again = new PeopleSheet(sheet.headings, { ...OPTIONS, ranges: true });
    expect(again.headings).toEqual([
      ...['country', 'gender', 'age', 'Stature (cm)', 'weight (lb)', 'note', 'HipBreadth (mm)'],
      ...sheet.headings.slice(7),
    ]);
    expect(again.read(cells)).toMatchObject({ request: { known: row.request.known } });
  });

  it('names the column in a refusal of the service, and what a person has no model of', () => {
    const sheet = sheetOf(['Foot length (cm)', 'BMI']);
    const row = sheet.read(['NL', 'm', '40', '249', '22']) as {
      cells: string[];
      request: RowRequest;
    };
    const refused = 'Did you mean 249 mm? Set the unit of known[0] to mm; known[0].value is wrong.';
    expect(sheet.answered(row.cells, row.request, { refused }).at(-1)).toBe(
      'Did you mean 249 mm? Set the unit of the column "Foot length (cm)" to mm; the column "Foot length (cm)" is wrong.',
    );
    const cells = sheet.answered(row.cells, row.request, { completed: [] });
    expect(cells.at(-3)).toBe('complete');
    expect(cells.at(-1)).toBe('There is no model of HipBreadth for this person.');
  });
});

it('the sheet of LibreOffice among the examples has the rows of the CSV', () => {
  const example = (name: string) => readFileSync(join(projectDir(), 'examples', name));
  const content = strFromU8(unzipSync(example('people.ods'))['content.xml'] ?? new Uint8Array());
  const rows = [...content.matchAll(/<table:table-row\b[^>]*>(.*?)<\/table:table-row>/gs)];
  const cells = rows.map(([, row = '']) =>
    [...row.matchAll(CELL)].flatMap(([, repeated = '1', text = '']) =>
      Array.from({ length: Number(repeated) }, () => text),
    ),
  );
  expect(cells.map((row) => row.join(',')).join('\n')).toBe(
    example('people.csv').toString().trim(),
  );
});
