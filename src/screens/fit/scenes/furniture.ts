import { across, box, dashed, FRONT_X, type Scenes, solid, vertical } from './drawing-parts.js';

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
