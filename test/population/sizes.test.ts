import { describe, expect, it } from 'vitest';
import { keptPeople } from '../../src/population/limits.js';
import { NUDE } from '../../src/population/people-model.js';
import { SizePlacer } from '../../src/population/place-sizes.js';
import type { PlacedPeople } from '../../src/population/placed-people.js';
import { SizeCharts, type SizeDimension } from '../../src/population/sizes.js';
import { sampleTinyPeople, TINY_JOINT, tinyMarket } from './tiny-people.js';

const { peopleModel } = TINY_JOINT;
const market = tinyMarket();
const everybody = keptPeople(peopleModel, market, []);
const dimension = (name: string, tolerance: number): SizeDimension => {
  return { quantity: peopleModel.indexOf(name), tolerance };
};

/** People who all stand for equal shares, given as one array of places for each dimension. */
function alike(...columns: (readonly number[])[]): PlacedPeople {
  const count = columns[0]?.length ?? 0;
  const weights = new Float64Array(count).fill(1 / count);
  return { columns: columns.map((places) => Float64Array.from(places)), weights };
}

/** Largest number of people in two boxes of width 1, found by trying all pairs of places. */
function mostServedByTwo(places: readonly number[]): number {
  const sorted = [...places].sort((a, b) => a - b);
  let most = 0;
  for (const one of sorted) {
    for (const other of sorted) {
      const served = sorted.filter((at) => {
        return (at >= one && at <= one + 1) || (at >= other && at <= other + 1);
      });
      most = Math.max(most, served.length);
    }
  }
  return most;
}

describe('SizePlacer', () => {
  it('finds clusters that are apart, in two dimensions', () => {
    const near = [-0.4, -0.1, 0.2, 0.4];
    const people = [2, 7, 20].flatMap((x) => near.flatMap((dx) => near.map((dy) => [x + dx, dy])));
    const column = (d: number) => people.map((places) => places[d] as number);
    const centres = new SizePlacer(alike(column(0), column(1))).place(3);
    expect([0, 2, 4].map((i) => centres[i]).sort((a = 0, b = 0) => a - b)).toEqual([
      expect.closeTo(2, 0),
      expect.closeTo(7, 0),
      expect.closeTo(20, 0),
    ]);
  });

  it('serves as many in one dimension as the best of all pairs', () => {
    const places = Array.from({ length: 60 }, (_, i) => 3 * Math.tan((i - 29.5) / 22) + i / 100);
    const centres = new SizePlacer(alike(places)).place(2);
    const served = places.filter((at) => centres.some((centre) => Math.abs(at - centre) <= 0.5));
    expect(served.length).toBeGreaterThanOrEqual(mostServedByTwo(places) - 1);
  });
});

describe('SizeCharts', () => {
  const dimensions = [dimension('Stature', 150), dimension('SittingHeight', 60)];
  const chart = new SizeCharts(everybody, dimensions, NUDE).of(5);

  it('states the shares of people who are drawn apart', () => {
    const people = sampleTinyPeople(
      market,
      dimensions.map(({ quantity }) => quantity),
      20_000,
    );
    const served = people.filter((values) =>
      chart.sizes.some(({ centre }) =>
        centre.every((at, d) => {
          const { tolerance = 0 } = dimensions[d] ?? {};
          return Math.abs((values[d] as number) - at) <= tolerance / 2;
        }),
      ),
    );
    expect(Math.abs(served.length / people.length - chart.shareServed)).toBeLessThan(0.01);
    expect(chart.error).toBeLessThan(0.004);
  });

  it('states the share of a group by its people alone', () => {
    const charts = new SizeCharts(everybody, dimensions, NUDE);
    expect(charts.shareServed(everybody, chart)).toBeCloseTo(chart.shareServed, 2);
    const tall = keptPeople(peopleModel, market, [
      { quantity: peopleModel.stature, min: 2050, max: Number.POSITIVE_INFINITY, profiles: NUDE },
    ]);
    expect(charts.shareServed(tall, chart)).toBeLessThan(0.1);
  });

  it('serves more people with more sizes, and all with enough', () => {
    const of = (count: number) => new SizeCharts(everybody, dimensions, NUDE).of(count).shareServed;
    expect(of(2)).toBeLessThan(chart.shareServed);
    expect(of(10)).toBeGreaterThan(chart.shareServed);
    const wide = new SizeCharts(everybody, [dimension('Stature', 900)], NUDE).of(3);
    expect(wide.shareServed).toBeGreaterThan(0.9999);
    for (const { share } of wide.sizes) expect(share).toBeGreaterThan(0.1);
  });

  it('gives the same chart whatever numbers of sizes were asked before', () => {
    const asked = new SizeCharts(everybody, dimensions, NUDE);
    const counts = [8, 2, 5, 3, 5];
    const fresh = counts.map((count) => new SizeCharts(everybody, dimensions, NUDE).of(count));
    expect(counts.map((count) => asked.of(count))).toEqual(fresh);
  });
});
