import { describe, expect, it } from 'vitest';
import { GENDERS } from '../../src/core/genders.js';
import { CLOTHING_IDS } from '../../src/core/profiles.js';
import { caseNames } from '../../src/population/case-names.js';
import { boundaryCases, caseDirections } from '../../src/population/cases.js';
import { isOrdered, keptByMedians, quantityConstraints } from '../../src/population/constraints.js';
import { latticePeople, scoreSpace } from '../../src/population/lattice-people.js';
import { keptPeople } from '../../src/population/limits.js';
import { NUDE } from '../../src/population/people-model.js';
import { sampleTinyPeople, TINY_JOINT, tinyMarket } from './tiny-people.js';

const { peopleModel } = TINY_JOINT;
const market = tinyMarket();
const everybody = keptPeople(peopleModel, market, []);
const quantities = ['Stature', 'SittingHeight', 'KneeHeight', 'HandLength'].map((name) =>
  peopleModel.indexOf(name),
);
const found = boundaryCases(TINY_JOINT, everybody, quantities, NUDE, 0.9, 16);

describe('boundaryCases', () => {
  it('has the target share of people, drawn apart, between the least and largest cases', () => {
    expect(found.share).toBeGreaterThanOrEqual(0.9);
    expect(found.share).toBeLessThan(0.903);
    const ends = quantities.map((quantity) => {
      const values = found.cases.map((one) => one.values[quantity] as number);
      return { min: Math.min(...values), max: Math.max(...values) };
    });
    const people = sampleTinyPeople(market, quantities, 20_000);
    const inside = people.filter((values) =>
      ends.every(({ min, max }, j) => {
        const value = values[j] as number;
        return value >= min && value <= max;
      }),
    );
    expect(Math.abs(inside.length / people.length - found.share)).toBeLessThan(0.01);
  });

  it('lists whole people whose parts sum to wholes and are in order', () => {
    const [stature, sitting, legs] = ['Stature', 'SittingHeight', 'LegLength'].map((name) =>
      peopleModel.indexOf(name),
    ) as [number, number, number];
    for (const { cohort, values } of found.cases) {
      const curves = TINY_JOINT.curves();
      curves.at(cohort);
      const constraints = keptByMedians(quantityConstraints(peopleModel), curves);
      expect(isOrdered(constraints, cohort.ageYears, values)).toBe(true);
      const rest = (values[stature] as number) - (values[sitting] as number);
      expect(values[legs]).toBeCloseTo(rest, 6);
      const bmi = (values[peopleModel.mass] as number) / ((values[stature] as number) / 1000) ** 2;
      expect(values[peopleModel.bmi]).toBeCloseTo(bmi, 9);
    }
  });

  it('has cases in opposite pairs, the tall one a man and the small one a woman', () => {
    expect(found.cases).toHaveLength(16);
    for (let i = 0; i < 16; i += 2) {
      const [one, other] = [found.cases[i]?.scores ?? [], found.cases[i + 1]?.scores ?? []];
      one.forEach((score, j) => {
        expect(score).toBeCloseTo(-(other[j] as number), 9);
      });
    }
    const [small, tall] = found.cases;
    expect(GENDERS[small?.cohort.gender ?? -1]).toBe('Female');
    expect(GENDERS[tall?.cohort.gender ?? -1]).toBe('Male');
    expect(tall?.values[peopleModel.stature]).toBeGreaterThan(
      (small?.values[peopleModel.stature] ?? 0) + 250,
    );
  });

  it('meets the conditions of the population, also in quantities that were not chosen', () => {
    const [min, max] = [1700, 1760];
    const keep = [{ quantity: peopleModel.stature, min, max, profiles: NUDE }];
    const kept = boundaryCases(
      TINY_JOINT,
      keptPeople(peopleModel, market, keep),
      quantities.slice(1),
      NUDE,
      0.8,
      6,
    );
    for (const { values } of kept.cases) {
      const stature = values[peopleModel.stature] as number;
      expect(stature).toBeGreaterThan(min - 0.1);
      expect(stature).toBeLessThan(max + 0.1);
    }
  });

  it('dresses the people', () => {
    const clothing = CLOTHING_IDS.indexOf('winter');
    const dressed = boundaryCases(
      TINY_JOINT,
      everybody,
      quantities,
      { clothing, posture: 0 },
      0.9,
      16,
    );
    expect(dressed.share).toBeGreaterThanOrEqual(0.9);
    const before = found.cases[0]?.values[peopleModel.stature] ?? 0;
    expect((dressed.cases[0]?.values[peopleModel.stature] ?? 0) - before).toBeGreaterThan(20);
  });

  it('states a share below the target where the cases are too few', () => {
    const names = ['Stature', 'SittingHeight', 'KneeHeight', 'HandLength', 'FootLength', 'BMI'];
    const many = [...names, 'HeadGirth', 'Span'].map((name) => peopleModel.indexOf(name));
    const { share, cases } = boundaryCases(TINY_JOINT, everybody, many, NUDE, 0.999, 4);
    expect(cases).toHaveLength(4);
    expect(share).toBeLessThan(0.998);
  });
});

describe('caseDirections', () => {
  const space = scoreSpace(latticePeople(everybody, quantities, NUDE, 4096, 5));

  it.each([4, 9, 16, 32])('has %d different points at distance 1', (count) => {
    const directions = caseDirections(space, count);
    expect(directions).toHaveLength(count);
    for (const direction of directions) {
      const square = space.components.reduce((sum, component) => {
        const dot = component.reduce((s, value, j) => s + value * (direction[j] as number), 0);
        return sum + (dot / component.reduce((s, value) => s + value * value, 0)) ** 2;
      }, 0);
      expect(square).toBeCloseTo(1, 6);
    }
    const texts = directions.map((one) => [...one].map((score) => score.toFixed(2)).join());
    expect(new Set(texts).size).toBe(count);
  });

  it('reaches every quantity', () => {
    const directions = caseDirections(space, 12);
    quantities.forEach((_, j) => {
      const most = Math.max(...directions.map((one) => one[j] as number));
      expect(most).toBeGreaterThan(0.97);
    });
  });
});

const names = (measurements: string[], ...cases: number[][]) =>
  caseNames(
    measurements,
    cases.map((scores) => Float64Array.from(scores)),
  );

describe('caseNames', () => {
  it('names common builds in plain English', () => {
    const seated = ['SittingHeight', 'KneeHeight', 'PoplitealHeight'];
    expect(names(seated, [2, 2, 1.5], [-2, -2, -1.5])).toEqual(['tall', 'small']);
    expect(names(seated, [-2, 2, 1.5], [2, -2, -1.5])).toEqual([
      'long-legged with a short trunk',
      'short-legged with a long trunk',
    ]);
    expect(names(['Stature', 'BodyMass'], [2, -2], [-2, 2], [2, 2])).toEqual([
      'tall and slim',
      'small and heavy',
      'tall and heavy',
    ]);
    expect(names(['HeadLength', 'HeadBreadth'], [2, 2], [-2, -2])).toEqual(['large', 'small']);
  });

  it('names other cases by their strongest deviations', () => {
    expect(names(['HeadLength', 'HeadBreadth', 'HeadGirth'], [2, -2.5, 0.1])).toEqual([
      'small HeadBreadth, large HeadLength',
    ]);
  });

  it('gives no name twice', () => {
    const measurements = ['Stature', 'SittingHeight', 'KneeHeight'];
    const alike = Array.from({ length: 6 }, () => [2, 1.9, 1.8]);
    const given = names(measurements, ...alike);
    expect(new Set(given).size).toBe(6);
    expect(given.slice(0, 2)).toEqual(['tall', 'large Stature, large SittingHeight']);
  });
});
