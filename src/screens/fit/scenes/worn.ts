import {
  across,
  arc,
  box,
  type Dot,
  dashed,
  type Scenes,
  solid,
  vertical,
} from './drawing-parts.js';

export const WORN_SCENES: Scenes = {
  helmet: (mm, { scale: k }) => {
    const [from, front] = [100 - mm('length') / 2, 420];
    const half = mm('breadth') / 2;
    const dome = (left: number, right: number) => {
      const [middle, r] = [(left + right) / 2, (right - left) / 2];
      return solid(
        ...Array.from({ length: 25 }, (_, i): Dot => {
          const turn = Math.PI - (i * Math.PI) / 24;
          return [middle + r * Math.cos(turn), -110 * k + 130 * Math.sin(turn)];
        }),
      );
    };
    return {
      box: [-40, 560, -330 * k, 100],
      bodies: [
        { view: 'headSide', x: 100 - 96 * k, y: 0 },
        { view: 'headFront', x: front, y: 0 },
      ],
      lines: [dome(from, from + mm('length')), dome(front - half, front + half)],
      dimensions: [across('length', from, 60), across('breadth', front - half, 60)],
    };
  },
  glove: (mm, { scale: k }) => ({
    box: [-160, 220, -60, Math.max(210 * k, mm('length')) + 40],
    bodies: [{ view: 'handPalm', x: 0, y: 0 }],
    lines: [dashed([-110, mm('length')], [110, mm('length')]), dashed([-110, 0], [110, 0])],
    dimensions: [vertical('length', 150)],
  }),
  'vr-headset': (mm, { scale: k }) => {
    const [front, eyes, nose] = [420, mm('eyes') / 2, mm('nose') / 2];
    return {
      box: [-40, 580, -330 * k, 100],
      bodies: [
        { view: 'headSide', x: 100 - 96 * k, y: 0 },
        { view: 'headFront', x: front, y: 0 },
      ],
      lines: [
        box(100 + 80 * k, 100 + 170 * k, -160 * k, -70 * k),
        solid([100 + 80 * k, -95 * k], [100 - 96 * k, -95 * k]),
        solid(
          ...([
            [front - eyes, -70 * k],
            [front + eyes, -70 * k],
            [front + eyes, -160 * k],
            [front + nose, -160 * k],
            [front, -125 * k],
            [front - nose, -160 * k],
            [front - eyes, -160 * k],
            [front - eyes, -70 * k],
          ] as const),
        ),
      ],
      dimensions: [across('eyes', front - eyes, 60), across('nose', front - nose, -195 * k)],
    };
  },
  'face-mask': (mm, { scale: k }) => {
    const [front, mouth, nose] = [420, mm('mouth') / 2, mm('nose') / 2];
    return {
      box: [-40, 580, -330 * k, 100],
      bodies: [
        { view: 'headSide', x: 100 - 96 * k, y: 0 },
        { view: 'headFront', x: front, y: 0 },
      ],
      lines: [
        solid(
          [100 + 95 * k, -125 * k],
          [100 + 140 * k, -165 * k],
          [100 + 75 * k, -230 * k],
          [100 + 60 * k, -180 * k],
          [100 + 95 * k, -125 * k],
        ),
        solid([100 + 60 * k, -180 * k], [100 - 80 * k, -110 * k]),
        solid(
          ...([
            [front - nose * 0.6, -125 * k],
            [front + nose * 0.6, -125 * k],
            [front + nose, -160 * k],
            [front + mouth, -185 * k],
            [front + mouth * 0.6, -235 * k],
            [front - mouth * 0.6, -235 * k],
            [front - mouth, -185 * k],
            [front - nose, -160 * k],
            [front - nose * 0.6, -125 * k],
          ] as const),
        ),
      ],
      dimensions: [across('mouth', front - mouth, -270 * k), across('nose', front - nose, 60)],
    };
  },
  backpack: (mm, { scale: k, statureMm }) => {
    const [waist, back] = [0.6 * statureMm, -120 * k];
    const low = waist + mm('backMin');
    return {
      box: [-720 * k, 400 * k, -60, 1760 * k],
      bodies: [{ view: 'standingSide', x: 0, y: 0 }],
      lines: [
        box(back - 200 * k, back, waist - 60 * k, low),
        box(back - 280 * k, back - 200 * k, waist - 40 * k, waist + mm('backMin') * 0.6),
        dashed([back - 200 * k, waist + mm('backMax')], [back, waist + mm('backMax')]),
        solid([back, waist], [back + 240 * k, waist]),
        solid([back, low - 20 * k], [back + 200 * k, low - 110 * k], [back, waist + 60 * k]),
      ],
      dimensions: [
        vertical('backMin', back - 360 * k, waist),
        vertical('backMax', back - 520 * k, waist),
      ],
    };
  },
  'exoskeleton-cuff': (mm, { scale: k, statureMm }) => {
    const [leg, knee, bar] = [95 * k, 0.275 * statureMm, 210 * k];
    const cuff = (size: string, y: number) => {
      const half = mm(size) / Math.PI / 2;
      return box(leg - half, leg + half, y - 40 * k, y + 40 * k);
    };
    return {
      box: [-360 * k, 560 * k, -60, 1100 * k],
      bodies: [{ view: 'standingFront', x: 0, y: 0 }],
      lines: [
        cuff('thighMax', 0.4 * statureMm),
        cuff('calfMax', 0.2 * statureMm),
        arc(bar, knee, 25 * k),
        solid([bar, 0.1 * statureMm], [bar, knee + mm('lengthMin')]),
        dashed([bar, knee + mm('lengthMin')], [bar, knee + mm('lengthMax')]),
        arc(bar, knee + mm('lengthMax'), 25 * k),
        solid([leg, 0.4 * statureMm], [bar, 0.4 * statureMm]),
        solid([leg, 0.2 * statureMm], [bar, 0.2 * statureMm]),
      ],
      dimensions: [vertical('lengthMin', 300 * k, knee), vertical('lengthMax', 420 * k, knee)],
    };
  },
};
