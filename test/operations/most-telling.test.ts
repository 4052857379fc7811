import { expect, it } from 'vitest';
import { completePerson } from '../../src/operations/complete-person.js';
import type { BODY_MEASUREMENTS } from '../../src/operations/fields.js';
import { KNOWN_LIMITS } from '../../src/operations/known-values.js';
import { mostTelling } from '../../src/operations/most-telling.js';
import { samplePeople } from '../../src/operations/sample-people.js';
import { realModel } from '../support/servers.js';

type Name = (typeof BODY_MEASUREMENTS)[number];

/** 40 columns of a scan. What tells little of the body comes first, and names of one dimension are beside each other. */
const SCAN: readonly Name[] = [
  ...(['EarLength', 'EarBreadth', 'NoseLength', 'NoseBreadth', 'LipLength', 'JawWidth'] as const),
  ...(['HairLine', 'HeadBreadth', 'HeadLength', 'HeadGirth', 'FaceBreadth', 'Biocular'] as const),
  ...(['HandBreadth', 'HandLength', 'PalmLength', 'ThumbLength', 'ThumbTipToCrotch'] as const),
  ...(['FootBreadth', 'FootLength', 'WristWidth', 'HandCircumference', 'FootHeight'] as const),
  ...(['Stature', 'BodyMass', 'BMI', 'SittingHeight', 'CrotchHeight', 'ShoulderHeight'] as const),
  ...(['HipBreadth', 'StandingHipBreadth', 'HipCircumferenceMax', 'Span', 'KneeHeight'] as const),
  ...(['ChestCircumferenceNipple', 'NeckCircumference', 'NeckCircumferenceAdamsApple'] as const),
  ...(['WaistCircumferenceAbdominal', 'CalfCircumference', 'ShoulderBreadthBideltoid'] as const),
  'ThighCircumferenceBelowButtock',
];
const TARGETS: readonly Name[] = [
  ...(['SittingEyeHeight', 'ButtockKneeLength', 'PoplitealHeight', 'UpperArmLength'] as const),
  ...([
    'ForearmLength',
    'AbdominalDepth',
    'ChestDepth',
    'SittingHipBreadth',
    'KnuckleHeight',
  ] as const),
  ...(['WristCircumference', 'ThighThickness', 'C7HeightStanding', 'SittingElbowHeight'] as const),
];

const model = await realModel();

it('the chosen 20 of 40 estimate the others better than the first 20, and no dimension is given twice', () => {
  expect(SCAN).toHaveLength(40);
  const order = mostTelling(
    SCAN,
    TARGETS,
    { gender: 'Female', age: 40 },
    model.people().peopleModel,
  ) as Name[];
  expect(order.toSorted()).toEqual(SCAN.toSorted());
  const chosen = order.slice(0, KNOWN_LIMITS.maxItems);
  const first = SCAN.slice(0, KNOWN_LIMITS.maxItems);
  expect(chosen).toContain('Stature');
  for (const two of [
    ['HipBreadth', 'StandingHipBreadth'],
    ['ThumbLength', 'ThumbTipToCrotch'],
    ['NeckCircumference', 'NeckCircumferenceAdamsApple'],
  ] as const) {
    expect(two.filter((name) => chosen.includes(name)).length).toBeLessThan(2);
  }
  const { people } = samplePeople.run(
    {
      population: { groups: [{ countries: ['NL'], gender: 'Female', ageMin: 40, ageMax: 40 }] },
      ...{ count: 60, seed: 8, measurements: [...SCAN, ...TARGETS] },
    },
    model,
  );
  const errorOf = (names: readonly Name[]): number => {
    let sum = 0;
    for (const { measurements } of people) {
      const known = names.map((measurement) => ({
        measurement,
        value: measurements[measurement] as number,
      }));
      const asked = { gender: 'Female', age: 40.5, country: 'NL', known } as const;
      const answer = completePerson.run({ ...asked, wanted: [...TARGETS] }, model);
      for (const { measurement, expected } of answer.measurements) {
        sum += Math.log(expected / (measurements[measurement as Name] as number)) ** 2;
      }
    }
    return Math.sqrt(sum / people.length / TARGETS.length);
  };
  expect(errorOf(chosen)).toBeLessThan(0.75 * errorOf(first));
});
