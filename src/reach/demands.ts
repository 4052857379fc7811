import type { Scores, Stretch, Values } from './sitter.js';
import {
  type Arm,
  armMargin,
  armOf,
  type Box,
  type Frame,
  footMargin,
  frameOf,
  headShift,
  type Lean,
  type Leg,
  legOf,
  measurementsFor,
  type Part,
  type ReachPose,
  type Tip,
  TRUNK_LEAN,
  turned,
  type Vector,
} from './sitter.js';

/** A point that a person must touch. */
export interface Target {
  readonly kind: 'target';
  readonly at: Vector;
  readonly by: Tip;
  readonly hand: 'left' | 'right' | 'either';
  readonly lean: Lean;
}

/** A point that a person must see. */
export interface Sight {
  readonly kind: 'sight';
  readonly at: Vector;
  /** An edge across the room at this place, over which the person looks. */
  readonly over?: { readonly x: number; readonly z: number } | undefined;
  /** Largest angle of the sight line above and below horizontal, in degrees. */
  readonly upMax?: number | undefined;
  readonly downMax?: number | undefined;
}

/** A thing that a part of the body must not touch. */
export interface Clearance {
  readonly kind: 'clearance';
  readonly box: Box;
  readonly by: Part;
}

export type Demand = Target | Sight | Clearance;

/** A seat. Its surface meets its back at `heightMm`, in the middle of the travel. */
export interface Seat {
  readonly heightMm: number;
  /** Of the back from vertical and of the surface from horizontal, in degrees. */
  readonly backAngle: number;
  readonly panAngle: number;
  /** How far the seat moves forward and up from the middle, in mm: [least, most]. */
  readonly travelX: readonly [number, number];
  readonly travelZ: readonly [number, number];
}

/** A travel as distances from its middle, under which the origin lies. */
export function aboutMiddle([least, most]: readonly [number, number]): readonly [number, number] {
  const half = (most - least) / 2;
  return [-half, half];
}

/** The geometry of a question. */
export interface Scene {
  readonly pose: ReachPose;
  readonly demands: readonly Demand[];
  readonly seat?: Seat | undefined;
}

const RADIANS = Math.PI / 180;
/** Maximum lack, mm: a sight just behind an edge would otherwise lack any height. */
const LEAST_PART = 0.05;
/**
 * Parts of the body in which no target for a hand lies, as shares of the shoulder height: their front and half their
 * breadth, their low and their high end (assumptions). The trunk of adults is 150 mm deep, 200 mm broad and 300 to 350
 * mm high; the pelvis is 230 mm high from the seat and 260 mm broad. The second part of people who stand has the thighs
 * as well. The thighs of people who sit follow from their own measurements.
 */
const BODY = {
  sitting: [
    { front: 0.26, side: 0.175, low: 0.14, high: 0.67 },
    { front: 0.26, side: 0.22, low: 0, high: 0.38 },
  ],
  standing: [
    { front: 0.11, side: 0.073, low: 0.58, high: 0.84 },
    { front: 0.11, side: 0.09, low: 0.34, high: 0.74 },
  ],
} as const;

/** Places that no thigh reaches, from the seat, in mm: half the breadth, the front, the top if level, and the knee. */
const THIGHS_MOST = { side: 350, front: 850, level: 300, knee: 700 } as const;

/** How far a target is from leaving a body forward, sideways and upward, in mm. */
export interface Inside {
  readonly forwardMm: number;
  readonly sidewaysMm: number;
  readonly upMm: number;
}

/** A part of a body from the middle to both sides, in mm. Its back is the back plane. */
interface Block {
  readonly front: number;
  readonly side: number;
  readonly low: number;
  readonly high: number;
  /** How much its low and its high end rise a millimetre forward. */
  readonly slope: number;
  /** Whether it turns with the trunk. */
  readonly turns: boolean;
}

/** Step between the leans of the trunk that are tried, in degrees. */
export const LEAN_STEP = 5;

/** Whether a target for a hand may lie in the thighs of somebody who sits. */
function mayBeInThighs({ at: [x, y, z], by }: Target, { pose, seat }: Scene): boolean {
  if (pose === 'standing' || by === 'foot') return false;
  const { heightMm = 0, panAngle = 0, travelX = [0, 0], travelZ = [0, 0] } = seat ?? {};
  const { side, front, level, knee } = THIGHS_MOST;
  const low = heightMm + travelZ[0];
  const top = Math.max(
    level + front * Math.sin(panAngle * RADIANS),
    seat === undefined ? 0 : knee - low,
  );
  return Math.abs(y) < side && x - travelX[1] < front && x >= travelX[0] && z - low < top;
}

/** Measurements that the people of a scene need. */
export function measurementsOf(scene: Scene) {
  const { pose, demands, seat } = scene;
  const targets = demands.filter((one) => one.kind === 'target');
  const parts = new Set(demands.flatMap((one) => (one.kind === 'clearance' ? [one.by] : [])));
  if (targets.some((one) => mayBeInThighs(one, scene))) parts.add('thigh');
  return measurementsFor({
    pose,
    tips: new Set(targets.map(({ by }) => by)),
    parts,
    sees: demands.some(({ kind }) => kind === 'sight'),
    turns: (seat?.backAngle ?? 0) !== 0 || targets.some(({ lean }) => lean === 'trunk'),
  });
}

/** One person in a scene. */
export class PersonInScene {
  private readonly frame: Frame;
  private readonly arm: Arm | undefined;
  private readonly leg: Leg | undefined;
  /** Angle of the trunk, backward negative, and of the seat surface, in radians. */
  private readonly trunk: number;
  private readonly pan: number;
  private readonly head: readonly [x: number, z: number];
  private readonly body: readonly Block[];

  constructor(
    private readonly scene: Scene,
    value: Values,
    ageYears: number,
    scores: Scores,
    stretch: Stretch,
  ) {
    const { pose, demands, seat } = scene;
    const tips = new Set(demands.flatMap((one) => (one.kind === 'target' ? [one.by] : [])));
    this.frame = frameOf(value, pose);
    this.arm = [...tips].some((tip) => tip !== 'foot')
      ? armOf(value, pose, tips, ageYears, scores, stretch)
      : undefined;
    this.leg = tips.has('foot') ? legOf(this.frame, (seat?.panAngle ?? 0) * RADIANS) : undefined;
    this.trunk = -(seat?.backAngle ?? 0) * RADIANS;
    this.pan = (seat?.panAngle ?? 0) * RADIANS;
    this.head = headShift(this.frame, this.trunk);
    this.body = this.arm === undefined ? [] : this.blocks();
  }

  /**
   * By how many mm a demand holds: 0 or more if it does.
   *
   * @param atX place of the seat in its travel, in mm
   * @param atZ the same, upward
   */
  margin(demand: Demand, atX: number, atZ: number): number {
    const seatZ = (this.scene.seat?.heightMm ?? 0) + atZ;
    switch (demand.kind) {
      case 'target': {
        const [x, y, z] = demand.at;
        return this.reaches(demand, x - atX, y, z - seatZ);
      }
      case 'sight':
        return this.sees(
          demand,
          this.frame.eyeX + this.head[0] + atX,
          this.frame.eyeZ + this.head[1] + seatZ,
        );
      case 'clearance':
        return this.clears(demand, atX, seatZ);
    }
  }

  /** How far a target for a hand is from leaving the body without a lean; undefined if it lies outside. */
  inside(demand: Demand, atX: number, atZ: number): Inside | undefined {
    if (demand.kind !== 'target' || demand.by === 'foot') return undefined;
    const [x, y, z] = demand.at;
    const seatZ = (this.scene.seat?.heightMm ?? 0) + atZ;
    const [ownX, ownZ] = turned(this.frame, x - atX, z - seatZ, -this.trunk);
    return this.insideBody([x - atX, y, z - seatZ], ownX, ownZ);
  }

  /** The blocks of the body. The thighs are left out if nothing is known of them, because no target can lie there. */
  private blocks(): Block[] {
    const { pose, seat } = this.scene;
    const { shoulderZ, buttockKnee, hipBreadth, thighThickness, kneeHeight } = this.frame;
    const blocks = BODY[pose].map(
      ({ front, side, low, high }): Block => ({
        ...{ front: front * shoulderZ, side: side * shoulderZ, turns: true, slope: 0 },
        ...{ low: low * shoulderZ, high: high * shoulderZ },
      }),
    );
    const isKnown = !Number.isNaN(buttockKnee + hipBreadth + thighThickness + kneeHeight);
    if (pose === 'standing' || !isKnown) return blocks;
    // Feet on the floor raise the thighs of a person who sits low.
    const rise = kneeHeight - (seat?.heightMm ?? Number.POSITIVE_INFINITY) - thighThickness;
    const slope = Math.max(Math.tan(this.pan), rise / buttockKnee);
    const thighs = { front: buttockKnee, side: hipBreadth / 2, low: 0, high: thighThickness };
    return [...blocks, { ...thighs, slope, turns: false }];
  }

  /**
   * How far a place is from leaving the body; undefined if it lies outside.
   *
   * @param place seen from the seat
   * @param ownX the same with the trunk upright
   */
  private insideBody([x, y, z]: Vector, ownX: number, ownZ: number): Inside | undefined {
    const aside = Math.abs(y);
    let isInside = false;
    let [forwardMm, sidewaysMm, upMm] = [0, 0, 0];
    for (const { front, side, low, high, slope, turns } of this.body) {
      const blockX = turns ? ownX : x;
      const blockZ = turns ? ownZ : z - slope * x;
      const isAhead = blockX >= 0 && blockX <= front;
      const isBeside = aside <= side;
      const isLevel = blockZ >= low && blockZ <= high;
      if (isAhead && isBeside && isLevel) isInside = true;
      if (isBeside && isLevel) forwardMm = Math.max(forwardMm, front - blockX);
      if (isAhead && isLevel) sidewaysMm = Math.max(sidewaysMm, side - aside);
      if (isAhead && isBeside) upMm = Math.max(upMm, high - blockZ);
    }
    return isInside ? { forwardMm, sidewaysMm, upMm } : undefined;
  }

  private reaches({ by, hand, lean }: Target, x: number, y: number, z: number): number {
    const { frame, trunk } = this;
    // The better of both sides, or one of them. To the right limb, the room is mirrored.
    const [least, side] = [hand === 'left' ? 1 : -1, hand === 'right' ? -1 : 1];
    if (by === 'foot') {
      const leg = this.leg as Leg;
      const margin = footMargin(leg, x, side * y, z);
      return least === side ? margin : Math.max(margin, footMargin(leg, x, least * y, z));
    }
    const arm = this.arm as Arm;
    const most = lean === 'trunk' ? TRUNK_LEAN : 0;
    let best = Number.NEGATIVE_INFINITY;
    for (let degrees = 0; degrees <= most; degrees += LEAN_STEP) {
      // Turning the target backward about the hips is the same as turning the trunk forward.
      const [ownX, ownZ] = turned(frame, x, z, -(trunk + degrees * RADIANS));
      const inside = this.insideBody([x, y, z], ownX, ownZ);
      if (inside !== undefined) {
        const { forwardMm, sidewaysMm, upMm } = inside;
        best = Math.max(best, -Math.min(forwardMm, sidewaysMm, upMm) - 1);
        continue;
      }
      best = Math.max(best, armMargin(arm, by, ownX, side * y, ownZ, lean !== 'none'));
      if (least !== side) {
        best = Math.max(best, armMargin(arm, by, ownX, least * y, ownZ, lean !== 'none'));
      }
    }
    return best;
  }

  private sees({ at, over, upMax, downMax }: Sight, eyeX: number, eyeZ: number): number {
    const [x, y, z] = at;
    // Nobody sees what is behind the eyes.
    let margin = x > eyeX ? Number.POSITIVE_INFINITY : x - eyeX;
    if (over !== undefined) {
      const part = (over.x - eyeX) / (x - eyeX);
      // An edge behind the eye or behind the point hides nothing.
      if (part > 0 && part < 1 && x > eyeX) {
        margin = (eyeZ + part * (z - eyeZ) - over.z) / Math.max(1 - part, LEAST_PART);
      }
    }
    if (upMax === undefined && downMax === undefined) return margin;
    const far = Math.hypot(x - eyeX, y);
    const angle = Math.atan2(z - eyeZ, far);
    if (upMax !== undefined) margin = Math.min(margin, (upMax * RADIANS - angle) * far);
    if (downMax !== undefined) margin = Math.min(margin, (downMax * RADIANS + angle) * far);
    return margin;
  }

  private clears({ box, by }: Clearance, atX: number, seatZ: number): number {
    const [from, to] = this.partBox(by, seatZ);
    let margin = Number.NEGATIVE_INFINITY;
    for (const axis of [0, 1, 2] as const) {
      const move = axis === 0 ? atX : axis === 2 ? seatZ : 0;
      const [low, high] = [from[axis] + move, to[axis] + move];
      const [least, most] = [
        Math.min(box.from[axis], box.to[axis]),
        Math.max(box.from[axis], box.to[axis]),
      ];
      margin = Math.max(margin, least - high, low - most);
    }
    return margin;
  }

  /** The box around a part of the body, from its corner to its opposite corner. */
  private partBox(part: Part, seatZ: number): [Vector, Vector] {
    const { frame, trunk, pan } = this;
    const half = frame.hipBreadth / 2;
    switch (part) {
      case 'head': {
        const [x, z] = this.head;
        const side = frame.headBreadth / 2;
        // The chin is about as far below the eyes as the top of the head is above them.
        return [
          [x, -side, 2 * frame.eyeZ - frame.topZ + z],
          [x + frame.headLength, side, frame.topZ + z],
        ];
      }
      case 'shoulder': {
        const side = frame.shoulderBreadth / 2;
        const low = frame.shoulderZ - frame.upperArm;
        const corners = [0, frame.shoulderDepth].flatMap((x) =>
          [low, frame.shoulderZ].map((z) => turned(frame, x, z, trunk)),
        );
        const [xs, zs] = [0, 1].map((i) => corners.map((corner) => corner[i])) as [
          number[],
          number[],
        ];
        return [
          [Math.min(...xs), -side, Math.min(...zs)],
          [Math.max(...xs), side, Math.max(...zs)],
        ];
      }
      case 'thigh': {
        const level = frame.thighThickness + frame.buttockKnee * Math.sin(pan);
        // Feet on the floor raise the thighs of a person who sits low.
        const top =
          this.scene.seat === undefined ? level : Math.max(level, frame.kneeHeight - seatZ);
        return [
          [0, -half, 0],
          [frame.buttockKnee, half, top],
        ];
      }
      case 'knee': {
        const rise = frame.buttockKnee * Math.sin(pan);
        const above = frame.kneeHeight - frame.popliteal;
        // Feet on the floor raise the knee of a person who sits low.
        const hasFloor = this.scene.seat !== undefined;
        const top = hasFloor ? Math.max(above + rise, frame.kneeHeight - seatZ) : above + rise;
        return [
          [
            frame.buttockKnee - above,
            -half,
            hasFloor ? Math.max(-seatZ, -frame.popliteal) : -frame.popliteal,
          ],
          [frame.buttockKnee, half, top],
        ];
      }
    }
  }
}
