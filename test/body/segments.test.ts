import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, FittedPerson } from '../../src/body/body.js';
import { type Segment, segmentsOf } from '../../src/body/segments.js';
import { POSES } from '../../src/body/skeleton.js';
import { bodyBuilder, EXTREMES, fittedPerson } from '../support/body.js';

const builder = await bodyBuilder();

const AXES = [0, 1, 2] as const;

/** Volume in litres, its centre in mm, and xx + yy + zz about the origin, all of the whole mesh. */
function wholeOf({ positions, materials }: Body) {
  let [volume, spread] = [0, 0];
  const first = [0, 0, 0];
  for (const { triangles } of materials) {
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) =>
        positions.subarray(3 * (triangles[i + k] as number), 3 * (triangles[i + k] as number) + 3),
      ) as unknown as [number[], number[], number[]];
      const [ax = 0, ay = 0, az = 0] = a;
      const [bx = 0, by = 0, bz = 0] = b;
      const [cx = 0, cy = 0, cz = 0] = c;
      const part =
        (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
      volume += part;
      for (const k of AXES) {
        const [p = 0, q = 0, r = 0] = [a[k], b[k], c[k]];
        first[k] = (first[k] as number) + (part * (p + q + r)) / 4;
        spread += (part * (p * p + q * q + r * r + p * q + q * r + r * p)) / 10;
      }
    }
  }
  return { litres: volume / 1e6, centre: first.map((mm) => mm / volume), spread };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe.each(EXTREMES)('the segments of the %s', (name) => {
  let fitted: FittedPerson;
  beforeAll(async () => {
    fitted = await fittedPerson(name);
  });

  it.each(POSES)('sum to the whole body, with all moments: %s', (pose) => {
    const body = builder.mesh(fitted, pose, 'light');
    const segments = segmentsOf(body);
    const whole = wholeOf(body);
    expect(segments).toHaveLength(16);
    const litres = sum(segments.map(({ volumeLitres }) => volumeLitres));
    expect(litres).toBeCloseTo(whole.litres, 9);
    const { volumeLitres, densityKgPerLitre } = body.report;
    expect(sum(segments.map(({ massKg }) => massKg))).toBeCloseTo(
      volumeLitres * densityKgPerLitre,
      9,
    );
    for (const k of AXES) {
      const centre = sum(segments.map((one) => one.volumeLitres * one.centre[k])) / litres;
      expect(centre).toBeCloseTo(whole.centre[k] as number, 6);
    }
    // The trace of an inertia is twice the sum of xx, yy and zz. Each segment has a density of its own.
    const spread = segments.map(({ massKg, volumeLitres: own, centre, inertia }) => {
      const [xx = 0, yy = 0, zz = 0] = inertia;
      const about = ((xx + yy + zz) / 2) * 1e6 + massKg * sum(centre.map((mm) => mm * mm));
      return (about * own * 1e6) / massKg;
    });
    expect(sum(spread) / whole.spread).toBeCloseTo(1, 9);
  });

  it.each(POSES)('are solid bodies, the same on both sides: %s', (pose) => {
    const segments = segmentsOf(builder.mesh(fitted, pose, 'full'));
    for (const { name: of, inertia, massKg } of segments) {
      const [xx = 0, yy = 0, zz = 0] = inertia;
      expect(massKg, of).toBeGreaterThan(0);
      expect(2 * Math.max(xx, yy, zz), of).toBeLessThan(xx + yy + zz);
    }
    const named = (of: string) => segments.find((one) => one.name === of) as Segment;
    for (const part of ['upper_arm', 'forearm', 'hand', 'thigh', 'shank', 'foot']) {
      const [left, right] = [named(`${part}_l`), named(`${part}_r`)];
      expect(left.massKg / right.massKg, part).toBeCloseTo(1, 1);
      expect(left.centre[0], part).toBeGreaterThan(0);
      expect(right.centre[0], part).toBeLessThan(0);
    }
  });
});
