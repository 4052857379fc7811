import type { BodyBone } from '../body/body.js';
import type { Segment } from '../body/segments.js';
import {
  across,
  cross,
  dot,
  length,
  minus,
  sum,
  times,
  unit,
  type Vector,
} from '../body/vectors.js';

// Joints of a simulated body. Axes are those of the body: x to the left, y up, z forward.

/** One hinge of a joint. Angles are in degrees; 0 is the upright posture with hanging arms. */
export interface Hinge {
  readonly name: string;
  readonly axis: Vector;
  readonly least: number;
  readonly most: number;
  /** Angle in the pose of the body. */
  readonly angle: number;
}

/**
 * Ranges of motion of healthy adults, degrees: American Academy of Orthopaedic Surgeons 1965 (Joint Motion: Method of
 * Measuring and Recording). The two joints of the trunk share those of the spine. The shoulder has those of the arm
 * with its shoulder blade.
 */
const RANGES = {
  spine: { flexion: [-12.5, 40], bending: [-17.5, 17.5], rotation: [-22.5, 22.5] },
  neck: { flexion: [-45, 45], bending: [-45, 45], rotation: [-60, 60] },
  shoulder: { flexion: [-60, 180], abduction: [-75, 180], rotation: [-90, 70] },
  elbow: { flexion: [0, 150] },
  wrist: { flexion: [-70, 80], deviation: [-30, 20] },
  hip: { flexion: [-30, 120], abduction: [-30, 45], rotation: [-45, 45] },
  knee: { flexion: [0, 135] },
  ankle: { flexion: [-50, 20], inversion: [-15, 35] },
} as const;

const KINDS = {
  middle_trunk: 'spine',
  upper_trunk: 'spine',
  head_and_neck: 'neck',
  upper_arm: 'shoulder',
  forearm: 'elbow',
  hand: 'wrist',
  thigh: 'hip',
  shank: 'knee',
  foot: 'ankle',
} as const;

const LEFT: Vector = [1, 0, 0];
const UP: Vector = [0, 1, 0];
const FRONT: Vector = [0, 0, 1];
const degrees = (radians: number): number => (180 * radians) / Math.PI;

/** The hinges that join a segment to its parent, from the parent outwards. The first segment has none. */
export function hingesOf(
  { name, joint, parent }: Segment,
  segments: readonly Segment[],
  bones: readonly BodyBone[],
): readonly Hinge[] {
  const kind = KINDS[name.replace(/_[lr]$/, '') as keyof typeof KINDS] as
    | (typeof KINDS)[keyof typeof KINDS]
    | undefined;
  if (kind === undefined) return [];
  const side = name.slice(-2);
  const out = side === '_r' ? -1 : 1;
  const outwards = (axis: Vector): Vector => times(axis, out);
  const along = (from: Vector, to: Vector): Vector => unit(minus(to, from));
  const end = segments.find((one) => one.parent === name)?.joint ?? joint;
  const way = along(joint, end);
  const above = along(segments.find((one) => one.name === parent)?.joint ?? joint, joint);
  const place = (bone: string): Vector =>
    bones.find((one) => one.name === bone + side)?.head ?? joint;
  const hinge = (motion: string, axis: Vector, angle = 0): Hinge => {
    const ranges: Readonly<Record<string, readonly [number, number]>> = RANGES[kind];
    const [least, most] = ranges[motion];
    // The pose lies within the range.
    const [low, high] = [Math.min(least, angle), Math.max(most, angle)];
    return { name: `${name}_${motion}`, axis, least: low, most: high, angle };
  };
  switch (kind) {
    case 'spine':
    case 'neck':
      return [hinge('flexion', LEFT), hinge('bending', FRONT), hinge('rotation', UP)];
    case 'hip':
    case 'shoulder': {
      const flexed = Math.atan2(way[2], -way[1]);
      const front = sum(times(FRONT, Math.cos(flexed)), times(UP, Math.sin(flexed)));
      const spread = Math.asin(out * way[0]);
      return [
        hinge('flexion', times(LEFT, -1), degrees(flexed)),
        hinge('abduction', outwards(front), degrees(spread)),
        hinge('rotation', outwards(way)),
      ];
    }
    case 'knee': {
      const bent = Math.atan2(dot(cross(above, way), LEFT), dot(above, way));
      return [hinge('flexion', LEFT, degrees(bent))];
    }
    case 'elbow': {
      const bent = Math.atan2(length(cross(above, way)), dot(above, way));
      return [hinge('flexion', unit(cross(above, FRONT)), degrees(bent))];
    }
    case 'wrist': {
      const hand = along(joint, place('middle_01'));
      const thumb = across(minus(place('index_01'), place('pinky_01')), hand);
      return [hinge('flexion', outwards(times(thumb, -1))), hinge('deviation', cross(hand, thumb))];
    }
    case 'ankle':
      return [hinge('flexion', times(LEFT, -1)), hinge('inversion', outwards(times(FRONT, -1)))];
  }
}
