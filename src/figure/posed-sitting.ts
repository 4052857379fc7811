import { mirrored, openCurve, type Point, points } from './geometry.js';
import type { Pose } from './pose-dimensions.js';
import { landmarksOf, type PosedParts, type PosedRegion } from './posed-standing.js';
import {
  ARM_BENT,
  BACK_UPWARDS,
  BELLY,
  BUTTOCKS,
  FACE_SITTING,
  FOREARM_FRONT,
  HEAD_AND_TRUNK,
  HEAD_SITTING_FRONT,
  LEG_SITTING_FRONT,
  sittingFront,
  sittingSide,
  THIGH_AND_LEG,
  TRUNK_FRONT,
  UPPER_ARM_FRONT,
} from './sitting.js';
import { between, clipped, increasing, smooth, type Warp, warped } from './warp.js';

/** Height of the drawn seat. */
const SEAT = 415;

/** Heights of head and trunk over the floor: drawn to posed. */
function trunkHeights({ mm }: Pose): (y: number) => number {
  const seat = mm('PoplitealHeight');
  const top = seat + mm('SittingHeight');
  return increasing(
    [0, 0],
    [SEAT, seat],
    [650, seat + mm('WaistHeightSitting')],
    [999, seat + mm('SittingShoulderHeight')],
    [1121, top - mm('TopOfHeadToStomion')],
    [1189, seat + mm('SittingEyeHeight')],
    [1305, top],
  );
}

/** Heights of the hanging upper arm: drawn to posed. The elbow is drawn 43 mm thick below its centre. */
function upperArmHeights({ mm }: Pose, thickness: number): (y: number) => number {
  const seat = mm('PoplitealHeight');
  const underside = seat + mm('SittingElbowHeight');
  const shoulder = Math.max(seat + mm('SittingShoulderHeight'), underside + 60 * thickness);
  return increasing([658, underside], [701, underside + 43 * thickness], [999, shoulder]);
}

/** The pose sitting with the elbow at a right angle, from the side. */
export function sittingSideOf(pose: Pose): PosedParts {
  const { mm, ratio } = pose;
  const seat = mm('PoplitealHeight');
  const height = trunkHeights(pose);
  const chest = mm('ChestDepth') / 265;
  // Depths start at the plane of the back, which is drawn at −150 and posed at 0.
  const size = (chest + ratio('SittingHeight')) / 2;
  const depth = between(
    [505, mm('TrunkDepthAtButtocks') / 253],
    [652, mm('AbdominalDepth') / 250],
    [845, chest],
    [999, size],
    [1060, ratio('NeckCircumference')],
    [1121, mm('HeadLength') / 193],
  );
  const drawnAxis = between([999, -150], [1100, -60]);
  const axis = between([999, 0], [1100, 90 * size]);
  const trunk: Warp = ({ x, y }) => ({
    x: axis(y) + (x - drawnAxis(y)) * depth(y),
    y: height(y),
  });

  const along = increasing(
    [-150, 0],
    [347, mm('ButtockPoplitealLength')],
    [457, mm('ButtockKneeLength')],
  );
  const underSeat = increasing([0, 0], [69, mm('FootHeight')], [SEAT, seat]);
  const overThigh = increasing([SEAT, seat], [590, seat + mm('ThighThickness')]);
  const overKnee = increasing([SEAT, seat], [533, mm('KneeHeight')]);
  const nearKnee = between([165, 0], [425, 1]);
  const shoe = mm('FootLength') / 256;
  const nearFoot = between([100, 1], [200, 0]);
  const leg: Warp = ({ x, y }) => {
    const shank = along(x);
    const foot = along(334) + (x - 334) * shoe;
    const near = nearKnee(x);
    return {
      x: shank + nearFoot(y) * (foot - shank),
      y: y <= SEAT ? underSeat(y) : overThigh(y) * (1 - near) + overKnee(y) * near,
    };
  };

  const thickness = ratio('UpperArmCircumferenceMidpoint');
  const armHeight = upperArmHeights(pose, thickness);
  const shoulderX = 108 * size;
  const upperArm: Warp = ({ x, y }) => ({ x: shoulderX + (x + 42) * thickness, y: armHeight(y) });
  const elbowBack = shoulderX - 43 * thickness;
  const tip = elbowBack + mm('ElbowFingertipLength');
  const forward = increasing([-85, elbowBack], [187, tip - mm('HandLength')], [374, tip]);
  const slim = between([-42, thickness], [187, ratio('WristWidth')], [260, ratio('HandBreadth')]);
  const centre = armHeight(701);
  const forearm: Warp = ({ x, y }) => ({ x: forward(x), y: centre + (y - 701) * slim(x) });

  const bodyLine = [
    ...warped([...HEAD_AND_TRUNK, ...BELLY], trunk),
    ...warped(THIGH_AND_LEG, leg),
    ...warped([...BUTTOCKS, ...BACK_UPWARDS], trunk),
  ];
  const arms = ARM_BENT.map((line, index) => warped(line, index < 2 ? upperArm : forearm));
  const [chin, ankle] = [height(1076), underSeat(69)];
  const trunkLine = warped([...HEAD_AND_TRUNK, ...BELLY, ...BUTTOCKS, ...BACK_UPWARDS], trunk);
  const legLine = warped(THIGH_AND_LEG, leg);
  const onArm = /^(acromion|elbow)/;
  return {
    title: sittingSide.title,
    parts: [{ layer: 0, points: bodyLine }, ...arms.map((line) => ({ layer: 1, points: line }))],
    details: FACE_SITTING.map((line) => openCurve(warped(points(line), trunk))),
    props: seatLines(-20, mm('ButtockPoplitealLength') - 50, seat),
    regions: [
      { region: 'head', points: clipped(trunkLine, chin, height(1305) + 1) },
      { region: 'trunk', points: clipped(trunkLine, 0, chin) },
      { region: 'leg', points: clipped(legLine, ankle, height(1305)) },
      { region: 'foot', points: clipped(legLine, -1, ankle) },
      ...arms.map(
        (line, index): PosedRegion => ({
          region: index < 3 ? 'arm' : 'hand',
          points: line,
        }),
      ),
    ],
    landmarks: {
      ...landmarksOf(sittingSide.landmarks, (name) => {
        if (onArm.test(name)) return upperArm;
        if (/^(stylion|fingertip)/.test(name)) return forearm;
        return /^(floor|seat|knee|popliteal|thigh|toe|malleolus)/.test(name) ? leg : trunk;
      }),
      backOfHead: trunk({ x: -155, y: 1210 }),
      glabella: trunk({ x: 38, y: 1213 }),
      heel: leg({ x: 334, y: 40 }),
      toe: leg({ x: 590, y: 10 }),
    },
  };
}

/** The pose sitting with the hands in the lap, from the front. */
export function sittingFrontOf(pose: Pose): PosedParts {
  const { mm, ratio } = pose;
  const seat = mm('PoplitealHeight');
  const height = trunkHeights(pose);
  const hips = mm('SittingHipBreadth') / 396;
  const breadth = between(
    [490, hips],
    [625, ratio('WaistCircumferenceAbdominal')],
    [845, mm('ChestBreadth') / 326],
    [960, mm('ShoulderBreadthBiacromial') / 388],
    [999, mm('ShoulderBreadthBiacromial') / 388],
    [1050, ratio('NeckCircumference')],
  );
  const trunk: Warp = ({ x, y }) => ({ x: x * breadth(y), y: height(y) });
  const headBreadth = mm('HeadBreadth') / 150;
  const head: Warp = ({ x, y }) => ({ x: x * headBreadth, y: height(y) });

  // The nearest end of the thigh is drawn between the top of the knee and the top of the thigh.
  const lap = seat + (mm('KneeHeight') - seat + mm('ThighThickness')) * (155 / 293);
  const legHeight = increasing([0, 0], [69, mm('FootHeight')], [SEAT, seat], [570, lap]);
  const legBreadth = between(
    [69, ratio('FootBreadth')],
    [150, ratio('CalfCircumference')],
    [400, ratio('CalfCircumference')],
    [480, hips],
  );
  const leg: Warp = ({ x, y }) => ({
    x: 92 * hips + (x - 92) * legBreadth(y),
    y: legHeight(y),
  });

  const thickness = ratio('UpperArmCircumferenceMidpoint');
  const armHeight = upperArmHeights(pose, thickness);
  const deltoid = mm('ShoulderBreadthBideltoid') / 2 - 49 * thickness;
  const elbow = Math.max(mm('WholeBodyBreadthMax') / 2 - 42 * thickness, deltoid);
  const drawnCentre = between([712, 228], [800, 212], [900, 192], [962, 178]);
  const centre = between([712, elbow], [900, deltoid], [962, deltoid - 14 * ratio('Stature')]);
  const upperArm: Warp = ({ x, y }) => ({
    x: centre(y) + (x - drawnCentre(y)) * thickness,
    y: armHeight(y),
  });
  const inLap = seat + (141 / 175) * mm('ThighThickness');
  const forearmHeight = increasing([556, inLap], [720, armHeight(720)]);
  const inward = increasing([112, 112 * hips], [229, Math.max(elbow, 112 * hips + 40)]);
  const forearm: Warp = ({ x, y }) => ({ x: inward(x), y: forearmHeight(y) });

  const headLine = warped(HEAD_SITTING_FRONT, head);
  const trunkLine = warped(TRUNK_FRONT, trunk);
  const upper = warped(UPPER_ARM_FRONT, upperArm);
  const fore = warped(FOREARM_FRONT, forearm);
  const legs = LEG_SITTING_FRONT.map((line) => warped(line, leg));
  const [thigh = [], shank = [], foot = []] = legs;
  const wrist = inward(150);
  const both = (region: PosedRegion['region'], line: readonly Point[]): PosedRegion[] => [
    { region, points: smooth(line) },
    { region, points: smooth(mirrored(line)) },
  ];
  return {
    title: sittingFront.title,
    parts: [
      ...[headLine, trunkLine, upper, mirrored(upper)].map((line) => ({ layer: 0, points: line })),
      ...legs.map((line) => ({ layer: 1, points: line })),
      ...legs.map((line) => ({ layer: 2, points: mirrored(line) })),
      { layer: 3, points: fore },
      { layer: 4, points: mirrored(fore) },
    ],
    details: [],
    props: seatLines(-240 * hips, 240 * hips, seat),
    regions: [
      { region: 'trunk', points: smooth(trunkLine) },
      { region: 'head', points: smooth(headLine) },
      ...both('arm', upper),
      ...both('leg', thigh),
      ...both('leg', shank),
      ...both('foot', foot),
      ...both('arm', fore),
      ...both(
        'hand',
        fore.filter(({ x }) => x <= wrist),
      ),
    ],
    landmarks: {
      ...landmarksOf(sittingFront.landmarks, () => trunk),
      floor: { x: 0, y: 0 },
      seat: { x: 0, y: seat },
      topOfHead: head({ x: 0, y: 1305 }),
      deltoidRight: { x: -mm('ShoulderBreadthBideltoid') / 2, y: armHeight(900) },
      deltoidLeft: { x: mm('ShoulderBreadthBideltoid') / 2, y: armHeight(900) },
      headRight: head({ x: -75, y: 1222 }),
      headLeft: head({ x: 75, y: 1222 }),
      elbowUnderside: { x: elbow, y: seat + mm('SittingElbowHeight') },
    },
  };
}

/** A seat on two legs, as closed and open lines. */
function seatLines(left: number, right: number, top: number): readonly (readonly Point[])[] {
  const under = top - 20;
  const line = (...pairs: readonly (readonly [number, number])[]) =>
    pairs.map(([x, y]) => ({ x, y }));
  return [
    line([left, top], [right, top], [right, under], [left, under], [left, top]),
    line([left + 30, under], [left + 30, 0]),
    line([right - 30, under], [right - 30, 0]),
  ];
}
