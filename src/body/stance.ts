import { INFLUENCES } from '../lookup/shape-file.js';
import { type BodyBuilder, type FittedPerson, floorOf } from './body.js';
import { DIMENSION_NAMES, type Dimension } from './dimensions.js';
import { apartAt, hangingArms, restingArms } from './hanging-arms.js';
import { type ArmPose, levelArm, type Posed, type Skeleton, vectorAt } from './skeleton.js';
import {
  about,
  between,
  clamp,
  dot,
  ELBOW_TO,
  KNEE_TO,
  length,
  minus,
  type Rotation,
  rotationBetween,
  sum,
  times,
  turn,
  twoBones,
  unit,
  type Vector,
} from './vectors.js';

// Places of stances are in mm: x forward, y to the person's left, z up. The origin is where the seat surface meets the
// plane of the back; of standing people, on the floor below the plane of the back.

/** A hand and the place that it touches. */
export interface Hand {
  readonly at: Vector;
  readonly by: 'fingertip' | 'pinch' | 'grip';
}

/** A foot: the place of the sole below its ball, and how far the toes point up, degrees. */
export interface Foot {
  readonly at: Vector;
  readonly pitchDegrees: number;
}

/** How a person sits or stands. */
export interface Stance {
  readonly pose: 'standing' | 'sitting';
  /** How far the trunk is turned forward about the hips, degrees; negative: backward. The head stays level. */
  readonly trunkDegrees: number;
  /** The middle between the eyes. The neck carries the level head there. By default, the head keeps its place. */
  readonly eye?: Vector | undefined;
  /** The left hand, then the right one. Other arms keep the pose of the body. */
  readonly hands: readonly (Hand | undefined)[];
  /** The left foot, then the right one; empty if both keep their place. */
  readonly feet: readonly Foot[];
  /** Whether arms without a hand rest on the thighs of a sitting body. */
  readonly rests?: boolean;
}

/** The neck is turned by at most this angle, radians. */
const NECK_MOST = Math.PI / 4;
/** How far fingertips that pinch lie beyond the knuckles, as a share of the straight middle finger. */
const PINCH = 0.75;
/** Where a fist holds a rod, beyond the wrist, as a share of the way to the knuckles. */
const GRIP = 0.95;

/** Dimensions that a body does not have when arms, trunk or legs have another place. */
const MOVED = {
  arms: /Shoulder|Chest|Nipple|Arm|Forearm|Wrist|HandBreadth|Neck/,
  trunk:
    /Stature|EyeHeight|C7|Shoulder|Waist|Hip|Crotch|Trunk|Chest|Nipple|Neck|Thigh|Sitting|Buttock/,
  legs: /^(Knee|Popliteal|ThighThickness|ButtockKnee|SittingHip|Calf|Foot)/,
} as const;

/** The dimensions that a stance does not have, beside those of its pose. */
export function missingIn({ trunkDegrees, eye, hands, feet }: Stance): readonly Dimension[] {
  const moved = [
    ...(hands.some((hand) => hand !== undefined) ? [MOVED.arms] : []),
    ...(trunkDegrees !== 0 || eye !== undefined ? [MOVED.trunk] : []),
    ...(feet.length > 0 ? [MOVED.legs] : []),
  ];
  return DIMENSION_NAMES.filter((name) => moved.some((names) => names.test(name)));
}

/** The coordinates of a body (x left, y up, z forward) of a place, and the reverse. */
const toBody = ([x, y, z]: Vector): Vector => [y, z, x];

const SIDES = ['l', 'r'] as const;
type Side = (typeof SIDES)[number];
/** The bones of a limb. All beyond the last one moves whole. */
const LIMBS = {
  neck: ['neck_01', 'head'],
  arm: ['clavicle', 'upperarm', 'lowerarm', 'hand'],
  leg: ['thigh', 'calf', 'foot'],
} as const;

/** The rotation that turns forward, about the axis to the left, by some degrees. */
const forward = (degrees: number): Rotation => about([1, 0, 0], (degrees * Math.PI) / 180);

/**
 * A fitted body in a stance. Arms and legs are turned until hands and feet are in their places, or as near as limbs of
 * their length come. The collarbone gives way if the arm is too short. The rest of the way, the limb stretches: joints
 * and lengths of a mesh differ a little from those of the model of reach.
 *
 * @returns the body, mm: x to its left, y up, z forward, with the origin of the stance at 0
 */
export function bodyInStance(builder: BodyBuilder, fitted: FittedPerson, stance: Stance): Posed {
  return new StanceFinder(builder, fitted, stance).find();
}

class StanceFinder {
  private readonly skeleton: Skeleton;
  private readonly landmarks: Readonly<Record<string, number>>;
  /** The body in the pose of the stance, before its limbs go to their places. */
  private readonly erect: Posed;
  private readonly floor: number;
  /** The origin of the stance in the erect body. */
  private readonly origin: Vector;

  constructor(
    private readonly builder: BodyBuilder,
    private readonly fitted: FittedPerson,
    private readonly stance: Stance,
  ) {
    const { skeleton, views } = builder;
    this.skeleton = skeleton;
    this.landmarks = views.header.landmarks;
    const erect = builder.posedBody(fitted, stance.pose);
    this.erect = erect;
    this.floor = floorOf(erect, views.triangles);
    const { vertices: trunk, shares } = skeleton.movedBy(/^(pelvis|spine_0.|clavicle_.)$/);
    let back = Infinity;
    for (const vertex of trunk) {
      if (shares[vertex] > 0.5) back = Math.min(back, erect.vertices[3 * vertex + 2]);
    }
    const seat = vectorAt(erect.vertices, this.landmarks.popliteal_l)[1];
    const [middle] = this.joint(erect.heads, 'pelvis');
    this.origin = [middle, stance.pose === 'sitting' ? seat : this.floor, back];
  }

  find(): Posed {
    const { erect, origin } = this;
    const { trunkDegrees, eye, hands, feet } = this.stance;
    const joint = (name: string): Vector => this.joint(erect.heads, name);
    const hips = this.hips(erect.heads);
    const trunk = forward(trunkDegrees);
    const turns = new Map<string, Rotation>([['pelvis', trunk]]);
    if (eye !== undefined) {
      // The neck points to where the level head belongs.
      const [neck, head] = [joint('neck_01'), joint('head')];
      const neckAt = sum(turn(trunk, minus(neck, hips)), hips);
      const headAt = sum(sum(toBody(eye), origin), minus(head, this.eyeOf(erect)));
      const slopeOf = ([, y, z]: Vector): number => Math.atan2(z, y);
      const bend = slopeOf(minus(headAt, neckAt)) - slopeOf(minus(head, neck));
      turns.set('neck_01', about([1, 0, 0], clamp(bend, -NECK_MOST, NECK_MOST)));
      turns.set('head', about([1, 0, 0], 0));
    }
    /** From each ankle to the sole below the ball. */
    const toSoles: Vector[] = [];
    for (const [i, side] of SIDES.entries()) {
      turns.set(`thigh_${side}`, about([1, 0, 0], 0));
      const foot = feet[i];
      if (foot === undefined) continue;
      const [hip, knee, ankle, ball] = ['thigh', 'calf', 'foot', 'ball'].map((one) =>
        joint(`${one}_${side}`),
      );
      const [thigh, calf] = [minus(knee, hip), minus(ankle, knee)];
      const pitch = forward(-foot.pitchDegrees);
      toSoles[i] = turn(pitch, minus([ball[0], this.floor, ball[2]], ankle));
      const to = minus(sum(toBody(foot.at), origin), toSoles[i]);
      const [bent, end] = twoBones(hip, to, length(thigh), length(calf), toBody(KNEE_TO));
      turns.set(`thigh_${side}`, rotationBetween(thigh, minus(bent, hip)));
      turns.set(`calf_${side}`, rotationBetween(calf, minus(end, bent)));
      turns.set(`foot_${side}`, pitch);
    }
    const body = this.turned(this.withHands(), turns);
    if (eye !== undefined) {
      // The rest of the way, the skin of the neck stretches.
      this.stretch(body, LIMBS.neck, minus(toBody(eye), this.eyeOf(body)));
    }
    for (const [i, side] of SIDES.entries()) {
      const bones = (limb: 'arm' | 'leg') => LIMBS[limb].map((one) => `${one}_${side}`);
      const [hand, foot] = [hands[i], feet[i]];
      if (hand !== undefined) {
        this.stretch(body, bones('arm'), minus(toBody(hand.at), this.tipOf(body, side, hand.by)));
      }
      if (foot === undefined) continue;
      const sole = sum(this.joint(body.heads, `foot_${side}`), toSoles[i]);
      this.stretch(body, bones('leg'), minus(toBody(foot.at), sole));
    }
    return body;
  }

  private joint(heads: Float64Array, name: string): Vector {
    return vectorAt(heads, this.skeleton.bone(name));
  }

  /** The middle between the hips. */
  private hips(heads: Float64Array): Vector {
    return between(this.joint(heads, 'thigh_l'), this.joint(heads, 'thigh_r'), 0.5);
  }

  /** The middle between the eyes. */
  private eyeOf({ vertices }: Posed): Vector {
    const { ectocanthus_l: left, ectocanthus_r: right } = this.landmarks;
    return between(vectorAt(vertices, left), vectorAt(vertices, right), 0.5);
  }

  /** The erect body with its arms as they are when the trunk has not turned yet. */
  private withHands(): Posed {
    const { builder, fitted, erect } = this;
    const { pose, trunkDegrees, hands, rests } = this.stance;
    const hips = this.hips(erect.heads);
    const [left, right] = SIDES.map((side, i): ArmPose | undefined => {
      const hand = hands[i];
      if (hand === undefined) return undefined;
      const place = sum(toBody(hand.at), this.origin);
      const own = sum(turn(forward(-trunkDegrees), minus(place, hips)), hips);
      return this.reaching(side, own, hand.by);
    });
    if (left === undefined && right === undefined && rests !== true) return erect;
    const { points, armAngle } = fitted.fit;
    const sitting = () => (rests === true ? restingArms(builder, erect) : levelArm(armAngle));
    /** The arm whose hand has no place. */
    const other = pose === 'standing' ? hangingArms(builder, points, apartAt(armAngle)) : sitting();
    const arms = { side: 'both', pose: left ?? other, right: right ?? other } as const;
    return builder.posedBody(fitted, pose, arms);
  }

  /** Moves the end of a chain of bones, and what lies between by its share of the way along the chain. */
  private stretch({ vertices, heads }: Posed, chain: readonly string[], by: Vector): void {
    const { skeleton } = this;
    const starts = chain.map((name) => this.joint(heads, name));
    const ways = starts.slice(1).map((to, i) => minus(to, starts[i]));
    const whole = ways.reduce((all, way) => all + length(way), 0);
    // For each bone, its place in the chain; bones that begin beyond the chain belong to its last one.
    const placeOf = new Int8Array(skeleton.names.length).fill(-1);
    skeleton.names.forEach((name, bone) => {
      const own = chain.indexOf(name);
      const parent = skeleton.parents[bone];
      placeOf[bone] = own >= 0 || parent < 0 ? own : placeOf[parent];
    });
    const shareAt = (bone: number, point: Vector): number => {
      let [far, place] = [0, placeOf[bone]];
      if (place < 0 || place === ways.length) return place < 0 ? 0 : 1;
      const way = ways[place];
      far = clamp(dot(minus(point, starts[place]), way) / length(way), 0, length(way));
      while (place > 0) far += length(ways[--place]);
      return far / whole;
    };
    const moved = skeleton.names.map((_, bone) => shareAt(bone, vectorAt(heads, bone)));
    moved.forEach((share, bone) => {
      for (let k = 0; k < 3; k++) heads[3 * bone + k] += share * by[k];
    });
    const { skinBone } = this.builder.views;
    for (let vertex = 0; 3 * vertex < vertices.length; vertex++) {
      let share = 0;
      for (let k = INFLUENCES * vertex; k < INFLUENCES * (vertex + 1); k++) {
        const bone = skinBone[k];
        if (placeOf[bone] < 0 || skeleton.weights[k] === 0) continue;
        share += skeleton.weights[k] * shareAt(bone, vectorAt(vertices, vertex));
      }
      for (let k = 0; share > 0 && k < 3; k++) vertices[3 * vertex + k] += share * by[k];
    }
  }

  /** How far what touches a place lies beyond the wrist, and the length of the palm, mm. */
  private handOf(side: Side, by: Hand['by']) {
    // The fingers have their full length in the rest pose.
    const { points } = this.fitted.fit;
    const hand = ['hand', 'middle_01', 'middle_02', 'middle_03'].map((name) =>
      vectorAt(points, this.skeleton.heads[this.skeleton.bone(`${name}_${side}`)]),
    );
    hand.push(vectorAt(points, this.landmarks[`dactylion_${side}`]));
    const [palmMm, ...fingers] = hand.slice(1).map((to, i) => length(minus(to, hand[i])));
    const fingerMm = fingers.reduce((all, one) => all + one, 0);
    const beyondWrist = {
      fingertip: palmMm + fingerMm,
      pinch: palmMm + PINCH * fingerMm,
      grip: GRIP * palmMm,
    }[by];
    return { palmMm, beyondWrist };
  }

  /** What touches the place of a hand, mm. The end of the middle finger is a landmark; the others lie along the palm. */
  private tipOf({ vertices, heads }: Posed, side: Side, by: Hand['by']): Vector {
    if (by === 'fingertip') return vectorAt(vertices, this.landmarks[`dactylion_${side}`]);
    const { palmMm, beyondWrist } = this.handOf(side, by);
    const [wrist, knuckle] = ['hand', 'middle_01'].map((n) => this.joint(heads, `${n}_${side}`));
    return between(wrist, knuckle, beyondWrist / palmMm);
  }

  /** The pose of an arm whose hand touches a place of the erect body, mm. */
  private reaching(side: Side, place: Vector, by: Hand['by']): ArmPose {
    const out = side === 'l' ? 1 : -1;
    const away = ([x, y, z]: Vector): Vector => [out * x, y, z];
    const [shoulder, elbow, wrist] = ['upperarm', 'lowerarm', 'hand'].map((name) =>
      away(this.joint(this.erect.heads, `${name}_${side}`)),
    );
    const upperMm = length(minus(elbow, shoulder));
    const foreMm = length(minus(wrist, elbow)) + this.handOf(side, by).beyondWrist;
    const to = away(place);
    const way = minus(to, shoulder);
    const missing = Math.max(0, length(way) - upperMm - foreMm);
    const step = times(unit(way), missing);
    const from = sum(shoulder, step);
    const [bent, end] = twoBones(from, to, upperMm, foreMm, toBody(ELBOW_TO));
    const [upper, fore] = [minus(bent, from), minus(end, bent)];
    const isStraight = length(minus(unit(upper), unit(fore))) < 0.1;
    return {
      ...{ upper, fore, fingers: by === 'fingertip' ? 'flat' : 'fist' },
      thumbSide: by === 'fingertip' ? [-1, 0.3, 0] : [-0.6, 0.8, 0.1],
      ...(isStraight ? {} : { bend: fore }),
      ...(missing === 0 ? {} : { shoulderStep: step }),
    };
  }

  /**
   * Turns the bones of a posed body, whose origin becomes 0. Bones without a turn follow their parents. The trunk turns
   * about the hips.
   */
  private turned({ vertices, heads }: Posed, turns: ReadonlyMap<string, Rotation>): Posed {
    const { skeleton } = this;
    const { header } = this.builder.views;
    const points = new Float64Array(3 * (header.vertices + header.joints));
    points.set(vertices);
    const rotations = new Float64Array(9 * skeleton.names.length);
    skeleton.names.forEach((name, bone) => {
      const parent = skeleton.parents[bone];
      const inherited =
        parent < 0 ? about([1, 0, 0], 0) : rotations.subarray(9 * parent, 9 * parent + 9);
      rotations.set(turns.get(name) ?? inherited, 9 * bone);
      points.set(vectorAt(heads, bone), 3 * skeleton.heads[bone]);
    });
    const posed = skeleton.pose(points, rotations);
    const shift = minus(minus(this.hips(heads), this.hips(posed.heads)), this.origin);
    const moved = (values: Float64Array) => values.map((value, at) => value + shift[at % 3]);
    return { vertices: moved(posed.vertices), heads: moved(posed.heads), rotations };
  }
}
