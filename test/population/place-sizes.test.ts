import { describe, expect, it } from 'vitest';
import { Boxes } from '../../src/population/boxes.js';
import { clusterCentres, GreedyChoice } from '../../src/population/place-sizes.js';
import { type PlacedPeople, rankedPeople } from '../../src/population/placed-people.js';
import { seeded } from '../support/random.js';

/** People whose dimensions correlate. Their weights are equal or different. */
function crowd(count: number, dimensions: number, areAlike: boolean): PlacedPeople {
  const uniform = seeded(7).unit;
  const columns = Array.from({ length: dimensions }, () => new Float64Array(count));
  const weights = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const common = uniform() + uniform() + uniform() - 1.5;
    for (const column of columns) column[i] = 1.6 * common + 1.2 * (uniform() + uniform() - 1);
    weights[i] = areAlike ? 1 : 0.5 + uniform();
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { columns, weights: weights.map((weight) => weight / sum) };
}

/** The places of each person. */
function placesOf({ columns, weights }: PlacedPeople): number[][] {
  return Array.from(weights, (_, i) => columns.map((column) => column[i] as number));
}

const isInside = (person: readonly number[], centre: readonly number[]): boolean =>
  person.every((place, d) => Math.abs(place - (centre[d] as number)) <= 0.5);

/** Centres as one list for each box. */
function byBox(centres: Float64Array, k: number): number[][] {
  return Array.from({ length: centres.length / k }, (_, s) => [
    ...centres.subarray(s * k, s * k + k),
  ]);
}

const CROWDS: readonly [string, PlacedPeople][] = [
  ['one dimension', crowd(600, 1, false)],
  ['two dimensions, people who weigh the same', crowd(2048, 2, true)],
  ['three dimensions', crowd(1500, 3, false)],
];

describe.each(CROWDS)('%s', (_, people) => {
  const ranked = rankedPeople(people);
  const persons = placesOf(people);
  const { length: k } = people.columns;

  it('each greedy box serves most of the people whom those before leave', () => {
    const candidates = persons.length > 2047 ? persons.filter((__, i) => i % 2 === 0) : persons;
    const boxes = byBox(new GreedyChoice(ranked).centres(4), k);
    const left = new Set(persons.keys());
    const gain = (centre: readonly number[]) =>
      [...left].reduce(
        (sum, i) => sum + (isInside(persons[i] ?? [], centre) ? (people.weights[i] ?? 0) : 0),
        0,
      );
    for (const box of boxes) {
      const most = candidates.reduce((best, centre) => Math.max(best, gain(centre)), 0);
      expect(gain(box)).toBeCloseTo(most, 9);
      for (const [i, person] of persons.entries()) if (isInside(person, box)) left.delete(i);
    }
  });

  it('cluster centres are those of plain rounds, in which all are compared with all', () => {
    const count = 5;
    const { order = new Int32Array() } = ranked.rankings[0] ?? {};
    let centres = Array.from({ length: count }, (__, s) => [
      ...(persons[order[Math.floor(((s + 0.5) / count) * persons.length)] ?? 0] ?? []),
    ]);
    const square = (one: readonly number[], other: readonly number[]) =>
      one.reduce((sum, place, d) => sum + (place - (other[d] as number)) ** 2, 0);
    for (let round = 0; round < 30; round++) {
      const sums = centres.map(() => new Array<number>(k).fill(0));
      const sizes = new Array<number>(count).fill(0);
      for (const [i, person] of persons.entries()) {
        const distances = centres.map((centre) => square(person, centre));
        const nearest = distances.indexOf(Math.min(...distances));
        const weight = people.weights[i] as number;
        sizes[nearest] = (sizes[nearest] ?? 0) + weight;
        sums[nearest] = (sums[nearest] ?? []).map((sum, d) => sum + weight * (person[d] ?? 0));
      }
      centres = sums.map((sum, s) => sum.map((place) => place / (sizes[s] as number)));
    }
    expect(byBox(clusterCentres(ranked, count), k)).toEqual(centres);
  });

  it('boxes serve what they say after many moves', () => {
    const boxes = new Boxes(ranked, clusterCentres(ranked, 4));
    const before = boxes.served();
    const served = boxes.improve();
    expect(served).toBeGreaterThan(before);
    const inSome = persons.map((person) =>
      byBox(boxes.centres, k).some((box) => isInside(person, box)),
    );
    const sum = people.weights.reduce((total, one, i) => total + (inSome[i] ? one : 0), 0);
    expect(served).toBeCloseTo(sum, 12);
  });
});
