import {
  ARM_POSES,
  type ArmPose,
  type DrawnPose,
  type OneArm,
  type Pose,
} from '../body/skeleton.js';
import { across, dot, minus, times, unit, type Vector } from '../body/vectors.js';
import { CAMERAS, type Camera, cameraOf } from './camera.js';
import type { Box, Point } from './drawing.js';
import { type Lying, lyingIn, type ViewName } from './frames.js';
import {
  fistPlaces,
  footAxes,
  footPlaces,
  type HandAxes,
  handAxes,
  handPlaces,
  headPlaces,
  legsAheadPlaces,
  overheadPlaces,
  type Places,
  reachPlaces,
  sidewaysPlaces,
  sittingPlaces,
  standingPlaces,
  type Values,
} from './landmarks.js';
import type { Probe } from './probe.js';

/** A view, and whether the person lies in it. */
export type LyingSpec = ViewSpec & { readonly lying?: Lying };

/** Places in a drawing by name. */
export type Points = Readonly<Record<string, Point>>;

/** How one drawing is made of a fitted body. */
export interface ViewSpec {
  readonly title: string;
  readonly pose: Pose | DrawnPose;
  readonly arm?: OneArm;
  /** Whether the body stands relaxed: the old stoop, and trunk and head are lower. */
  readonly isRelaxed?: boolean;
  /** The arm raises its shoulder to reach this measurement, a height above floor or seat (`from`). */
  readonly raisedTo?: { readonly measurement: string; readonly from: 'floor' | 'seat' };
  /** Bones of the part that is drawn. By default, all bones. */
  readonly bones?: RegExp;
  /** Whether surfaces are also seen from inside. */
  readonly bothSides?: boolean;
  camera(probe: Probe): Camera;
  places(probe: Probe, values: Values, stature: number): Places;
  /** The origin of the drawing. By default, it is on the floor below the pelvis. */
  origin?(places: Places, probe: Probe): Vector;
  /**
   * A place whose height is a dimension of the body. The drawing is stretched to this height, because the skin at the
   * fingertip stretches by about 1 % when the finger is straightened.
   */
  readonly upTo?: { readonly place: string; readonly measurement: string };
  /** Lines of things around the body. */
  props?(points: Points, extent: Box, values: Values): readonly (readonly Point[])[];
}

const at = (points: Points, name: string): Point => points[name] ?? { x: 0, y: 0 };
const line = (...pairs: readonly (readonly [number, number])[]): readonly Point[] =>
  pairs.map(([x, y]) => ({ x, y }));
const floor = ([left, right]: Box) => line([left - 90, 0], [right + 90, 0]);

/** A seat below the thighs on two legs. */
function seatLines(left: number, right: number, top: number): readonly (readonly Point[])[] {
  const under = top - 20;
  return [
    line([left, top], [right, top], [right, under], [left, under], [left, top]),
    line([left + 30, under], [left + 30, 0]),
    line([right - 30, under], [right - 30, 0]),
  ];
}

function seatFromSide(points: Points): readonly (readonly Point[])[] {
  const [behind, front] = [at(points, 'buttock').x, at(points, 'kneeBack').x];
  return seatLines(behind - 20, front - 50, at(points, 'seat').y);
}

function table(points: Points, top: number): readonly (readonly Point[])[] {
  const edge = at(points, 'tableEdge').x;
  const end = at(points, 'toeTip').x + 60;
  const under = top - 25;
  return [
    line([end, top], [edge, top], [edge, under], [end, under]),
    line([end - 40, under], [end - 40, 0]),
  ];
}

const front = { camera: () => CAMERAS.front };
const side = { camera: () => CAMERAS.side };
const onFloor = { props: (_: Points, extent: Box) => [floor(extent)] };
/** Sitting people from the side: the origin is on the floor below the plane of the back. */
const fromBack = {
  ...side,
  origin: ({ backPlane }: Places): Vector => [0, 0, backPlane?.[2] ?? 0],
};
const standing = { pose: 'standing', places: standingPlaces } as const;
const relaxed = { ...standing, isRelaxed: true } as const;
const sitting = { pose: 'sitting', places: sittingPlaces } as const;
const atTable = {
  ...{ ...sitting, ...fromBack },
  props: (points: Points, extent: Box) => [
    floor(extent),
    ...seatFromSide(points),
    ...table(points, at(points, 'tableTop').y),
  ],
};
const withTop = (places: Places, y: number): Places => {
  const [x, , z] = places.tableTop;
  return { ...places, tableTop: [x, y, z] };
};
const hand = (pose: ArmPose) =>
  ({
    pose: 'standing',
    arm: { side: 'r', pose },
    bones: /^(hand|index_0.|middle_0.|ring_0.|pinky_0.|thumb_0.|lowerarm)_r$/,
  }) as const;
const palmSide = ({ thumb, along }: HandAxes): Camera => cameraOf(thumb, along);
const fist = {
  ...hand(ARM_POSES.fist),
  places: (p: Probe, values: Values) => fistPlaces(p, fistAxes(p), values),
  origin: ({ wrist }: Places) => wrist,
};

function counter(which: 'HighCounterHeight' | 'LowCounterHeight') {
  const share = which === 'HighCounterHeight' ? 0.63 : 0.48;
  const topOf = (values: Values, stature: number): number => values[which] ?? share * stature;
  return {
    ...side,
    pose: 'standing',
    arm: { side: 'r', pose: ARM_POSES[which === 'HighCounterHeight' ? 'level' : 'lowered'] },
    places: (p: Probe, values: Values, stature: number) => {
      const places = standingPlaces(p, values);
      const z = places.mostForward[2] + 0.2 * stature;
      return { ...places, floor: [0, 0, z], counterTop: [0, topOf(values, stature), z] } as Places;
    },
    props: (points: Points, extent: Box) => {
      const { x, y: top } = at(points, 'counterTop');
      const [edge, end] = [at(points, 'mostForward').x + 30, x + 160];
      return [
        floor([extent[0], end, 0, 0]),
        line([end, top], [edge, top], [edge, top - 30], [end, top - 30]),
        line([end - 40, top - 30], [end - 40, 0]),
      ];
    },
  } as const;
}

/** How each drawing is made. */
export const VIEWS: Readonly<Record<ViewName, ViewSpec>> = {
  standingFront: { ...standing, ...front, ...onFloor, title: 'standing, from the front' },
  standingSide: { ...standing, ...side, ...onFloor, title: 'standing, from the side' },
  standingThreeQuarter: {
    ...standing,
    camera: () => CAMERAS.threeQuarter,
    title: 'standing, from the front at an angle',
  },
  relaxedFront: { ...relaxed, ...front, ...onFloor, title: 'standing relaxed, from the front' },
  relaxedSide: { ...relaxed, ...side, ...onFloor, title: 'standing relaxed, from the side' },
  standingSpan: {
    ...{ ...front, ...onFloor, pose: 'span', places: sidewaysPlaces },
    title: 'standing, arms stretched sideways, from the front',
  },
  standingAkimbo: {
    ...{ ...front, ...onFloor, pose: 'akimbo', places: sidewaysPlaces },
    title: 'standing, elbows raised sideways and hands before the chest, from the front',
  },
  standingReach: {
    ...side,
    title: 'standing with the back against a wall, arm stretched forward, from the side',
    pose: 'standing',
    arm: { side: 'r', pose: ARM_POSES.ahead },
    places: reachPlaces,
    props: (points, [, right, , top]) => {
      const { x } = at(points, 'wall');
      return [line([x, top + 60], [x, 0], [right, 0])];
    },
  },
  standingOverhead: {
    ...front,
    title: 'standing, one arm overhead holding a rod, from the front',
    pose: 'standing',
    arm: { side: 'l', pose: ARM_POSES.overhead },
    raisedTo: { measurement: 'VerticalGripReachStanding', from: 'floor' },
    places: (p) => overheadPlaces(p, 0),
    props: (points, extent) => [floor(extent), rod(points)],
  },
  standingHighCounter: {
    ...counter('HighCounterHeight'),
    title: 'standing at a counter as high as the elbow, from the side',
  },
  standingLowCounter: {
    ...counter('LowCounterHeight'),
    title: 'standing at a counter below the elbow, from the side',
  },
  sittingSide: {
    ...sitting,
    ...fromBack,
    title: 'sitting, elbow at a right angle, from the side',
    props: (points, extent) => [floor(extent), ...seatFromSide(points)],
  },
  sittingFront: {
    ...sitting,
    ...front,
    title: 'sitting, from the front',
    props: (points, extent) => {
      const half = Math.max(at(points, 'hipLeft').x, 120) + 40;
      return [floor(extent), ...seatLines(-half, half, at(points, 'seat').y)];
    },
  },
  sittingTable: {
    ...atTable,
    title: 'sitting at a table as high as the elbow, from the side',
    places: (p, values, stature) => {
      const places = sittingPlaces(p, values, stature);
      return withTop(places, places.eye[1] - (values.EyeToTableDistance ?? 0.3 * stature));
    },
  },
  sittingHighTable: {
    ...atTable,
    title: 'sitting at the highest usable table, from the side',
    places: (p, values, stature) => {
      const places = sittingPlaces(p, values, stature);
      const [x, y, z] = places.tableTop;
      const top = values.MaximumTableHeight ?? y + 0.03 * stature;
      return { ...withTop(places, top), floor: [x, 0, z] };
    },
  },
  sittingLegStraight: {
    ...side,
    title: 'sitting with the legs stretched forward, from the side',
    pose: 'legs_ahead',
    places: legsAheadPlaces,
    props: (points) => {
      const { y } = at(points, 'seat');
      const [from, to] = [at(points, 'buttock').x - 20, at(points, 'sole').x + 20];
      return [line([from, y], [to, y], [to, y - 20], [from, y - 20], [from, y])];
    },
  },
  sittingOverhead: {
    ...front,
    title: 'sitting, one arm overhead holding a rod, from the front',
    pose: 'sitting',
    arm: { side: 'l', pose: ARM_POSES.overhead },
    raisedTo: { measurement: 'VerticalGripReachSitting', from: 'seat' },
    places: (p) => overheadPlaces(p, p.mark('popliteal_l')[1]),
    props: (points, extent) => {
      const half = (extent[1] - extent[0]) / 2 - 20;
      return [floor(extent), ...seatLines(-half, half, at(points, 'seat').y), rod(points)];
    },
  },
  headFront: {
    ...front,
    title: 'head, from the front',
    pose: 'standing',
    places: headPlaces,
    origin: ({ topOfHead }) => [0, topOfHead[1], 0],
  },
  headSide: {
    ...side,
    title: 'head, from the side',
    pose: 'standing',
    places: headPlaces,
    origin: ({ topOfHead, backOfHead }) => [0, topOfHead[1], backOfHead[2]],
  },
  handPalm: {
    title: 'right hand, palm side',
    ...hand(ARM_POSES.flatHand),
    camera: (p) => palmSide(handAxes(p)),
    places: (p) => handPlaces(p, handAxes(p)),
    upTo: { place: 'middleTip', measurement: 'HandLength' },
    origin: ({ stylion }) => stylion,
  },
  handFist: {
    title: 'clenched fist, palm side',
    ...fist,
    camera: (p) => palmSide(fistAxes(p)),
  },
  handGrip: {
    title: 'hand closed round a cylinder, from the thumb side',
    ...fist,
    camera: (p) => {
      const { along, palm } = fistAxes(p);
      return cameraOf(along, palm);
    },
    props: (points) => [circle(at(points, 'cylinder'), at(points, 'cylinderFront'))],
  },
  footSide: {
    title: 'foot, from the side',
    pose: 'standing',
    bones: /^(foot|ball|calf)_r$/,
    camera: (p) => cameraOf(footAxes(p).ahead, [0, 1, 0]),
    places: footPlaces,
    origin: ({ heel }) => [heel[0], 0, heel[2]],
    props: (_, [left, right]) => [line([left - 30, 0], [right + 30, 0])],
  },
  footTop: {
    title: 'foot, from above',
    pose: 'standing',
    // The sole closes the cut of the ankle.
    bothSides: true,
    bones: /^(foot|ball)_r$/,
    camera: (p) => {
      const { ahead, inward } = footAxes(p);
      return cameraOf(ahead, inward);
    },
    places: footPlaces,
    origin: ({ heel }) => heel,
  },
};

/**
 * How a view is made of a person of an age. People under two years lie on their back in the same pose, without
 * furniture.
 *
 * @param rests whether the body rests on head and hips; otherwise it lies along the surface, as on a length board
 */
export function viewOf(name: ViewName, ageYears: number, rests = false): LyingSpec {
  const lying = lyingIn(name, ageYears);
  const { origin, ...spec } = VIEWS[name];
  if (lying === undefined) return VIEWS[name];
  const legs = spec.pose === 'sitting' || spec.pose === 'legs_ahead' ? ' with bent hips' : '';
  const title = `lying on the back${legs}, from ${lying === 'fromAbove' ? 'above' : 'the side'}`;
  if (lying === 'fromAbove') {
    const props: ViewSpec['props'] = (_, extent) => {
      const margin = 0.025 * (extent[3] - extent[2]);
      const [left, right, bottom, top] = extent.map(
        (mm, k) => mm + (k % 2 === 0 ? -margin : margin),
      );
      return [line([left, bottom], [right, bottom], [right, top], [left, top], [left, bottom])];
    };
    return { ...spec, lying, title, props };
  }
  const camera = rests && legs === '' ? onHeadAndHips : () => CAMERAS.lyingSide;
  return {
    ...{ ...spec, lying, camera, title },
    // The feet are at 0, and so is the surface.
    origin: (_, p) => {
      const { up } = camera(p);
      return times(up, dot(up, p.lowest(up)));
    },
    props: (_, [left, right]) => [line([left - 40, 0], [right + 40, 0])],
  };
}

/** The side view of a lying body whose head and hips touch the surface. */
function onHeadAndHips(p: Probe): Camera {
  const down: Vector = [0, 0, -1];
  const [, y, z] = unit(minus(p.far(/^(pelvis|thigh_.)$/, down), p.far(/^head$/, down)));
  const long = Math.hypot(y, z);
  return cameraOf([0, y / long, z / long], [0, z / long, -y / long]);
}

/** Axes of a closed hand. Its fingers end at their first joints. */
function fistAxes(p: Probe) {
  const along = unit(minus(p.joint('middle_01_r'), p.joint('hand_r')));
  const thumb = across(handAxes(p).thumb, along);
  return { along, thumb, palm: cameraOf(thumb, along).near };
}

function rod(points: Points): readonly Point[] {
  const { x, y } = at(points, 'gripCentre');
  return line([x - 70, y], [x + 70, y]);
}

function circle(centre: Point, edge: Point): readonly Point[] {
  const radius = Math.hypot(edge.x - centre.x, edge.y - centre.y);
  return Array.from({ length: 49 }, (_, i) => ({
    x: centre.x + radius * Math.cos((i * Math.PI) / 24),
    y: centre.y + radius * Math.sin((i * Math.PI) / 24),
  }));
}
