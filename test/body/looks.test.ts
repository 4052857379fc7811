import { beforeAll, describe, expect, it } from 'vitest';
import type { BodyBuilder } from '../../src/body/body.js';
import { GUIDES, guideMm } from '../../src/body/dimensions.js';
import { LegContact } from '../../src/body/leg-contact.js';
import { BodyModel } from '../../src/body/shape.js';
import type { ShapeViews } from '../../src/lookup/shape-file.js';
import { bodyBuilder, bodyShape, EXTREMES, fittedPerson, personNamed } from '../support/body.js';

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

  it('do not pass through each other in any posture', async () => {
    const fitted = await fittedPerson('heavyMan');
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

it.each(EXTREMES)('limbs and waist of the %s do not swell between tapes', async (name) => {
  const { dimensions, gender, ageYears } = personNamed(name);
  const { readings } = (await fittedPerson(name)).fit;
  const [top, middle, knee] = [
    'ThighCircumferenceBelowButtock',
    'ThighCircumferenceMidpoint',
    'KneeCircumference',
  ].map((of) => readings.get(of)?.value as number) as [number, number, number];
  expect(middle).toBeLessThan(top);
  expect(middle).toBeGreaterThan(knee);
  for (const guide of GUIDES) {
    const mm = guideMm(guide, dimensions, gender, ageYears) as number;
    const reading = readings.get(guide.name)?.value as number;
    expect(Math.abs(reading / mm - 1), guide.name).toBeLessThan(0.12);
  }
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
    expect(own.shapeOf('Female', 64)).toBe(own.shapeOf('Female', 60));
    expect(own.shapeOf('Female', 66)).not.toBe(own.shapeOf('Female', 60));
  });
});
