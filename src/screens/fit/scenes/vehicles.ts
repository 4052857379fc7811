import {
  across,
  arc,
  behind,
  type Dot,
  floor,
  frontOfSeat,
  hidden,
  levels,
  line,
  mark,
  type Scenes,
  setting,
  sides,
  sitter,
  slab,
  solid,
  vertical,
} from './drawing-parts.js';

/** Wheels of a bicycle, the axle of its pedals, half its wheel base and a crank, mm: those of a usual city bicycle. */
const BICYCLE = { wheel: 340, axle: 285, rear: -440, front: 620, crank: 170, tip: 180 } as const;
const RIDER = { pose: 'sitting', leanDegrees: 35, hold: true } as const;
/** Height of the foot rest of a stroller, above its wheels, mm. */
const STROLLER_REST_MM = 280;
/** How far a saddle is behind the axle of the pedals, as a share of its height: a seat tube of 73°. */
const TUBE_SLOPE = 0.3;

export const VEHICLES_SCENES: Scenes = {
  'seat-row': (mm, { scale: k }) => {
    const [seat, pitch] = [mm('height'), mm('pitch')];
    const [ceiling, door] = [seat + mm('headroom'), mm('shoulders') / 2];
    const row = (x: number) => [
      slab(x - 60, x - 12, seat - 80, seat + 640 * k),
      slab(x - 60, x + 400 * k, seat - 80, seat),
      slab(x + 140, x + 175, 0, seat - 80),
    ];
    return [
      {
        placed: sitter(seat),
        shapes: [
          floor(-150, pitch + 480),
          ...row(0),
          ...row(pitch + 60),
          slab(-150, pitch + 480, ceiling, ceiling + 30),
        ],
        dimensions: [
          vertical('height', -30),
          across('pitch', 0, seat + 560 * k),
          vertical('headroom', pitch + 160, seat),
        ],
      },
      frontOfSeat(seat, mm('width'), k, sides(door, 22, seat + 300 * k, seat + 640 * k), [
        across('shoulders', -door, seat + 620 * k),
      ]),
    ];
  },
  'car-seat': (mm, { scale: k, seatMm: seat }) => {
    const [legroom, roof] = [mm('legroom'), seat + mm('headroom')];
    const [top, door] = [seat + mm('restraint'), mm('shoulders') / 2];
    return [
      {
        placed: sitter(seat),
        shapes: [
          floor(-200, legroom + 260),
          slab(-110, -12, seat - 130, top - 190),
          slab(-110, mm('depth'), seat - 130, seat),
          slab(-60, mm('depth') - 120, 0, seat - 130),
          slab(-80, -66, top - 190, top - 140),
          slab(-120, -25, top - 140, top),
          slab(legroom, legroom + 140, seat - 60, seat + 320 * k),
          slab(-200, legroom + 140, roof, roof + 30),
        ],
        dimensions: [
          vertical('restraint', -100, seat),
          across('depth', 0, seat - 65),
          across('legroom', 0, seat + 290 * k),
          vertical('headroom', legroom - 60, seat),
        ],
      },
      frontOfSeat(seat, mm('width'), k, sides(door, 40, seat - 100, seat + 640 * k), [
        across('shoulders', -door, seat + 600 * k),
      ]),
    ];
  },
  bicycle: (mm, { scale: k, hipMm }) => {
    const { wheel, axle, rear, front, crank, tip } = BICYCLE;
    const pedal = axle - crank;
    const saddle = pedal + setting(mm('saddleLow'), mm('saddleHigh'), hipMm);
    const back = -TUBE_SLOPE * (saddle - axle) - 130 * k;
    const nose = back + 110 * k + tip;
    const bar = nose + setting(mm('barNear'), mm('barFar'), 455 * k);
    const [head, tube] = [Math.min(front - 120, bar + 40), mm('tube')];
    const gripY = saddle + 30 * k;
    // The buttocks hang beside the saddle. The hand is in the middle of its grip.
    const hips = saddle - 30 * k;
    const grip: Dot = [bar - 30 * k - back, gripY - hips];
    const feet = [axle + crank, pedal].map((y): Dot => [20 * k - back, y - hips]);
    const seatTube = (y: number): Dot => [-TUBE_SLOPE * (y - axle), y];
    const post = (side: number): readonly Dot[] =>
      [tube, saddle - 36].map((y) => [seatTube(y)[0] + side, y]);
    return [
      {
        placed: {
          ...{ x: back, y: hips },
          body: { ...RIDER, seatMm: hips, hands: [grip, grip], feet },
        },
        shapes: [
          floor(rear - 400, front + 400),
          ...[rear, front].map((x) => hidden(...arc(x, wheel, wheel))),
          hidden([rear, wheel], [0, axle], [head + 30, tube - 130], [head, tube], seatTube(tube), [
            rear,
            wheel,
          ]),
          hidden([0, axle], seatTube(tube)),
          solid(...post(-14), ...post(14).toReversed(), ...post(-14).slice(0, 1)),
          hidden([front, wheel], [head, tube], [head - 30, gripY - 20 * k], [bar, gripY]),
          hidden([0, pedal], [0, axle + crank]),
          ...feet.map(([, y]) => behind(-45, 45, hips + y - 18, hips + y)),
          behind(bar - 100 * k, bar + 15 * k, gripY - 14, gripY + 14),
          solid(
            [nose - 285, saddle + 12],
            [nose - 200, saddle],
            [nose, saddle],
            [nose - 10, saddle - 22],
            [nose - 150, saddle - 34],
            [nose - 270, saddle - 42],
            [nose - 285, saddle + 12],
          ),
          ...levels((id) => pedal + mm(id), nose - 400, nose - 285, 'saddleLow', 'saddleHigh'),
          ...['barNear', 'barFar'].map((id) =>
            mark(id, [nose + mm(id), saddle - 40], [nose + mm(id), gripY]),
          ),
        ],
        dimensions: [
          vertical('tube', 0.5 * head),
          vertical('saddleLow', nose - 360, pedal),
          vertical('saddleHigh', nose - 360, pedal),
          across('barNear', nose, saddle - 12),
          across('barFar', nose, saddle - 12),
        ],
      },
    ];
  },
  stroller: (mm, { scale: k }) => {
    const rest = STROLLER_REST_MM;
    const [edge, seat, side] = [mm('depth'), rest + mm('legs'), mm('shoulders') / 2];
    // The feet are on the rest, as on a floor.
    const placed = (isFromFront = false) => ({ ...sitter(mm('legs'), { isFromFront }), y: seat });
    return [
      {
        placed: placed(),
        shapes: [
          floor(-320, edge + 260),
          slab(-40, -12, seat, seat + mm('back')),
          slab(-40, edge, seat - 30, seat),
          slab(edge, edge + 460 * k, rest - 15, rest),
          hidden([-260, seat + 400], [-40, seat + 200], [edge + 60, 100]),
          hidden([edge, seat - 15], [-30, 120]),
          hidden([edge, seat - 15], [edge + 60 * k, rest]),
          line(...arc(-30, 120, 120)),
          line(...arc(edge + 60, 100, 100)),
        ],
        dimensions: [
          vertical('back', -26, seat),
          across('depth', 0, seat - 15),
          vertical('legs', edge + 440 * k, rest),
        ],
      },
      {
        ...frontOfSeat(
          ...([seat, mm('width'), k] as const),
          [
            ...sides(side, 15, seat + 150 * k, seat + mm('back')),
            behind(-150 * k, 150 * k, rest - 15, rest),
          ],
          [across('shoulders', -side, seat + 0.55 * mm('back'))],
        ),
        placed: placed(true),
      },
    ];
  },
};
