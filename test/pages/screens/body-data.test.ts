import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Problem } from '../../../src/core/errors.js';
import { bodyDataOf } from '../../../src/screens/body/data.js';
import type { FreeAnswers } from '../../../src/screens/shared/free-computations.js';
import type { ChosenPopulation } from '../../../src/screens/shared/populations.js';

const countries = ['DE', 'JP', 'US'];
const view = {
  measurements: ['Stature'],
  posture: 'standing',
  side: 'front',
  populations: countries.map(
    (country): ChosenPopulation => ({
      countries: [country],
      ageMin: 18,
      ageMax: 65,
      clothing: 'nude',
    }),
  ),
} as const;

/** Makes answers without people. Counts how many are under way at once. */
function answersOf({ isIdle = true, refused = [] as readonly string[] }) {
  const counted = { most: 0 };
  let underWay = 0;
  const free = {
    hasBodies: () => false,
    isIdle: () => isIdle,
    async answer(_operation: string, body: { population: { groups: [{ countries: string[] }] } }) {
      counted.most = Math.max(counted.most, ++underWay);
      await setImmediate();
      underWay--;
      const [country = ''] = body.population.groups[0].countries;
      if (refused.includes(country)) throw new Problem('validation_error', `no ${country}`);
      return { people: 1000 * (1 + countries.indexOf(country)), measurements: [] };
    },
  } as unknown as FreeAnswers;
  return { free, counted };
}

it('computes two populations at once while no other page computes, and else one', async () => {
  const idle = answersOf({});
  const { populations } = await bodyDataOf(view, idle.free, 'one');
  expect(idle.counted.most).toBe(2);
  expect(populations.map(({ people }) => people)).toEqual([1000, 2000, 3000]);
  const busy = answersOf({ isIdle: false });
  expect(await bodyDataOf(view, busy.free, 'one')).toMatchObject({ populations });
  expect(busy.counted.most).toBe(1);
});

it('says which populations are refused, and refuses a view of which none is left', async () => {
  const some = answersOf({ refused: ['DE'] });
  const { populations } = await bodyDataOf(view, some.free, 'one');
  expect(populations.map(({ people, refusal }) => people ?? refusal?.detail)).toEqual([
    'No DE',
    2000,
    3000,
  ]);
  const none = answersOf({ refused: countries });
  await expect(bodyDataOf(view, none.free, 'one')).rejects.toThrow('no DE');
});
