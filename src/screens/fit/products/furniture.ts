import {
  inOrder,
  kneesBelow,
  OWN,
  type Product,
  people,
  reach,
  room,
  SEAT_HEIGHT,
  STANDING_WORK,
  seatBreadth,
  seatDepth,
  seatHeights,
  size,
  tableHeights,
  times,
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
        OWN,
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
        OWN,
      ),
      room(
        'width',
        'WholeBodyBreadthMax',
        200,
        'a wider bed',
        'A person lying on the back can turn.',
        OWN,
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
        OWN,
      ),
      room(
        'bottom',
        'KnuckleHeight',
        -50,
        'a higher lowest shelf',
        'The hand reaches the lowest shelf upright.',
        OWN,
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
