import { beforeAll, expect, it } from 'vitest';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import type { BODY_MEASUREMENTS } from '../../src/operations/fields.js';
import { likelyReadings } from '../../src/operations/likely-readings.js';
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

/** A sheet of people whose columns have the headings of `truth`. */
function sheetOf(truth: Truth, country: 'FR' | 'US', factor: number, unit: string): PeopleSheet {
  const names = Object.values(truth).map((name) =>
    name === FOREARM_GIRTH ? 'UpperArmCircumferenceMidpoint' : name,
  );
  const { people } = samplePeople.run(
    {
      population: { groups: [{ countries: [country], ageMin: 18, ageMax: 65 }] },
      ...{ count: 200, seed: 46, measurements: [...new Set<Name>([...names, 'BodyMass'])] },
    },
    model,
  );
  const rows = people.map(({ gender, age, measurements }) => [
    ...[country, gender, String(age + 0.5), String(measurements.BodyMass)],
    ...Object.values(truth).map((name, i) => {
      const share = name === FOREARM_GIRTH ? 0.86 : 1;
      return ((measurements[names[i] as Name] as number) * factor * share * 0.1).toFixed(1);
    }),
  ]);
  const options: SheetOptions = {
    ...{ unit: undefined, massUnit: 'kg', wanted: [], ranges: true, decimalComma: false },
    ...{ everyone: {}, said: new Map() },
    judge: (persons, columns) => likelyReadings(persons, columns, model),
  };
  const headings = Object.keys(truth).map((word) => `${word}${unit}`);
  return new PeopleSheet(['country', 'gender', 'age', 'Poids (kg)', ...headings], options, rows);
}

it.each<readonly [string, Truth, 'FR' | 'US', number, string]>([
  ['lengths', LENGTHS, 'US', 1, ' (cm)'],
  // Everybody is larger than the model says, by about half a standard deviation.
  ['girths of larger people', GIRTHS, 'US', 1.03, ' (cm)'],
])('%s: no column is read wrongly, and most are read', (_, truth, country, factor, unit) => {
  const { guessed, notUsed } = sheetOf(truth, country, factor, unit).report;
  const read = guessed.map((text) => {
    const [, heading = '', name, of] = /^"(.*?)(?: \(cm\))?" is (\w+) in (\w+)/.exec(text) ?? [];
    return [heading, `${name} in ${of}`] as const;
  });
  expect(read).toEqual(read.map(([heading]) => [heading, `${truth[heading]} in cm`]));
  expect(read.length).toBeGreaterThanOrEqual(14);
  expect(guessed.length + notUsed.length).toBe(20);
  for (const text of notUsed) expect(text).toMatch(/--columns "[\w ]+(?: \(cm\))?=\w+/);
});

it('reads Taille beside Poids as stature, and does not take one hip girth for another', () => {
  const sheet = sheetOf(
    { Taille: 'Stature', Thigh: 'ThighCircumferenceMidpoint' },
    'FR',
    1,
    ' (cm)',
  );
  const row = sheet.read(['FR', 'Female', '40', '50', '150', '']);
  expect(row).toMatchObject({
    request: { known: [{ measurement: 'BodyMass' }, { measurement: 'Stature', value: 150 }] },
  });
  const two = sheetOf({ Seat: 'MidHipCircumference' }, 'FR', 1.02, ' (cm)').report;
  expect([...two.guessed, ...two.notUsed].join()).not.toContain('is HipCircumferenceMax');
});

it('reads Weight and Height without units in pounds and inches, as the values say', () => {
  const { people } = samplePeople.run(
    {
      population: { groups: [{ countries: ['US'], gender: 'Male', ageMin: 22, ageMax: 65 }] },
      ...{ count: 60, seed: 47, measurements: ['Stature', 'BodyMass'] },
      ...{ unit: 'in', massUnit: 'lb' },
    },
    model,
  );
  const rows = people.map(({ age, measurements: { BodyMass, Stature } }) => [
    ...['US', 'Male', String(age + 0.5)],
    ...[BodyMass as number, Stature as number].map((value) => value.toFixed(2)),
  ]);
  const judge: SheetOptions['judge'] = (persons, columns) =>
    likelyReadings(persons, columns, model);
  const open = { unit: undefined, massUnit: undefined, wanted: [], ranges: false };
  const options = { ...open, decimalComma: false, everyone: {}, said: new Map(), judge };
  const headings = ['country', 'gender', 'age', 'Weight', 'Height'];
  const { guessed } = new PeopleSheet(headings, options, rows).report;
  expect(guessed).toHaveLength(2);
  expect(guessed[0]).toMatch(/^"Weight" is BodyMass in lb \(a guess/);
  expect(guessed[1]).toMatch(/^"Height" is Stature in in \(a guess/);
  const said = new PeopleSheet(headings, { ...options, unit: 'mm', massUnit: 'kg' }, rows).report;
  expect(said.guessed).toEqual([]);
});
