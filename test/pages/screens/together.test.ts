import { expect, it } from 'vitest';
import { membersOfSet } from '../../../src/core/country-sets.js';
import { readPopulations } from '../../../src/screens/shared/populations.js';
import { groupsTogether, haveCommonPeople } from '../../../src/screens/shared/together.js';

const read = readPopulations;

it('leaves populations without common people as they are', () => {
  const apart = read('p=Female~EU27~18-65&p=Male~EU27~18-65&p=Both~DE~66-80');
  expect(haveCommonPeople(apart)).toBe(false);
  expect(groupsTogether(apart)).toEqual([
    { gender: 'Female', countries: ['EU27'], ageMin: 18, ageMax: 65 },
    { gender: 'Male', countries: ['EU27'], ageMin: 18, ageMax: 65 },
    { countries: ['DE'], ageMin: 66, ageMax: 80 },
  ]);
});

it('counts people of two populations once', () => {
  const twice = read('p=Both~DE,JP~18-65&p=Female~DE~60-80');
  expect(haveCommonPeople(twice)).toBe(true);
  expect(groupsTogether(twice)).toEqual([
    { gender: 'Male', countries: ['DE'], ageMin: 18, ageMax: 65 },
    { gender: 'Female', countries: ['DE'], ageMin: 18, ageMax: 80 },
    { countries: ['JP'], ageMin: 18, ageMax: 65 },
  ]);
  const same = read('p=Both~World~18-65&p=Male~DE~20-30');
  expect(groupsTogether(same)).toEqual([{ countries: ['World'], ageMin: 18, ageMax: 65 }]);
  const inside = read('p=Both~EU27~18-65&p=Both~Europe~30-40');
  expect(groupsTogether(inside).map(({ ageMin, ageMax }) => [ageMin, ageMax])).toEqual([
    [18, 65],
    [30, 40],
  ]);
});

it('has every person of the populations in one group, and nobody else', () => {
  const populations = read('p=Female~DE,FR~10-40&p=Both~FR,IT~30-50&p=Male~EU27~45-90');
  const groups = groupsTogether(populations);
  const isIn = (gender: string, code: string, age: number) =>
    populations.some(
      (one) =>
        (one.gender ?? gender) === gender &&
        one.countries.some((place) => (membersOfSet(place) ?? [place]).includes(code as 'DE')) &&
        age >= one.ageMin &&
        age <= one.ageMax,
    );
  for (const gender of ['Female', 'Male']) {
    for (const code of ['DE', 'FR', 'IT', 'PL', 'US']) {
      for (let age = 0; age <= 120; age++) {
        const holding = groups.filter(
          (group) =>
            (group.gender ?? gender) === gender &&
            group.countries.includes(code) &&
            age >= group.ageMin &&
            age <= group.ageMax,
        );
        expect([gender, code, age, holding.length]).toEqual([
          gender,
          code,
          age,
          isIn(gender, code, age) ? 1 : 0,
        ]);
      }
    }
  }
});
