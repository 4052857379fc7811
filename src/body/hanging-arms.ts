import { FLANK } from './arm-contact.js';
import { farthestAround, type Mesh, skinOf } from './contact-map.js';
import {
  ARM_FROM_VERTICAL,
  ARM_POSES,
  type ArmPose,
  type Posed,
  type Skeleton,
  vectorAt,
} from './skeleton.js';
import { between, clamp, fromAxis, length, minus, twoBones, type Vector } from './vectors.js';

const DEGREE = Math.PI / 180;

/** How arms hang. */
export interface Hanging {
  /** Minimum angle of the upper arm from vertical, radians. */
  readonly least: number;
  /** How far the forearm points forward, as a share of its length. */
  readonly ahead: number;
  /** Upper arms may lie so deep in the flank, mm; by default `SOFT_MM`. */
  readonly softMm?: number;
  /** Breadth of the whole body to which the arms spread, if they can, mm. */
  readonly breadthMm?: number | undefined;
}

/** Arms of the files of bodies. */
export const APART: Hanging = { least: ARM_FROM_VERTICAL, ahead: 0.1 };
/** Arms of a file whose upper arms have a known angle, radians. */
export const apartAt = (angle: number): Hanging => ({ ...APART, least: angle, softMm: Infinity });
/** Upper arms may lie so deep in the flank, mm: flesh gives way, and `layArms` flattens them. */
const SOFT_MM = 34;
/** Hands and elbows may lie so deep in hips and thighs, mm. The forearm may lie deep to this share of it. */
const HAND_SOFT_MM = 3;
const ELBOW_SOFT_MM = 25;
const ELBOW_TO = 0.6;
/** The hand points farther out than the forearm, because its fingers are bent inwards, radians. */
const HAND_OUT = 8 * DEGREE;
/** The outermost place of the hand beyond the wrist, in forearms. */
const HAND_OUTER = 0.35;
/** Angle of the hand below a forearm, radians from vertical. */
const handAngle = (fore: number): number => Math.max(fore, 0) + HAND_OUT;
/** Angles beyond the least one that are tried for the breadth, radians. */
const SPREAD = 16 * DEGREE;
/** Largest angle of the upper arm and of the forearm, from vertical outwards, radians. */
const UPPER_MOST = 40 * DEGREE;
const FORE_MOST = 30 * DEGREE;
/** The forearm turns in by at most this angle from the upper arm, radians. Elbows do not bend sideways. */
const INWARD_MOST = 6 * DEGREE;
/** The upper arm is free of the chest from this share of its length on. Above it are armpit and breast. */
const FREE_FROM = 0.62;
/** Number of steps along an arm at which it is compared with the flank. */
const STEPS = 30;
/** Length of the forearm with the hand, in forearms. */
const WITH_HAND = 1.7;
/** Thickness of the hand, whose palm faces the thigh, as a share of its breadth. */
const HAND_THICKNESS = 0.6;
/** A vertex belongs to a part from this share of its bones on. */
const SHARE = 0.6;
const BINS = 8;

/** Thickness along an arm: radius in mm by tenths of the way. */
type Radii = Float64Array;

/**
 * The least spread hanging arms that do not go through the flank and the hips. The forearm turns towards the thigh
 * as far as hips and elbow allow, so wide people are not wider than they are.
 *
 * @param points x, y, z of the vertices and joints in the rest pose, mm
 */
export function hangingArms(
  mesh: Mesh,
  points: Float64Array,
  { least: leastAngle, ahead: foreAhead, softMm = SOFT_MM, breadthMm }: Hanging,
): ArmPose {
  const { skeleton } = mesh;
  const head = (name: string): Vector => vectorAt(points, skeleton.heads[skeleton.bone(name)]);
  const [shoulder, elbow, wrist] = [head('upperarm_l'), head('lowerarm_l'), head('hand_l')];
  const upperMm = Math.hypot(...minus(elbow, shoulder));
  const foreMm = Math.hypot(...minus(wrist, elbow));
  const upperRadii = radiiOf(skeleton, points, /^upperarm_l$/, shoulder, elbow);
  const foreRadii = radiiOf(skeleton, points, /^lowerarm_l$/, elbow, wrist);
  const palm = HAND_THICKNESS * foreRadii[BINS - 1];
  const standing = skeleton.rotations(points, 'standing');
  const { vertices } = skeleton.pose(points, standing, skeleton.movedBy(FLANK).vertices);
  const flankAt = farthestAround(skinOf(mesh, FLANK), vertices, 0, elbow[1]);
  /** Whether a straight part of the arm lies deeper in the flank than it may. */
  const isDeep = (
    [x, y, z]: Vector,
    long: number,
    angle: number,
    ahead: number,
    radiusAt: (share: number) => number,
    [first, last]: readonly [number, number],
    soft: (share: number) => number,
  ): boolean => {
    const [down, out] = [long * Math.cos(angle), long * Math.sin(angle)];
    for (let step = 0; step <= STEPS; step++) {
      const share = first + ((last - first) * step) / STEPS;
      const far = flankAt(y - share * down, z + ahead * share * long);
      if (far + radiusAt(share) - (x + share * out) > soft(share)) return true;
    }
    return false;
  };
  const leastOf = (from: number, most: number, deep: (angle: number) => boolean) => {
    let angle = from;
    while (angle < most && deep(angle)) angle += DEGREE;
    return angle;
  };
  /** Whether the upper arm at an angle lies too deep in the flank. */
  const isUpperDeep = (angle: number): boolean =>
    isDeep(
      ...([shoulder, upperMm, angle, -0.02] as const),
      (share) => radiusIn(upperRadii, share),
      [FREE_FROM, 1],
      () => softMm,
    );
  /** The forearm below an upper arm, and half of the breadth of a body with both, mm. */
  const below = (upper: number) => {
    const bent: Vector = [
      shoulder[0] + upperMm * Math.sin(upper),
      shoulder[1] - upperMm * Math.cos(upper),
      shoulder[2] - 0.02 * upperMm,
    ];
    const fore = leastOf(upper - INWARD_MOST, FORE_MOST, (angle) =>
      isDeep(
        ...([bent, foreMm, angle, foreAhead] as const),
        (share) => (share > 1 ? palm : radiusIn(foreRadii, share)),
        [0, WITH_HAND],
        (share) => Math.max(HAND_SOFT_MM, ELBOW_SOFT_MM * (1 - share / ELBOW_TO)),
      ),
    );
    const hand = bent[0] + foreMm * (Math.sin(fore) + HAND_OUTER * Math.sin(handAngle(fore)));
    const outer = foreRadii.map((r, bin) => bent[0] + (bin / BINS) * foreMm * Math.sin(fore) + r);
    return { upper, fore, half: Math.max(...outer, hand + palm) };
  };
  const first = leastOf(leastAngle, UPPER_MOST, isUpperDeep);
  let best = below(first);
  if (breadthMm !== undefined) {
    // A little farther out, the forearm may hang steeper.
    for (let angle = first + DEGREE; angle < first + SPREAD; angle += DEGREE) {
      const other = below(angle);
      if (Math.abs(other.half - breadthMm / 2) < Math.abs(best.half - breadthMm / 2)) best = other;
    }
  }
  const { upper, fore } = best;
  return {
    upper: [Math.sin(upper), -Math.cos(upper), -0.02],
    fore: [Math.sin(fore), -Math.cos(fore), foreAhead],
    hand: [Math.sin(handAngle(fore)), -1, foreAhead],
    thumbSide: [-0.1, 0, 1],
  };
}

/**
 * Hands that rest on the thighs: how far the wrist is behind the joint of the knee, above the skin and outside the
 * middle of the thigh, in hands, and how far aside the elbows point. Where the forearm would lie deeper than `softMm` in
 * the belly, hands and elbows go from the first towards the second place, in some steps.
 */
const RESTING = {
  behind: [0.95, 0.6],
  outside: [0.1, 0.5],
  aside: [0.3, 1.3],
  above: 0.16,
  softMm: 30,
  /** The forearm is compared with the belly at these shares of it. */
  ways: [0.25, 0.5, 0.75, 1],
  steps: 6,
} as const;

/**
 * Arms of a sitting body whose hands rest on the thighs.
 *
 * @param posed the sitting body with level forearms
 */
export function restingArms(mesh: Mesh, { vertices, heads }: Posed): ArmPose {
  const joint = (name: string): Vector => vectorAt(heads, mesh.skeleton.bone(`${name}_l`));
  const [hip, knee, shoulder, elbow] = ['thigh', 'calf', 'upperarm', 'lowerarm'].map(joint);
  const [wrist, knuckle] = [joint('hand'), joint('middle_01')];
  const [upperMm, foreMm] = [length(minus(elbow, shoulder)), length(minus(wrist, elbow))];
  const handMm = 2 * length(minus(knuckle, wrist));
  const legAt = farthestAround(skinOf(mesh, /^(thigh|calf)_l$/), vertices, 1, 0);
  /** Height of the thigh at a distance behind the knee, mm. */
  const topAt = (behind: number): number => legAt(knee[0], knee[2] - behind);
  const bellyAt = farthestAround(skinOf(mesh, /^(pelvis|spine_0.)$/), vertices, 0, elbow[1]);
  const isDeep = (from: Vector, end: Vector, radius: number): boolean =>
    RESTING.ways.some((way) => {
      const [x, y, z] = between(from, end, way);
      return bellyAt(y, z) + radius - x > RESTING.softMm;
    });
  for (let step = 0; ; step++) {
    const at = ([first, last]: readonly [number, number]): number =>
      first + ((last - first) * step) / RESTING.steps;
    const behind = at(RESTING.behind) * handMm;
    const [here, ahead] = [topAt(behind), topAt(behind - 0.5 * handMm)];
    const way = (knee[2] - behind - hip[2]) / (knee[2] - hip[2]);
    const x = hip[0] + way * (knee[0] - hip[0]) + at(RESTING.outside) * handMm;
    const to: Vector = [x, here + RESTING.above * handMm, knee[2] - behind];
    const [bent, end] = twoBones(shoulder, to, upperMm, foreMm, [at(RESTING.aside), -1, -0.25]);
    if (step < RESTING.steps && isDeep(bent, end, 0.17 * foreMm)) continue;
    const [upper, fore] = [minus(bent, shoulder), minus(end, bent)];
    const hand: Vector = [-0.05, (ahead - here) / (0.5 * handMm) - 0.1, 1];
    return { ...ARM_POSES.level, upper, fore, hand };
  }
}

/** Mean distances of the skin from a bone along the bone. */
function radiiOf(
  skeleton: Skeleton,
  points: Float64Array,
  bones: RegExp,
  from: Vector,
  to: Vector,
): Radii {
  const sums = new Float64Array(BINS);
  const counts = new Float64Array(BINS);
  const { vertices, shares } = skeleton.movedBy(bones);
  for (const vertex of vertices) {
    if (shares[vertex] < SHARE) continue;
    const { way, out } = fromAxis(vectorAt(points, vertex), from, to);
    const bin = binOf(way);
    sums[bin] += length(out);
    counts[bin] += 1;
  }
  let last = 0;
  return sums.map((sum, bin) => {
    last = counts[bin] === 0 ? last : sum / counts[bin];
    return last;
  });
}

const binOf = (share: number): number => clamp(Math.floor(BINS * share), 0, BINS - 1);

const radiusIn = (radii: Radii, share: number): number => radii[binOf(share)];
