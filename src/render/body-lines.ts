import type { BodyBuilder, BodyReading, FittedPerson } from '../body/body.js';
import type { Dimension } from '../body/dimensions.js';
import { convexHull } from '../body/hull.js';
import { PLACES, TILTS } from '../body/places.js';
import { type RegionName, type Regions, regionsOf } from '../body/regions.js';
import { type Posed, vectorAt } from '../body/skeleton.js';
import {
  across,
  between,
  cross,
  dot,
  minus,
  sum,
  times,
  unit,
  type Vector,
} from '../body/vectors.js';

/** The line of a dimension on a body. It consists of polylines through points in mm, in the coordinates of the mesh. */
export interface BodyLine {
  readonly measurement: Dimension;
  readonly lines: readonly (readonly Vector[])[];
  /** Position of the line's label. */
  readonly label: Vector;
}

/** A body's lines, and the height of its seat if it sits. */
export interface BodyLines {
  readonly lines: readonly BodyLine[];
  readonly seatMm?: number;
}

const X: Vector = [1, 0, 0];
const Y: Vector = [0, 1, 0];
const Z: Vector = [0, 0, 1];
/** Heights stand beside the body, so far apart, mm. */
const BESIDE_MM = { first: 70, next: 42 } as const;
/** Tapes are drawn a little off the skin, so that they are visible. The factor multiplies their radius. */
const STAND_OFF = 1.012;

/** Heights above the floor, in the order of their lines, each with the landmark at its upper end. */
const HEIGHTS: readonly (readonly [Dimension, string])[] = [
  ['CrotchHeight', 'crotch'],
  ['WaistHeightStanding', 'omphalion'],
  ['ShoulderHeight', 'acromion_r'],
  ['C7HeightStanding', 'cervicale'],
  ['Stature', 'vertex'],
];
/** Distances between two landmarks. */
const SPANS: readonly (readonly [Dimension, string, string])[] = [
  ['UpperArmLength', 'acromion_l', 'radiale_l'],
  ['ForearmLength', 'radiale_l', 'stylion_l'],
  ['ShoulderBreadthBiacromial', 'acromion_l', 'acromion_r'],
  ['InterNippleDistance', 'thelion_l', 'thelion_r'],
  ['FootLength', 'acropodion_l', 'pternion_l'],
];
/**
 * Girths, each with the part that the tape surrounds. The third value is the bone that the tape crosses at a right
 * angle, or the tilt of the tape.
 */
const GIRTHS: readonly (readonly [Dimension, RegionName, readonly [string, string] | Vector])[] = [
  ['HeadGirth', 'head', TILTS.head],
  ['NeckCircumference', 'neck', TILTS.neck],
  ['ChestCircumferenceNipple', 'chest', [0, 1, 0]],
  ['WaistCircumferenceAbdominal', 'trunkAndThighs', [0, 1, 0]],
  ['HipCircumferenceMax', 'trunkAndThighs', [0, 1, 0]],
  ['ThighCircumferenceBelowButtock', 'thigh', [0, 1, 0]],
  ['KneeCircumference', 'leg', [0, 1, 0]],
  ['CalfCircumference', 'leg', [0, 1, 0]],
  ['UpperArmCircumferenceMidpoint', 'arm', ['upperarm_l', 'lowerarm_l']],
  ['WristCircumference', 'arm', ['lowerarm_l', 'hand_l']],
];
/** Breadths and depths in the plane of a girth. */
const ACROSS: readonly (readonly [Dimension, RegionName, Dimension, Vector])[] = [
  ['ChestBreadth', 'chest', 'ChestCircumferenceNipple', X],
  ['ChestDepth', 'chest', 'ChestCircumferenceNipple', Z],
  ['WaistDepthStanding', 'trunkAndThighs', 'WaistCircumferenceAbdominal', Z],
  ['StandingHipBreadth', 'trunkAndThighs', 'HipCircumferenceMax', X],
  ['TrunkDepthAtButtocks', 'trunkAndThighs', 'HipCircumferenceMax', Z],
  ['HeadLength', 'head', 'HeadGirth', Z],
  ['HeadBreadth', 'head', 'HeadGirth', X],
];

/**
 * Returns the lines of a fitted person's dimensions on the body in a pose. Standing dimensions are on the standing
 * body, sitting dimensions on the sitting body. The lines of lengths and breadths have their measured length. Tapes
 * around the body are drawn at the height at which they were measured.
 */
export function bodyLines(
  builder: BodyBuilder,
  fitted: FittedPerson,
  pose: 'standing' | 'sitting',
): BodyLines {
  const placed = new PlacedBody(builder, fitted, pose);
  return pose === 'standing' ? { lines: standing(placed) } : sitting(placed);
}

/** Parts of the bodies of a builder. */
const parts = new WeakMap<BodyBuilder, Regions>();

/** A posed body with its readings. Its pelvis is above the origin of the floor. */
class PlacedBody {
  readonly regions: Regions;
  readonly readings: ReadonlyMap<string, BodyReading>;
  private readonly posed: Posed;
  private readonly origin: Vector;

  constructor(
    private readonly builder: BodyBuilder,
    fitted: FittedPerson,
    pose: 'standing' | 'sitting',
  ) {
    const { views, skeleton } = builder;
    this.posed = builder.posedBody(fitted, pose);
    this.regions = parts.get(builder) ?? regionsOf(views, skeleton, views.triangles);
    parts.set(builder, this.regions);
    this.readings = new Map(fitted.report.readings.map((one) => [one.measurement, one]));
    let floor = Number.POSITIVE_INFINITY;
    for (let i = 1; i < this.posed.vertices.length; i += 3) {
      floor = Math.min(floor, this.posed.vertices[i]);
    }
    const [x, , z] = vectorAt(this.posed.heads, skeleton.bone('pelvis'));
    this.origin = [x, floor, z];
  }

  vertex(index: number): Vector {
    return minus(vectorAt(this.posed.vertices, index), this.origin);
  }

  landmark(name: string): Vector {
    return this.vertex(this.builder.views.header.landmarks[name]);
  }

  head(bone: string): Vector {
    return minus(vectorAt(this.posed.heads, this.builder.skeleton.bone(bone)), this.origin);
  }

  /** The measured value of a dimension, mm. */
  achieved(name: Dimension): number {
    return this.readings.get(name)?.achievedMm ?? Number.NaN;
  }

  /** The accepted points of a part. */
  points(name: RegionName, accepts: (point: Vector) => boolean = () => true): Vector[] {
    return Array.from(this.regions[name].vertices, (vertex) => this.vertex(vertex)).filter(accepts);
  }

  /** The points where a plane meets the edges of a part. */
  slice(name: RegionName, place: Vector, normal: Vector): Vector[] {
    const { edges, cuts } = this.regions[name];
    const level = dot(place, normal);
    const count = this.builder.views.header.vertices;
    /** The point of a vertex or of a cut between two vertices. The numbers of cuts follow those of vertices. */
    const pointOf = (index: number): Vector => {
      const cut = cuts[index - count];
      if (cut === undefined) return this.vertex(index);
      return between(this.vertex(cut.from), this.vertex(cut.to), cut.share);
    };
    const found: Vector[] = [];
    for (let i = 0; i < edges.length; i += 2) {
      const [a, b] = [pointOf(edges[i]), pointOf(edges[i + 1])];
      const [over, under] = [dot(a, normal) - level, dot(b, normal) - level];
      if (over > 0 === under > 0) continue;
      found.push(between(a, b, over / (over - under)));
    }
    return found;
  }
}

function standing(body: PlacedBody): BodyLine[] {
  return [
    ...heightLines(body),
    ...SPANS.map(([measurement, from, to]) => {
      const [a, b] = [body.landmark(from), body.landmark(to)];
      return straight(measurement, a, b);
    }),
    ...GIRTHS.flatMap(([measurement, region, way]) => girth(body, measurement, region, way)),
    ...ACROSS.flatMap(([measurement, region, girthName, axis]) => {
      const height = body.readings.get(girthName)?.heightMm;
      if (height === undefined) return [];
      return extent(body, measurement, body.slice(region, [0, height, 0], Y), axis);
    }),
    ...shoulders(body),
    ...foot(body),
    ...hand(body),
  ];
}

/** The lines of heights beside the right side of the body. A leader connects each to its landmark. */
function heightLines(body: PlacedBody): BodyLine[] {
  const right = Math.min(...body.points('arm').map(([x]) => -Math.abs(x)));
  return HEIGHTS.map(([measurement, name], index): BodyLine => {
    const height = body.achieved(measurement);
    const [x, , z] = body.landmark(name);
    const at: Vector = [right - BESIDE_MM.first - index * BESIDE_MM.next, height, 0];
    const line: Vector[] = [[at[0], 0, 0], at];
    return { measurement, lines: [line, [[x, height, z], at]], label: [at[0], height / 2, 0] };
  });
}

function straight(measurement: Dimension, a: Vector, b: Vector): BodyLine {
  return { measurement, lines: [[a, b]], label: between(a, b, 0.5) };
}

function girth(
  body: PlacedBody,
  measurement: Dimension,
  region: RegionName,
  way: readonly [string, string] | Vector,
): BodyLine[] {
  const height = body.readings.get(measurement)?.heightMm;
  if (height === undefined) return [];
  const isBone = way.length === 2;
  const [from, to] = isBone ? way.map((bone) => body.head(bone)) : [];
  const normal = from && to ? unit(minus(to, from)) : unit(way as Vector);
  const place =
    from && to
      ? between(from, to, (from[1] - height) / (from[1] - to[1]))
      : placeOf(body, measurement, height);
  const isLeg = region === 'thigh';
  const points = body.slice(region, place, normal).filter(([x]) => !isLeg || x > 0);
  if (points.length < 3) return [];
  const first = across(Math.abs(normal[2]) < 0.9 ? Z : X, normal);
  const second = cross(normal, first);
  const hull = convexHull(
    Float64Array.from(points, (point) => dot(point, first)),
    Float64Array.from(points, (point) => dot(point, second)),
  ).map((index) => points[index]);
  const middle = times(
    hull.reduce((total, point) => sum(total, point)),
    1 / hull.length,
  );
  const ring = hull.map((point) => sum(middle, times(minus(point, middle), STAND_OFF)));
  const front = ring.reduce((best, point) => (point[2] > best[2] ? point : best));
  return [{ measurement, lines: [[...ring, ring[0]]], label: front }];
}

/** A point in the plane of a level or tilted tape, as `src/body/tape.ts` places it. */
function placeOf(body: PlacedBody, measurement: Dimension, height: number): Vector {
  if (measurement === 'HeadGirth') return body.landmark('glabella');
  if (measurement !== 'NeckCircumference') return [0, height, 0];
  return between(body.head('head'), body.head('neck_01'), PLACES.larynx);
}

/** A line as long as the measured breadth, from the outermost point of a slice. */
function extent(
  body: PlacedBody,
  measurement: Dimension,
  points: readonly Vector[],
  axis: Vector,
): BodyLine[] {
  const [first] = points;
  if (first === undefined) return [];
  const far = (point: Vector) => dot(point, axis);
  const high = points.reduce((best, point) => (far(point) > far(best) ? point : best), first);
  const low = points.reduce((best, point) => (far(point) < far(best) ? point : best), first);
  const middle = between(high, low, 0.5);
  const half = body.achieved(measurement) / 2;
  return [straight(measurement, sum(middle, times(axis, half)), sum(middle, times(axis, -half)))];
}

function shoulders(body: PlacedBody): BodyLine[] {
  const least = body.landmark('acromion_l')[1] - PLACES.deltoid * body.achieved('Stature');
  const points = body.points('shoulders', ([, y]) => y > least);
  return extent(body, 'ShoulderBreadthBideltoid', points, X);
}

function foot(body: PlacedBody): BodyLine[] {
  const way = minus(body.landmark('acropodion_l'), body.landmark('pternion_l'));
  const aside = cross(Y, unit([way[0], 0, way[2]]));
  const ankleY = body.head('foot_l')[1];
  const points = body.points('foot', ([, y]) => y < ankleY);
  return extent(body, 'FootBreadth', points, aside);
}

function hand(body: PlacedBody): BodyLine[] {
  const joints = ['hand_l', 'middle_01_l', 'middle_02_l', 'middle_03_l'].map((one) =>
    body.head(one),
  );
  const [wrist, knuckle] = joints as [Vector, Vector];
  const points = [...joints, body.landmark('dactylion_l')];
  const axis = unit(minus(knuckle, wrist));
  const aside = unit(minus(body.head('index_01_l'), body.head('pinky_01_l')));
  const slice = body.slice('hand', between(wrist, knuckle, PLACES.knuckles), axis);
  return [
    { measurement: 'HandLength', lines: [points], label: knuckle },
    ...extent(body, 'HandBreadth', slice, aside),
  ];
}

/** The dimensions of sitting people, above the floor or the seat. */
function sitting(body: PlacedBody): BodyLines {
  const head = body.points('head');
  const top = head.reduce((best, point) => (point[1] > best[1] ? point : best));
  const seatMm = top[1] - body.achieved('SittingHeight');
  const [hip, knee] = [body.head('thigh_l'), body.head('calf_l')];
  const lower = body.points('trunkAndThighs', ([, y, z]) => y < hip[1] + 60 && z < knee[2]);
  const back = Math.min(...lower.map(([, , z]) => z));
  const behind = back - BESIDE_MM.first;
  const upright = (measurement: Dimension, from: number, at: Vector): BodyLine => {
    const height = from + body.achieved(measurement);
    const end: Vector = [at[0], height, at[2]];
    return { measurement, lines: [[[at[0], from, at[2]], end]], label: end };
  };
  const left = Math.max(...lower.map(([x]) => x));
  const kneeMm = body.achieved('KneeHeight');
  const thighMm = seatMm + body.achieved('ThighThickness');
  const front = back + body.achieved('ButtockKneeLength');
  const [half, aside] = [body.achieved('SittingHipBreadth') / 2, left + BESIDE_MM.next];
  const beforeKnee = front + BESIDE_MM.next;
  const over: Vector = [0, top[1], behind];
  const height: BodyLine['lines'] = [
    [[0, seatMm, behind], over],
    [top, over],
  ];
  return {
    seatMm,
    lines: [
      { measurement: 'SittingHeight', lines: height, label: over },
      straight('ButtockKneeLength', [aside, hip[1], back], [aside, hip[1], front]),
      upright('KneeHeight', 0, [knee[0], kneeMm, beforeKnee]),
      upright('PoplitealHeight', 0, body.landmark('popliteal_l')),
      upright('ThighThickness', seatMm, [aside, thighMm, (hip[2] + knee[2]) / 2]),
      straight('SittingHipBreadth', [half, hip[1], back], [-half, hip[1], back]),
    ],
  };
}
