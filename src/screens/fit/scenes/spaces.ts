import {
  across,
  arc,
  box,
  dashed,
  FRONT_X,
  type Scenes,
  solid,
  vertical,
} from './drawing-parts.js';

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
        // The slot for fingers has no size: no measurement decides which opening stops them.
        ...hole(-120, 20, 12),
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
