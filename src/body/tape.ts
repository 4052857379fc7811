import type { ShapeViews } from '../lookup/shape-file.js';
import type { RegionName, Regions } from './regions.js';
import { farthest, type Posed, type Skeleton, vectorAt } from './skeleton.js';
import {
  type Anchor,
  FADE_MM,
  heightOfBack,
  hullOf,
  perimeterOf,
  type Slice,
  type SlicePoint,
  sliceOf,
  sliding,
  type Term,
} from './slice.js';
import { between, cross, dot, length, minus, sum, times, unit, type Vector } from './vectors.js';

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

/** A measured value in mm (litres for the volume), with its gradient. */
export interface Reading {
  readonly value: number;
  readonly terms: readonly Term[];
  /** Height above the floor at which a girth was measured, mm. */
  readonly heightMm?: number;
  /** Unit normal of the plane of a girth. */
  readonly normal?: Vector;
  /** Points of the line on which the value was measured, mm. The tape of a girth ends at its first point. */
  readonly line?: readonly Vector[];
  /** Smaller readings elsewhere on the same outline. Each may become the largest while the shape changes. */
  readonly rivals?: readonly Reading[];
}

/** Readings by name of the measurement. */
export type Readings = Map<string, Reading>;

const X: Vector = [1, 0, 0];
const Y: Vector = [0, 1, 0];
const Z: Vector = [0, 0, 1];

/** Vertices of the base mesh within this distance of its middle belong to both sides. */
const MIDDLE_MM = 0.1;

/** A place that a tape has measured: a plane through a part of the body, or the end of a part along an axis. */
export interface Place {
  readonly region: RegionName;
  readonly normal: Vector;
  /** Distance of the plane or the end from the origin along the normal, mm. */
  readonly level: number;
  /** If the level may jump on the surface: how far it may move, mm. */
  readonly reachMm?: number;
  readonly isEnd: boolean;
}

/** Measures a posed body with landmarks, calipers and a tape, as a human measurer does. */
export class Tape {
  readonly readings: Readings = new Map();
  private readonly vertices: Float64Array;
  private readonly heads: Float64Array;
  /** The planes that were sliced and the ends that were found, in this order. */
  readonly places: Place[] = [];

  constructor(
    private readonly views: ShapeViews,
    private readonly skeleton: Skeleton,
    private readonly regions: Regions,
    posed: Posed,
  ) {
    this.vertices = posed.vertices;
    this.heads = posed.heads;
  }

  /**
   * Takes the standing measurements, with the arms a little away from the trunk.
   *
   * @param hipsAtMm height at which the hips are measured; by default that of the point farthest back
   */
  measureStanding(hipsAtMm?: number): void {
    const floor = this.lowest('feet');
    const top = this.extreme('head', Y);
    this.between('Stature', top, floor, Y);
    const stature = this.readings.get('Stature')?.value ?? 0;
    this.between('EyeHeight', this.landmark('ectocanthus_l'), floor, Y);
    this.between('C7HeightStanding', this.landmark('cervicale'), floor, Y);
    this.between('ShoulderHeight', this.landmark('acromion_l'), floor, Y);
    this.between('WaistHeightStanding', this.landmark('omphalion'), floor, Y);
    this.between('CrotchHeight', this.landmark('crotch'), floor, Y);
    this.measureParts(stature);
    this.waistAndHips(hipsAtMm);
    this.thighAndKnee(stature, floor);
  }

  /** Takes the measurements of parts that keep their shape in every pose: head, chest, arms, calf and foot. */
  measureParts(stature: number): void {
    this.distance('UpperArmLength', 'acromion_l', 'radiale_l');
    this.distance('ForearmLength', 'radiale_l', 'stylion_l');
    this.distance('ShoulderBreadthBiacromial', 'acromion_l', 'acromion_r');
    this.distance('InterNippleDistance', 'thelion_l', 'thelion_r');
    this.between('TopOfHeadToStomion', this.extreme('head', Y), this.landmark('stomion'), Y);
    this.shoulders(stature);
    this.foot();
    this.hand();
    this.chest();
    this.headAndNeck(stature);
    this.armsAndCalf();
  }

  private landmark(name: string): number {
    return this.views.header.landmarks[name];
  }

  private bone(name: string): number {
    return this.skeleton.bone(name);
  }

  private head(name: string): Vector {
    return vectorAt(this.heads, this.bone(name));
  }

  private at(vertex: number): Vector {
    return vectorAt(this.vertices, vertex);
  }

  private height(vertex: number): number {
    return this.vertices[3 * vertex + 1];
  }

  /** The accepted vertex of a part that lies farthest along an axis. */
  private extreme(name: RegionName, axis: Vector, accepts?: (point: Vector) => boolean): number {
    const best = farthest(this.regions[name].vertices, this.vertices, axis, accepts);
    const level = best < 0 ? -Infinity : dot(this.at(best), axis);
    this.places.push({ region: name, normal: axis, level, isEnd: true });
    return best;
  }

  private lowest(name: RegionName): number {
    return this.extreme(name, [0, -1, 0]);
  }

  /** The distance between two vertices along an axis, from the second to the first. */
  private between(name: string, a: number, b: number, axis: Vector): void {
    const [from, to] = [this.at(b), this.at(a)];
    const value = dot(minus(to, from), axis);
    this.readings.set(name, {
      value,
      terms: [
        { kind: 'vertex', index: a, gradient: axis },
        { kind: 'vertex', index: b, gradient: times(axis, -1) },
      ],
      line: caliper(from, to, axis, value),
    });
  }

  /** The distance between two landmarks. */
  private distance(name: string, from: string, to: string): void {
    const [a, b] = [this.landmark(from), this.landmark(to)];
    this.between(name, a, b, unit(minus(this.at(a), this.at(b))));
  }

  private shoulders(stature: number): void {
    const least = this.height(this.landmark('acromion_l')) - PLACES.deltoid * stature;
    const high = (point: Vector) => point[1] > least;
    const name = 'ShoulderBreadthBideltoid';
    const own = (accepts: (point: Vector) => boolean): Reading | undefined => {
      const left = this.extreme('shoulders', X, accepts);
      const right = this.extreme('shoulders', [-1, 0, 0], accepts);
      if (left < 0 || right < 0) return undefined;
      this.between(name, left, right, X);
      return this.readings.get(name);
    };
    const width = (PLACES.deltoid * stature) / RIVALS.heights;
    const rivals = Array.from({ length: RIVALS.heights }, (_, i) =>
      own(([, y]) => y > least + i * width && y <= least + (i + 1) * width),
    ).filter((rival) => rival !== undefined);
    this.withRivals(name, own(high) as Reading, rivals);
  }

  private foot(): void {
    const [toe, heel] = [this.landmark('acropodion_l'), this.landmark('pternion_l')];
    const way = minus(this.at(toe), this.at(heel));
    const ahead = unit([way[0], 0, way[2]]);
    this.between('FootLength', toe, heel, ahead);
    const aside = cross(Y, ahead);
    const [, ankleY] = this.head('foot_l');
    const isBelow = ([, y]: Vector) => y < ankleY;
    const inner = this.extreme('foot', aside, isBelow);
    const outer = this.extreme('foot', times(aside, -1), isBelow);
    this.between('FootBreadth', inner, outer, aside);
  }

  /** The fingers are bent, so the length of the hand is the sum along the joints of the middle finger. */
  private hand(): void {
    const ends = [
      ...['hand_l', 'middle_01_l', 'middle_02_l', 'middle_03_l'].map((name) =>
        this.onHead(name, 1),
      ),
      onVertex(this.landmark('dactylion_l'), 1),
    ];
    const points = ends.map(({ kind, index }) =>
      vectorAt(kind === 'head' ? this.heads : this.vertices, index),
    );
    let value = 0;
    const terms: Term[] = [];
    for (let i = 1; i < points.length; i++) {
      const step = minus(points[i], points[i - 1]);
      value += length(step);
      const [{ kind, index }, from] = [ends[i], ends[i - 1]];
      terms.push({ kind, index, gradient: unit(step) });
      terms.push({ kind: from.kind, index: from.index, gradient: times(unit(step), -1) });
    }
    this.readings.set('HandLength', { value, terms, line: points });
    const [wrist, knuckle] = [this.head('hand_l'), this.head('middle_01_l')];
    const axis = unit(minus(knuckle, wrist));
    const aside = unit(minus(this.head('index_01_l'), this.head('pinky_01_l')));
    const { place, anchor } = this.onWay('hand_l', 'middle_01_l', PLACES.knuckles);
    this.breadth('HandBreadth', this.slice('hand', place, axis), axis, aside, anchor);
  }

  private chest(): void {
    const nipples = [this.landmark('thelion_l'), this.landmark('thelion_r')];
    const [left, right] = nipples.map((vertex) => this.at(vertex));
    const atNipples = nipples.map((vertex) => onVertex(vertex, 0.5));
    const chest = this.slice('chest', between(left, right, 0.5), Y);
    this.girth('ChestCircumferenceNipple', chest, Y, atNipples);
    this.breadth('ChestDepth', chest, Y, Z, atNipples);
    this.breadth('ChestBreadth', chest, Y, X, atNipples, Z);
  }

  private waistAndHips(hipsAtMm?: number): void {
    const navel = this.landmark('omphalion');
    const atNavel = [onVertex(navel, 1)];
    const waist = this.slice('trunkAndThighs', this.at(navel), Y);
    this.girth('WaistCircumferenceAbdominal', waist, Y, atNavel);
    this.breadth('WaistDepthStanding', waist, Y, Z, atNavel);
    const [left, right] = [this.landmark('thelion_l'), this.landmark('thelion_r')];
    const share = PLACES.naturalWaist;
    const narrow = between(this.at(navel), between(this.at(left), this.at(right), 0.5), share);
    this.girth('NaturalWaistCircumference', this.slice('chest', narrow, Y), Y, [
      onVertex(navel, 1 - share),
      onVertex(left, share / 2),
      onVertex(right, share / 2),
    ]);
    const least = this.height(this.landmark('crotch')) - PLACES.belowCrotchMm;
    // Above this height, the back may reach farther back than flat buttocks.
    const crotch = this.height(this.landmark('crotch'));
    const most = crotch + PLACES.buttocksUpTo * (this.height(navel) - crotch);
    this.places.push({
      region: 'trunkAndThighs',
      normal: Y,
      level: (most + least) / 2,
      reachMm: (most - least) / 2,
      isEnd: false,
    });
    const { vertices } = this.regions.trunkAndThighs;
    const { heightMm, shares } = heightOfBack(this.vertices, vertices, least, most);
    const atButtock = shares.map(({ index, share: own }) => {
      const ahead = (-own * (this.height(index) - heightMm)) / FADE_MM;
      return { ...onVertex(index, own), ahead };
    });
    const hips = this.slice('trunkAndThighs', [0, hipsAtMm ?? heightMm, 0], Y);
    this.girth('HipCircumferenceMax', hips, Y, atButtock);
    this.breadth('StandingHipBreadth', hips, Y, X, atButtock);
    this.breadth('TrunkDepthAtButtocks', hips, Y, Z, atButtock);
  }

  /** Takes the measurements of head and neck. */
  headAndNeck(stature: number): void {
    const glabella = this.landmark('glabella');
    const point = this.at(glabella);
    const anchor = [onVertex(glabella, 1)];
    const tilted = unit(TILTS.head);
    this.girth('HeadGirth', this.slice('head', point, tilted), tilted, anchor);
    this.breadth('HeadLength', this.slice('head', point, Y), Y, Z, anchor);
    const above = sum(point, times(Y, PLACES.headBreadth * stature));
    this.breadth('HeadBreadth', this.slice('head', above, Y), Y, X, anchor);
    this.distance('ForeheadWidth', 'frontotemporale_l', 'frontotemporale_r');
    const larynx = this.onWay('head', 'neck_01', PLACES.larynx);
    const across = unit(TILTS.neck);
    const neck = this.slice('neck', larynx.place, across);
    this.girth('NeckCircumference', neck, across, larynx.anchor);
  }

  private thighAndKnee(stature: number, floor: number): void {
    const crotch = this.landmark('crotch');
    const furrow = sum(this.at(crotch), [0, -PLACES.furrow * stature, 0]);
    // Thighs that touch may reach over the middle, so the base mesh tells left from right.
    const isLeft = (vertex: number): boolean => this.views.positions[3 * vertex] > -MIDDLE_MM;
    const both = this.slice('thigh', furrow, Y);
    const thigh = {
      ...both,
      points: both.points.filter(({ from, to }) => isLeft(from) && isLeft(to)),
    };
    this.girth('ThighCircumferenceBelowButtock', thigh, Y, [
      onVertex(crotch, 1 - PLACES.furrow),
      onVertex(floor, PLACES.furrow),
    ]);
    const middle = between(this.at(crotch), this.head('calf_l'), 0.5);
    this.girth('ThighCircumferenceMidpoint', this.slice('leg', middle, Y), Y, [
      onVertex(crotch, 0.5),
      this.onHead('calf_l', 0.5),
    ]);
    // The leg is upright, so the tape lies level around knee and calf.
    this.limbGirth('KneeCircumference', 'leg', 'calf_l', 'foot_l', 0, Y);
  }

  private armsAndCalf(): void {
    this.limbGirth('CalfCircumference', 'leg', 'calf_l', 'foot_l', 1 - PLACES.calf, Y);
    for (const [name, from, to, share] of [
      ['UpperArmCircumferenceMidpoint', 'upperarm_l', 'lowerarm_l', PLACES.upperArm],
      ['ArmpitCircumference', 'upperarm_l', 'lowerarm_l', PLACES.armpit],
      ['ElbowCircumference', 'upperarm_l', 'lowerarm_l', PLACES.elbow],
      ['ForearmCircumference', 'lowerarm_l', 'hand_l', PLACES.forearm],
      ['WristCircumference', 'lowerarm_l', 'hand_l', PLACES.wrist],
    ] as const) {
      this.limbGirth(name, 'arm', from, to, share);
    }
  }

  private limbGirth(
    name: string,
    region: RegionName,
    from: string,
    to: string,
    share: number,
    normal = unit(minus(this.head(to), this.head(from))),
  ): void {
    const { place, anchor } = this.onWay(from, to, share);
    this.girth(name, this.slice(region, place, normal), normal, anchor);
  }

  private onHead(name: string, share: number): Anchor[number] {
    return { kind: 'head', index: this.bone(name), share };
  }

  /** The place at a share of the way from one joint to another one, and its anchor. */
  private onWay(from: string, to: string, share: number) {
    const anchor = [this.onHead(from, 1 - share), this.onHead(to, share)];
    return { place: between(this.head(from), this.head(to), share), anchor };
  }

  /** The points where a plane meets the edges of a part. */
  private slice(name: RegionName, place: Vector, normal: Vector): Slice {
    const level = dot(place, normal);
    this.places.push({ region: name, normal, level, isEnd: false });
    return sliceOf(this.regions[name], this.vertices, normal, level);
  }

  /** The length of the tape around a slice: the perimeter of its convex hull. */
  private girth(name: string, slice: Slice, normal: Vector, anchor: Anchor): void {
    const hull = hullOf(slice.points, normal);
    const value = perimeterOf(hull);
    const heightMm = hull.reduce((whole, { at }) => whole + at[1] / hull.length, 0);
    const sides = hull.map(({ at }, i) => unit(minus(hull[(i + 1) % hull.length].at, at)));
    const gradients = sides.map((side, i) => minus(sides.at(i - 1) as Vector, side));
    const terms = sliding({ ...slice, points: hull }, gradients, normal, anchor);
    const line = [...hull, ...hull.slice(0, 1)].map(({ at }) => at);
    this.readings.set(name, { value, terms, heightMm, normal, line });
  }

  /**
   * The extent of a slice along an axis.
   *
   * @param along direction across the axis. Rivals lie one after the other along it: the chest is as broad in front of
   * the armpit as behind it.
   */
  private breadth(
    name: string,
    slice: Slice,
    normal: Vector,
    axis: Vector,
    anchor: Anchor,
    along?: Vector,
  ): void {
    const largest = this.extent(slice, normal, axis, anchor);
    if (largest === undefined) {
      this.readings.set(name, { value: 0, terms: [] });
      return;
    }
    if (along === undefined) {
      this.readings.set(name, largest);
      return;
    }
    const places = slice.points.map(({ at }) => dot(at, along));
    const first = Math.min(...places);
    const width = (Math.max(...places) - first) / RIVALS.parts;
    const parts = Array.from({ length: RIVALS.parts }, (): SlicePoint[] => []);
    slice.points.forEach((point, i) => {
      parts[Math.floor((places[i] - first) / width)]?.push(point);
    });
    const rivals = parts.flatMap(
      (points) => this.extent({ ...slice, points }, normal, axis, anchor) ?? [],
    );
    this.withRivals(name, largest, rivals);
  }

  /** Stores the largest reading together with readings that may become larger. */
  private withRivals(name: string, largest: Reading, others: readonly Reading[]): void {
    const rivals = others
      .filter(({ value }) => value < largest.value && value > RIVALS.share * largest.value)
      .sort((a, b) => b.value - a.value)
      .slice(0, RIVALS.most);
    this.readings.set(name, { ...largest, rivals });
  }

  /** The distance along an axis between the two points of a slice that are farthest apart. */
  private extent(slice: Slice, normal: Vector, axis: Vector, anchor: Anchor): Reading | undefined {
    let low: SlicePoint | undefined;
    let high: SlicePoint | undefined;
    let [least, most] = [Infinity, -Infinity];
    for (const point of slice.points) {
      const far = dot(point.at, axis);
      if (far < least) [least, low] = [far, point];
      if (far > most) [most, high] = [far, point];
    }
    if (low === undefined || high === undefined) return undefined;
    const gradients = [axis, times(axis, -1)];
    const terms = sliding({ ...slice, points: [high, low] }, gradients, normal, anchor);
    return { value: most - least, terms, line: caliper(low.at, high.at, axis, most - least) };
  }

  /** Takes the measurements of the leg of a sitting body. They need no other part. */
  measureKnee(): void {
    const floor = this.lowest('foot');
    const [, , kneeZ] = this.head('calf_l');
    const size = this.head('calf_l')[1] - this.head('foot_l')[1];
    // The thigh may rise behind the knee, so a plane ends the top of the knee there.
    const behind = kneeZ - 0.08 * size;
    const top = this.extreme('leg', Y, ([, , z]) => z > behind);
    this.between('KneeHeight', top, floor, Y);
    const section = this.slice('leg', [0, 0, behind], Z);
    const highest = section.points.reduce<SlicePoint | undefined>(
      (best, point) => (best === undefined || point.at[1] > best.at[1] ? point : best),
      undefined,
    );
    if (highest === undefined || highest.at[1] <= this.height(top)) return;
    const knee = [this.onHead('calf_l', 1)];
    this.readings.set('KneeHeight', {
      value: highest.at[1] - this.height(floor),
      terms: [
        ...sliding({ ...section, points: [highest] }, [Y], Z, knee),
        { kind: 'vertex', index: floor, gradient: times(Y, -1) },
      ],
    });
  }
}

const onVertex = (index: number, share: number): Anchor[number] => ({
  kind: 'vertex',
  index,
  share,
});

/** The line between the points of a caliper: along its axis, through the middle of what it touches. */
function caliper(from: Vector, to: Vector, axis: Vector, value: number): readonly Vector[] {
  const middle = between(from, to, 0.5);
  return [-0.5, 0.5].map((share) => sum(middle, times(axis, share * value)));
}

/** Parts of a slice that may each have the largest breadth, and limits for those that count. */
const RIVALS = { parts: 14, heights: 8, share: 0.75, most: 7 } as const;
