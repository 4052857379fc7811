import { beforeAll, expect, it } from 'vitest';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { agreementsOf } from '../../src/operations/column-agreement.js';
import type { BODY_MEASUREMENTS } from '../../src/operations/fields.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { samplePeople } from '../../src/operations/sample-people.js';
import { PeopleSheet, type SheetOptions } from '../../src/people-sheet/people-sheet.js';
import { realArtifacts } from '../support/servers.js';

// Files of 200 people with ambiguous headings. The people are drawn from the real model.

type Name = (typeof BODY_MEASUREMENTS)[number];
/** The girth of the forearm, which the service does not have: 86 % of the girth of the upper arm. */
const FOREARM_GIRTH = 'forearm girth';
type Truth = Readonly<Record<string, Name | typeof FOREARM_GIRTH>>;

const GIRTHS: Truth = {
  ...{ Taille: 'Stature', Leg: 'CrotchHeight', Forearm: FOREARM_GIRTH, Knee: 'KneeCircumference' },
  ...{ Seat: 'HipCircumferenceMax', 'Upper leg': 'ThighCircumferenceMidpoint' },
  ...{ 'Lower arm': 'BackOfElbowToWristLength', Arm: 'ShoulderToWristLength' },
  ...{ Thigh: 'ThighCircumferenceBelowButtock', Chest: 'ChestCircumferenceNipple' },
  ...{ Hand: 'HandBreadth', Foot: 'FootBreadth', Head: 'HeadGirth', Neck: 'NeckCircumference' },
  ...{ Shoulder: 'ShoulderBreadthBiacromial', Waist: 'WaistHeightStanding', Hip: 'HipBreadth' },
  ...{ Wrist: 'WristWidth', Calf: 'CalfCircumference', Back: 'DorsomLength' },
};
const LENGTHS: Truth = {
  ...{ Taille: 'WaistCircumferenceAbdominal', Leg: 'OutsideLegLength', Forearm: 'ForearmLength' },
  ...{ Knee: 'KneeHeight', Seat: 'SeatHeight', 'Upper leg': 'ButtockKneeLength' },
  ...{ 'Lower arm': FOREARM_GIRTH, Arm: 'UpperArmCircumferenceMidpoint', Thigh: 'ThighLength' },
  ...{ Chest: 'ChestBreadth', Hand: 'HandLength', Foot: 'FootCircumferenceBall' },
  ...{ Head: 'HeadLength', Neck: 'C7HeightStanding', Shoulder: 'ShoulderHeight' },
  ...{ Waist: 'WaistDepthStanding', Hip: 'HipHeight', Wrist: 'WristCircumference' },
  ...{ Calf: 'PoplitealHeight', Back: 'ShoulderBreadthBideltoid' },
};

let model: PredictionModel;
beforeAll(async () => {
  model = new PredictionModel(openArtifact(await realArtifacts()));
});

const judge: SheetOptions['judge'] = (people, columns) => agreementsOf(people, columns, model);
const OPTIONS: SheetOptions = {
  ...{ unit: undefined, massUnit: 'kg', wanted: [], ranges: true, decimalComma: false },
  ...{ everyone: {}, said: new Map(), judge },
};

/** People of a country with these measurements, in mm and kg. */
function peopleOf(country: 'FR' | 'US', names: readonly Name[], count = 200) {
  const population = { groups: [{ countries: [country], ageMin: 18, ageMax: 65 }] };
  const measurements = [...new Set<Name>([...names, 'BodyMass', 'Stature'])];
  return samplePeople.run({ population, count, seed: 46, measurements }, model).people;
}

/** A sheet of people whose columns in cm have the headings of `truth`. */
function sheetOf(truth: Truth, country: 'FR' | 'US', factor: number): PeopleSheet {
  const names = Object.values(truth).map((name) =>
    name === FOREARM_GIRTH ? 'UpperArmCircumferenceMidpoint' : name,
  );
  const rows = peopleOf(country, names).map(({ gender, age, measurements }) => [
    ...[country, gender, String(age + 0.5), String(measurements.BodyMass)],
    ...Object.values(truth).map((name, i) => {
      const share = name === FOREARM_GIRTH ? 0.86 : 1;
      return ((measurements[names[i] as Name] as number) * factor * share * 0.1).toFixed(1);
    }),
  ]);
  const headings = Object.keys(truth).map((word) => `${word} (cm)`);
  return new PeopleSheet(['country', 'gender', 'age', 'Poids (kg)', ...headings], OPTIONS, rows);
}

it.each<readonly [string, Truth, 'FR' | 'US', number]>([
  ['lengths', LENGTHS, 'US', 1],
  // Everybody is larger than the model says, by about half a standard deviation.
  ['girths of larger people', GIRTHS, 'US', 1.03],
])('%s: no column is read wrongly, and each other one is named', (_, truth, country, factor) => {
  const { guessed, notUsed } = sheetOf(truth, country, factor).report;
  const read = guessed.map((text) => {
    const [, heading = '', name, of] = /^"(.*?)(?: \(cm\))?" is (\w+) in (\w+)/.exec(text) ?? [];
    return [heading, `${name} in ${of}`] as const;
  });
  expect(read).toEqual(read.map(([heading]) => [heading, `${truth[heading]} in cm`]));
  expect(guessed.length + notUsed.length).toBe(20);
  expect(read.length, notUsed.join('\n')).toBeGreaterThanOrEqual(9);
  for (const text of notUsed) expect(text).toMatch(/--columns "[\w ]+(?: \(cm\))?=\w+|same as/);
});

it('does not take one hip girth for another', () => {
  const { measured } = sheetOf({ Seat: 'MidHipCircumference' }, 'FR', 1.02);
  expect(measured).not.toContain('HipCircumferenceMax');
});

it('judges an exact name by its values, unless --columns says it', () => {
  const people = peopleOf('US', ['LegLength', 'FootLength'], 30);
  const rows = people.map(({ gender, age, measurements: { Stature, FootLength } }) => [
    ...['US', gender, String(age + 0.5), String(Stature), String(FootLength)],
    // The inside leg of trousers.
    String(0.456 * (Stature as number)),
  ]);
  const headings = ['country', 'gender', 'age', 'Stature (mm)', 'foot_length (mm)', 'leg-length'];
  const { report, measured } = new PeopleSheet(headings, OPTIONS, rows);
  expect(measured).toEqual(['Stature', 'FootLength']);
  expect(report.notUsed).toEqual([
    expect.stringMatching(
      /^"leg-length" is not used: its values are on average 7\d\d mm, and 8\d\d/,
    ),
  ]);
  expect(report.notUsed[0]).toContain('--columns "leg-length=LegLength (mm)"');
  const said = new Map([['leg-length', 'LegLength']]);
  expect(new PeopleSheet(headings, { ...OPTIONS, said }, rows).measured).toContain('LegLength');
  // Few rows: each value may differ by three standard deviations.
  const few = (cells: string) => {
    const row = ['NL', 'f', '40', '1700', ...cells.split(' ')];
    return new PeopleSheet(headings, OPTIONS, [row]).measured;
  };
  expect([few('262 800'), few('300 800')]).toEqual([
    ['Stature', 'FootLength', 'LegLength'],
    ['Stature', 'LegLength'],
  ]);
});

it('reads words beside the other columns, also in one or two rows', () => {
  const read = (headings: string, ...rows: string[]) =>
    new PeopleSheet(
      `country,gender,age,${headings}`.split(','),
      OPTIONS,
      rows.map((row) => `FR,f,35,${row}`.split(',')),
    ).report;
  expect(read('Taille (cm),Poids (kg)', '150,50').guessed[0]).toContain('is Stature in cm');
  const { guessed, notUsed } = read('CROTCH_Height,Inseam,Stature', '793,808,1709', '780,790,1690');
  expect(guessed[0]).toContain('"CROTCH_Height" is CrotchHeight in mm');
  expect(notUsed).toEqual(['"Inseam" is not used: it means the same as "CROTCH_Height".']);
  const girth = read('Stature (cm),Poids (kg),Ankle (cm),Back (cm)', '160,55,22,abc').notUsed;
  expect(girth).toEqual([
    expect.stringContaining('its values fit the girth of the ankle, which this service does not'),
    expect.stringContaining('none of its values could be compared'),
  ]);
});

it('reads Weight and Height without units in pounds and inches, as the values say', () => {
  const rows = peopleOf('US', [], 60).map(({ gender, age, measurements }) => [
    ...['US', gender, String(age + 0.5), String((measurements.BodyMass as number) / 0.4536)],
    String((measurements.Stature as number) / 25.4),
  ]);
  const headings = ['country', 'gender', 'age', 'Weight', 'Height'];
  const read = (units: Pick<SheetOptions, 'unit' | 'massUnit'>) =>
    new PeopleSheet(headings, { ...OPTIONS, ...units }, rows).report.guessed;
  expect(read({ unit: undefined, massUnit: undefined })).toEqual([
    '"Weight" is BodyMass in lb (a guess from its values).',
    '"Height" is Stature in in (a guess from its values).',
  ]);
  expect(read({ unit: 'mm', massUnit: 'kg' })).toEqual([]);
});
