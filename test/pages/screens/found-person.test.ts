import { expect, it } from 'vitest';
import { foundPersons } from '../../../src/screens/shared/found-person.js';
import { type FreeAnswers, freeAnswers } from '../../../src/screens/shared/free-computations.js';
import { TINY_MODEL as model } from '../../population/tiny-people.js';
import { computerHere } from '../../support/computer-here.js';

it('people of several countries are asked for, each thing once', async () => {
  const asked: string[] = [];
  const free = freeAnswers({
    model: () => model,
    computer: computerHere(model),
    pictureSecrets: () => ['one'],
  });
  const answers: FreeAnswers['answers'] = (lists) => {
    for (const [operation, bodies] of Object.values(lists)) {
      asked.push(...bodies.map((body) => JSON.stringify([operation.name, body])));
    }
    return free.answers(lists);
  };
  const population = { countries: ['DE', 'JP', 'US'], ageMin: 20, ageMax: 30, clothing: 'nude' };
  const known = [1500, 1700].map((value) => [{ measurement: 'Stature', value }] as const);
  const people = await foundPersons(population as never, known as never, 'nude', { answers });
  expect(people.map((one) => one?.person.valuesMm.Stature)).toEqual([1500, 1700]);
  // For each of the two people: two genders, then two more countries, then the whole person.
  expect(asked).toHaveLength(2 * (2 + 2 + 1));
  expect(new Set(asked).size).toBe(asked.length);
});
