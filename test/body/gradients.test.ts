import { beforeAll, expect, it } from 'vitest';
import { Adjoint } from '../../src/body/adjoint.js';
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

it('carries gradients back through the pose: ⟨g, pose(d)⟩ = ⟨adjoint(g), d⟩', () => {
  const { skeleton, views } = model;
  const by = wave(1);
  // Legs that give way are not linear, so the displacement must be small.
  const step = 1e-3;
  const posed = skeleton.pose(points, rotations);
  const [before, after] = [-step, step].map((size) => skeleton.pose(moved(size), rotations)) as [
    Posed,
    Posed,
  ];
  const adjoint = new Adjoint(skeleton, views.skinBone);
  let forward = 0;
  let backward = 0;
  for (let vertex = 0; vertex < views.header.vertices; vertex += 97) {
    const gradient = [0, 1, 2].map((k) => Math.cos(vertex + k)) as [number, number, number];
    const [x, y, z] = gradient;
    const slope = skeleton.contact.slope(vertex, posed.vertices[3 * vertex] as number);
    adjoint.addVertex(rotations, vertex, slope * x, y, z);
    gradient.forEach((g, k) => {
      const i = 3 * vertex + k;
      forward +=
        (g * ((after.vertices[i] as number) - (before.vertices[i] as number))) / (2 * step);
      backward += (adjoint.vertex[k] as number) * (by[i] as number);
    });
  }
  skeleton.parents.forEach((_, bone) => {
    const gradient = [0, 1, 2].map((k) => Math.sin(bone + k)) as [number, number, number];
    adjoint.addHead(bone, ...gradient);
    gradient.forEach((g, k) => {
      const i = 3 * bone + k;
      forward += (g * ((after.heads[i] as number) - (before.heads[i] as number))) / (2 * step);
    });
  });
  adjoint.finish(rotations);
  skeleton.heads.forEach((joint, bone) => {
    for (let k = 0; k < 3; k++) {
      backward += (adjoint.joints[3 * bone + k] as number) * (by[3 * joint + k] as number);
    }
  });
  expect(backward).toBeCloseTo(forward, 6);
});

it('gives the derivatives of points by every parameter, and points between parameters exactly', () => {
  const shape = model.shapeOf('Male', 7);
  const { vertices } = model.views.header;
  const x = Float64Array.from(shape.names, (_, i) => 0.3 + 0.01 * (i % 5));
  const amounts = shape.amounts(x);
  const slopes = shape.slopes(x);
  const columns = new ReadingColumns(shape);
  const { heads } = model.skeleton;
  for (const point of [3, 833, 4000, 10_000, heads[5] as number, heads.at(-1) as number]) {
    for (let axis = 0; axis < 3; axis++) {
      const gradient = [0, 0, 0].map((_, k) => (k === axis ? 1 : 0)) as [number, number, number];
      if (point < vertices) columns.addVertex(point, ...gradient);
      else columns.addJoint(point, ...gradient);
      const own = columns.take();
      const row = slopes(own);
      const coordinate = 3 * point + axis;
      const value = own.reduce((sum, column, k) => sum + column * (amounts[k] as number), 0);
      expect(1.32 * value).toBeCloseTo(shape.points(x)[coordinate] as number, 2);
      shape.names.forEach((name, parameter) => {
        const at = (step: number) => {
          const other = x.slice();
          other[parameter] = (other[parameter] as number) + step;
          return shape.points(other, Uint16Array.of(point))[coordinate] as number;
        };
        expect(row[parameter], name).toBeCloseTo((at(1e-4) - at(-1e-4)) / 2e-4, 3);
      });
    }
  }
});
