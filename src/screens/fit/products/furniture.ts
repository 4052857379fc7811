import {
  across,
  box,
  dashed,
  FRONT_X,
  inOrder,
  kneesBelow,
  OWN,
  type Product,
  people,
  reach,
  room,
  type Scenes,
  SEAT_HEIGHT,
  STANDING_WORK,
  seatBreadth,
  seatDepth,
  seatHeights,
  size,
  solid,
  tableHeights,
  times,
  vertical,
} from './rules.js';

/** EN 1729-1 sorts its size marks by popliteal height: 250–280, 280–315, 315–355, 355–405, 405–435 and 435–485 mm. */
const SCHOOL = 'size marks 1 to 6 of EN 1729-1 have';

export const FURNITURE: readonly Product[] = [
  {
    id: 'desk',
    title: 'Desk',
    clothing: 'light_shoes',
    sizes: [
      size('low', 'Lowest top height', [250, 680, 1000]),
      size('high', 'Highest top height', [250, 760, 1000]),
      size('knees', 'Free height for knees', [200, 650, 900]),
      size('depth', 'Free depth for knees', [100, 450, 1000]),
    ],
    rules: [
      ...tableHeights('low', 'high', 'knees'),
      room(
        'depth',
        'LegRoom',
        50,
        'more free depth for the knees',
        'The knees fit between the edge and what is behind.',
      ),
    ],
    couplings: [inOrder('low', 'high'), kneesBelow('high', 'knees')],
  },
  {
    id: 'chair',
    title: 'Chair',
    clothing: 'light_shoes',
    sizes: [
      size('low', 'Lowest seat height', [150, 400, 600]),
      size('high', 'Highest seat height', [150, 440, 600]),
      size('depth', 'Seat depth', [130, 400, 600]),
      size('width', 'Seat width', [180, 450, 800]),
    ],
    rules: [
      ...seatHeights('low', 'high'),
      seatDepth('depth'),
      times(
        0.6,
        room(
          'depth',
          'ButtockPoplitealLength',
          0,
          'a deeper seat',
          'The seat supports the thighs.',
          `${OWN}: 300 mm still support the bones that adults sit on, which are 0.6 of a thigh`,
        ),
      ),
      seatBreadth('width', 25),
    ],
    couplings: [inOrder('low', 'high')],
  },
  {
    id: 'bed',
    title: 'Bed',
    clothing: 'nude',
    sizes: [size('length', 'Length', [500, 2000, 2500]), size('width', 'Width', [300, 900, 2200])],
    rules: [
      room(
        'length',
        'Stature',
        150,
        'a longer bed',
        'Head and stretched feet stay on the mattress.',
      ),
      room(
        'width',
        'WholeBodyBreadthMax',
        200,
        'a wider bed',
        'A person lying on the back can turn.',
      ),
    ],
  },
  {
    id: 'counter',
    title: 'Counter',
    clothing: 'light_shoes',
    sizes: [
      size('low', 'Lowest top height', [300, 900, 1300]),
      size('high', 'Highest top height', [300, 900, 1300]),
    ],
    rules: [
      reach(
        'low',
        'ElbowHeight',
        -50,
        'a lower top',
        'At its lowest, the top is at least this far below the elbow for light manual work.',
        STANDING_WORK,
      ),
      room(
        'high',
        'ElbowHeight',
        -150,
        'a higher top',
        'At its highest, the top is at most this far below the elbow, so that nobody must stoop.',
        `${STANDING_WORK}; that another 50 mm are tolerated is our own choice`,
      ),
    ],
    couplings: [inOrder('low', 'high')],
  },
  {
    id: 'shelf',
    title: 'Shelf',
    clothing: 'light_shoes',
    sizes: [
      size('top', 'Height of the top shelf', [500, 1800, 2400]),
      size('bottom', 'Height of the lowest shelf', [100, 700, 1200]),
    ],
    rules: [
      reach(
        'top',
        'VerticalGripReachStanding',
        -50,
        'a lower top shelf',
        'The hand reaches over the edge of the top shelf.',
      ),
      room(
        'bottom',
        'KnuckleHeight',
        -50,
        'a higher lowest shelf',
        'The hand reaches the lowest shelf upright.',
      ),
    ],
    couplings: [
      { upper: 'top', lower: 'bottom', plusMm: 0, why: 'the top shelf is above the lowest' },
    ],
  },
  {
    id: 'school-desk',
    title: 'School desk and chair',
    clothing: 'light_shoes',
    people: [{ ...people(6, 6), name: 'Grade 1' }],
    note: 'For another grade or a whole school, change the ages of the people. One seat depth does not suit all children of a grade, so that fewer fit than wanted; the page says how many sizes are enough. Not covered: children who use a wheelchair.',
    sizes: [
      size('seatLow', 'Lowest seat height', [180, 300, 560]),
      size('seatHigh', 'Highest seat height', [180, 320, 560]),
      size('depth', 'Seat depth', [180, 290, 500]),
      size('width', 'Seat width', [180, 300, 600]),
      size('topLow', 'Lowest top height', [300, 530, 900]),
      size('topHigh', 'Highest top height', [300, 550, 900]),
      size('knees', 'Free height for knees', [250, 440, 800]),
    ],
    rules: [
      ...seatHeights(
        'seatLow',
        'seatHigh',
        `${SEAT_HEIGHT}; ${SCHOOL} seats of 260, 310, 350, 380, 430 and 460 mm`,
      ),
      seatDepth('depth'),
      times(
        0.8,
        room(
          'depth',
          'ButtockPoplitealLength',
          0,
          'a deeper seat',
          'The seat supports the thighs.',
          'After Parcells, Stommel & Hubbard 1999: at least 80 % of the thigh',
        ),
      ),
      seatBreadth('width', 25),
      ...tableHeights(
        'topLow',
        'topHigh',
        'knees',
        `${OWN}; ${SCHOOL} tables of 460, 530, 590, 640, 710 and 760 mm`,
      ),
    ],
    couplings: [
      inOrder('seatLow', 'seatHigh'),
      inOrder('topLow', 'topHigh'),
      kneesBelow('topHigh', 'knees'),
    ],
  },
];

export const FURNITURE_SCENES: Scenes = {
  desk: (mm, { scale: k, backMm: back, abdomenMm: edge }) => {
    const end = edge + Math.max(700, mm('depth') + 40);
    const top = Math.max(mm('high'), mm('low'));
    return {
      box: [-320, end + 480, -60, Math.max(1320 * k, top + 100)],
      bodies: [{ view: 'sittingTable', x: back, y: 0 }],
      lines: [
        solid(
          [edge, mm('low')],
          [end, mm('low')],
          [end, mm('low') - 25],
          [edge, mm('low') - 25],
          [edge, mm('low')],
        ),
        solid([end - 20, 0], [end - 20, mm('low') - 25]),
        dashed([edge, mm('high')], [end, mm('high')]),
        dashed([edge + 40, mm('knees')], [edge + mm('depth'), mm('knees')]),
        solid([edge + mm('depth'), 0], [edge + mm('depth'), mm('low') - 25]),
      ],
      dimensions: [
        vertical('low', end + 90),
        vertical('high', end + 320),
        vertical('knees', edge + Math.min(200, mm('depth') * 0.5)),
        across('depth', edge, 150),
      ],
    };
  },
  chair: (mm, { scale: k, backMm: back, seatMm }) => {
    // The person sits at the seat height that fits, if the chair allows this height.
    const height = Math.max(mm('low'), Math.min(mm('high'), seatMm));
    const front = back + mm('depth');
    const half = mm('width') / 2;
    return {
      box: [-620, FRONT_X + 420, -60, height + 960 * k],
      bodies: [
        { view: 'sittingSide', x: back, y: height - seatMm },
        { view: 'sittingFront', x: FRONT_X, y: height - seatMm },
      ],
      lines: [
        solid(
          [back, height + 450],
          [back, height],
          [front, height],
          [front, height - 40],
          [back, height - 40],
        ),
        solid([front - 40, height - 40], [front - 40, 0]),
        solid([back + 40, height - 40], [back + 40, 0]),
        box(FRONT_X - half, FRONT_X + half, height - 40, height),
        dashed([back, mm('low')], [front, mm('low')]),
        dashed([back, mm('high')], [front, mm('high')]),
        solid([FRONT_X - half, height], [FRONT_X - half, height + 200]),
        solid([FRONT_X + half, height], [FRONT_X + half, height + 200]),
      ],
      dimensions: [
        vertical('low', back - 130),
        vertical('high', back - 340),
        across('depth', back, height - 110),
        across('width', FRONT_X - half, height - 110),
      ],
    };
  },
  bed: (mm, { scale: k, statureMm }) => ({
    box: [-120, Math.max(mm('length'), 1760 * k) + 200, -220, Math.max(mm('width'), 700) + 120],
    bodies: [{ view: 'standingFront', x: 60 + statureMm, y: mm('width') / 2, isLying: true }],
    lines: [
      box(0, mm('length'), 0, mm('width')),
      box(20, 380, mm('width') * 0.2, mm('width') * 0.8),
    ],
    dimensions: [across('length', 0, -110), vertical('width', mm('length') + 110)],
  }),
  counter: (mm, { scale: k }) => ({
    box: [-320, 1330, -60, 1760 * k],
    bodies: [{ view: 'standingSide', x: 0, y: 0 }],
    lines: [
      solid([-300, 0], [1200, 0]),
      box(200 * k, 800, mm('low') - 40, mm('low')),
      box(260 * k, 780, 100, mm('low') - 40),
      dashed([200 * k, mm('high')], [800, mm('high')]),
    ],
    dimensions: [vertical('low', 920), vertical('high', 1150)],
  }),
  shelf: (mm, { scale: k }) => ({
    box: [-380, 1150, -60, Math.max(2120 * k, mm('top') + 120)],
    bodies: [{ view: 'standingOverhead', x: 0, y: 0 }],
    lines: [
      solid([-360, 0], [1100, 0]),
      box(320 * k, 760, mm('top') - 20, mm('top')),
      box(320 * k, 760, mm('bottom') - 20, mm('bottom')),
      solid([760, 0], [760, mm('top') + 80]),
    ],
    dimensions: [vertical('top', 1000), vertical('bottom', 860)],
  }),
  'school-desk': (mm, { scale: k, backMm: back, abdomenMm: edge, seatMm }) => {
    // The child sits at the seat height that fits, if the chair allows this height.
    const seat = Math.max(mm('seatLow'), Math.min(mm('seatHigh'), seatMm));
    const [end, half] = [edge + 600 * k, mm('width') / 2];
    const front = end + 650 * k;
    return {
      box: [back - 420, front + 300 * k, -60, Math.max(1320 * k, mm('topHigh') + 100)],
      bodies: [
        { view: 'sittingTable', x: back, y: seat - seatMm },
        { view: 'sittingFront', x: front, y: seat - seatMm },
      ],
      lines: [
        box(edge, end, mm('topLow') - 25, mm('topLow')),
        solid([end - 20, 0], [end - 20, mm('topLow') - 25]),
        dashed([edge, mm('topHigh')], [end, mm('topHigh')]),
        dashed([edge + 40, mm('knees')], [end - 40, mm('knees')]),
        solid([back, seat + 380 * k], [back, seat], [back + mm('depth'), seat]),
        solid([back + 30, seat], [back + 30, 0]),
        solid([back + mm('depth') - 30, seat], [back + mm('depth') - 30, 0]),
        box(front - half, front + half, seat - 30, seat),
      ],
      dimensions: [
        vertical('seatLow', back - 120),
        vertical('seatHigh', back - 300),
        across('depth', back, seat - 90),
        across('width', front - half, seat - 90),
        vertical('topLow', end + 80),
        vertical('topHigh', end + 260),
        vertical('knees', edge + 120),
      ],
    };
  },
};
