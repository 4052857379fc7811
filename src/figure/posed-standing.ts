import type { RegionId } from '../core/body-regions.js';
import { mirrored, openCurve, type Point, points } from './geometry.js';
import type { Pose } from './pose-dimensions.js';
import {
  ARM_HANGING,
  ARM_SIDE,
  BODY_FRONT,
  BODY_SIDE,
  FACE_SIDE,
  FRONT_LINES,
  HAND_HANGING,
  HEAD_FRONT,
  standingFront,
  standingSide,
  THUMB_HANGING,
  THUMB_SIDE,
} from './standing.js';
import { between, clipped, increasing, smooth, type Warp, warped } from './warp.js';

/** A closed part of a posed body. Parts of the same layer have one common outline. */
export interface PosedPart {
  readonly layer: number;
  readonly points: readonly Point[];
}

/** A part of the body that can be chosen in a picture. */
export interface PosedRegion {
  readonly region: RegionId;
  readonly points: readonly Point[];
}

/** What a posture seen from a side consists of. */
export interface PosedParts {
  readonly title: string;
  readonly parts: readonly PosedPart[];
  /** SVG paths of fine lines. */
  readonly details: readonly string[];
  /** Corners of the seat, if there is one. */
  readonly props: readonly (readonly Point[])[];
  readonly regions: readonly PosedRegion[];
  readonly landmarks: Readonly<Record<string, Point>>;
}

/** Landmarks on the arm and the hand; they move with the arm. */
const ON_ARM =
  /^(deltoid|elbow|radiale|stylion|gripCentre|knuckle|fingertip|indexTip|upperArmOuter)/;

/** Heights of the standing body: drawn to posed. */
function standingHeights({ mm, ratio }: Pose): (y: number) => number {
  const stature = mm('Stature');
  return increasing(
    [0, 0],
    [69, mm('FootHeight')],
    [461, 461 * ratio('KneeHeight')],
    [804, mm('CrotchHeight')],
    [1015, mm('WaistHeightStanding')],
    [1389, mm('ShoulderHeight')],
    [1511, stature - mm('TopOfHeadToStomion')],
    [1580, mm('EyeHeight')],
    [1695, stature],
  );
}

/** Heights of the hanging arm: drawn to posed. */
function armHeights({ mm }: Pose): (y: number) => number {
  const fingertip = mm('FingertipHeight');
  return increasing(
    [643, fingertip],
    [817, fingertip + (174 / 187) * mm('HandLength')],
    [1069, mm('ElbowHeight')],
    [1389, mm('ShoulderHeight')],
  );
}

/** Thickness of the arm at a drawn height, as a multiple of the drawn one. */
function armThickness({ ratio }: Pose): (y: number) => number {
  return between(
    [744, ratio('HandBreadth')],
    [817, ratio('WristWidth')],
    [1069, (ratio('UpperArmCircumferenceMidpoint') + ratio('WristWidth')) / 2],
    [1215, ratio('UpperArmCircumferenceMidpoint')],
  );
}

/** The pose standing, from the front. */
export function standingFrontOf(pose: Pose): PosedParts {
  const { mm, ratio } = pose;
  const height = standingHeights(pose);
  const breadth = between(
    [69, ratio('FootBreadth')],
    [345, ratio('CalfCircumference')],
    [461, ratio('CalfCircumference')],
    [640, ratio('ThighCircumferenceMidpoint')],
    [870, mm('HipBreadth') / 366],
    [1015, ratio('WaistCircumferenceAbdominal')],
    [1235, mm('ChestBreadth') / 326],
    [1350, mm('ShoulderBreadthBiacromial') / 388],
    [1389, mm('ShoulderBreadthBiacromial') / 388],
    [1440, ratio('NeckCircumference')],
  );
  const trunk: Warp = ({ x, y }) => ({ x: x * breadth(y), y: height(y) });
  const headBreadth = mm('HeadBreadth') / 150;
  const head: Warp = ({ x, y }) => ({ x: x * headBreadth, y: height(y) });

  const armHeight = armHeights(pose);
  const thick = armThickness(pose);
  const drawnCentre = between(
    [643, 272],
    [690, 271],
    [765, 266],
    [817, 261],
    [900, 254],
    [1000, 241],
    [1072, 230],
    [1180, 208],
    [1290, 192],
    [1352, 178],
  );
  const size = ratio('Stature');
  const deltoid = mm('ShoulderBreadthBideltoid') / 2 - 49 * thick(1290);
  const elbow = Math.max(mm('WholeBodyBreadthMax') / 2 - 43 * thick(1062), deltoid);
  const centre = between(
    [643, elbow + 42 * size],
    [817, elbow + 31 * size],
    [1000, elbow + 11 * size],
    [1062, elbow],
    [1290, deltoid],
    [1352, deltoid - 14 * size],
  );
  const arm: Warp = ({ x, y }) => {
    const mirror = x < 0 ? -1 : 1;
    const aside = (Math.abs(x) - drawnCentre(y)) * thick(y);
    return { x: mirror * (centre(y) + aside), y: armHeight(y) };
  };

  const [headLine, bodyLine] = [warped(HEAD_FRONT, head), warped(BODY_FRONT, trunk)];
  const [upper, hand, thumb] = [ARM_HANGING, HAND_HANGING, THUMB_HANGING].map((line) =>
    warped(line, arm),
  ) as [readonly Point[], readonly Point[], readonly Point[]];
  const arms = [upper, hand, thumb].flatMap((line) => [line, mirrored(line)]);
  const [chin, crotch, ankle] = [height(1466), mm('CrotchHeight'), height(69)];
  const region = (id: RegionId, ...lines: readonly (readonly Point[])[]): PosedRegion[] =>
    lines.map((line) => ({ region: id, points: line }));
  return {
    title: standingFront.title,
    parts: [headLine, bodyLine, ...arms].map((line) => ({ layer: 0, points: line })),
    details: FRONT_LINES.map((line) => openCurve(warped(points(line), trunk))),
    props: [],
    regions: [
      ...region('trunk', clipped(bodyLine, crotch, chin)),
      ...region('leg', clipped(bodyLine, ankle, crotch)),
      ...region('foot', clipped(bodyLine, -1, ankle)),
      ...region('head', smooth(headLine)),
      ...region('arm', ...[upper, mirrored(upper)].map(smooth)),
      ...region('hand', ...[hand, mirrored(hand), thumb, mirrored(thumb)].map(smooth)),
    ],
    landmarks: {
      ...landmarksOf(standingFront.landmarks, (name) =>
        ON_ARM.test(name) ? arm : /^(topOfHead|eye)/.test(name) ? head : trunk,
      ),
      headRight: head({ x: -75, y: 1612 }),
      headLeft: head({ x: 75, y: 1612 }),
    },
  };
}

/** The pose standing, from the side. */
export function standingSideOf(pose: Pose): PosedParts {
  const { mm, ratio } = pose;
  const height = standingHeights(pose);
  const size = ratio('Stature');
  const chest = mm('ChestDepth') / 265;
  const depth = between(
    [69, mm('FootLength') / 256],
    [340, ratio('CalfCircumference')],
    [640, ratio('ThighCircumferenceMidpoint')],
    [870, mm('TrunkDepthAtButtocks') / 253],
    [1015, mm('WaistDepthStanding') / 227],
    [1235, chest],
    [1389, (chest + ratio('NeckCircumference')) / 2],
    [1470, ratio('NeckCircumference')],
    [1530, mm('HeadLength') / 193],
  );
  // The middle of the body at each height, from which depths grow to both sides.
  const axis = between(
    [69, -48],
    [340, -40],
    [870, -20],
    [1015, 11],
    [1235, 0],
    [1389, -24],
    [1470, -60],
    [1560, -43],
  );
  const body: Warp = ({ x, y }) => ({
    x: axis(y) * size + (x - axis(y)) * depth(y),
    y: height(y),
  });
  const armHeight = armHeights(pose);
  const thick = armThickness(pose);
  const armAxis = between(
    [657, 34],
    [735, 27],
    [817, 13],
    [900, 0],
    [1000, -20],
    [1072, -32],
    [1180, -27],
    [1345, -24],
  );
  const arm: Warp = ({ x, y }) => ({
    x: armAxis(y) * size + (x - armAxis(y)) * thick(y),
    y: armHeight(y),
  });
  const bodyLine = warped(BODY_SIDE, body);
  const [armLine, thumb] = [warped(ARM_SIDE, arm), warped(THUMB_SIDE, arm)];
  const [chin, crotch, ankle] = [height(1466), mm('CrotchHeight'), height(69)];
  const wrist = armHeight(817);
  const stature = mm('Stature');
  return {
    title: standingSide.title,
    parts: [
      { layer: 0, points: bodyLine },
      { layer: 1, points: armLine },
      { layer: 1, points: thumb },
    ],
    details: FACE_SIDE.map((line) => openCurve(warped(points(line), body))),
    props: [],
    regions: [
      { region: 'head', points: clipped(bodyLine, chin, stature + 1) },
      { region: 'trunk', points: clipped(bodyLine, crotch, chin) },
      { region: 'leg', points: clipped(bodyLine, ankle, crotch) },
      { region: 'foot', points: clipped(bodyLine, -1, ankle) },
      { region: 'arm', points: clipped(armLine, wrist, stature) },
      { region: 'hand', points: clipped(armLine, -1, wrist) },
      { region: 'hand', points: smooth(thumb) },
    ],
    landmarks: {
      ...landmarksOf(standingSide.landmarks, (name) => (ON_ARM.test(name) ? arm : body)),
      backOfHead: body({ x: -138, y: 1600 }),
      glabella: body({ x: 55, y: 1603 }),
      heel: body({ x: -101, y: 40 }),
      toe: body({ x: 155, y: 10 }),
      crotch: body({ x: -20, y: 804 }),
    },
  };
}

/** Landmarks moved, each by the warp of its part. */
export function landmarksOf(
  drawn: Readonly<Record<string, Point>>,
  warpOf: (name: string) => Warp,
): Readonly<Record<string, Point>> {
  return Object.fromEntries(
    Object.entries(drawn).map(([name, point]) => [name, warpOf(name)(point)]),
  );
}
