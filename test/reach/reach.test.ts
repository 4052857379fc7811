import { describe, expect, it } from 'vitest';
import type { MeasurementName } from '../../src/core/measurements.js';
import { populationPercentiles } from '../../src/operations/population-percentiles.js';
import { peopleOf } from '../../src/operations/population-request.js';
import { populationShare } from '../../src/operations/population-share.js';
import { reachEnvelope } from '../../src/operations/reach-envelope.js';
import { reachShare } from '../../src/operations/reach-share.js';
import { shortened } from '../../src/operations/short-envelope.js';
import { validateRequest } from '../../src/operations/validate.js';
import { NUDE } from '../../src/population/people-model.js';
import { drawPeople } from '../../src/reach/reach-share.js';
import {
  type Arm,
  armOf,
  armTip,
  type HandTip,
  measurementsFor,
  type ReachPose,
  type Stretch,
} from '../../src/reach/sitter.js';
import { realModel } from '../support/servers.js';
import { cases } from '../support/whole-run.js';

type Place = { x: number; y: number; z: number };

const model = await realModel();

const share = (input: object) => reachShare.run(validateRequest(reachShare, input) as never, model);
const envelope = (input: object) =>
  reachEnvelope.run(validateRequest(reachEnvelope, input) as never, model);
const adults = (country: string, gender?: string) => ({
  groups: [
    { countries: [country], ageMin: 20, ageMax: 60, ...(gender === undefined ? {} : { gender }) },
  ],
});

/** Percentiles 5, 50 and 95 of a measurement. */
function percentilesOf(population: object, measurement: string): number[] {
  const input = { population, measurements: [measurement], percentiles: [5, 50, 95] };
  const answer = populationPercentiles.run(
    validateRequest(populationPercentiles, input) as never,
    model,
  );
  return (answer.measurements[0]?.values ?? []).map(({ value }) => value);
}

/** Distances from the centre straight ahead or straight up, at percentiles 5, 50 and 95. */
function reachesOf(population: object, pose: string, by: string, way: 'ahead' | 'up', more = {}) {
  const found = envelope({ population, pose, by, percentiles: [5, 50, 95], ...more });
  const from = way === 'ahead' ? found.centre.x : found.centre.z;
  const row = 360 / found.stepDegrees;
  const at = way === 'ahead' ? (90 / found.stepDegrees) * row : (180 / found.stepDegrees) * row;
  return found.surfaces.map(({ distances }) => from + (distances[at] as number));
}

const POPULATIONS = [
  ['DE', 'Female'],
  ['IN', 'Female'],
  ['NG', 'Male'],
] as const;

/** The same, without the other directions of the surface. */
function tipsOf(population: object, pose: ReachPose, by: HandTip, way: 'ahead' | 'up'): number[] {
  const { kept, peopleModel } = peopleOf({ population } as never, model);
  const { reach } = peopleModel.views.manifest.population;
  const tips = new Set([by]);
  const names = measurementsFor({ pose, tips, parts: new Set(), sees: false, turns: false });
  const drawn = drawPeople(kept, names, NUDE, 2048, 1);
  const arms = Array.from({ length: drawn.count }, (_, i) => {
    const value = (name: MeasurementName) => drawn.value(i, name);
    return armOf(value, pose, tips, drawn.ageYears(i), drawn.scores(i), reach as Stretch);
  });
  const mean = (of: (arm: Arm) => number) =>
    arms.reduce((sum, arm, i) => sum + (drawn.weights[i] as number) * of(arm), 0);
  const centre = [
    mean(({ x }) => x),
    mean(({ restY }) => restY),
    mean(({ restZ, rise }) => restZ + rise / 2),
  ] as const;
  const [direction, from] =
    way === 'ahead' ? ([[1, 0, 0], centre[0]] as const) : ([[0, 0, 1], centre[2]] as const);
  const found = arms.map((arm) => from + armTip(arm, by, centre, direction, 1, false));
  found.sort((a, b) => a - b);
  return [5, 50, 95].map((p) => found[Math.floor((p / 100) * found.length)] as number);
}

describe('the sphere of the arm contains the tape', () => {
  it('as the operation answers', () => {
    const population = adults('DE', 'Female');
    const answered = reachesOf(population, 'sitting', 'grip', 'ahead');
    const tips = tipsOf(population, 'sitting', 'grip', 'ahead');
    expect(
      Math.max(...answered.map((value, p) => Math.abs(value - (tips[p] as number)))),
    ).toBeLessThan(2);
  });

  it.each(POPULATIONS)('%s %s, at P5, P50 and P95 within 10 mm', (country, gender) => {
    const population = adults(country, gender);
    for (const [pose, by, way, measurement] of [
      ['sitting', 'grip', 'ahead', 'WorkReach'],
      ['sitting', 'pinch', 'ahead', 'HorizontalPinchGripReach'],
      ['sitting', 'grip', 'up', 'VerticalGripReachSitting'],
      ['standing', 'grip', 'up', 'VerticalGripReachStanding'],
    ] as const) {
      const tape = percentilesOf(population, measurement);
      const found = tipsOf(population, pose, by, way);
      const worst = Math.max(...found.map((value, p) => Math.abs(value - (tape[p] as number))));
      expect(worst, `${measurement}: ${found} and ${tape}`).toBeLessThan(10);
    }
  });
});

describe('an envelope and the shares of its points', () => {
  /** The shares of sitting people that reach each of these places. */
  const sharesAt = (places: readonly Place[], by: 'grip' | 'foot') => {
    const targets = places.map((at, i) => ({ name: `${i}`, at, by, hand: 'right' }));
    return share({ population: adults('DE'), pose: 'sitting', targets }).targets.map(
      (one) => one.share,
    );
  };

  it('agree for a hand', () => {
    const scene = { population: adults('DE'), pose: 'sitting', by: 'grip', hand: 'right' } as const;
    const found = envelope({ ...scene, percentiles: [50, 95], planes: [{ z: 560 }] });
    for (const [p, expected] of [0.5, 0.05].entries()) {
      const points = found.curves[0]?.percentiles[p]?.points ?? [];
      const asked = points.filter((_, i) => i % 20 === 0);
      const off = sharesAt(asked, 'grip').filter((one) => Math.abs(one - expected) > 0.03);
      // Near the joint, some of those who reach farther have no place for the elbow.
      expect(off.length, JSON.stringify(off)).toBeLessThanOrEqual(1);
      expect(asked.length).toBeGreaterThan(2);
    }
  });

  it('agree for a foot', () => {
    const scene = { population: adults('DE'), pose: 'sitting', by: 'foot', hand: 'right' } as const;
    const found = envelope({ ...scene, percentiles: [5, 50], planes: [{ y: -90 }] });
    for (const [p, expected] of [0.95, 0.5].entries()) {
      const points = found.curves[0]?.percentiles[p]?.points ?? [];
      const low = points.filter(({ x, z }) => x > 400 && z < 60);
      expect(low.length).toBeGreaterThan(10);
      for (const one of sharesAt(
        low.filter((_, i) => i % 9 === 0),
        'foot',
      )) {
        expect(Math.abs(one - expected)).toBeLessThan(0.025);
      }
    }
    const refused = { ...scene, pose: 'standing', lean: 'trunk', percentiles: [5] };
    expect(() => envelope(refused)).toThrow(/needs the pose sitting/);
  });
});

const CAR = {
  pose: 'sitting',
  seat: { height: 300, backAngle: 22, panAngle: 8, travel: { x: [-60, 60], z: [-20, 20] } },
  targets: [
    { name: 'pedal', at: { x: 860, y: -150, z: 120 }, by: 'foot', hand: 'right' },
    { name: 'wheel', at: { x: 500, y: -180, z: 640 }, by: 'grip', hand: 'right' },
  ],
  see: [{ name: 'road', at: { x: 8000, y: 0, z: 0 }, over: { x: 1000, z: 880 } }],
} as const;

describe('reach_share', () => {
  const population = adults('DE');
  const touch = (at: Place, more = {}) =>
    share({ population, pose: 'sitting', targets: [{ name: 'a', at, by: 'grip', ...more }] }).share;

  it('does not reach behind the back or across it', () => {
    expect(touch({ x: -300, y: -100, z: 560 }, { hand: 'right' })).toBe(0);
    expect(touch({ x: 0, y: 600, z: 560 }, { hand: 'right' })).toBe(0);
  });

  it('serves more people with a seat that moves, and says where it stands', () => {
    const moving = share({ population, ...CAR });
    const { travel: _, ...still } = CAR.seat;
    const fixed = share({ population, ...CAR, seat: still });
    expect(moving.share).toBeGreaterThan(fixed.share + 0.05);
    expect(fixed.seat).toBeUndefined();
    const { x } = moving.seat as { x: { p5: number; p95: number } };
    expect(x.p5).toBeGreaterThanOrEqual(-60);
    expect(x.p95).toBeLessThanOrEqual(60);
    expect(x.p5).toBeLessThan(x.p95);
  });

  /** A box across the room, by the lower and the upper corner in the plane of x and z. */
  const boxOf = ([x, z]: readonly [number, number], [toX, toZ]: readonly [number, number]) => ({
    from: { x, y: -500, z },
    to: { x: toX, y: 500, z: toZ },
  });

  it('a demand that only one place of the seat meets: leaving it out serves whom it excludes', () => {
    const roof = { name: 'roof', by: 'head', box: boxOf([-800, 1350], [1600, 2000]) };
    const walls = [
      { name: 'front', by: 'head', box: boxOf([465, 900], [600, 2000]) },
      { name: 'back', by: 'head', box: boxOf([0, 900], [245, 2000]) },
    ];
    const scene = {
      population,
      pose: 'sitting',
      seat: { height: 450, travel: { x: [-300, 300] } },
    };
    const found = share({ ...scene, clear: [...walls, roof] });
    const without = share({ ...scene, clear: walls });
    expect(found.clear[2]?.failsOnlyHere).toBeCloseTo(without.share - found.share, 4);
    expect(found.clear[2]?.failsOnlyHere).toBeGreaterThan(0.3);
  });

  const moving = { seat: { height: 450, backAngle: 5, travel: { x: [-10, 10] } } };
  const LOW = { seat: { height: 200 } };
  type Refused = readonly [where: string, more: object, at: Place, text: RegExp];
  const inside: readonly Refused[] = [
    ['in the pelvis', {}, { x: 160, y: -40, z: 60 }, /inside the body.*x 160, y -\d+.*, z 60 mm/],
    ['in the thighs', {}, { x: 400, y: 120, z: 70 }, /inside the body.*x 400, y \d+.*, z 70 mm/],
  ];
  const few: readonly Refused[] = [
    ['beyond 3 m', {}, { x: 0, y: 0, z: 3500 }, /at most 3000 mm.*z 2999 mm/],
    ['in the trunk', {}, { x: 130, y: 0, z: 200 }, /inside the body.*x 1[78]\d.*, y 0, z 200 mm/],
    ['on a low seat', LOW, { x: 400, y: 50, z: 420 }, /inside the body.*x 400, y 50, z \d+/],
    ['in legs', { pose: 'standing' }, { x: 60, y: 50, z: 650 }, /inside the body.*x 60, y 1\d\d/],
    ['at the origin', {}, { x: 5, y: 0, z: 5 }, /within 150 mm.*place is x 5, y 300, z 5 mm/],
    ['in a seat that moves', moving, { x: 60, y: 0, z: 650 }, /inside the body/],
    ['below the floor', moving, { x: 600, y: 0, z: -20 }, /below the floor.*z 0 mm/],
  ];
  it.each(cases(few, inside))(
    'refuses a target %s and names the nearest place',
    (_, more, at, text) => {
      const targets = [{ name: 'a', at, by: 'grip' }];
      expect(() => share({ population, pose: 'sitting', ...more, targets })).toThrow(
        expect.objectContaining({
          code: 'target_out_of_space',
          message: expect.stringMatching(text),
        }),
      );
    },
  );

  /** A scene with its lengths in another unit of this size in mm. */
  const inUnit = (scene: object, size: number) =>
    JSON.parse(JSON.stringify(scene), (key, value) =>
      typeof value === 'number' && !key.endsWith('Angle') ? value / size : value,
    );
  const lever = { targets: [{ name: 'a', at: { x: 700, y: -300, z: 500 }, by: 'grip' }] };
  const roof = { name: 'a', by: 'head', box: boxOf([-400, 1230], [450, 1280]) };
  it.each([
    ['a lever in cm', lever, 10, /Did you mean cm\? .* by 10, or set unit to cm\..* x 700, y -300/],
    ['a lever in inches', lever, 25.4, /Did you mean cm or in\? .* by 10 or 25.4, or set unit/],
    ['a lever in m', lever, 1000, /Did you mean m\? .* by 1000\. The place then is x 700, y -300/],
    ['a car in inches', CAR, 25.4, /targets\[1\] .*Did you mean in\?.* x 500, y -180, z 640 mm/],
    ['a roof in cm', { clear: [roof] }, 10, /clear\[0\] .*Did you mean cm\?/],
    ['a view in m', { seat: CAR.seat, see: CAR.see }, 1000, /see\[0\] .*Did you mean in or m\?/],
  ])('asks for the unit of %s', (_, scene, size, text) => {
    expect(() => share({ population, pose: 'sitting', ...inUnit(scene, size) })).toThrow(
      expect.objectContaining({
        code: 'target_out_of_space',
        message: expect.stringMatching(text),
      }),
    );
  });

  it('answers a lever beside the hip and a pedal at the heel', () => {
    expect(touch({ x: 100, y: -300, z: 50 })).toBeGreaterThan(0.9);
    const foot = { name: 'a', at: { x: 100, y: -100, z: 20 }, by: 'foot' };
    const scene = { pose: 'sitting', seat: { height: 450 }, targets: [foot] };
    expect(share({ population, ...scene })).toHaveProperty('share');
  });

  const offered: readonly (readonly [unit: string, at: Place])[] = [
    ['in', { x: 300 / 25.4, y: 80 / 25.4, z: 100 / 25.4 }],
    ['mm', { x: 1700, y: 1900, z: 2600 }],
  ];
  it.each(cases(offered, [['mm', { x: 60, y: 10, z: 200 }]]))(
    'offers places that are accepted, in %s',
    (unit, at) => {
      const ask = (place: Place) =>
        share({
          population,
          pose: 'sitting',
          unit,
          targets: [{ name: 'a', at: place, by: 'grip' }],
        });
      let offer: RegExpMatchArray | null = null;
      try {
        ask(at);
      } catch (error) {
        offer = (error as Error).message.match(/x (-?[\d.]+), y (-?[\d.]+), z (-?[\d.]+) /);
      }
      const [, x, y, z] = offer ?? [];
      expect(ask({ x: Number(x), y: Number(y), z: Number(z) })).toHaveProperty('share');
    },
  );

  it('states an error that holds', () => {
    const seat = { height: 0, travel: { x: [-30, 30] } };
    let [off, stated] = [0, 0];
    for (const z of [780, 820, 860]) {
      const see = [{ name: 'edge', at: { x: 3000, y: 0, z }, over: { x: 900, z } }];
      const found = share({ population, pose: 'sitting', seat, see });
      const limits = [{ measurement: 'SittingEyeHeight', min: z }];
      const exact = populationShare.run(
        validateRequest(populationShare, { population, limits }) as never,
        model,
      );
      expect(found.numericalError).toBeGreaterThan(0);
      off += Math.abs(found.share - exact.share);
      stated += found.numericalError;
    }
    expect(off).toBeLessThanOrEqual(stated);
  });

  it('knees of a low seat rise once, and feet hang from a high one', () => {
    const under = (height: number, panAngle: number, from: number, to: number) => {
      const box = { from: { x: 300, y: -300, z: from }, to: { x: 900, y: 300, z: to } };
      const clear = [{ name: 'table', box, by: 'knee' }];
      return share({ population, pose: 'sitting', seat: { height, panAngle }, clear }).share;
    };
    expect(under(300, 10, 620, 800)).toBeGreaterThan(0.9);
    expect(under(800, 0, 20, 60)).toBe(1);
    expect(under(420, 0, 300, 400)).toBe(0);
  });

  it.each([
    ['nothing', {}, /give targets, see or clear/],
    ['a standing seat', { seat: { height: 400 } }, /Nothing is asked.*1 more/],
    [
      'a sight that hides nothing',
      { see: [{ name: 'a', at: { x: 1, y: 0, z: 1 } }] },
      /needs over/,
    ],
  ])('refuses %s', (_, more, text) => {
    expect(() => share({ population, pose: 'standing', ...more })).toThrow(text);
  });

  it('has no answer for children under two', () => {
    const babies = { groups: [{ countries: ['DE'], ageMin: 1, ageMax: 1 }] };
    const targets = [{ name: 'a', at: { x: 300, y: 0, z: 300 }, by: 'grip' }];
    expect(() => share({ population: babies, pose: 'sitting', targets })).toThrow(
      expect.objectContaining({ code: 'model_not_found' }),
    );
  });
});

describe('published facts', () => {
  /** Pheasant, Bodyspace (1996), as adapted in a table of adults: P5, P50 and P95 in mm. The spread is the bound. */
  it.each<readonly [string, 'ahead' | 'up', readonly [number, number, number]]>([
    ['Female', 'ahead', [655, 711, 765]],
    ['Male', 'up', [1951, 2080, 2210]],
  ])('grip of standing adults: %s %s', (gender, way, published) => {
    const population = { groups: [{ countries: ['US'], gender, ageMin: 19, ageMax: 65 }] };
    const found = reachesOf(population, 'standing', 'grip', way);
    const worst = Math.max(...found.map((value, p) => Math.abs(value - (published[p] as number))));
    const sd = (published[2] - published[0]) / (2 * 1.645);
    expect(worst, `${found}`).toBeLessThan(sd);
  });

  /** V points of UN Regulation 125, mm before the R point, by the angle of the back. The hips are 137 mm before it. */
  it('says what it leaves out: the lower reach of people of 65 or more, and where reclined eyes are', () => {
    const people = (ageMax: number) => ({ groups: [{ countries: ['LU'], ageMin: 60, ageMax }] });
    const targets = [{ name: 'knob', at: { x: 600, y: -200, z: 560 }, by: 'grip' }];
    const see = [{ name: 'sign', at: { x: 5000, y: 0, z: 900 }, upMax: 5 }];
    const told = (ageMax: number, more: object) =>
      share({ population: people(ageMax), pose: 'sitting', ...more }).notes;
    expect(told(64, { targets, see })).toBeUndefined();
    expect(told(65, { see })).toBeUndefined();
    expect(told(65, { targets })).toEqual([expect.stringContaining('4.8 %')]);
    const reclined = told(64, { see, seat: { height: 300, backAngle: 20 } });
    expect(reclined).toEqual([expect.stringContaining('our own assumption')]);
    const asked = { pose: 'sitting', by: 'grip', percentiles: [5] };
    expect(envelope({ ...asked, population: people(64) }).notes).toBeUndefined();
    const old = envelope({ ...asked, population: people(65) });
    expect(shortened(old).notes).toEqual([expect.stringContaining('4.8 %')]);
  });

  it('eyes of drivers with a back at 25° lie near the V points', () => {
    const [backAngle, beforeMm] = [25, -68];
    const population = { groups: [{ countries: ['EU27'], ageMin: 18, ageMax: 70 }] };
    const at = (x: number) => {
      const see = [{ name: 'eye', at: { x, y: 0, z: 300 }, upMax: 90 }];
      return share({ population, pose: 'sitting', seat: { height: 0, backAngle }, see }).share;
    };
    expect(at(137 + beforeMm - 25)).toBeLessThan(0.5);
    expect(at(137 + beforeMm + 25)).toBeGreaterThan(0.5);
  });

  it('an erect seat leaves the eyes where the erect posture has them', () => {
    const population = { groups: [{ countries: ['DE'], ageMin: 18, ageMax: 65 }] };
    const see = [{ name: 'eye', at: { x: 185, y: 0, z: 300 }, upMax: 90 }];
    const [none, empty, reclined] = [undefined, { height: 0 }, { height: 0, backAngle: 10 }].map(
      (seat) => share({ population, pose: 'sitting', seat, see }).share,
    );
    expect(none).toBeGreaterThan(0.02);
    expect(none).toBeLessThan(0.98);
    expect(empty).toBe(none);
    expect(reclined).not.toBe(none);
  });
});
