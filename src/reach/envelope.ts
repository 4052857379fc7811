import { type KeptPeople, sampleOfCohorts } from '../population/limits.js';
import type { Profiles } from '../population/people-model.js';
import { drawPeople } from './reach-share.js';
import {
  type Arm,
  armOf,
  armTip,
  type HandTip,
  type Lean,
  measurementsFor,
  type ReachPose,
  type Stretch,
  type Vector,
} from './sitter.js';

/** People of an envelope. */
const PEOPLE = 2048;
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
  readonly lean: Exclude<Lean, 'trunk'>;
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
  const names = measurementsFor({ pose, tips, parts: new Set(), sees: false, turns: false });
  const drawn = drawPeople(sampleOfCohorts(all), names, profiles, PEOPLE, SEED);
  const arms = Array.from({ length: PEOPLE }, (_, i) =>
    armOf((name) => drawn.value(i, name), pose, tips, drawn.ageYears(i), drawn.scores(i), stretch),
  );
  const { weights } = drawn;
  const side = hand === 'left' ? 1 : -1;
  const mean = (of: (arm: Arm) => number): number =>
    arms.reduce((sum, arm, i) => sum + (weights[i] as number) * of(arm), 0);
  const centre: Vector = [
    mean(({ x }) => x),
    side * mean(({ restY }) => restY),
    mean(({ restZ, rise }) => restZ + rise / 2),
  ];
  const reaches = new Float64Array(PEOPLE);
  const order = new Int32Array(PEOPLE);
  const at = (origin: Vector, direction: Vector): number[] => {
    for (let i = 0; i < PEOPLE; i++) {
      reaches[i] = armTip(arms[i] as Arm, by, origin, direction, side, lean === 'shoulder');
      order[i] = i;
    }
    order.sort((a, b) => (reaches[a] as number) - (reaches[b] as number));
    return percentiles.map((percentile) => {
      let reached = 0;
      for (const i of order) {
        reached += weights[i] as number;
        if (reached >= percentile / 100) return reaches[i] as number;
      }
      return reaches[order.at(-1) as number] as number;
    });
  };
  const directions = surfaceDirections();
  const found = directions.map((direction) => at(centre, direction));
  return {
    ...{ centre, directions, azimuths: 360 / SURFACE_STEP },
    distances: percentiles.map((_, p) => Float64Array.from(found, (each) => each[p] as number)),
    curves: planes.map((plane) => {
      const origin: Vector =
        'z' in plane ? [centre[0], centre[1], plane.z] : [centre[0], plane.y, centre[2]];
      const around = planeDirections(plane).map((direction) => ({
        direction,
        far: at(origin, direction),
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
