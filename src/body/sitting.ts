import { layArms } from './arm-contact.js';
import { lapOf, type Mesh } from './contact-map.js';
import type { BodyDimension } from './dimensions.js';
import type { Region, Regions } from './regions.js';
import {
  farthest,
  levelArm,
  type OneArm,
  type Posed,
  type Skeleton,
  vectorAt,
} from './skeleton.js';
import { sliceOf } from './slice.js';
import { FOLDS, fair, smooth, smoothCrossings } from './smoothing.js';
import type { Fit } from './solver.js';
import { clamp, fromAxis, length, minus, ramp, softly, type Vector } from './vectors.js';
import { type Enclosed, enclosedBy, volumeOf } from './volume.js';

/** A sitting body and its measurements. */
export interface Sitting {
  readonly posed: Posed;
  /** How far sitting moved each vertex and each head of a bone that the skeleton had posed, x, y, z, mm. */
  readonly moves: Pick<Posed, 'vertices' | 'heads'>;
  readonly readings: ReadonlyMap<BodyDimension, number>;
  readonly enclosed: Enclosed;
}

/**
 * Maximum number of rounds of correction. Each round measures the body and moves the surface by the remaining error.
 */
const ROUNDS = 20;
/** In one of so many rounds, what lies in something else is measured. */
const LAID_EVERY = 4;
/** The rounds end when no dimension has a larger error than this, mm. */
const ENOUGH_MM = 0.1;
/** How far the seat presses into the underside, mm. Over the depth `BEND_MM`, the surface bends to the seat. */
const PRESSED_MM = 14;
const BEND_MM = 20;
/** The hollow of the knee may be so far below the seat, mm. */
const KNEE_MM = 3;
/** Radius of the buttocks below and behind, as a share of stature. */
const BUTTOCK = 0.055;
/** Distance of the skin of the thighs from the middle, mm. */
const GAP_MM = 1;
/**
 * Least and largest buttock–popliteal length as shares of buttock–knee length: P1 and P99 of 1,000 adults whom the model
 * samples. The hollow of the knee moves back and forward by at most the other shares, of stature. A calf whose hollow
 * moves farther differs from its girth by more than 25 mm.
 */
const HOLLOW = { lengths: [0.78, 0.86], moves: [-0.045, 0.012] } as const;
/** The calf bulges less behind the hollow of the knee by this share. */
const FLATTER = 0.4;
/** The surface within this radius moves with the popliteal landmark, as a share of the shank. */
const POPLITEAL_RADIUS = 0.13;
/**
 * The free top of the thigh begins this far in front of the hip joint, as a share of stature. Behind this point the
 * belly may cover it.
 */
const THIGH_FROM = 0.12;
/** Limits of the corrections, as factors of a thickness or a breadth. */
const FACTORS = {
  under: [0.35, 1.7],
  top: [0.3, 2.6],
  hips: [0.6, 1.5],
  elbow: [0.5, 1.6],
} as const;
/** Size of an elbow, as a share of stature. */
const ELBOW = 0.035;
/**
 * The flesh moves out by at most the share `most` of stature. The flesh of the thighs moves `times` as far as that of the
 * trunk, up to the share `timesUpTo`; beyond that, both move alike.
 */
const FLESH = { most: 0.06, times: 2, timesUpTo: 0.02 } as const;
/**
 * The lower part of the belly, up to a height above the thighs as a share of stature, is less deep in front of the hip
 * joint by this share. Without this, the lap cuts off the part of the belly that becomes narrower. Large bellies need
 * that place for their flesh: they become less narrow from the first share of stature by which the flesh moves, and do
 * not become narrower from the second one.
 */
const NARROWER = { share: 0.25, upTo: 0.08, flesh: [0.03, 0.05] } as const;
/**
 * The flesh of the trunk moves fully up to the first of these heights, on the back up to the second, and not above the
 * last: shares of the way from the hip joint to the nipples.
 */
const FLESH_UP_TO = { full: 0.75, back: 0.4, none: 1.05 } as const;
/** From this share of the asked thickness or breadth, the surface is pressed, and gives way by this share. */
const PRESSED_FROM = 0.9;
const GIVE = 0.2;
/** The sides of the hips are pressed and spread up to this height above the hip joint, as a share of stature. */
const SIDES_UP_TO = 0.16;
/** The surface bends to this press over a distance, as a share of stature. */
const PRESS_BEND = 0.03;
/** Flesh that is pressed adds less volume than free flesh: least and largest share. */
const FLESH_SHARE = [0.5, 2] as const;
/** Where thighs and other parts have at least this share of the skin, hips and knees bend. It is smoothed so often. */
const BENDS = { share: 0.03, rounds: 5 } as const;
/** The lower edge of the belly and the groins, up to this share of the thigh, are rounded in so many rounds. */
const CREASE = { to: 0.5, rounds: 6 } as const;
/** The flesh moves while the volume differs by more than this share. */
const ENOUGH_VOLUME = 0.001;

/**
 * A thickness or breadth after pressing. It grows by only a share of what lies beyond the limit, so flesh fills the
 * corners of a section instead of making it broader.
 */
const pressed = (far: number, limit: number, bend: number): number =>
  far - (1 - GIVE) * softly(far - limit, bend);

/** How much the thigh gives way at a position from hip (0) to knee (1). */
const giving = (way: number): number => 1 - ramp((way - 0.6) / 0.3);

const Z: Vector = [0, 0, 1];

/** Bones between which the skin twists, and the middle of the twist on the way from the first (0) to the second (1). */
const TWISTS = [
  ['upperarm', 'lowerarm', 0.5],
  ['lowerarm', 'hand', 0.9],
] as const;
/** Skin so far from the middle keeps its thickness, which becomes that of the skinning over the same distance. */
const TWIST_REACH = 0.12;
/** Skin belongs to the arm if the two bones have this share of it. */
const OF_ARM = 0.9;

/**
 * Gives bent arms the thickness of the rest pose in the middle of the upper arm and at the wrist. Plain skinning makes
 * them thinner, because elbows and palms turn.
 *
 * @param points x, y, z of the vertices and joints in the rest pose, mm
 * @param posed the body in its pose; the arms are changed in place
 */
function fillTwists(skeleton: Skeleton, points: Float64Array, { vertices, heads }: Posed): void {
  for (const side of ['l', 'r']) {
    for (const [from, to, middle] of TWISTS) {
      const [first, last] = [skeleton.bone(`${from}_${side}`), skeleton.bone(`${to}_${side}`)];
      const [start, end] = [vectorAt(heads, first), vectorAt(heads, last)];
      const [restStart, restEnd] = [first, last].map((bone) =>
        vectorAt(points, skeleton.heads[bone]),
      );
      const arm = skeleton.movedBy(new RegExp(`^(${from}|${to})_${side}$`));
      for (const vertex of arm.vertices) {
        if (arm.shares[vertex] < OF_ARM) continue;
        // The place on the arm is that of the rest pose: the forearm of a folded arm lies beside the upper arm.
        const rest = fromAxis(vectorAt(points, vertex), restStart, restEnd);
        const share = 1 - ramp((Math.abs(rest.way - middle) - TWIST_REACH) / TWIST_REACH);
        if (share === 0) continue;
        const { out } = fromAxis(vectorAt(vertices, vertex), start, end);
        const more = share * (length(rest.out) / length(out) - 1);
        for (let k = 0; k < 3; k++) vertices[3 * vertex + k] += more * out[k];
      }
    }
  }
}

/** The body as the skeleton poses it with bent hips and knees. */
function seated(skeleton: Skeleton, points: Float64Array, arms: OneArm): Posed {
  const posed = skeleton.pose(points, skeleton.rotations(points, 'sitting', arms));
  fillTwists(skeleton, points, posed);
  return posed;
}

/** A sitting body with other arms. Trunk and legs stay in their places. */
export function withArms(mesh: Mesh, { points }: Fit, { moves }: Sitting, arms: OneArm): Posed {
  const posed = seated(mesh.skeleton, points, arms);
  const vertices = posed.vertices.map((mm, at) => mm + moves.vertices[at]);
  const heads = posed.heads.map((mm, at) => mm + moves.heads[at]);
  layArms(mesh, { vertices, heads }, false);
  smoothCrossings(mesh, FOLDS.arms, vertices);
  return { ...posed, vertices, heads };
}

/** The corrections of a sitting body before the first round, in mm or as factors. */
const NO_CORRECTIONS = {
  back: 0,
  lift: 0,
  top: 0,
  hips: 0,
  popliteal: 0,
  hollow: 0,
  knee: 0,
  flesh: 0,
};
type Corrections = typeof NO_CORRECTIONS;

/** How far flesh moves, and where hips and knees bend: shares by vertex of the body as the skeleton poses it. */
function sharesOf(
  { skeleton, views }: Mesh,
  { vertices, heads }: Posed,
  floor: number,
  size: number,
) {
  const hip = vectorAt(heads, skeleton.bone('thigh_l'));
  const knee = vectorAt(heads, skeleton.bone('calf_l'));
  const { landmarks } = views.header;
  const count = views.header.vertices;
  const trunk = skeleton.movedBy(/^(pelvis|spine_0[12])$/).shares;
  const lower = skeleton.movedBy(/^(calf|foot|ball)_/).shares;
  const thigh = skeleton.movedBy(/^thigh_/).shares;
  const legs = skeleton.movedBy(/^(thigh|calf|foot|ball)_/).vertices;
  const long = knee[2] - hip[2];
  /** Position from hip (0) to knee (1). */
  const way = Float32Array.from({ length: count }, (_, vertex) =>
    clamp((vertices[3 * vertex + 2] - hip[2]) / long, 0, 1),
  );
  // What moves with the popliteal landmark, and what belongs to the top of the knees.
  const radius = POPLITEAL_RADIUS * (knee[1] - floor);
  const [left, right] = [landmarks.popliteal_l, landmarks.popliteal_r].map((mark) =>
    vectorAt(vertices, mark),
  );
  const ofHollow = new Float32Array(count);
  const ofKneeTop = new Float32Array(count);
  for (const vertex of legs) {
    const point = vectorAt(vertices, vertex);
    const own = thigh[vertex] + lower[vertex];
    ofKneeTop[vertex] =
      own * ramp((point[1] - knee[1]) / 30) * (1 - ramp((knee[2] - point[2]) / (0.3 * long)));
    if (own < 0.5) continue;
    const far = Math.min(length(minus(point, left)), length(minus(point, right)));
    // The top of the knee stays in the place that the lower leg gives it.
    ofHollow[vertex] =
      Math.exp(-0.5 * (far / radius) ** 2) * ramp((knee[1] - point[1]) / (0.5 * radius));
  }
  // Hips and thighs move along the normals of the surface. Their inner sides do not move towards each other.
  const { full, back, none } = FLESH_UP_TO;
  const nipples = vectorAt(vertices, landmarks.thelion_l)[1];
  const normals = new Float64Array(vertices.length);
  volumeOf(vertices, views.triangles, normals);
  /** How far each vertex moves when the flesh moves by 1 mm, and the share of the thighs in it. */
  const outward = new Float32Array(3 * count);
  const fleshOfThighs = new Float32Array(count);
  /** Volume that 1 mm of flesh adds, litres. */
  let fleshLitres = 0;
  for (let vertex = 0; vertex < count; vertex++) {
    const at = 3 * vertex;
    const normal = vectorAt(normals, vertex);
    const normalSize = length(normal);
    const above = (vertices[at + 1] - hip[1]) / (nipples - hip[1]);
    const from = full - (full - back) * Math.max(0, -normal[2] / normalSize);
    const flank = trunk[vertex] * (1 - ramp((above - from) / (none - from)));
    const ofThigh = thigh[vertex] * giving(way[vertex]);
    if (normalSize === 0 || flank + ofThigh === 0) continue;
    fleshOfThighs[vertex] = ofThigh / (flank + ofThigh);
    const level = 1 - trunk[vertex] * (1 - nearSeat(vertices[at + 1], hip[1], size));
    // The flesh of the thighs does not move along them to the knees.
    const ahead = flank + (1 - way[vertex]) * ofThigh;
    const shares = [flank + ofThigh, level * (flank + ofThigh), ahead];
    for (let k = 0; k < 3; k++) {
      outward[at + k] = (shares[k] * normal[k]) / normalSize;
      fleshLitres += outward[at + k] * normal[k];
    }
  }
  /** The skin where hips and knees bend, and that in front of the hips. */
  const bends = [...thigh.keys()].filter(
    (vertex) => Math.abs(thigh[vertex] - 0.5) < 0.5 - BENDS.share,
  );
  const groins = bends.filter(
    (vertex) => way[vertex] < CREASE.to && vertices[3 * vertex + 1] > hip[1],
  );
  return {
    ...{ hip, knee, trunk, lower, thigh, way, ofHollow, ofKneeTop },
    ...{ outward, fleshOfThighs, fleshLitres, bends, groins },
  };
}

/** How near a height of the trunk is to the seat: 1 below the hip joint, 0 well above it. */
const nearSeat = (y: number, hipY: number, statureMm: number): number =>
  1 - ramp((y - hipY) / (0.1 * statureMm));

/** The largest (sign 1) or smallest (sign −1) coordinate of the accepted vertices of a part. */
function extreme(
  { vertices: candidates }: Region,
  vertices: Float64Array,
  axis: 0 | 1 | 2,
  sign: 1 | -1,
  accepts?: (at: Vector) => boolean,
): number {
  const along = (k: number): number => (k === axis ? sign : 0);
  const direction: Vector = [along(0), along(1), along(2)];
  return vertices[3 * farthest(candidates, vertices, direction, accepts) + axis];
}

/**
 * Makes a body sit. Skinning poses the body, and corrections then change its shape. The seat is level at the popliteal
 * height, and flat under buttocks and thighs. The trunk moves up or down for sitting height, and back or forth along
 * the thighs for buttock–knee length. The top of the thighs is pressed or raised for their thickness, and the hips
 * spread. The flesh of hips and thighs moves out where it is free, until the volume is that of the standing body. The
 * lower legs stay as the skeleton poses them. Upper arms hang as those of the standing body, so shoulders and upper arms
 * keep their breadths and girths. The height of the elbow follows from that. Level elbows get the asked size.
 */
export class Sitter {
  private readonly start: Posed;
  private readonly vertices: Float64Array;
  private readonly heads: Float64Array;
  private readonly shares: ReturnType<typeof sharesOf>;
  private readonly floor: number;
  private readonly statureMm: number;
  private readonly lap: ReturnType<typeof lapOf>;

  constructor(
    private readonly mesh: Mesh,
    private readonly regions: Regions,
    fit: Fit,
    private readonly triangles: Uint16Array,
    private readonly asked: ReadonlyMap<BodyDimension, number>,
    private readonly volumeLitres: number,
  ) {
    this.statureMm = fit.readings.get('Stature')?.value ?? 0;
    this.lap = lapOf(mesh, fit.standing);
    const arms = { side: 'both', pose: levelArm(fit.armAngle) } as const;
    this.start = seated(mesh.skeleton, fit.points, arms);
    this.shapeElbows(this.start);
    this.vertices = this.start.vertices.slice();
    this.heads = this.start.heads.slice();
    this.floor = extreme(regions.feet, this.vertices, 1, -1);
    this.shares = sharesOf(mesh, this.start, this.floor, this.statureMm);
  }

  /**
   * Moves the skin below and behind the bent elbows until shoulder–elbow length and elbow–fingertip length are right.
   * Plain skinning makes bent elbows too thick.
   */
  private shapeElbows({ vertices, heads }: Posed): void {
    const { asked } = this;
    const { skeleton, views } = this.mesh;
    const near = ELBOW * this.statureMm;
    const [, jointY, jointZ] = vectorAt(heads, skeleton.bone('lowerarm_l'));
    // How far the skin of the left elbow reaches down and back.
    let [under, behind] = [Infinity, Infinity];
    for (const vertex of this.regions.arm.vertices) {
      const [, y, z] = vectorAt(vertices, vertex);
      if (z < jointZ + 0.5 * near) under = Math.min(under, y);
      if (y < jointY + 0.3 * near) behind = Math.min(behind, z);
    }
    const acromion = vectorAt(vertices, views.header.landmarks.acromion_l)[1];
    const fingertip = extreme(this.regions.hand, vertices, 2, 1);
    const [down, along] = [asked.get('ShoulderElbowLength'), asked.get('ElbowFingertipLength')];
    const factor = (wanted: number, present: number) => clamp(wanted / present, ...FACTORS.elbow);
    const lower = down === undefined ? 1 : factor(down - acromion + jointY, jointY - under);
    const rear = along === undefined ? 1 : factor(along - fingertip + jointZ, jointZ - behind);
    const { vertices: moved, shares } = skeleton.movedBy(/^(upperarm|lowerarm)_/);
    for (const vertex of moved) {
      const at = 3 * vertex;
      const side = vertices[at] > 0 ? 'l' : 'r';
      const share = shares[vertex];
      const joint = vectorAt(heads, skeleton.bone(`lowerarm_${side}`));
      const [y, z] = [vertices[at + 1] - joint[1], vertices[at + 2] - joint[2]];
      if (y < 0) vertices[at + 1] += share * (lower - 1) * y * (1 - ramp((z - near) / (2 * near)));
      if (z < 0) vertices[at + 2] += share * (rear - 1) * z * (1 - ramp(y / near));
    }
  }

  /**
   * Makes the body sit with the asked dimensions. Other dimensions stay as posed.
   *
   * @param tape parts of the body that the answer's readings touch
   */
  sit(tape: Regions = this.regions): Sitting {
    const { asked } = this;
    const { hip, knee, groins, bends, fleshLitres } = this.shares;
    const corrections = { ...NO_CORRECTIONS };
    const first = this.measure();
    const want = (name: BodyDimension): number => {
      const mm = asked.get(name) ?? (first.get(name) as number);
      if (name !== 'ButtockPoplitealLength') return mm;
      const kneeMm = want('ButtockKneeLength');
      return clamp(mm / kneeMm, ...HOLLOW.lengths) * kneeMm;
    };
    const seat = this.floor + want('PoplitealHeight');
    const limits = {
      side: (PRESSED_FROM * want('SittingHipBreadth')) / 2,
      top: seat + PRESSED_FROM * want('ThighThickness'),
      lap: seat + want('ThighThickness'),
    };
    // Arms that lie on the flank lose volume after the rounds, and what still lies in something else counts once. The
    // flesh makes up for both.
    let laidLitres = 0;
    const smoothing: number[][] = [];
    let before = { flesh: 0, volume: 0 };
    for (let round = 0; ; round++) {
      this.apply(corrections, seat, limits);
      const crease = [...new Set([...groins, ...this.lap(this.vertices)])];
      for (let i = 0; i < CREASE.rounds; i++) smooth(this.mesh, crease, this.vertices);
      for (const skin of smoothing) smooth(this.mesh, skin, this.vertices);
      fair(this.mesh, bends, this.vertices, BENDS.rounds);
      const found = this.measure();
      // Bodies without a known length keep the hollow of the knee that the pose gives.
      if (!asked.has('ButtockPoplitealLength')) found.delete('ButtockPoplitealLength');
      const missing = (name: BodyDimension): number => want(name) - (found.get(name) ?? want(name));
      const volume = volumeOf(this.vertices, this.triangles);
      const isFull = (): boolean =>
        Math.abs(this.volumeLitres + laidLitres - volume) <= ENOUGH_VOLUME * this.volumeLitres;
      const isMet = [...found.keys()].every((name) => Math.abs(missing(name)) <= ENOUGH_MM);
      const isLast = round === ROUNDS || (isMet && isFull());
      if (isLast || round % LAID_EVERY === 2) {
        smoothing.push(...smoothCrossings(this.mesh, FOLDS.trunkAndLegs, this.vertices));
        const vertices = this.vertices.slice();
        layArms(this.mesh, { vertices, heads: this.heads }, false);
        smoothCrossings(this.mesh, FOLDS.all, vertices);
        const enclosed = enclosedBy(vertices, this.triangles);
        laidLitres = volume - enclosed.litres;
        if (round === ROUNDS || (isMet && isFull())) {
          const { start, heads } = this;
          const moves = {
            vertices: this.vertices.map((mm, at) => mm - start.vertices[at]),
            heads: heads.map((mm, at) => mm - start.heads[at]),
          };
          const posed = { ...start, vertices, heads };
          return { posed, moves, readings: this.measure(tape), enclosed };
        }
      }
      if (!isFull()) {
        const most = FLESH.most * this.statureMm;
        const lost = this.volumeLitres + laidLitres - volume;
        // The last move shows how much volume the next one adds.
        const { flesh } = corrections;
        const moved = (flesh - before.flesh) * fleshLitres;
        const share = moved === 0 ? 1 : clamp((volume - before.volume) / moved, ...FLESH_SHARE);
        before = { flesh, volume };
        corrections.flesh = clamp(flesh + lost / share / fleshLitres, -most, most);
      }
      corrections.back += missing('ButtockKneeLength');
      corrections.lift += missing('SittingHeight');
      corrections.popliteal += missing('PoplitealHeight');
      const hollow = (corrections.hollow + missing('ButtockPoplitealLength')) / this.statureMm;
      corrections.hollow = clamp(hollow, ...HOLLOW.moves) * this.statureMm;
      corrections.knee += missing('KneeHeight');
      const way = (THIGH_FROM * this.statureMm) / (knee[2] - hip[2]);
      const top = (found.get('ThighThickness') as number) + seat;
      // The height above the axis of the thighs.
      const axisFrom = hip[1] + corrections.lift;
      const axis = axisFrom + (knee[1] - axisFrom) * way;
      const above = Math.max(0.01 * this.statureMm, top - axis);
      // The height that a unit of the factor adds above the axis, at its present size.
      const unit = above / (1 + corrections.top);
      corrections.top = clamp(
        corrections.top + (0.9 * missing('ThighThickness')) / unit,
        FACTORS.top[0] - 1,
        FACTORS.top[1] - 1,
      );
      corrections.hips = clamp(
        corrections.hips + (1.2 * missing('SittingHipBreadth')) / want('SittingHipBreadth'),
        FACTORS.hips[0] - 1,
        FACTORS.hips[1] - 1,
      );
    }
  }

  /** Moves the posed surface and the heads of the bones by the corrections. */
  private apply(
    corrections: Corrections,
    seat: number,
    most: { readonly side: number; readonly top: number; readonly lap: number },
  ): void {
    const { vertices, start } = this;
    const { hip, knee, way, thigh, lower, trunk, outward, ofHollow } = this.shares;
    const { back, lift, flesh, hollow } = corrections;
    const size = this.statureMm;
    const thighFlesh = Math.max(flesh, Math.min(FLESH.times * flesh, FLESH.timesUpTo * size));
    const [from, to] = NARROWER.flesh;
    const narrower = NARROWER.share * (1 - ramp((flesh / size - from) / (to - from)));
    const hipY = hip[1] + lift;
    const hipZ = hip[2] - back;
    const sides = 0.09 * size;
    const bend = PRESS_BEND * size;
    const count = this.mesh.views.header.vertices;
    let lowest = Infinity;
    for (let vertex = 0; vertex < count; vertex++) {
      const at = 3 * vertex;
      const legs = lower[vertex];
      const thighs = thigh[vertex];
      const moved = 1 - legs - thighs + thighs * (1 - way[vertex]);
      const own = flesh + (thighFlesh - flesh) * this.shares.fleshOfThighs[vertex];
      const x = start.vertices[at];
      // Thighs touch, but do not reach over the middle.
      const side = Math.sign(this.mesh.skeleton.contact.shares[vertex]) || Math.sign(x);
      const room = Math.max(0, side * x - GAP_MM);
      const y = start.vertices[at + 1] + own * outward[at + 1] + lift * moved;
      const z = start.vertices[at + 2] + own * outward[at + 2] - back * moved;
      const low = 1 - ramp((y - most.lap) / (NARROWER.upTo * size));
      vertices[at] = x + side * Math.max(side * own * outward[at], -room);
      vertices[at + 1] = y;
      vertices[at + 2] = z - narrower * low * trunk[vertex] * Math.max(0, z - hipZ);
    }
    const { trunkAndThighs } = this.regions;
    for (const vertex of trunkAndThighs.vertices) {
      if (way[vertex] < 0.7) lowest = Math.min(lowest, vertices[3 * vertex + 1]);
    }
    const rear = extreme(trunkAndThighs, vertices, 2, -1, ([, y]) => y < hipY);
    const round = BUTTOCK * size;
    const hollowZ = start.vertices[3 * this.mesh.views.header.landmarks.popliteal_l + 2];
    // The underside reaches a little below the seat, and the seat then presses it flat.
    const under = clamp((hipY - seat + PRESSED_MM) / (hipY - lowest), ...FACTORS.under);
    for (let vertex = 0; vertex < count; vertex++) {
      const at = 3 * vertex;
      const u = way[vertex];
      const legs = lower[vertex];
      const thighs = thigh[vertex];
      const pelvis = (1 - legs - thighs) * nearSeat(vertices[at + 1], hipY, size);
      const soft = pelvis + thighs;
      let y = vertices[at + 1] + corrections.popliteal * ofHollow[vertex];
      const axis = hipY + (knee[1] - hipY) * u;
      const fade = giving(u);
      if (soft > 0) {
        if (y < axis) y += (1 - under) * (axis - y) * soft * fade;
        else {
          const free = thighs * ramp((u - 0.02) / 0.2) * fade;
          y += free * (pressed(y, most.top, bend) - y);
          y += corrections.top * (y - axis) * free;
        }
        // Behind, the seat gives way to the round buttocks. Hands near the seat stay.
        const behind = clamp(1 - (vertices[at + 2] - rear) / round, 0, 1);
        const near = BEND_MM * (0.2 + 0.8 * fade);
        const over = y - seat + KNEE_MM * (1 - fade) - round * (1 - Math.sqrt(1 - behind * behind));
        y +=
          Math.min(1, 2 * (Math.min(pelvis, trunk[vertex]) + thighs)) *
          (softly(over, near) - over) *
          ramp((3 * near - over) / (3 * near));
        const low = ramp((SIDES_UP_TO * size + hipY - y) / sides);
        const wide = low * (trunk[vertex] + thighs) * (1 - ramp((u - 0.45) / 0.55));
        const x = vertices[at];
        const far = Math.abs(x);
        // Inner sides of thighs hardly move.
        const aside = (pressed(far, most.side, bend) - far) * Math.min(1, far / most.side);
        vertices[at] = (x + wide * aside * Math.sign(x)) * (1 + corrections.hips * wide);
      }
      vertices[at + 1] = y + corrections.knee * this.shares.ofKneeTop[vertex];
      // Skin in front of the hollow moves back to it, and the calf below it bulges less.
      const ahead = vertices[at + 2] - hollowZ - Math.min(hollow, 0);
      const filled = ahead > 0 ? Math.max(hollow, -ahead) : Math.max(hollow, 0) - FLATTER * ahead;
      const behindKnee = ramp((knee[2] - vertices[at + 2]) / BEND_MM);
      vertices[at + 2] += filled * ofHollow[vertex] * behindKnee;
    }
    this.mesh.skeleton.names.forEach((name, bone) => {
      const share = /^(calf|foot|ball)_/.test(name) ? 0 : 1;
      this.heads[3 * bone + 1] = start.heads[3 * bone + 1] + share * lift;
      this.heads[3 * bone + 2] = start.heads[3 * bone + 2] - share * back;
    });
  }

  /** The dimensions of the sitting body as it is now, mm. */
  private measure(regions: Regions = this.regions): Map<BodyDimension, number> {
    const { statureMm: size, vertices } = this;
    const { knee } = this.shares;
    const { trunkAndThighs, thighAlone } = regions;
    const hip = vectorAt(this.heads, this.mesh.skeleton.bone('thigh_l'));
    const most = (
      part: Region,
      axis: 0 | 1 | 2,
      sign: 1 | -1,
      accepts?: (at: Vector) => boolean,
    ): number => extreme(part, vertices, axis, sign, accepts);
    const floor = most(regions.feet, 1, -1);
    const under = hip[2] + 0.6 * (knee[2] - hip[2]);
    const seat = most(trunkAndThighs, 1, -1, ([, , z]) => z < under);
    const top = most(regions.head, 1, 1);
    // Points of edges at the depth from which the thigh counts belong to it.
    const thighFrom = hip[2] + THIGH_FROM * size;
    const section = sliceOf(thighAlone, vertices, Z, thighFrom).points.map(({ at }) => at[1]);
    const thigh = Math.max(
      most(thighAlone, 1, 1, ([, , z]) => z >= thighFrom),
      ...section,
    );
    const isLow = ([, y, z]: Vector): boolean =>
      y < hip[1] + 0.05 * size && z < hip[2] + 0.5 * (knee[2] - hip[2]);
    const breadth = most(trunkAndThighs, 0, 1, isLow) - most(trunkAndThighs, 0, -1, isLow);
    const kneeTop = most(regions.leg, 1, 1, ([, , z]) => z > knee[2] - 0.02 * size);
    const kneeFront = most(regions.leg, 2, 1, ([, y]) => y > knee[1] - 0.05 * size);
    const buttock = most(trunkAndThighs, 2, -1, ([, y]) => y < hip[1] + 0.06 * size);
    const popliteal = this.mesh.views.header.landmarks.popliteal_l;
    return new Map<BodyDimension, number>([
      ['KneeHeight', kneeTop - floor],
      ['SittingHeight', top - seat],
      ['ThighThickness', thigh - seat],
      ['ButtockKneeLength', kneeFront - buttock],
      ['PoplitealHeight', vertices[3 * popliteal + 1] - floor],
      ['ButtockPoplitealLength', vertices[3 * popliteal + 2] - buttock],
      ['SittingHipBreadth', breadth],
    ]);
  }
}
