import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, FittedPerson } from '../../src/body/body.js';
import { type BodyDimension, DIMENSION_NAMES, densityOf } from '../../src/body/dimensions.js';
import { POSES } from '../../src/body/skeleton.js';
import { overlapOf } from '../../src/body/volume.js';
import { bodyBuilder, EXTREMES, fittedPerson, personNamed } from '../support/body.js';

const builder = await bodyBuilder();

const GIRTH = /Circumference|Girth/;
/** Breadths and depths of the trunk contradict its girths. */
const TRUNK = /^(ShoulderBreadth|Chest(Breadth|Depth)|StandingHipBreadth|TrunkDepth)/;

describe.each(EXTREMES)('the %s', (name) => {
  let fitted: FittedPerson;
  beforeAll(async () => {
    fitted = await fittedPerson(name);
  });

  it('has the asked dimensions', () => {
    const { readings } = fitted.report;
    expect(readings.map(({ measurement }) => measurement)).toEqual(DIMENSION_NAMES);
    for (const { measurement, askedMm = Number.NaN, achievedMm } of readings) {
      const tolerance = GIRTH.test(measurement) || TRUNK.test(measurement) ? 13 : 6;
      expect(Math.abs(achievedMm - askedMm), measurement).toBeLessThan(tolerance);
    }
    // Flesh and hips must move far to sit with these dimensions.
    const { dimensions, ...rest } = personNamed(name);
    const sizes = (['SittingHeight', 'SittingHipBreadth'] as const).map(
      (size) => [size, (dimensions.get(size) as number) + 35] as const,
    );
    const far = { ...rest, dimensions: new Map([...dimensions, ...sizes]) };
    const { sitting } = builder.fitted(far, fitted.fit);
    for (const [size, askedMm] of sizes) {
      expect(Math.abs((sitting.readings.get(size) as number) - askedMm), size).toBeLessThan(1);
    }
  });

  it('has the asked mass', () => {
    const { gender, ageYears, massKg = Number.NaN } = personNamed(name);
    const mass = fitted.report.volumeLitres * densityOf(gender, ageYears);
    expect(Math.abs(mass / massKg - 1)).toBeLessThan(0.01);
    expect(fitted.report.overlap).toBeLessThan(0.002);
  });

  it.each(POSES)('stands on the floor and is upright in the pose %s', (pose) => {
    const body = builder.mesh(fitted, pose, 'full');
    const heights = axisOf(body, 1);
    expect(Math.min(...heights)).toBeCloseTo(0, 3);
    const top = body.landmarks.get('vertex')?.[1] ?? 0;
    expect(Math.max(...heights) - top).toBeLessThan(5);
    // Both feet are flat: their lowest points are level.
    const low = (side: number) => {
      const own = heights.filter((_, i) => Math.sign(body.positions[3 * i] as number) === side);
      return Math.min(...own);
    };
    expect(Math.abs(low(1) - low(-1))).toBeLessThan(2);
  });

  it('has a face near that of the person', () => {
    const { dimensions } = personNamed(name);
    const { landmarks } = builder.mesh(fitted, 'standing', 'full');
    const at = (landmark: string) => landmarks.get(landmark) as readonly [number, number, number];
    const asked = (dimension: BodyDimension) => dimensions.get(dimension) ?? Number.NaN;
    // Breadths may stay too large by a share: faces keep their features.
    for (const [dimension, landmark] of [
      ['Biocular', 'ectocanthus'],
      ['FaceBreadth', 'zygion'],
      ['JawWidth', 'gonion'],
      ['LipLength', 'cheilion'],
    ] as const) {
      const breadth = at(`${landmark}_l`)[0] - at(`${landmark}_r`)[0];
      expect(Math.abs(breadth / asked(dimension) - 1), dimension).toBeLessThan(0.15);
    }
    for (const [dimension, landmark] of [
      ['HeadToNoseTip', 'pronasale'],
      ['TopOfHeadToStomion', 'stomion'],
    ] as const) {
      const difference = at('vertex')[1] - at(landmark)[1] - asked(dimension);
      expect(Math.abs(difference), dimension).toBeLessThan(5);
    }
  });

  it('keeps the shoulders, the upper arms and the mass when it sits', () => {
    const { massKg = Number.NaN } = personNamed(name);
    const { readings, worstMm, volumeLitres, overlap, densityKgPerLitre } = builder.mesh(
      ...([fitted, 'sitting', 'full'] as const),
    ).report;
    for (const { measurement, askedMm = Number.NaN, achievedMm } of readings) {
      if (!/^ShoulderBreadth|^UpperArmCircumference|^Wrist/.test(measurement)) continue;
      expect(Math.abs(achievedMm - askedMm), measurement).toBeLessThan(8);
    }
    expect(worstMm).toBeLessThan(15);
    expect(overlap).toBeLessThan(0.01);
    expect(Math.abs((volumeLitres * densityKgPerLitre) / massKg - 1)).toBeLessThan(0.01);
  });

  it('sits with elbows as far below the shoulder as asked', () => {
    const { dimensions } = personNamed(name);
    const body = builder.mesh(fitted, 'sitting', 'full');
    const elbow = body.bones.find(({ name: of }) => of === 'lowerarm_l')?.head ?? [0, 0, 0];
    const reach = 0.0175 * (dimensions.get('Stature') ?? 0);
    let underside = Infinity;
    for (let vertex = 0; vertex < body.positions.length / 3; vertex++) {
      const [, y = 0, z = 0] = body.positions.subarray(3 * vertex, 3 * vertex + 3);
      const main = body.bones[body.skinBone[4 * vertex] as number]?.name ?? '';
      if (/^(upper|lower)arm_l$/.test(main) && z < elbow[2] + reach) {
        underside = Math.min(underside, y);
      }
    }
    const acromion = body.landmarks.get('acromion_l')?.[1] ?? 0;
    const asked = dimensions.get('ShoulderElbowLength') ?? 0;
    expect(Math.abs(acromion - underside - asked)).toBeLessThan(8);
  });
});

function axisOf({ positions }: Body, axis: number): number[] {
  return Array.from({ length: positions.length / 3 }, (_, i) => positions[3 * i + axis] as number);
}

it('lets what is not asked follow from the rest', () => {
  const { dimensions, ...rest } = personNamed('man');
  const some = new Map([...dimensions].filter(([name]) => name === 'Stature'));
  const { report } = builder.fit({ ...rest, dimensions: some, massKg: undefined });
  const [stature] = report.readings;
  expect(stature?.achievedMm).toBeCloseTo(stature?.askedMm ?? 0, 0);
  expect(report.readings.filter(({ askedMm }) => askedMm !== undefined)).toHaveLength(1);
});

it('finds what two boxes have in common', () => {
  const box = (shift: number) =>
    Array.from({ length: 8 }, (_, i) => [(i & 1) + shift, (i >> 1) & 1, i >> 2]);
  const sides = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7];
  const faces = [...sides, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
  const both = [...faces, ...faces.map((corner) => corner + 8)];
  // Of 1.75 litres, a quarter of a litre lies in both.
  expect(overlapOf([...box(0), ...box(0.75)].flat(), both)).toBeCloseTo(0.25 / 1.75, 2);
});
