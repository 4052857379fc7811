import type { Vector } from './vectors.js';

/** Places of slices as shares. They follow ANSUR II (Gordon et al. 2014, NATICK/TR-15/007) if it defines the place. */
export const PLACES = {
  /** Gluteal furrow below the crotch, of stature. */
  furrow: 0.018,
  /** Largest girth of the calf, from ankle to knee. */
  calf: 0.7,
  /** Middle of the upper arm, from shoulder to elbow joint. */
  upperArm: 0.5,
  /** Arm at the armpit, from shoulder to elbow joint. */
  armpit: 0.25,
  /** Elbow, from shoulder to elbow joint. */
  elbow: 0.97,
  /** Natural waist, from the navel to the nipples. */
  naturalWaist: 0.35,
  /** Largest girth of the forearm, from elbow to wrist joint. */
  forearm: 0.27,
  /** Wrist at the styloids, from elbow to wrist joint. */
  wrist: 0.955,
  /** Larynx, from the joint of the head down to the joint of the neck. */
  larynx: 0.45,
  /** Largest breadth of the head above the glabella, of stature. */
  headBreadth: 0.012,
  /** Heads of the metacarpals, from wrist to the knuckle of the middle finger. */
  knuckles: 0.88,
  /** Lower end of the deltoid below the acromion, of stature. */
  deltoid: 0.1,
  /** Limits of the buttocks: mm below the crotch. */
  belowCrotchMm: 40,
  /** Upper limit of the buttocks, from crotch to navel. */
  buttocksUpTo: 0.6,
} as const;

/** Directions of the tapes that are not level, given by their up and forward parts. */
export const TILTS = {
  head: [0, 1, 0.1],
  neck: [0, 1, 0.28],
} as const satisfies Record<string, Vector>;
