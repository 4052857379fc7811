import type { BodyBuilder, FittedPerson } from '../body/body.js';
import { DIMENSION_NAMES, DIMENSIONS, type Dimension } from '../body/dimensions.js';
import type { Reading } from '../body/tape.js';
import { between, minus, sum, times, type Vector } from '../body/vectors.js';
import { Probe } from './probe.js';

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
const HEAD = /^(head|neck_01)$/;
const LEFT_ARM = /^(upperarm_l|lowerarm_l|hand_l|clavicle_l)$/;
const TRUNK_AND_THIGHS = /^(pelvis|spine_0[123]|clavicle_[lr]|neck_01|thigh_[lr])$/;
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
/** Dimensions whose lines lie on the body as the tape found them: all that it measures, but heights and the face. */
const TAPED = DIMENSION_NAMES.filter(
  (name) => DIMENSIONS[name] !== 'face' && !HEIGHTS.some(([height]) => height === name),
);

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
  const probe = new Probe(builder.views, builder.skeleton, builder.posedBody(fitted, pose));
  const { readings } = fitted.report;
  const achieved = new Map(readings.map((one) => [one.measurement, one.achievedMm]));
  const mm = (name: Dimension): number => achieved.get(name) ?? Number.NaN;
  if (pose === 'sitting') return sitting(probe, mm);
  const taped = TAPED.flatMap((name) => tapeLine(name, fitted.fit.readings.get(name), probe));
  return { lines: [...heightLines(probe, mm), ...taped] };
}

/** The value of a dimension that was measured on the body, mm. */
type Achieved = (name: Dimension) => number;

/** The line on which a dimension was measured on the standing body. */
function tapeLine(
  measurement: Dimension,
  reading: Reading | undefined,
  { origin }: Probe,
): BodyLine[] {
  const line = reading?.line?.map((point) => minus(point, origin)) ?? [];
  const [first, second] = line;
  if (first === undefined || second === undefined) return [];
  if (reading?.normal === undefined) {
    return [{ measurement, lines: [line], label: between(first, line.at(-1) ?? second, 0.5) }];
  }
  const corners = line.slice(1);
  const middle = times(corners.reduce(sum), 1 / corners.length);
  const ring = line.map((point) => sum(middle, times(minus(point, middle), STAND_OFF)));
  const front = ring.reduce((best, point) => (point[2] > best[2] ? point : best));
  return [{ measurement, lines: [ring], label: front }];
}

/** The lines of heights beside the right side of the body. A leader connects each to its landmark. */
function heightLines(body: Probe, achieved: Achieved): BodyLine[] {
  const right = -body.far(LEFT_ARM, X)[0];
  return HEIGHTS.map(([measurement, name], index): BodyLine => {
    const height = achieved(measurement);
    const [x, , z] = body.mark(name);
    const at: Vector = [right - BESIDE_MM.first - index * BESIDE_MM.next, height, 0];
    const line: Vector[] = [[at[0], 0, 0], at];
    return { measurement, lines: [line, [[x, height, z], at]], label: [at[0], height / 2, 0] };
  });
}

function straight(measurement: Dimension, a: Vector, b: Vector): BodyLine {
  return { measurement, lines: [[a, b]], label: between(a, b, 0.5) };
}

/** The dimensions of sitting people, above the floor or the seat. */
function sitting(body: Probe, achieved: Achieved): BodyLines {
  const top = body.far(HEAD, [0, 1, 0]);
  const seatMm = top[1] - achieved('SittingHeight');
  const [hip, knee] = [body.joint('thigh_l'), body.joint('calf_l')];
  const isLow = ([, y, z]: Vector): boolean => y < hip[1] + 60 && z < knee[2];
  const back = body.far(TRUNK_AND_THIGHS, [0, 0, -1], isLow)[2];
  const behind = back - BESIDE_MM.first;
  const upright = (measurement: Dimension, from: number, at: Vector): BodyLine => {
    const height = from + achieved(measurement);
    const end: Vector = [at[0], height, at[2]];
    return { measurement, lines: [[[at[0], from, at[2]], end]], label: end };
  };
  const left = body.far(TRUNK_AND_THIGHS, X, isLow)[0];
  const kneeMm = achieved('KneeHeight');
  const thighMm = seatMm + achieved('ThighThickness');
  const front = back + achieved('ButtockKneeLength');
  const [half, aside] = [achieved('SittingHipBreadth') / 2, left + BESIDE_MM.next];
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
      upright('PoplitealHeight', 0, body.mark('popliteal_l')),
      upright('ThighThickness', seatMm, [aside, thighMm, (hip[2] + knee[2]) / 2]),
      straight('SittingHipBreadth', [half, hip[1], back], [-half, hip[1], back]),
    ],
  };
}
