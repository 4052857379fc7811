import { beforeAll, describe, expect, it } from 'vitest';
import { FITTED, GUIDES } from '../../src/body/dimensions.js';
import { regionsNear } from '../../src/body/focus.js';
import { dampedSystem } from '../../src/body/local-model.js';
import { type Regions, regionsOf } from '../../src/body/regions.js';
import { BodyModel } from '../../src/body/shape.js';
import { Tape } from '../../src/body/tape.js';
import { bodyShape } from '../support/body.js';

let model: BodyModel;
let regions: Regions;

beforeAll(async () => {
  const views = await bodyShape();
  model = new BodyModel(views);
  regions = regionsOf(views, model.skeleton, views.triangles);
});

describe('the parts of the mesh near the tapes', () => {
  const measured = (weight: number, own: Regions) => {
    const shape = model.shapeOf('Female', 34);
    const x = Float64Array.from(shape.names, () => 0);
    x.set([0.5, weight]);
    const points = shape.points(x);
    const posed = model.skeleton.pose(points, model.skeleton.rotations(points, 'standing'));
    const tape = new Tape(model.views, model.skeleton, own, posed);
    tape.measureStanding();
    return { tape, posed };
  };

  it('are a third of it and give the readings of the whole mesh, also of a heavier body', () => {
    const { tape, posed } = measured(0.5, regions);
    const near = regionsNear(regions, [{ posed, places: tape.places }], 1650);
    const edges = (own: Regions) =>
      Object.values(own).reduce((sum, one) => sum + one.edges.length, 0);
    expect(edges(near)).toBeLessThan(edges(regions) / 3);
    for (const weight of [0.5, 0.7]) {
      const found = measured(weight, near).tape.readings;
      // The height of the knee is measured on the sitting body.
      expect(found.size).toBe(FITTED.length - 1 + GUIDES.length);
      for (const [name, { value }] of measured(weight, regions).tape.readings) {
        expect(Math.abs((found.get(name)?.value ?? 0) - value), name).toBeLessThan(0.01);
      }
    }
  });

  it('are computed alone, with the points of the whole body', () => {
    const shape = model.shapeOf('Female', 34);
    const x = Float64Array.from(shape.names, (_, i) => 0.01 * (i % 7));
    const only = Uint16Array.of(3, 999, 13_000);
    const some = shape.points(x, only);
    const all = shape.points(x);
    const expected = all.map((mm, i) => (only.includes(Math.floor(i / 3)) ? mm : 0));
    expect(some).toEqual(expected);
  });
});

describe('a damped step', () => {
  const rows = [Float64Array.of(1, 2, 0.5), Float64Array.of(-0.3, 1, 2)];
  const residuals = Float64Array.of(0.7, -0.4);
  const x = Float64Array.of(0.2, 0.1, 0);
  const priors = [
    { mean: 0.5, sd: 0.5, least: -10, most: 10 },
    { mean: 0, sd: 0.3, least: -10, most: 10 },
    { mean: 0, sd: 1, least: -10, most: 10 },
  ];
  const damping = 0.4;

  /** The slope of the damped cost at a move, by each parameter. */
  const slopes = (to: Float64Array): number[] =>
    priors.map(({ mean, sd }, i) => {
      const fits = rows.reduce((sum, row, r) => {
        const left = row.reduce(
          (rest, v, k) => rest - v * ((to[k] ?? 0) - (x[k] ?? 0)),
          residuals[r] ?? 0,
        );
        return sum - (row[i] ?? 0) * left;
      }, 0);
      const [was, is] = [x[i] ?? 0, to[i] ?? 0];
      return fits + (is - mean + damping * (is - was)) / sd ** 2;
    });

  it('ends where the damped cost is least', () => {
    for (const slope of slopes(dampedSystem(rows, residuals, x, priors, damping)())) {
      expect(slope).toBeCloseTo(0, 10);
    }
  });

  it('stops at bounds, and the others make up for it', () => {
    const free = dampedSystem(rows, residuals, x, priors, damping)();
    const least = ((x[1] ?? 0) + (free[1] ?? 0)) / 2;
    expect(free[1]).toBeLessThan(least);
    const bounded = priors.map((prior, i) => (i === 1 ? { ...prior, least } : prior));
    const to = dampedSystem(rows, residuals, x, bounded, damping)();
    expect(to[1]).toBeCloseTo(least, 12);
    const [first, , third] = slopes(to);
    expect(first).toBeCloseTo(0, 10);
    expect(third).toBeCloseTo(0, 10);
  });
});
