import { expect, it } from 'vitest';
import { GUIDES, guideMm } from '../../src/body/dimensions.js';
import { samplePeople } from '../../src/operations/sample-people.js';
import { realModel } from '../support/servers.js';

const COUNTRIES = ['US', 'DE', 'JP', 'IN', 'NL', 'NG', 'BR', 'CN'] as const;
const TOP = 'ThighCircumferenceBelowButtock';
const MIDDLE = 'ThighCircumferenceMidpoint';
const ofThigh = GUIDES.find(({ name }) => name === MIDDLE) as (typeof GUIDES)[number];

const model = await realModel();

it.each([
  ['children', 2, 17],
  ['adults', 18, 90],
])('the guide has the middle of the thigh of %s', (_, ageMin, ageMax) => {
  const groups = COUNTRIES.map((country) => ({ countries: [country], ageMin, ageMax }));
  const { people } = samplePeople.run({ population: { groups }, count: 1000, seed: 3 }, model);
  let [both, squares, near] = [0, 0, 0];
  for (const { measurements } of people) {
    const [top, middle, knee] = [TOP, MIDDLE, 'KneeCircumference'].map(
      (name) => (measurements as Readonly<Record<string, number>>)[name] as number,
    ) as [number, number, number];
    const girths = new Map([
      [TOP, top],
      ['KneeCircumference', knee],
    ] as const);
    const guide = guideMm(ofThigh, girths, 'Female', ageMin) as number;
    both += guide * middle;
    squares += guide * guide;
    if (Math.abs(guide / middle - 1) < 0.06) near++;
  }
  // Difference between the least-squares factor of these people and the factor of the guide.
  expect(Math.abs(both / squares - 1)).toBeLessThan(0.03);
  expect(near / people.length).toBeGreaterThan(0.9);
});
