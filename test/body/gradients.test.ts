import { beforeAll, expect, it } from 'vitest';
import { FITTED, GUIDES } from '../../src/body/dimensions.js';
import { ReadingColumns } from '../../src/body/reading-columns.js';
import { type Regions, regionsOf } from '../../src/body/regions.js';
import { BodyModel } from '../../src/body/shape.js';
import type { Posed } from '../../src/body/skeleton.js';
import { Tape } from '../../src/body/tape.js';
import { volumeOf } from '../../src/body/volume.js';
import { bodyShape } from '../support/body.js';

let model: BodyModel;
let regions: Regions;
let points: Float64Array;
let rotations: Float64Array;

beforeAll(async () => {
  const views = await bodyShape();
  model = new BodyModel(views);
  regions = regionsOf(views, model.skeleton, views.triangles);
  const shape = model.shapeOf('Female', 34);
  points = shape.points(Float64Array.from(shape.names, () => 0.02));
  // The points are made asymmetric. If left and right reach equally far, an extent has no gradient.
  points = points.map((mm, i) => mm + 3 * Math.sin(0.007 * (points[i - (i % 3)] as number)));
  rotations = model.skeleton.rotations(points, 'standing');
});

/** A smooth displacement of all points, mm. */
function wave(size: number): Float64Array {
  return points.map((_, i) => {
    const at = i - (i % 3);
    const [x, y, z] = [points[at], points[at + 1], points[at + 2]] as [number, number, number];
    return size * Math.sin(0.004 * x + 0.005 * y - 0.003 * z + (i % 3));
  });
}

const moved = (size: number) => {
  const by = wave(size);
  return points.map((mm, i) => mm + (by[i] as number));
};

function tapeOn(rest: Float64Array): Tape {
  const tape = new Tape(model.views, model.skeleton, regions, model.skeleton.pose(rest, rotations));
  tape.measureStanding();
  return tape;
}

/** Planes that tilt with the bones that they follow. Their gradients ignore the tilt. */
const TILTED = [
  'UpperArmCircumferenceMidpoint',
  'WristCircumference',
  'HandBreadth',
  'FootLength',
  'FootBreadth',
];

it('gives every reading with its gradient, and slices slide along their edges', () => {
  const step = 1e-3;
  const [less, more] = [tapeOn(moved(-step)), tapeOn(moved(step))];
  const before = model.skeleton.pose(points, rotations);
  const after = model.skeleton.pose(moved(1), rotations);
  const readings = tapeOn(points).readings;
  // The height of the knee is measured on the sitting body.
  expect(readings.size).toBe(FITTED.length - 1 + GUIDES.length);
  for (const [name, { terms }] of readings) {
    let slope = 0;
    for (const { kind, index, gradient } of terms) {
      const field = kind === 'head' ? 'heads' : 'vertices';
      gradient.forEach((g, k) => {
        slope +=
          g * ((after[field][3 * index + k] as number) - (before[field][3 * index + k] as number));
      });
    }
    const found = (more.readings.get(name)?.value ?? 0) - (less.readings.get(name)?.value ?? 0);
    const tolerance = TILTED.includes(name) ? 0.1 : 0.05;
    expect(Math.abs(slope - found / (2 * step)), name).toBeLessThan(
      tolerance + 0.01 * Math.abs(slope),
    );
  }
});

it('gives the volume with its gradient', () => {
  const { triangles } = model.views;
  const posed = model.skeleton.pose(points, rotations).vertices;
  const gradient = new Float64Array(posed.length);
  volumeOf(posed, triangles, gradient);
  const by = wave(1).subarray(0, posed.length);
  const slope = gradient.reduce((sum, g, i) => sum + g * (by[i] as number), 0);
  const at = (size: number) =>
    volumeOf(
      posed.map((mm, i) => mm + size * (by[i] as number)),
      triangles,
    );
  expect(slope).toBeCloseTo((at(1e-3) - at(-1e-3)) / 2e-3, 6);
});

it('gives derivatives of the posed body by every parameter, and values between parameters exactly', () => {
  const { skeleton } = model;
  const shape = model.shapeOf('Male', 7);
  const x = Float64Array.from(shape.names, (_, i) => 0.3 + 0.01 * (i % 5));
  const leg = skeleton.contact.shares.findIndex((share) => share > 0.5);
  const vertices = [3, 833, 4000, 10_000, leg];
  const bones = ['pelvis', 'hand_l', 'head'].map((name) => skeleton.bone(name));
  const only = Uint16Array.from([...vertices, ...skeleton.heads, ...skeleton.tails]);
  const posedAt = (to: Float64Array): Posed =>
    skeleton.pose(shape.points(to, only), rotations, Uint16Array.from(vertices));
  const posed = posedAt(x);
  const step = 1e-4;
  const around = shape.names.map((_, parameter) =>
    [-step, step].map((by) => posedAt(x.map((value, i) => value + (i === parameter ? by : 0)))),
  );
  const amounts = shape.amounts(x);
  const slopes = shape.slopes(x);
  const columns = new ReadingColumns(shape);
  for (const [field, index] of [
    ...vertices.map((vertex) => ['vertices', vertex] as const),
    ...bones.map((bone) => ['heads', bone] as const),
  ]) {
    for (let axis = 0; axis < 3; axis++) {
      const gradient = [0, 0, 0].map((_, k) => (k === axis ? 1 : 0)) as [number, number, number];
      if (field === 'heads') columns.addHead(index, ...gradient);
      else columns.addVertex(posed, index, ...gradient);
      const own = columns.take(rotations);
      const coordinate = 3 * index + axis;
      // Legs give way, so their points are no multiples of the columns.
      if (field === 'heads' || skeleton.contact.shares[index] === 0) {
        const value = own.reduce((sum, column, k) => sum + column * (amounts[k] as number), 0);
        expect(1.32 * value).toBeCloseTo(posed[field][coordinate] as number, 2);
      }
      slopes(own).forEach((slope, parameter) => {
        const [less, more] = around[parameter] as [Posed, Posed];
        const rise = (more[field][coordinate] as number) - (less[field][coordinate] as number);
        expect(slope, shape.names[parameter]).toBeCloseTo(rise / (2 * step), 2);
      });
    }
  }
});
