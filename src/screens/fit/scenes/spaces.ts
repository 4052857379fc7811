import {
  across,
  arc,
  behind,
  floor,
  hidden,
  line,
  type Part,
  type Scenes,
  sides,
  sitter,
  slab,
  vertical,
  viewed,
} from './drawing-parts.js';

/** Thickness of a guard, mm, and height of the seat of a wheelchair with its cushion, which its rules have. */
const [GUARD_MM, WHEELCHAIR_SEAT_MM] = [8, 480];
/** Height of the hand of a bent arm on a rail, as a share of stature. */
const HAND_AT = 0.53;

export const SPACES_SCENES: Scenes = {
  doorway: (mm) => {
    const [width, height] = [mm('width'), mm('height')];
    return [
      {
        placed: viewed('standingFront', width / 2),
        shapes: [
          floor(-260, width + 420),
          slab(-60, 0, 0, height + 60),
          slab(width, width + 60, 0, height + 60),
          slab(0, width, height, height + 60),
        ],
        dimensions: [
          { ...vertical('height', width + 110), thing: width },
          across('width', 0, height + 110, height),
        ],
      },
    ];
  },
  handrail: (mm, { scale: k, statureMm }) => {
    // The rails are beside the person, who takes the one that is nearer to a bent arm.
    const far = (size: string) => Math.abs(mm(size) - HAND_AT * statureMm);
    const used = mm(far('low') < far('high') ? 'low' : 'high');
    const hand = [220 * k, used - mm('diameter') / 2] as const;
    const [start, end] = [-320 * k, 620 * k];
    return [
      {
        placed: { body: { pose: 'standing', hands: [hand], hold: true }, x: 0, y: 0 },
        shapes: [
          floor(start - 60, end + 60),
          ...[start + 80 * k, end - 80 * k].map((x) => behind(x - 15, x + 15, 0, mm('high') - 10)),
          ...['low', 'high'].map((id) => behind(start, end, mm(id) - mm('diameter'), mm(id))),
        ],
        dimensions: [vertical('low', end - 30 * k), vertical('high', end - 30 * k)],
      },
    ];
  },
  wheelchair: (mm, { scale: k, abdomenMm, kneeMm }) => {
    const [seat, rear, half] = [WHEELCHAIR_SEAT_MM, -250, mm('width') / 2];
    const [end, wall] = [rear + mm('length'), kneeMm + 190 * k];
    const ball = 0.95 * kneeMm + 60 * k;
    const chair = [
      line(...arc(40, 300, 300)),
      hidden(...arc(0.66 * kneeMm, 75, 75)),
      slab(-30, 0.8 * kneeMm, seat - 40, seat),
      slab(-40, -12, seat, seat + 400 * k),
      hidden([0.75 * kneeMm, seat - 40], [ball - 150 * k, 42]),
      slab(ball - 170 * k, ball + 40 * k, 38, 50),
    ];
    const low = { feet: [0, 1].map(() => [ball, 50 - seat] as const) };
    const hand = [wall - 45, mm('control') - seat] as const;
    return [
      {
        placed: sitter(seat, low),
        shapes: [
          floor(rear - 80, end + 80),
          ...chair,
          slab(end, end + 25, 0, 1200),
          slab(rear - 25, rear, 0, 1200),
          slab(abdomenMm + 90 * k, end, mm('knees'), mm('knees') + 30),
        ],
        dimensions: [across('length', rear, 60), vertical('knees', end - 60)],
      },
      {
        placed: sitter(seat, { ...low, hands: [hand] }),
        shapes: [
          floor(rear - 80, wall + 80),
          ...chair,
          slab(wall, wall + 25, 0, mm('control') + 200),
          slab(wall - 25, wall, mm('control') - 40, mm('control') + 40),
        ],
        dimensions: [vertical('control', wall + 12)],
      },
      {
        placed: sitter(seat, { isFromFront: true }),
        shapes: [
          floor(-half - 100, half + 100),
          ...sides(half, 25, 0, 1200),
          ...[-1, 1].map((side) => behind(side * 265 - 20, side * 265 + 20, 0, 600)),
          behind(-245, 245, seat - 40, seat),
          slab(-150 * k, 150 * k, 38, 50),
        ],
        dimensions: [across('width', -half, 60)],
      },
    ];
  },
  'safety-opening': (mm, { scale: k, handMm, fingerMm, handBreadthMm, headMm }) => {
    /** Two plates with a gap, whose lower side is at 0. */
    const plates = (gap: number, half: number) => sides(gap / 2, half - gap / 2, 0, GUARD_MM);
    /** A hand that passes up to the wrist or to the knuckles, and what it must not touch. */
    const through = (size: string, reached: number): Part => ({
      placed: viewed('handPalm', 0, reached - handMm),
      shapes: [
        ...plates(1.7 * handBreadthMm, 150 * k),
        slab(-150 * k, 150 * k, mm(size), mm(size) + 14),
      ],
      dimensions: [vertical(size, 120 * k)],
    });
    return [
      {
        placed: viewed('handPalm', 0, -handMm - 4),
        shapes: plates(mm('hand'), 150 * k),
        dimensions: [across('hand', -mm('hand') / 2, 60 * k, GUARD_MM)],
      },
      {
        placed: viewed('headFront', 0, -6),
        shapes: plates(mm('head'), 0.9 * headMm),
        dimensions: [across('head', -mm('head') / 2, 60 * k, GUARD_MM)],
      },
      through('fingerFar', fingerMm),
      through('handFar', handMm),
    ];
  },
  'crush-gap': (mm, { statureMm }) => {
    const [half, height] = [mm('body') / 2, 1.1 * statureMm];
    return [
      {
        placed: viewed('standingSide'),
        shapes: [floor(-half - 300, half + 300), ...sides(half, 200, 0, height)],
        dimensions: [across('body', -half, 1.06 * statureMm)],
      },
    ];
  },
};
