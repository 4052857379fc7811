import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Point } from '../../src/figure/geometry.js';
import {
  type DimensionsMm,
  POSE_MEASUREMENTS,
  type PoseMeasurement,
} from '../../src/figure/pose-dimensions.js';
import { POSED_POSTURES, POSED_SIDES, type PosedView, posedBody } from '../../src/figure/posed.js';
import { VIEWS } from '../../src/figure/runs.js';

interface Fixture {
  readonly measurements: readonly PoseMeasurement[];
  readonly populations: readonly {
    readonly gender: string;
    readonly country: string;
    readonly ages: readonly [number, number];
    readonly valuesMm: readonly (readonly [p5: number, p50: number, p95: number])[];
  }[];
}

/** Real predictions: 23 populations from 2 to 90 years; `source` in the file says how they were made. */
const FIXTURE: Fixture = JSON.parse(
  readFileSync(new URL('./posed-populations.json', import.meta.url), 'utf8'),
);

const BODIES = FIXTURE.populations.flatMap(({ gender, country, ages, valuesMm }) =>
  ['P5', 'P50', 'P95'].map((percentile, index) => ({
    name: `${gender} ${country} ${ages.join('–')} ${percentile}`,
    dimensions: Object.fromEntries(
      FIXTURE.measurements.map((name, i) => [name, valuesMm[i]?.[index]]),
    ) as DimensionsMm,
  })),
);

/** Allowed difference of a drawn length from its dimension: the larger of both. */
const SHARE = 0.03;
const SLACK_MM = 5;

/** A drawn length in mm: between two landmarks along one axis. */
type Drawn = readonly [name: PoseMeasurement, axis: 'x' | 'y', from: string, to: string];

const LENGTHS: Readonly<Record<string, readonly Drawn[]>> = {
  'standing front': [
    ['Stature', 'y', 'floor', 'topOfHead'],
    ['EyeHeight', 'y', 'floor', 'eye'],
    ['ShoulderHeight', 'y', 'floor', 'acromionLeft'],
    ['ElbowHeight', 'y', 'floor', 'radiale'],
    ['WaistHeightStanding', 'y', 'floor', 'navel'],
    ['CrotchHeight', 'y', 'floor', 'crotch'],
    ['FingertipHeight', 'y', 'floor', 'fingertip'],
    ['FootHeight', 'y', 'floor', 'lateralMalleolus'],
    ['HipBreadth', 'x', 'hipRight', 'hipLeft'],
    ['ChestBreadth', 'x', 'chestRight', 'chestLeft'],
    ['ShoulderBreadthBideltoid', 'x', 'deltoidRight', 'deltoidLeft'],
    ['WholeBodyBreadthMax', 'x', 'elbowOuterRight', 'elbowOuterLeft'],
    ['ShoulderBreadthBiacromial', 'x', 'acromionRight', 'acromionLeft'],
    ['HeadBreadth', 'x', 'headRight', 'headLeft'],
  ],
  'standing side': [
    ['Stature', 'y', 'floor', 'topOfHead'],
    ['EyeHeight', 'y', 'floor', 'eye'],
    ['ShoulderHeight', 'y', 'floor', 'acromion'],
    ['CrotchHeight', 'y', 'floor', 'crotch'],
    ['ChestDepth', 'x', 'chestBack', 'chestFront'],
    ['WaistDepthStanding', 'x', 'waistBack', 'waistFront'],
    ['TrunkDepthAtButtocks', 'x', 'buttock', 'abdomenAtButtocks'],
    ['HeadLength', 'x', 'backOfHead', 'glabella'],
    ['FootLength', 'x', 'heel', 'toe'],
  ],
  'sitting side': [
    ['SittingHeight', 'y', 'seat', 'topOfHead'],
    ['SittingEyeHeight', 'y', 'seat', 'eye'],
    ['SittingShoulderHeight', 'y', 'seat', 'acromion'],
    ['SittingElbowHeight', 'y', 'seat', 'elbowUnderside'],
    ['WaistHeightSitting', 'y', 'seat', 'navel'],
    ['ThighThickness', 'y', 'thighUnderside', 'thighTop'],
    ['PoplitealHeight', 'y', 'floor', 'popliteal'],
    ['KneeHeight', 'y', 'floor', 'kneeTop'],
    ['ButtockKneeLength', 'x', 'buttock', 'kneeFront'],
    ['ButtockPoplitealLength', 'x', 'buttock', 'popliteal'],
    ['AbdominalDepth', 'x', 'backPlane', 'abdomen'],
    ['ElbowFingertipLength', 'x', 'elbowBack', 'fingertip'],
    ['HandLength', 'x', 'stylion', 'fingertip'],
    ['HeadLength', 'x', 'backOfHead', 'glabella'],
    ['FootLength', 'x', 'heel', 'toe'],
  ],
  'sitting front': [
    ['SittingHeight', 'y', 'seat', 'topOfHead'],
    ['PoplitealHeight', 'y', 'floor', 'seat'],
    ['SittingElbowHeight', 'y', 'seat', 'elbowUnderside'],
    ['SittingHipBreadth', 'x', 'hipRight', 'hipLeft'],
    ['ShoulderBreadthBideltoid', 'x', 'deltoidRight', 'deltoidLeft'],
    ['HeadBreadth', 'x', 'headRight', 'headLeft'],
  ],
};

const POSES = POSED_POSTURES.flatMap((posture) =>
  POSED_SIDES.map((side) => ({ posture, side, pose: `${posture} ${side}` })),
);

function landmark({ landmarks }: PosedView, name: string): Point {
  const found = landmarks[name];
  if (found === undefined) throw new Error(`there is no landmark ${name}`);
  return found;
}

function isNear(drawnMm: number, dimensionMm: number): boolean {
  return Math.abs(drawnMm - dimensionMm) <= Math.max(SLACK_MM, SHARE * dimensionMm);
}

/** The largest value of a coordinate over all outlines. */
function most(view: PosedView, of: (point: Point) => number): number {
  return Math.max(...view.outlines.flat().map(of));
}

describe('posed bodies', () => {
  it.each(POSES)('have the predicted dimensions between landmarks: $pose', (options) => {
    const wrong = BODIES.flatMap(({ name, dimensions }) => {
      const view = posedBody(dimensions, options);
      return (LENGTHS[options.pose] ?? []).flatMap(([measurement, axis, from, to]) => {
        const drawnMm = Math.abs(landmark(view, to)[axis] - landmark(view, from)[axis]);
        const dimensionMm = dimensions[measurement] ?? Number.NaN;
        return isNear(drawnMm, dimensionMm)
          ? []
          : [`${name}: ${measurement} is ${dimensionMm}, drawn ${Math.round(drawnMm)}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('use every dimension of the list, and every dimension is checked or changes the outline', () => {
    const [body] = BODIES;
    const outlines = (dimensions: DimensionsMm) =>
      JSON.stringify(POSES.map((options) => posedBody(dimensions, options).outlines));
    const before = outlines(body?.dimensions ?? {});
    for (const name of POSE_MEASUREMENTS) {
      const grown = { ...body?.dimensions, [name]: (body?.dimensions[name] ?? 0) * 1.03 };
      expect([name, outlines(grown) === before]).toEqual([name, false]);
    }
    expect([...FIXTURE.measurements].sort()).toEqual([...POSE_MEASUREMENTS].sort());
  });

  it('have outlines as tall, wide and deep as the dimensions', () => {
    const wrong = BODIES.flatMap(({ name, dimensions }) => {
      const at = (key: PoseMeasurement) => dimensions[key] ?? Number.NaN;
      const front = posedBody(dimensions, { posture: 'standing', side: 'front' });
      const side = posedBody(dimensions, { posture: 'standing', side: 'side' });
      const sitting = posedBody(dimensions, { posture: 'sitting', side: 'side' });
      const sat = at('PoplitealHeight') + at('SittingHeight');
      const widest = Math.max(at('WholeBodyBreadthMax'), at('ShoulderBreadthBideltoid'));
      const checks: readonly (readonly [string, number, number])[] = [
        ['height from the front', most(front, ({ y }) => y), at('Stature')],
        ['height from the side', most(side, ({ y }) => y), at('Stature')],
        ['height sitting', most(sitting, ({ y }) => y), sat],
        [
          'foot',
          most(side, ({ x, y }) => (y < 60 ? x : -999)) +
            most(side, ({ x, y }) => (y < 60 ? -x : -999)),
          at('FootLength'),
        ],
      ];
      const breadthMm = 2 * most(front, ({ x }) => x);
      return [
        ...checks
          .filter(([, drawnMm, dimensionMm]) => !isNear(drawnMm, dimensionMm))
          .map((check) => `${name}: ${check.join(' ')}`),
        // Hands hang up to some centimetres beside the elbows.
        ...(breadthMm >= widest * 0.97 && breadthMm <= widest + 130 ? [] : [`${name}: breadth`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('are finite, stay on the floor, and have a positive breadth everywhere', () => {
    for (const options of POSES) {
      for (const { name, dimensions } of BODIES) {
        const view = posedBody(dimensions, options);
        const text = [...view.marks, ...view.regions].map(({ d }) => d).join();
        expect(text, name).not.toMatch(/NaN|undefined|Infinity/);
        expect(
          most(view, ({ y }) => -y),
          name,
        ).toBeLessThanOrEqual(0.5);
        for (const line of view.outlines) {
          const [xs, ys] = [line.map(({ x }) => x), line.map(({ y }) => y)];
          expect(Math.max(...xs) - Math.min(...xs), name).toBeGreaterThan(5);
          expect(Math.max(...ys) - Math.min(...ys), name).toBeGreaterThan(5);
        }
        const [left, right, bottom, top] = view.extent;
        expect(left < right && bottom === 0 && top > 500, name).toBe(true);
      }
    }
  });

  it('have the proportions of children', () => {
    const headShare = (country: string, years: number) => {
      const child = BODIES.find(
        ({ name }) => name.includes(`${country} ${years}–`) && name.endsWith('P50'),
      );
      const view = posedBody(child?.dimensions ?? {}, { posture: 'standing', side: 'front' });
      return {
        head: (landmark(view, 'topOfHead').y - landmark(view, 'acromionLeft').y) / view.extent[3],
        leg: landmark(view, 'crotch').y / view.extent[3],
      };
    };
    const [child, adult] = [headShare('IN', 3), headShare('GT', 40)];
    expect(child.head).toBeGreaterThan(adult.head * 1.15);
    expect(child.leg).toBeLessThan(adult.leg * 0.95);
  });

  it('keep the landmarks of the drawings, so that the lines of measurements fit them', () => {
    const names = (view: { landmarks: object }) => Object.keys(view.landmarks);
    const posed = (posture: 'standing' | 'sitting', side: 'front' | 'side') =>
      names(posedBody({}, { posture, side }));
    expect(posed('standing', 'front')).toEqual(expect.arrayContaining(names(VIEWS.standingFront)));
    expect(posed('standing', 'side')).toEqual(expect.arrayContaining(names(VIEWS.standingSide)));
    expect(posed('sitting', 'side')).toEqual(expect.arrayContaining(names(VIEWS.sittingSide)));
    expect(posed('sitting', 'front')).toEqual(expect.arrayContaining(names(VIEWS.sittingFront)));
  });

  it('stay whole where dimensions are missing or contradict each other', () => {
    const [body] = BODIES;
    const contradicting = { ...body?.dimensions, EyeHeight: 300, CrotchHeight: 1900 };
    for (const options of POSES) {
      for (const dimensions of [{}, { Stature: 900 }, contradicting]) {
        const { marks } = posedBody(dimensions, options);
        expect(marks.map(({ d }) => d).join()).not.toMatch(/NaN|undefined|Infinity/);
      }
    }
    expect(posedBody({ Stature: 900 }, { posture: 'standing', side: 'front' }).extent[3]).toBe(900);
    expect(() => posedBody({ Stature: -1 }, { posture: 'standing', side: 'front' })).toThrow(
      RangeError,
    );
  });
});
