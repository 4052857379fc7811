import type { Seat } from '../../reach/demands.js';
import type { HandTip, Lean, Part, ReachPose, Tip } from '../../reach/sitter.js';

/** A place in mm: x forward, y to the person's left, z up. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A point that people must touch. */
export interface Target {
  readonly name: string;
  readonly at: Point;
  readonly by: Tip;
  readonly hand: 'left' | 'right' | 'either';
  readonly lean: Lean;
}

/** A point that people must see. */
export interface Sight {
  readonly name: string;
  readonly at: Point;
  /** An edge from side to side, over which people look. */
  readonly over?: { readonly x: number; readonly z: number } | undefined;
  /** Largest angles above and below horizontal, degrees. */
  readonly upMax?: number | undefined;
  readonly downMax?: number | undefined;
}

/** A thing that a part of the body must not touch. */
export interface Clearance {
  readonly name: string;
  readonly from: Point;
  readonly to: Point;
  readonly by: Part;
}

/** What a person must reach, see and have room for. */
export interface ReachScene {
  readonly pose: ReachPose;
  readonly seat?: Seat | undefined;
  readonly targets: readonly Target[];
  readonly see: readonly Sight[];
  readonly clear: readonly Clearance[];
}

/** The hand and the arm whose envelope is shown. */
export interface ShownArm {
  readonly by: HandTip;
  readonly hand: 'left' | 'right';
  readonly lean: Lean;
}
