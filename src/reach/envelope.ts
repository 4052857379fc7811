import type { MeasurementName } from '../core/measurements.js';
import { type KeptPeople, sampleOfCohorts } from '../population/limits.js';
import type { Profiles } from '../population/people-model.js';
import { drawPeople } from './reach-share.js';
import {
  type Arm,
  armOf,
  armTip,
  frameOf,
  type HandTip,
  type Lean,
  measurementsFor,
  type ReachPose,
  type Stretch,
  TRUNK_LEAN,
  turned,
  type Vector,
} from './sitter.js';

/** People of an envelope, and of one with a lean of the trunk, which takes longer. */
const [PEOPLE, PEOPLE_LEANING] = [2048, 1024];
/** Leans of the trunk that are tried, in degrees. Between them, people reach at most about 4 mm farther. */
const LEANS_TRIED = [10, 20, TRUNK_LEAN] as const;
/** Keys of the order of reaches tell people by this part of a mm. */
const KEY_PER_MM = 1000;
const SEED = 120_001;
/** Step between the directions of a surface and between the points of a curve, in degrees. */
export const [SURFACE_STEP, CURVE_STEP] = [15, 5];
const RADIANS = Math.PI / 180;

/** A plane in which a curve is asked: a height, or a distance to the left. */
export type Plane = { readonly z: number } | { readonly y: number };

/** What an envelope asks. */
export interface EnvelopeScene {
  readonly pose: ReachPose;
  readonly by: HandTip;
  readonly hand: 'left' | 'right';
  readonly lean: Lean;
  /** At percentile p, the share 1 − p reaches at least so far. */
  readonly percentiles: readonly number[];
  readonly planes: readonly Plane[];
}

/** A line of a curve. It is closed if people reach in every direction of the plane. */
export interface CurveLine {
  readonly isClosed: boolean;
  readonly points: readonly Vector[];
}

/** Directions from the centre, and how far people reach in each, in mm. */
export interface Envelope {
  /** Mean place of the shoulder joint with the arm ahead, in mm. */
  readonly centre: Vector;
  /** Unit vectors. The rows of elevation follow each other, each with all azimuths. */
  readonly directions: readonly Vector[];
  readonly azimuths: number;
  /** For each percentile, the distance in each direction; 0 where too few people reach that way. */
  readonly distances: readonly Float64Array[];
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

/**
 * How far the people of a population reach in every direction from the mean place of the shoulder, and in planes.
 *
 * @throws Error for a measurement without a model in a cohort
 */
export function reachEnvelope(
  all: KeptPeople,
  { pose, by, hand, lean, percentiles, planes }: EnvelopeScene,
  profiles: Profiles,
  stretch: Stretch,
): Envelope {
  const tips = new Set([by]);
  const names = envelopeMeasurements({ pose, by, lean });
  const people = lean === 'trunk' ? PEOPLE_LEANING : PEOPLE;
  const drawn = drawPeople(sampleOfCohorts(all), names, profiles, people, SEED);
  const valuesOf = (i: number) => (name: MeasurementName) => drawn.value(i, name);
  const arms = Array.from({ length: people }, (_, i) =>
    armOf(valuesOf(i), pose, tips, drawn.ageYears(i), drawn.scores(i), stretch),
  );
  const frames = lean === 'trunk' ? arms.map((_, i) => frameOf(valuesOf(i), pose)) : [];
  const { weights } = drawn;
  const side = hand === 'left' ? 1 : -1;
  const mean = (of: (arm: Arm) => number): number =>
    arms.reduce((sum, arm, i) => sum + (weights[i] as number) * of(arm), 0);
  const centre: Vector = [
    mean(({ x }) => x),
    side * mean(({ restY }) => restY),
    mean(({ restZ, rise }) => restZ + rise / 2),
  ];
  const reaches = new Float64Array(people);
  const order = new Float64Array(people);
  /** For each percentile, how far people reach from a place in a direction, with the lean that reaches farthest. */
  const farthestFrom = (origin: Vector) => {
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
    return (direction: Vector): number[] => {
      const [dx, dy, dz] = direction;
      for (let i = 0; i < people; i++) {
        reaches[i] = armTip(arms[i] as Arm, by, origin, direction, side, lean !== 'none');
      }
      // Nobody leans for what is behind.
      for (const { origins, cos, sin } of dx > -0.1 ? leaned : []) {
        const turnedDirection: Vector = [dx * cos + dz * sin, dy, dz * cos - dx * sin];
        origins.forEach((from, i) => {
          const far = armTip(arms[i] as Arm, by, from, turnedDirection, side, true);
          if (far > (reaches[i] as number)) reaches[i] = far;
        });
      }
      for (let i = 0; i < people; i++) {
        order[i] = Math.round((reaches[i] as number) * KEY_PER_MM) * people + i;
      }
      // Plain numbers are sorted several times faster than with a function.
      order.sort();
      return percentiles.map((percentile) => {
        let reached = 0;
        for (const key of order) {
          const i = key % people;
          reached += weights[i] as number;
          if (reached >= percentile / 100) return reaches[i] as number;
        }
        return reaches[(order.at(-1) as number) % people] as number;
      });
    };
  };
  const directions = surfaceDirections();
  const found = directions.map(farthestFrom(centre));
  return {
    ...{ centre, directions, azimuths: 360 / SURFACE_STEP },
    distances: percentiles.map((_, p) => Float64Array.from(found, (each) => each[p] as number)),
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
            const distance = far[p] as number;
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
