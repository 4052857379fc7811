import {
  across,
  arc,
  box,
  DEFINITION,
  dashed,
  FRONT_X,
  OWN,
  type Product,
  people,
  reach,
  room,
  type Scenes,
  size,
  solid,
  times,
  vertical,
  WALKING,
} from './rules.js';

const WHEELCHAIR = 'ISO 21542 takes wheelchairs of 800 by 1,300 mm';

/** A distance of EN ISO 13857 for people from 14 years. */
function guard(distanceMm: number, openings: string): string {
  return `${OWN}; EN ISO 13857 has ${distanceMm} mm behind ${openings}, from 14 years`;
}

/** A minimum gap of EN 349:1993+A1:2008, which EN ISO 13854:2019 replaces. */
function gap(leastMm: number): string {
  return `${OWN}; EN 349, now EN ISO 13854, has at least ${leastMm} mm`;
}

/** Diameter of a circle over its circumference. */
const ROUND = 1 / Math.PI;

export const SPACES: readonly Product[] = [
  {
    id: 'doorway',
    title: 'Doorway',
    clothing: 'light_shoes',
    sizes: [
      size('height', 'Clear height', [500, 2000, 2600]),
      size('width', 'Clear width', [200, 800, 1600]),
    ],
    rules: [
      room(
        'height',
        'Stature',
        50,
        'a higher doorway',
        'The head passes below the lintel while walking.',
        WALKING,
      ),
      room(
        'width',
        'WholeBodyBreadthMax',
        50,
        'a wider doorway',
        'The elbows pass between the frames.',
        WALKING,
      ),
    ],
  },
  {
    id: 'handrail',
    title: 'Handrail',
    clothing: 'light_shoes',
    people: [people(4, 8), people(70, 120)],
    forEach: true,
    note: 'The sizes serve at least the wanted share of each population. If both heights are equal, one rail suits all. If they differ, it takes two rails, or three. Not covered: the gap to the wall, because the thickness of the hand is not known, and forces of the hand.',
    sizes: [
      size('low', 'Height of the lower rail', [250, 600, 1200]),
      size('high', 'Height of the upper rail', [250, 900, 1200]),
      size('diameter', 'Diameter', [10, 32, 70]),
    ],
    rules: [
      reach(
        'low',
        'ElbowHeight',
        0,
        'a lower rail',
        'The lower rail is not above the elbow, so that the hand can press on it.',
        `${OWN}; the ADA Standards advise at most 711 mm for children, 229 mm or more below the upper rail`,
      ),
      room(
        'high',
        'HandGripHeightStanding',
        0,
        'a higher rail',
        'The upper rail is not below the hand of the hanging arm, so that nobody must stoop.',
        `${OWN}; DIN 18040-1 has 850 to 900 mm, and the ADA Standards 864 to 965 mm`,
      ),
      reach(
        'diameter',
        'GripWidth',
        0,
        'a thinner rail',
        'Thumb and middle finger close around the rail.',
        `${DEFINITION}; DIN 18040-1 has 30 to 45 mm`,
      ),
    ],
    couplings: [
      { upper: 'high', lower: 'low', plusMm: 0, why: 'the upper rail is above the lower' },
    ],
  },
  {
    id: 'wheelchair',
    title: 'Wheelchair space',
    clothing: 'light_shoes',
    note: 'The figures are those of people who can stand: Vitruvia has no survey of people who use a wheelchair. Not covered: their reach, turning circles and the sizes of the wheelchair itself: use ISO 21542 or DIN 18040-1.',
    sizes: [
      size('width', 'Free width', [400, 800, 1400]),
      size('length', 'Free length', [600, 1200, 1900]),
      size('knees', 'Free height under a table', [250, 700, 1000]),
      size('control', 'Height of the highest control', [500, 1000, 1600]),
    ],
    rules: [
      room(
        'width',
        'WholeBodyBreadthMax',
        100,
        'more width',
        'The elbows move beside the wheels.',
        `${OWN}; ${WHEELCHAIR}`,
      ),
      room(
        'width',
        'SittingHipBreadth',
        225,
        'more width for the wheels',
        'The hips fit between the sides, and wheels and hand rims are beside them.',
        `${OWN}: 25 mm for the hips and 100 mm for each wheel`,
      ),
      room(
        'length',
        'SittingDistance',
        250,
        'more length',
        'The toes stay inside the space, and the wheels reach behind the back.',
        `${OWN}; ${WHEELCHAIR}`,
      ),
      room(
        'knees',
        'KneeHeight',
        75,
        'more free height for the knees',
        'The knees of a person with the feet on a foot rest fit under the top.',
        `${OWN}: the foot rest is 50 mm above the floor; DIN 18040 has at least 670 mm`,
      ),
      reach(
        'control',
        'SittingShoulderHeight',
        480,
        'a lower control',
        'The control is not above the shoulder of a person on the seat.',
        `${OWN}: the seat with its cushion is 480 mm high; DIN 18040 has 850 mm, and at most 1,050 mm`,
      ),
    ],
  },
  {
    id: 'safety-opening',
    title: 'Safety opening',
    clothing: 'nude',
    people: [people(2, 13), people(14, 65)],
    targetPercent: 99,
    forEach: true,
    note: 'Here the people who “fit” are those whom the guard keeps away, at least the wanted share of each population. Openings stop a part of the body; distances are for a part that passes. This is no proof of safety: use the tables of EN ISO 13857, which begin at 3 years. Not covered: soft tissue, tools, climbing, and slots for the hand, because its thickness is not known.',
    sizes: [
      size('finger', 'Opening that stops fingers', [2, 6, 30]),
      size('hand', 'Round opening that stops the hand', [10, 35, 90]),
      size('head', 'Opening that stops the head', [50, 110, 200]),
      size('fingerFar', 'Distance behind an opening for fingers', [30, 110, 200]),
      size('handFar', 'Distance behind an opening for the hand', [60, 220, 400]),
      size('armFar', 'Distance behind an opening for the arm', [200, 850, 1200]),
    ],
    rules: [
      reach(
        'finger',
        'LittleFingerWidthTip',
        -1,
        'a narrower opening for fingers',
        'The tip of the little finger does not enter.',
        guard(2, 'slots up to 4 mm'),
      ),
      times(
        0.6,
        reach(
          'hand',
          'HandBreadth',
          0,
          'a narrower opening for the hand',
          'The folded hand does not pass.',
          `${OWN}: a folded hand is narrower than a flat one; by EN ISO 13857, round openings up to 40 mm stop the arm, from 14 years`,
        ),
      ),
      reach(
        'head',
        'HeadBreadth',
        -10,
        'a narrower opening for the head',
        'The head does not pass.',
        `${OWN}; building rules of England have at most 100 mm between banisters for children under 5`,
      ),
      room(
        'fingerFar',
        'MiddleFingerLength',
        20,
        'more distance for the fingers',
        'The longest finger does not reach the danger.',
        guard(120, 'openings up to 20 mm'),
      ),
      room(
        'handFar',
        'HandLength',
        20,
        'more distance for the hand',
        'The hand, up to the wrist, does not reach the danger.',
        guard(200, 'square openings up to 40 mm'),
      ),
      room(
        'armFar',
        'UpperLimbLength',
        20,
        'more distance for the arm',
        'The arm, up to the shoulder, does not reach the danger.',
        guard(850, 'openings up to 120 mm'),
      ),
    ],
  },
  {
    id: 'crush-gap',
    title: 'Gap against crushing',
    clothing: 'light_shoes',
    targetPercent: 99,
    note: 'Each gap is wide enough for the part of the body. This is no proof of safety: use the minimum gaps of EN ISO 13854, which the rules name. Not covered: feet, thick clothing and tools.',
    sizes: [
      size('finger', 'Gap for a finger', [5, 25, 60]),
      size('fist', 'Gap for a fist', [30, 110, 200]),
      size('arm', 'Gap for an arm', [30, 130, 250]),
      size('leg', 'Gap for a leg', [50, 210, 400]),
      size('head', 'Gap for the head', [120, 240, 400]),
      size('body', 'Gap for the body', [100, 420, 800]),
    ],
    rules: [
      room(
        'finger',
        'MiddleFingerWidthPip',
        2,
        'a wider gap for fingers',
        'A finger is not crushed.',
        gap(25),
      ),
      times(
        ROUND,
        room(
          'fist',
          'FistCircumference',
          5,
          'a wider gap for the fist',
          'The fist, taken as round, is not crushed.',
          gap(100),
        ),
      ),
      times(
        ROUND,
        room(
          'arm',
          'UpperArmCircumferenceMidpoint',
          5,
          'a wider gap for the arm',
          'The upper arm, taken as round, is not crushed.',
          gap(120),
        ),
      ),
      times(
        ROUND,
        room(
          'leg',
          'ThighCircumferenceMidpoint',
          5,
          'a wider gap for the leg',
          'The thigh, taken as round, is not crushed.',
          gap(180),
        ),
      ),
      room(
        'head',
        'HeadLength',
        20,
        'a wider gap for the head',
        'The head is not crushed from front to back.',
        gap(300),
      ),
      room(
        'body',
        'WholeBodyDepthMax',
        20,
        'a wider gap for the body',
        'The trunk is not crushed from front to back.',
        gap(500),
      ),
    ],
  },
];

export const SPACES_SCENES: Scenes = {
  doorway: (mm, { scale: k }) => ({
    box: [-260, mm('width') + 420, -200, Math.max(mm('height'), 1740 * k) + 120],
    bodies: [{ view: 'standingFront', x: mm('width') / 2, y: 0 }],
    lines: [
      solid([-260, 0], [mm('width') + 260, 0]),
      solid([0, 0], [0, mm('height')], [mm('width'), mm('height')], [mm('width'), 0]),
      solid(
        [-60, 0],
        [-60, mm('height') + 60],
        [mm('width') + 60, mm('height') + 60],
        [mm('width') + 60, 0],
      ),
    ],
    dimensions: [vertical('height', mm('width') + 210), across('width', 0, -110)],
  }),
  handrail: (mm, { scale: k }) => {
    const rail = 420 * k;
    return {
      box: [-420 * k, rail + 560, -60, Math.max(1760 * k, mm('high') + 120)],
      bodies: [{ view: 'standingFront', x: 0, y: 0 }],
      lines: [
        solid([-400 * k, 0], [rail + 420, 0]),
        solid([rail + 90, 0], [rail + 90, mm('high') + 100]),
        ...['low', 'high'].flatMap((height) => [
          arc(rail, mm(height) - mm('diameter') / 2, mm('diameter') / 2),
          solid([rail, mm(height) - mm('diameter')], [rail, mm(height) - 70]),
          solid([rail, mm(height) - 70], [rail + 90, mm(height) - 70]),
        ]),
      ],
      dimensions: [vertical('low', rail + 190), vertical('high', rail + 420)],
    };
  },
  wheelchair: (mm, { scale: k, backMm: back, seatMm }) => {
    const [seat, rear, half] = [480, back - 250, mm('width') / 2];
    const front = FRONT_X + 350;
    return {
      box: [rear - 120, front + half + 160, -220, seat + 960 * k],
      bodies: [
        { view: 'sittingSide', x: back, y: seat - seatMm },
        { view: 'sittingFront', x: front, y: seat - seatMm },
      ],
      lines: [
        solid([rear, 0], [front + half, 0]),
        arc(back + 40, 300, 300),
        arc(back + 560, 90, 90),
        solid([back, seat + 420], [back, seat], [back + 430, seat], [back + 600, 60]),
        box(back + 480, back + 980, mm('knees'), mm('knees') + 30),
        dashed([back + 700, mm('control')], [back + 980, mm('control')]),
        box(front - half, front - half + 100, 0, 600),
        box(front + half - 100, front + half, 0, 600),
        solid([front - half + 100, seat], [front + half - 100, seat]),
      ],
      dimensions: [
        across('length', rear, -110),
        across('width', front - half, -110),
        vertical('knees', back + 760),
        vertical('control', back + 900),
      ],
    };
  },
  'safety-opening': (mm, { scale: k }) => {
    const [guard, wrist, head] = [-110 * k, -320 * k, 420];
    const hole = (left: number, right: number, gap: number) => [
      solid([left, guard], [(left + right - gap) / 2, guard]),
      solid([(left + right + gap) / 2, guard], [right, guard]),
    ];
    return {
      box: [-180, 600, -380 * k, Math.max(200, guard + mm('handFar')) + 60],
      bodies: [
        { view: 'handPalm', x: 0, y: wrist },
        { view: 'headFront', x: head, y: 0 },
      ],
      lines: [
        ...hole(-120, 20, mm('finger')),
        ...hole(20, 220, mm('hand')),
        dashed([-120, guard + mm('fingerFar')], [20, guard + mm('fingerFar')]),
        dashed([20, guard + mm('handFar')], [220, guard + mm('handFar')]),
        solid([head - mm('head') / 2, -300 * k], [head - mm('head') / 2, 60]),
        solid([head + mm('head') / 2, -300 * k], [head + mm('head') / 2, 60]),
      ],
      dimensions: [
        across('hand', 120 - mm('hand') / 2, guard + 20),
        across('head', head - mm('head') / 2, 90),
        vertical('fingerFar', -80, guard),
        vertical('handFar', 180, guard),
      ],
    };
  },
  'crush-gap': (mm, { scale: k }) => {
    const [half, height] = [mm('body') / 2, 1900 * k];
    return {
      box: [-half - 360 * k, half + 360 * k, -60, height + 60],
      bodies: [{ view: 'standingSide', x: 0, y: 0 }],
      lines: [
        solid([-half - 300 * k, 0], [half + 300 * k, 0]),
        box(-half - 200 * k, -half, 0, height),
        box(half, half + 200 * k, 0, height),
      ],
      dimensions: [across('body', -half, 1780 * k)],
    };
  },
};
