import type { MeasurementName } from '../core/measurements.js';
import { type KeptPeople, sampleOfCohorts } from '../population/limits.js';
import type { Profiles } from '../population/people-model.js';
import { drawPeople, type ReachPeople } from './reach-share.js';
import {
  armOf,
  armTip,
  footTip,
  frameOf,
  type HandTip,
  type Lean,
  legOf,
  legReach,
  measurementsFor,
  type ReachPose,
  type Stretch,
  type Tip,
  TRUNK_LEAN,
  turned,
  type Vector,
} from './sitter.js';

/** People of an envelope, of one with a lean of the trunk, and of one of feet. The last two take longer. */
const [PEOPLE, PEOPLE_LEANING, PEOPLE_WITH_FEET] = [2048, 1024, 384];
/** Leans of the trunk that are tried, in degrees. Between them, people reach at most about 4 mm farther. */
const LEANS_TRIED = [10, 20, TRUNK_LEAN] as const;
/** The nearest places are computed for one person in so many. */
const NEAREST_PART = 4;
/** Resolution of the keys that order reaches, as a part of a mm. */
const KEY_PER_MM = 1000;
const SEED = 120_001;
/** Step between the directions of a surface and between the points of a curve, in degrees. */
export const [SURFACE_STEP, CURVE_STEP] = [15, 5];
const RADIANS = Math.PI / 180;

/** Plane of a curve: a height, or a distance to the left. */
export type Plane = { readonly z: number } | { readonly y: number };

/** Question of an envelope. */
export interface EnvelopeScene {
  readonly pose: ReachPose;
  readonly by: Tip;
  readonly hand: 'left' | 'right';
  readonly lean: Lean;
  /** Distances by percentile p: the share 1 − p reaches at least so far. */
  readonly percentiles: readonly number[];
  readonly planes: readonly Plane[];
  /** Whether the nearest places are wanted, too. */
  readonly isSolid?: boolean;
}

/** A line of a curve. It is closed if people reach in every direction of the plane. */
export interface CurveLine {
  readonly isClosed: boolean;
  readonly points: readonly Vector[];
}

/** Directions from the centre, and how far people reach in each, in mm. */
export interface Envelope {
  /** Mean place of the shoulder joint with the arm ahead, or of the hip, in mm. */
  readonly centre: Vector;
  /** Unit vectors. The rows of elevation follow each other, each with all azimuths. */
  readonly directions: readonly Vector[];
  readonly azimuths: number;
  /** For each percentile, the distance in each direction; 0 where too few people reach that way. */
  readonly distances: readonly Float64Array[];
  /** If asked: for each percentile, the distance in each direction from which on the same share reaches. */
  readonly nearest?: readonly Float64Array[];
  /** For each plane, and then for each percentile, the lines of its curve. A direction without reach ends a line. */
  readonly curves: readonly (readonly (readonly CurveLine[])[])[];
}

/** The directions of a surface: elevations from straight down to straight up, azimuths from straight ahead to the left. */
function surfaceDirections(): Vector[] {
  const directions: Vector[] = [];
  for (let elevation = -90; elevation <= 90; elevation += SURFACE_STEP) {
    for (let azimuth = 0; azimuth < 360; azimuth += SURFACE_STEP) {
      const flat = Math.cos(elevation * RADIANS);
      directions.push([
        flat * Math.cos(azimuth * RADIANS),
        flat * Math.sin(azimuth * RADIANS),
        Math.sin(elevation * RADIANS),
      ]);
    }
  }
  return directions;
}

/** The directions in a plane. */
function planeDirections(plane: Plane): Vector[] {
  return Array.from({ length: 360 / CURVE_STEP }, (_, i): Vector => {
    const [cos, sin] = [Math.cos(i * CURVE_STEP * RADIANS), Math.sin(i * CURVE_STEP * RADIANS)];
    return 'z' in plane ? [cos, sin, 0] : [cos, 0, sin];
  });
}

/** Measurements of each person that an envelope needs. */
export function envelopeMeasurements({
  pose,
  by,
  lean,
}: Pick<EnvelopeScene, 'pose' | 'by' | 'lean'>) {
  const turns = lean === 'trunk';
  return measurementsFor({ pose, tips: new Set([by]), parts: new Set(), sees: false, turns });
}

/** One limb of each person. */
interface Limbs {
  /** Mean place of the joint, in mm. */
  readonly joint: Vector;
  /** Writes how far each person reaches from a place in a direction, in mm. */
  readonly from: (origin: Vector) => (direction: Vector, reaches: Float64Array) => void;
  /** How near to a place a person reaches in a direction, in mm. */
  readonly nearest: (person: number, origin: Vector, direction: Vector) => number;
}

/** The mean of a value of people. */
const meanOf = <One>(all: readonly One[], { weights }: ReachPeople, of: (one: One) => number) =>
  all.reduce((sum, one, i) => sum + weights[i] * of(one), 0);

const valuesOf = (drawn: ReachPeople, i: number) => (name: MeasurementName) => drawn.value(i, name);

/** Legs. Their joint is the hip. */
function legsOf(drawn: ReachPeople, side: number): Limbs {
  const legs = Array.from({ length: drawn.count }, (_, i) =>
    legOf(frameOf(valuesOf(drawn, i), 'sitting'), 0),
  );
  const reach = legs.map((leg) => legReach(leg));
  const near = new Map<number, Float64Array>();
  return {
    nearest(i, origin, direction) {
      const leg = legs[i];
      const own = near.get(i) ?? legReach(leg, true);
      near.set(i, own);
      return footTip(leg, own, origin, direction, side);
    },
    joint: [
      meanOf(legs, drawn, ({ hipX }) => hipX),
      side * meanOf(legs, drawn, ({ hipY }) => hipY),
      meanOf(legs, drawn, ({ hipZ }) => hipZ),
    ],
    from: (origin) => (direction, reaches) => {
      legs.forEach((leg, i) => {
        reaches[i] = footTip(leg, reach[i], origin, direction, side);
      });
    },
  };
}

/** Arms. Their joint is the shoulder, with the arm ahead. Each direction has the lean that reaches farthest. */
function armsOf(
  drawn: ReachPeople,
  { pose, by, lean }: EnvelopeScene & { readonly by: HandTip },
  side: number,
  stretch: Stretch,
): Limbs {
  const tips = new Set([by]);
  const arms = Array.from({ length: drawn.count }, (_, i) =>
    armOf(valuesOf(drawn, i), pose, tips, drawn.ageYears(i), drawn.scores(i), stretch),
  );
  const frames = lean === 'trunk' ? arms.map((_, i) => frameOf(valuesOf(drawn, i), pose)) : [];
  return {
    joint: [
      meanOf(arms, drawn, ({ x }) => x),
      side * meanOf(arms, drawn, ({ restY }) => restY),
      meanOf(arms, drawn, ({ restZ, rise }) => restZ + rise / 2),
    ],
    nearest: (i, origin, direction) =>
      armTip(arms[i], by, origin, direction, side, lean !== 'none', true),
    from(origin) {
      // Turning the room backward about the hips is the same as turning the trunk forward.
      const leaned = LEANS_TRIED.map((degrees) => {
        const turn = -degrees * RADIANS;
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        const origins = frames.map((frame): Vector => {
          const [x, z] = turned(frame, origin[0], origin[2], turn);
          return [x, origin[1], z];
        });
        return { origins, cos, sin };
      });
      return (direction, reaches) => {
        const [dx, dy, dz] = direction;
        arms.forEach((arm, i) => {
          reaches[i] = armTip(arm, by, origin, direction, side, lean !== 'none');
        });
        // Nobody leans for what is behind.
        for (const { origins, cos, sin } of dx > -0.1 ? leaned : []) {
          const turnedDirection: Vector = [dx * cos + dz * sin, dy, dz * cos - dx * sin];
          origins.forEach((place, i) => {
            const far = armTip(arms[i], by, place, turnedDirection, side, true);
            if (far > reaches[i]) reaches[i] = far;
          });
        }
      };
    },
  };
}

/**
 * How far the people of a population reach in every direction from the mean place of the shoulder or the hip, and in
 * planes.
 *
 * @throws Error for a measurement without a model in a cohort
 */
export function reachEnvelope(
  all: KeptPeople,
  scene: EnvelopeScene,
  profiles: Profiles,
  stretch: Stretch,
): Envelope {
  const { by, hand, lean, percentiles, planes } = scene;
  const people = by === 'foot' ? PEOPLE_WITH_FEET : lean === 'trunk' ? PEOPLE_LEANING : PEOPLE;
  const names = envelopeMeasurements(scene);
  const drawn = drawPeople(sampleOfCohorts(all), names, profiles, people, SEED);
  const side = hand === 'left' ? 1 : -1;
  const limbs =
    by === 'foot' ? legsOf(drawn, side) : armsOf(drawn, { ...scene, by }, side, stretch);
  const centre = limbs.joint;
  const { weights } = drawn;
  const reaches = new Float64Array(people);
  const order = new Float64Array(people);
  /** For each percentile, how far people reach from a place in a direction. */
  const farthestFrom = (origin: Vector) => {
    const reach = limbs.from(origin);
    return (direction: Vector): number[] => {
      reach(direction, reaches);
      for (let i = 0; i < people; i++) {
        order[i] = Math.round(reaches[i] * KEY_PER_MM) * people + i;
      }
      // Plain numbers are sorted several times faster than with a function.
      order.sort();
      return percentiles.map((percentile) => {
        let reached = 0;
        for (const key of order) {
          const i = key % people;
          reached += weights[i];
          if (reached >= percentile / 100) return reaches[i];
        }
        return reaches[(order.at(-1) as number) % people];
      });
    };
  };
  const directions = surfaceDirections();
  const found = directions.map(farthestFrom(centre));
  const some = Array.from({ length: people / NEAREST_PART }, (_, i) => NEAREST_PART * i);
  /** For each percentile, from which distance on the people reach who reach as far as the percentile says. */
  const nearestIn = (direction: Vector): number[] => {
    const all = some.map((i) => [limbs.nearest(i, centre, direction), weights[i]] as const);
    all.sort(([a], [b]) => b - a);
    const whole = all.reduce((sum, [, weight]) => sum + weight, 0);
    return percentiles.map((percentile) => {
      let reached = 0;
      const at = all.find(([, weight]) => {
        reached += weight / whole;
        return reached >= percentile / 100;
      });
      return (at ?? all.at(-1))?.[0] as number;
    });
  };
  const nearest = scene.isSolid === true ? directions.map(nearestIn) : undefined;
  const shown = (all: readonly (readonly number[])[]) =>
    percentiles.map((_, p) => Float64Array.from(all, (each) => each[p]));
  return {
    ...{ centre, directions, azimuths: 360 / SURFACE_STEP },
    distances: shown(found),
    ...(nearest === undefined ? {} : { nearest: shown(nearest) }),
    curves: planes.map((plane) => {
      const origin: Vector =
        'z' in plane ? [centre[0], centre[1], plane.z] : [centre[0], plane.y, centre[2]];
      const farthest = farthestFrom(origin);
      const around = planeDirections(plane).map((direction) => ({
        direction,
        far: farthest(direction),
      }));
      return percentiles.map((_, p) =>
        linesOf(
          around.map(({ direction, far }): Vector | undefined => {
            const distance = far[p];
            return distance > 0 ? pointAt(origin, direction, distance) : undefined;
          }),
        ),
      );
    }),
  };
}

/** The point at a distance in a direction. */
export function pointAt(origin: Vector, direction: Vector, distance: number): Vector {
  return [
    origin[0] + distance * direction[0],
    origin[1] + distance * direction[1],
    origin[2] + distance * direction[2],
  ];
}

/** The lines of the points around a curve, of which some are missing. */
function linesOf(around: readonly (Vector | undefined)[]): CurveLine[] {
  const gap = around.indexOf(undefined);
  if (gap < 0) return [{ isClosed: true, points: around as readonly Vector[] }];
  const lines: Vector[][] = [[]];
  for (const point of [...around.slice(gap), ...around.slice(0, gap)]) {
    if (point === undefined) lines.push([]);
    else lines.at(-1)?.push(point);
  }
  return lines.filter(({ length }) => length > 1).map((points) => ({ isClosed: false, points }));
}
