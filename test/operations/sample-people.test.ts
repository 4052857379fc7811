import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../src/operations/sample-people.js';
import { PeopleSource } from '../../src/population/people.js';
import { resolveMarket } from '../../src/population/people-model.js';
import { TINY_MODEL as model } from '../population/tiny-people.js';

const ALL = {
  population: { groups: [{ countries: ['DE', 'JP'], ageMin: 20, ageMax: 30 }] },
  count: 60,
  seed: 5,
  clothing: 'shoes',
} as const;

describe('sample_people', () => {
  it.each([
    ['no conditions', {}],
    ['conditions', { keep: [{ measurement: 'Stature', min: 1600 }] }],
  ])('draws the same people whatever is asked of them, with %s', (_, keep) => {
    const asked = { ...ALL, population: { ...ALL.population, ...keep } };
    const whole = samplePeople.run(asked as never, model);
    const names = ['SittingHeight', 'Stature', 'BodyMass'] as const;
    const part = samplePeople.run({ ...asked, measurements: [...names] } as never, model);
    expect(part.people).toEqual(
      whole.people.map((person) => ({
        ...person,
        measurements: Object.fromEntries(
          names.map((name) => [name, person.measurements[name] as number]),
        ),
      })),
    );
  });

  it('dresses people where clothing is asked for', () => {
    const names = ['Stature'] as const;
    const of = (clothing: string) =>
      samplePeople.run({ ...ALL, clothing, measurements: [...names] } as never, model).people;
    const nude = of('nude');
    for (const [i, { measurements }] of of('shoes').entries()) {
      expect(measurements.Stature).toBeGreaterThan(nude[i]?.measurements.Stature as number);
    }
  });

  it('draws people cohort by cohort, each once', () => {
    const joint = model.people();
    const groups = [{ countries: ['DE', 'JP'] as const, ageMin: 20, ageMax: 24 }];
    const market = resolveMarket(groups, 2025, (country, gender, age) =>
      joint.peopleModel.people(country, gender, age),
    );
    if (market === undefined) throw new Error('the tiny population is empty');
    const source = new PeopleSource(joint, market, [], 3);
    const order = source.byCohort(100, 160);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => 100 + i));
    const cohorts = Array.from(order, (i) => market.cohorts.indexOf(source.person(i).cohort));
    expect(cohorts).toEqual(cohorts.toSorted((a, b) => a - b));
    expect(new Set(cohorts).size).toBeGreaterThan(2);
  });
});
