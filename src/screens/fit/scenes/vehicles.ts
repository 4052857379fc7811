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
