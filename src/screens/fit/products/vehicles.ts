// cspell:ignore Tamborindeguy Bini patellofemoral tibiofemoral
import {
  across,
  arc,
  box,
  dashed,
  FRONT_X,
  inOrder,
  lowSeat,
  OWN,
  type Product,
  people,
  reach,
  room,
  type Scenes,
  seatBreadth,
  seatDepth,
  size,
  solid,
  vertical,
} from './rules.js';

/**
 * Tamborindeguy & Bini 2011, "Does saddle height affect patellofemoral and tibiofemoral forces during bicycling
 * for rehabilitation?", Journal of Bodywork and Movement Therapies 15(2):186–191.
 */
const SADDLE =
  'After Tamborindeguy & Bini 2011: 100 % of the height of the trochanter; 3 % more or less did not change the load on the knee';
const BAR = 'Common fitting practice: within an inch of an elbow and a hand';

export const VEHICLES: readonly Product[] = [
  {
    id: 'seat-row',
    title: 'Seat row',
    clothing: 'light_shoes',
    sizes: [
      size('pitch', 'Free depth from the back rest', [300, 700, 1200]),
      size('width', 'Seat width', [200, 450, 800]),
      size('shoulders', 'Width at the shoulders', [200, 500, 900]),
      size('headroom', 'Headroom above the seat', [500, 1000, 1400]),
      size('height', 'Seat height', [150, 430, 600]),
    ],
    rules: [
      room(
        'pitch',
        'ButtockKneeLength',
        50,
        'more depth',
        'The knees do not touch the row in front.',
      ),
      seatBreadth('width', 25),
      room(
        'shoulders',
        'ShoulderBreadthBideltoid',
        0,
        'more width at the shoulders',
        'The shoulders stay inside the own place.',
      ),
      room('headroom', 'SittingHeight', 50, 'more headroom', 'The head stays below what is above.'),
      lowSeat('height', 'The feet reach the floor.'),
    ],
  },
  {
    id: 'car-seat',
    title: 'Car seat',
    clothing: 'light_shoes',
    note: 'The person sits upright. Not covered: the angle of the back rest, the reference points of ISO 6549, belts, and seats for children.',
    sizes: [
      size('headroom', 'Headroom above the seat', [500, 1000, 1300]),
      size('restraint', 'Top of the head restraint', [400, 830, 1100]),
      size('legroom', 'Free depth for the knees', [300, 680, 1000]),
      size('depth', 'Cushion depth', [200, 450, 600]),
      size('width', 'Cushion width', [200, 450, 800]),
      size('shoulders', 'Width at the shoulders', [250, 540, 900]),
    ],
    rules: [
      room('headroom', 'SittingHeight', 50, 'more headroom', 'The head stays below the roof.'),
      room(
        'restraint',
        'SittingEyeHeight',
        0,
        'a higher head restraint',
        'The restraint reaches the level of the eyes.',
        `${OWN}; UN Regulation No. 17 has the rules for approval`,
      ),
      room(
        'legroom',
        'ButtockKneeLength',
        50,
        'more depth for the knees',
        'The knees do not touch what is in front.',
      ),
      seatDepth('depth'),
      seatBreadth('width', 25),
      room(
        'shoulders',
        'ShoulderBreadthBideltoid',
        50,
        'more width at the shoulders',
        'The shoulders do not touch the door.',
      ),
    ],
  },
  {
    id: 'bicycle',
    title: 'Bicycle',
    clothing: 'light_shoes',
    note: 'One frame with its settings. Not covered: the angles of the joints, the style of riding, and the strength and brakes, which EN ISO 4210-2 has.',
    sizes: [
      size('tube', 'Height of the top tube', [300, 740, 1000]),
      size('saddleLow', 'Lowest saddle above the pedal', [400, 830, 1200]),
      size('saddleHigh', 'Highest saddle above the pedal', [400, 970, 1200]),
      size('barNear', 'Nearest handlebar from the saddle', [200, 430, 700]),
      size('barFar', 'Farthest handlebar from the saddle', [200, 480, 700]),
    ],
    rules: [
      reach(
        'tube',
        'CrotchHeight',
        -25,
        'a lower top tube',
        'The rider stands over the top tube with both feet on the ground.',
        'Common fitting practice for road bicycles: an inch of air; mountain bicycles have more',
      ),
      reach(
        'saddleLow',
        'HipHeight',
        0,
        'a lower saddle',
        'At its lowest, the saddle is no higher above the lower pedal than the hip above the floor.',
        SADDLE,
      ),
      room(
        'saddleHigh',
        'HipHeight',
        0,
        'a higher saddle',
        'At its highest, the saddle is as high above the lower pedal as the hip above the floor.',
        SADDLE,
      ),
      reach(
        'barNear',
        'ElbowFingertipLength',
        25,
        'a nearer handlebar',
        'With the elbow at the tip of the saddle, the fingers reach the handlebar.',
        BAR,
      ),
      room(
        'barFar',
        'ElbowFingertipLength',
        -25,
        'a farther handlebar',
        'With the elbow at the tip of the saddle, the fingers do not reach far over the handlebar.',
        BAR,
      ),
    ],
    couplings: [inOrder('saddleLow', 'saddleHigh'), inOrder('barNear', 'barFar')],
  },
  {
    id: 'stroller',
    title: 'Stroller',
    clothing: 'winter',
    people: [people(1, 3)],
    note: 'The child sits upright. Not covered: the handle, which is for the parents (see Counter), children who lie, belts, and safety, which EN 1888-1 tests for children up to 15 kg.',
    sizes: [
      size('back', 'Height of the back rest', [300, 560, 800]),
      size('width', 'Seat width', [150, 280, 500]),
      size('shoulders', 'Width at the shoulders', [180, 320, 600]),
      size('depth', 'Seat depth', [80, 180, 400]),
      size('legs', 'Foot rest below the seat', [100, 260, 450]),
    ],
    rules: [
      room(
        'back',
        'SittingHeight',
        20,
        'a higher back rest',
        'The back rest supports the whole head.',
      ),
      seatBreadth('width', 20),
      room(
        'shoulders',
        'ShoulderBreadthBideltoid',
        20,
        'more width at the shoulders',
        'The shoulders fit between the sides.',
      ),
      seatDepth('depth'),
      room(
        'legs',
        'PoplitealHeight',
        20,
        'more length for the legs',
        'The feet fit above the foot rest.',
      ),
    ],
  },
];

export const VEHICLES_SCENES: Scenes = {
  'seat-row': (mm, { scale: k, backMm: back, seatMm }) => {
    const [seat, front] = [mm('height'), FRONT_X + Math.max(0, mm('pitch') - 700)];
    const ceiling = seat + mm('headroom');
    return {
      box: [-420, front + 560, -60, Math.max(ceiling, seat + 900 * k) + 120],
      bodies: [
        { view: 'sittingSide', x: back, y: seat - seatMm },
        { view: 'sittingFront', x: front, y: seat - seatMm },
      ],
      lines: [
        solid(
          [back, seat + 700],
          [back, seat],
          [back + 430, seat],
          [back + 430, seat - 60],
          [back, seat - 60],
        ),
        solid([back + mm('pitch'), seat + 700], [back + mm('pitch'), seat - 60]),
        solid([-400, ceiling], [front + 400, ceiling]),
        box(front - mm('width') / 2, front + mm('width') / 2, seat - 60, seat),
        solid([front - mm('shoulders') / 2, seat + 400], [front - mm('shoulders') / 2, seat + 760]),
        solid([front + mm('shoulders') / 2, seat + 400], [front + mm('shoulders') / 2, seat + 760]),
      ],
      dimensions: [
        vertical('height', back - 130),
        across('pitch', back, seat + 320),
        vertical('headroom', front + 430, seat),
        across('width', front - mm('width') / 2, seat - 130),
        across('shoulders', front - mm('shoulders') / 2, seat + 790),
      ],
    };
  },
  'car-seat': (mm, { scale: k, backMm: back, seatMm: seat }) => {
    const front = FRONT_X + Math.max(0, mm('legroom') - 700);
    const [roof, half, door] = [seat + mm('headroom'), mm('width') / 2, mm('shoulders') / 2];
    const top = seat + mm('restraint');
    return {
      box: [-520, front + 560, -60, Math.max(roof, seat + 900 * k) + 120],
      bodies: [
        { view: 'sittingSide', x: back, y: 0 },
        { view: 'sittingFront', x: front, y: 0 },
      ],
      lines: [
        solid(
          ...([
            [back, top - 180],
            [back, seat],
            [back + mm('depth'), seat],
            [back + mm('depth'), seat - 130],
            [back - 110, seat - 130],
            [back - 110, top - 180],
            [back, top - 180],
          ] as const),
        ),
        box(back - 80, back, top - 140, top),
        solid([back + mm('legroom'), seat - 250], [back + mm('legroom'), seat + 350]),
        solid([-500, roof], [front + 400, roof]),
        box(front - half, front + half, seat - 130, seat),
        solid([front - door, seat + 100], [front - door, seat + 640]),
        solid([front + door, seat + 100], [front + door, seat + 640]),
      ],
      dimensions: [
        vertical('restraint', back - 200, seat),
        across('depth', back, seat - 190),
        across('legroom', back, seat + 310),
        vertical('headroom', front + 430, seat),
        across('width', front - half, seat - 190),
        across('shoulders', front - door, seat + 680),
      ],
    };
  },
  bicycle: (mm, { scale: k }) => {
    const [pedal, tip, bar] = [110, -150, Math.max(980 * k, mm('tube') + 150)];
    const [low, high] = [pedal + mm('saddleLow'), pedal + mm('saddleHigh')];
    const head = tip + mm('barNear');
    return {
      box: [-1240, 1120, -60, Math.max(1760 * k, high + 120)],
      bodies: [{ view: 'standingSide', x: 0, y: 0 }],
      lines: [
        arc(-560, 340, 340),
        arc(600, 340, 340),
        solid([-560, 340], [-80, 280], [head, mm('tube')]),
        solid([-560, 340], [-190, mm('tube')], [head, mm('tube')]),
        solid([-80, 280], [tip - 100, low]),
        solid([600, 340], [head, mm('tube')], [head, bar], [head + 90, bar]),
        solid([tip - 220, low], [tip, low]),
        dashed([tip - 240, high], [tip - 20, high]),
        dashed([tip + mm('barFar'), bar - 60], [tip + mm('barFar'), bar + 60]),
        solid([-80, 280], [-80, pedal], [-20, pedal]),
      ],
      dimensions: [
        vertical('tube', 60),
        vertical('saddleLow', -960, pedal),
        vertical('saddleHigh', -1130, pedal),
        across('barNear', tip, bar + 90),
        across('barFar', tip, bar + 190),
      ],
    };
  },
  stroller: (mm, { scale: k, backMm: back, seatMm }) => {
    const [lift, front] = [300, 700];
    const [seat, half, side] = [seatMm + lift, mm('width') / 2, mm('shoulders') / 2];
    const [edge, rest] = [back + mm('depth'), seat - mm('legs')];
    return {
      box: [-460, front + 330, -60, seat + Math.max(mm('back'), 900 * k) + 140],
      bodies: [
        { view: 'sittingSide', x: back, y: lift },
        { view: 'sittingFront', x: front, y: lift },
      ],
      lines: [
        solid([back - 220, seat + 400], [back, seat + 250]),
        solid([back, seat + mm('back')], [back, seat], [edge, seat], [edge, rest]),
        solid([edge, rest], [edge + 140, rest]),
        solid([back, seat], [edge + 60, 100]),
        solid([edge, seat], [back, 120]),
        arc(back, 120, 120),
        arc(edge + 60, 100, 100),
        box(front - half, front + half, seat - 30, seat),
        solid([front - side, seat + 80], [front - side, seat + mm('back')]),
        solid([front + side, seat + 80], [front + side, seat + mm('back')]),
      ],
      dimensions: [
        vertical('back', back - 110, seat),
        across('depth', back, seat - 70),
        vertical('legs', edge + 190, rest),
        across('width', front - half, seat - 80),
        across('shoulders', front - side, seat + mm('back') + 40),
      ],
    };
  },
};
