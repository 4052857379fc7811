import { beforeAll, describe, expect, it } from 'vitest';
import { vectorAt } from '../../src/body/skeleton.js';
import { bodyInStance, type Stance } from '../../src/body/stance.js';
import { between, length, minus, type Vector } from '../../src/body/vectors.js';
import { BodyViewer } from '../../src/render/body-viewer.js';
import {
  renderStance,
  type StancePicture,
  stancePictureOf,
  stancePlaces,
  stanceText,
} from '../../src/render/stance-picture.js';
import { bodyBuilder, personNamed } from '../support/body.js';
import { boxOfPath } from '../support/paths.js';

const { dimensions, ...man } = personNamed('man');
const person = { ...man, valuesMm: Object.fromEntries(dimensions) };

let viewer: BodyViewer;
let bodyOf: (stance: Stance) => (name: string) => Vector;
beforeAll(async () => {
  const builder = await bodyBuilder();
  viewer = new BodyViewer(builder);
  bodyOf = (stance) => {
    const { vertices, heads } = bodyInStance(builder, viewer.fit(person), stance);
    const { landmarks } = builder.views.header;
    // x forward, y left, z up, as in the stance.
    return (name) => {
      const at = name in landmarks ? vectorAt(vertices, landmarks[name] as number) : undefined;
      const [x, y, z] = at ?? vectorAt(heads, builder.skeleton.bone(name));
      return [z, x, y];
    };
  };
});

/** The eye of an erect person, and of one who sits in a car, mm. */
const [EYE, LOW]: [Vector, Vector] = [
  [250, 0, 790],
  [80, 0, 735],
];

const sitting = (
  more: Partial<Stance & { readonly eye: Vector }> = {},
): Stance & { readonly eye: Vector } => ({
  ...{ pose: 'sitting', trunkDegrees: 0, hands: [undefined, undefined], feet: [] },
  eye: EYE,
  ...more,
});
const far = (a: Vector, b: Vector) => length(minus(a, b));

describe('a body in a stance', () => {
  it.each([
    ['ahead', [550, 250, 500]],
    ['low', [400, 350, 150]],
    ['overhead', [200, 250, 1050]],
    ['across', [450, -100, 450]],
  ] as const)('touches places with the fingertips: %s', (_, at) => {
    const right: Vector = [at[0], -at[1], at[2]];
    const hands = [at, right].map((place) => ({ at: place, by: 'fingertip' as const }));
    const body = bodyOf(sitting({ hands }));
    expect(far(body('dactylion_l'), at)).toBeLessThan(0.001);
    expect(far(body('dactylion_r'), right)).toBeLessThan(0.001);
  });

  it('turns the trunk about the hips and keeps the head level', () => {
    const [erect, leaned] = [bodyOf(sitting()), bodyOf(sitting({ trunkDegrees: -25, eye: LOW }))];
    const eye = (body: typeof erect) => {
      const middle = between(body('ectocanthus_l'), body('ectocanthus_r'), 0.5);
      return far(middle, body === erect ? EYE : LOW);
    };
    expect(far(leaned('thigh_l'), erect('thigh_l'))).toBeLessThan(0.001);
    const hip = erect('thigh_l');
    const angle = (body: typeof erect) => {
      const [x, , z] = minus(body('spine_03'), hip);
      return (Math.atan2(x, z) * 180) / Math.PI;
    };
    expect(angle(leaned) - angle(erect)).toBeCloseTo(-25, 6);
    expect(eye(erect)).toBeLessThan(0.001);
    expect(eye(leaned)).toBeLessThan(0.001);
    const nose = (body: typeof erect) => minus(body('pronasale'), body('ectocanthus_l'));
    expect(far(nose(leaned), nose(erect))).toBeLessThan(3);
  });

  it('puts the feet in their places', () => {
    const feet = [
      { at: [620, 120, -150] as Vector, pitchDegrees: 40 },
      { at: [560, -100, -280] as Vector, pitchDegrees: 0 },
    ];
    const body = bodyOf(sitting({ feet }));
    // The ball's joint lies above the sole.
    const [ballX, ballY, ballZ] = minus(body('ball_r'), [560, -100, -280]);
    expect(Math.hypot(ballX, ballY)).toBeLessThan(1);
    expect(ballZ).toBeGreaterThan(5);
    expect(ballZ).toBeLessThan(40);
    expect(far(body('ball_l'), [620, 120, -150])).toBeCloseTo(ballZ, 0);
    const [x, , z] = minus(body('ball_l'), body('foot_l'));
    const [flatX, , flatZ] = minus(body('ball_r'), body('foot_r'));
    const pitch = Math.atan2(z, x) - Math.atan2(flatZ, flatX);
    expect((pitch * 180) / Math.PI).toBeCloseTo(40, 0);
  });
});

describe('a picture of a stance', () => {
  const picture: StancePicture = {
    person: {
      ...{ gender: 'Male', ageYears: Math.floor(person.ageYears), massKg: 80 },
      valuesMm: Object.fromEntries(
        Object.entries(person.valuesMm).map(([name, mm]) => [name, Math.round(mm)]),
      ),
    },
    stance: sitting({
      trunkDegrees: -22,
      hands: [{ at: [450, 200, 450], by: 'grip' }, undefined],
      feet: [{ at: [620, 120, -150], pitchDegrees: 40 }],
    }),
    seen: [30, 20],
    frame: [-400, 1000, -600, 1000],
    ...{ suit: '#0b5f66', heightPx: 320, isOwn: false },
  };

  it('is found again by its text', () => {
    const text = stanceText(picture);
    expect(text).toMatch(/^[\w~.-]+$/);
    expect(stancePictureOf(text)).toEqual(picture);
    const own = { ...picture, seen: 'above', isOwn: true } as const;
    expect(stancePictureOf(stanceText(own))).toEqual(own);
  });

  it.each([
    ['another start', (text: string) => text.replace('stance', 'posture')],
    ['another form of a number', (text: string) => text.replace('450.200.450', '4e2.200.450')],
    ['an unknown part', (text: string) => `${text}~other`],
    ['a huge height', (text: string) => text.replace(/320$/, '9999')],
    ['no colour', (text: string) => text.replace('0b5f66', 'red')],
  ])('has no other text: %s', (_, change) => {
    expect(stancePictureOf(change(stanceText(picture)))).toBeUndefined();
  });

  it('shows the whole person', () => {
    const shown = { ...picture, seen: 'above' } as const;
    const { width, height, rgba } = renderStance(viewer, shown);
    expect([width, height]).toEqual([280, 320]);
    const opaque = rgba.reduce((sum, value, i) => sum + (i % 4 === 3 && value > 128 ? 1 : 0), 0);
    expect(opaque / (width * height)).toBeGreaterThan(0.05);
    const [left, right, bottom, top] = boxOfPath(stancePlaces(viewer, shown).silhouette);
    expect(Math.min(left, bottom)).toBeGreaterThan(-600);
    expect(Math.max(right, top)).toBeLessThan(1000);
    expect(renderStance(viewer, shown).rgba).toEqual(rgba);
  });
});
