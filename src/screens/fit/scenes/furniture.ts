import {
  across,
  type BodySizes,
  behind,
  chairFromSide,
  floor,
  frontOfSeat,
  levels,
  type Part,
  type Scenes,
  setting,
  sitter,
  slab,
  vertical,
  viewed,
} from './drawing-parts.js';

/** How far the wrists are from the abdomen at a table, and the hands above and behind its edge, mm of an average adult. */
const [EDGE, ABOVE, ON] = [70, 22, 110];
const TOP_MM = 25;

/** A person with the hands on a table: its edge, and the person. */
function atTable({ scale: k, abdomenMm }: BodySizes, seatMm: number, topMm: number) {
  const edge = abdomenMm + EDGE * k;
  const hand = [edge + ON * k, topMm - seatMm + ABOVE * k] as const;
  return { edge, placed: sitter(seatMm, { hands: [hand, hand] }) };
}

export const FURNITURE_SCENES: Scenes = {
  desk: (mm, body) => {
    const { scale: k, seatMm, thighMm, tableMm } = body;
    const top = setting(mm('low'), mm('high'), tableMm - TOP_MM);
    const { edge, placed } = atTable(body, seatMm, top);
    const panel = edge + mm('depth');
    const end = panel + 230;
    return [
      {
        placed,
        shapes: [
          floor(-300 * k, end),
          ...chairFromSide(seatMm, 0.85 * thighMm, k),
          slab(edge, end, top - TOP_MM, top),
          slab(panel, panel + 18, 0.6 * seatMm, top - TOP_MM),
          slab(end - 90, end - 50, 0, top - TOP_MM),
          ...levels(mm, end - 190, end + 40, 'low', 'high'),
          ...levels(mm, edge, panel, 'knees'),
        ],
        dimensions: [
          vertical('low', end - 150),
          vertical('high', end - 10),
          vertical('knees', panel - 30),
          across('depth', edge, 0.7 * seatMm),
        ],
      },
    ];
  },
  chair: (mm, { scale: k, seatMm }) => {
    const height = setting(mm('low'), mm('high'), seatMm);
    return [
      {
        placed: sitter(height),
        shapes: [
          floor(-320 * k, 700 * k),
          ...chairFromSide(height, mm('depth'), k),
          ...levels(mm, -260 * k, -60 * k, 'low', 'high'),
        ],
        dimensions: [
          vertical('low', -110 * k),
          vertical('high', -200 * k),
          across('depth', 0, height - 20 * k),
        ],
      },
      frontOfSeat(height, mm('width'), k),
    ];
  },
  bed: (mm, { statureMm }) => [
    {
      placed: { ...viewed('standingFront', 60 + statureMm, mm('width') / 2), isLying: true },
      shapes: [
        behind(0, mm('length'), 0, mm('width')),
        behind(20, 0.2 * statureMm, mm('width') * 0.2, mm('width') * 0.8),
      ],
      dimensions: [across('length', 0, 50), vertical('width', mm('length') - 60)],
    },
  ],
  counter: (mm, { scale: k, abdomenMm, elbowMm }) => {
    const top = setting(mm('low'), mm('high'), elbowMm - 100);
    const edge = abdomenMm + 60 * k;
    const hand = [edge + 150 * k, top + ABOVE * k] as const;
    return [
      {
        placed: { body: { pose: 'standing', hands: [hand, hand] }, x: 0, y: 0 },
        shapes: [
          floor(-250 * k, edge + 650),
          slab(edge, edge + 600, top - 40, top),
          slab(edge + 40, edge + 580, 100, top - 40),
          slab(edge + 110, edge + 560, 0, 100),
          ...levels(mm, edge + 420, edge + 640, 'low', 'high'),
        ],
        dimensions: [vertical('low', edge + 460), vertical('high', edge + 540)],
      },
    ];
  },
  shelf: (mm, { scale: k, handBreadthMm }) => {
    const part = (body: 'standingOverhead' | 'standingFront', size: 'top' | 'bottom'): Part => {
      const edge = body === 'standingOverhead' ? 250 * k : 270 * k + handBreadthMm;
      return {
        placed: viewed(body),
        shapes: [
          floor(-300 * k, edge + 460),
          slab(edge + 420, edge + 450, 0, mm('top') + 80),
          ...['top', 'bottom'].map((id) => slab(edge, edge + 420, mm(id) - 25, mm(id))),
        ],
        dimensions: [vertical(size, edge + 300)],
      };
    };
    return [part('standingOverhead', 'top'), part('standingFront', 'bottom')];
  },
  'school-desk': (mm, body) => {
    const { scale: k, seatMm, tableMm } = body;
    // A seat may be up to a seventh lower than the hollow of the knee.
    const seat = setting(mm('seatLow'), mm('seatHigh'), 0.95 * seatMm);
    const top = setting(mm('topLow'), mm('topHigh'), tableMm - TOP_MM);
    const { edge, placed } = atTable(body, seat, top);
    const end = edge + 640 * k;
    return [
      {
        placed,
        shapes: [
          floor(-280 * k, end),
          ...chairFromSide(seat, mm('depth'), k),
          slab(edge, end, top - TOP_MM, top),
          slab(end - 60 * k, end - 20 * k, 0, top - TOP_MM),
          ...levels(mm, -250 * k, -60 * k, 'seatLow', 'seatHigh'),
          ...levels(mm, end - 200 * k, end + 40 * k, 'topLow', 'topHigh'),
          ...levels(mm, edge, end - 60 * k, 'knees'),
        ],
        dimensions: [
          vertical('seatLow', -110 * k),
          vertical('seatHigh', -200 * k),
          across('depth', 0, seat - 20 * k),
          vertical('topLow', end - 150 * k),
          vertical('topHigh', end + 10 * k),
          vertical('knees', end - 240 * k),
        ],
      },
      frontOfSeat(seat, mm('width'), k),
    ];
  },
};
