import { beforeAll, describe, expect, it } from 'vitest';
import type { BodyBuilder } from '../../src/body/body.js';
import { middleOfThighMm } from '../../src/body/dimensions.js';
import { LegContact } from '../../src/body/leg-contact.js';
import { BodyModel } from '../../src/body/shape.js';
import type { ShapeViews } from '../../src/lookup/shape-file.js';
import { bodyBuilder, bodyShape, PEOPLE, personNamed } from '../support/body.js';

let views: ShapeViews;
let builder: BodyBuilder;

beforeAll(async () => {
  views = await bodyShape();
  builder = await bodyBuilder();
});

describe('legs that touch', () => {
  const contact = new LegContact(
    ['thigh_l', 'thigh_r', 'pelvis'],
    Uint8Array.from([0, 2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]),
    Float32Array.from([0.7, 0.3, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
  );

  it.each([-40, -3, -0.5, 0, 1, 60])('give way at %d mm by as much as their slope says', (x) => {
    for (const vertex of [0, 1, 2]) {
      const step = 1e-5;
      const [less, more] = [x - step, x + step].map((at) => contact.moved(vertex, at));
      const slope = contact.slope(vertex, contact.moved(vertex, x));
      expect(slope).toBeCloseTo(((more as number) - (less as number)) / (2 * step), 6);
    }
  });

  it('stay on their side, and what is no leg or far away stays where it is', () => {
    expect(contact.moved(1, 40)).toBeLessThan(0);
    expect(contact.moved(1, 40)).toBeGreaterThan(-0.1);
    expect(contact.moved(0, 90)).toBeCloseTo(90, 1);
    expect(contact.moved(2, -40)).toBe(-40);
  });

  it('do not pass through each other in any posture', () => {
    const fitted = builder.fit(personNamed('heavyMan'));
    const { shares } = builder.skeleton.contact;
    for (const pose of ['standing', 'sitting', 'a_pose'] as const) {
      const { vertices } = builder.posedBody(fitted, pose);
      const beyond = [...shares].map((share, vertex) =>
        Math.abs(share) < 0.999 ? 0 : -Math.sign(share) * (vertices[3 * vertex] as number),
      );
      expect(Math.max(...beyond), pose).toBeLessThan(0.01);
    }
  });
});

it.each(PEOPLE)('the legs of the %s become thinner from the top to the knee', (name) => {
  const { dimensions } = personNamed(name);
  const { readings } = builder.fit(personNamed(name)).fit;
  const [top, middle, knee] = [
    'ThighCircumferenceBelowButtock',
    'ThighCircumferenceMidpoint',
    'KneeCircumference',
  ].map((of) => readings.get(of)?.value as number) as [number, number, number];
  expect(middle).toBeLessThan(top);
  expect(middle).toBeGreaterThan(knee);
  expect(Math.abs(middle / (middleOfThighMm(dimensions) as number) - 1)).toBeLessThan(0.12);
});

it('both sides of the skin follow the bones alike', () => {
  const { skeleton } = new BodyModel(views);
  const { positions, skinBone } = views;
  const key = (x: number, y: number, z: number) =>
    [x, y, z].map((mm) => Math.round(10 * mm)).join();
  const at = (vertex: number) =>
    [0, 1, 2].map((k) => positions[3 * vertex + k] as number) as [number, number, number];
  const vertexAt = new Map(
    Array.from({ length: views.header.vertices }, (_, vertex) => [key(...at(vertex)), vertex]),
  );
  const shareOf = (vertex: number, name: string) => {
    const bone = skeleton.bone(name);
    return [0, 1, 2, 3].reduce(
      (sum, k) =>
        sum +
        (skinBone[4 * vertex + k] === bone ? (skeleton.weights[4 * vertex + k] as number) : 0),
      0,
    );
  };
  let twins = 0;
  for (let vertex = 0; vertex < views.header.vertices; vertex++) {
    const [x, y, z] = at(vertex);
    const twin = vertexAt.get(key(-x, y, z));
    if (twin === undefined || shareOf(vertex, 'calf_l') === 0) continue;
    twins++;
    expect(Math.abs(shareOf(vertex, 'calf_l') - shareOf(twin, 'calf_r'))).toBeLessThan(0.002);
  }
  expect(twins).toBeGreaterThan(300);
});

describe('the age of the mesh', () => {
  const model = () => new BodyModel(views);

  it('changes only the head and the neck of adults, which stay joined', () => {
    const own = model();
    const [young, old] = [25, 80].map((age) => own.shapeOf('Female', age).mean) as [
      Float32Array,
      Float32Array,
    ];
    const { shares } = own.skeleton.movedBy(/^head$/);
    const movedMm = (vertex: number) =>
      Math.hypot(
        ...[0, 1, 2].map(
          (k) => (old[3 * vertex + k] as number) - (young[3 * vertex + k] as number),
        ),
      );
    let most = 0;
    for (let vertex = 0; vertex < views.header.vertices; vertex++) {
      if (shares[vertex] === 0) expect(movedMm(vertex)).toBeLessThan(1e-3);
      else most = Math.max(most, movedMm(vertex));
    }
    expect(most).toBeGreaterThan(3);
    const joint = own.skeleton.heads[own.skeleton.bone('head')] as number;
    expect(movedMm(joint)).toBeLessThan(1e-3);
    expect(own.shapeOf('Female', 84)).toBe(own.shapeOf('Female', 80));
    expect(own.shapeOf('Female', 86)).not.toBe(own.shapeOf('Female', 80));
  });

  it('grows until the body of a young adult at 20 years', () => {
    const own = model();
    const sizes = [1, 5, 10, 15, 20, 25].map((age) => own.shapeOf('Male', age).size);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes[4]).toBeLessThanOrEqual(1.001 * (sizes[5] as number));
    expect(sizes[4]).toBeGreaterThan(1.05 * (sizes[3] as number));
  });
});
