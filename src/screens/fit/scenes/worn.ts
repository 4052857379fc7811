import {
  across,
  arc,
  behind,
  type Dot,
  line,
  mark,
  type Part,
  type Scenes,
  slab,
  solid,
  vertical,
  viewed,
} from './drawing-parts.js';

/** Thickness of the shell of a helmet, mm. */
const SHELL_MM = 22;

export const WORN_SCENES: Scenes = {
  helmet: (mm, { headMm, scale: k }) => {
    const low = -0.62 * headMm;
    const shell = (size: string, middle: number, view: 'headSide' | 'headFront'): Part => {
      const half = mm(size) / 2;
      const outer = arc(middle, low, half + SHELL_MM, SHELL_MM + 8 - low, 1);
      return {
        placed: viewed(view),
        shapes: [
          solid(...outer, ...arc(middle, low, half, 8 - low, 1).toReversed(), outer[0] as Dot),
        ],
        dimensions: [across(size, middle - half, 60 * k, low)],
      };
    };
    return [shell('length', headMm / 2, 'headSide'), shell('breadth', 0, 'headFront')];
  },
  glove: (mm, { scale: k, handBreadthMm }) => [
    {
      placed: viewed('handPalm'),
      shapes: [
        slab(-0.42 * handBreadthMm, 0.42 * handBreadthMm, -50 * k, 0),
        line([-90 * k, 0], [120 * k, 0]),
        mark('length', [-90 * k, mm('length')], [120 * k, mm('length')]),
      ],
      dimensions: [vertical('length', 105 * k)],
    },
  ],
  'vr-headset': (mm, { headMm }) => {
    const [eyes, nose] = [mm('eyes') / 2, mm('nose') / 2];
    const [top, bottom] = [-0.36 * headMm, -0.76 * headMm];
    const right: readonly Dot[] = [
      [0, top],
      [eyes, top],
      [eyes, bottom],
      [nose, bottom],
      [0, (top + bottom) / 2],
    ];
    return [
      {
        placed: viewed('headFront'),
        shapes: [line(...right), line(...right.map(([x, y]): Dot => [-x, y]))],
        dimensions: [
          across('eyes', -eyes, 0.2 * headMm, top),
          across('nose', -nose, -1.42 * headMm, bottom),
        ],
      },
    ];
  },
  'face-mask': (mm, { headMm }) => {
    const [mouth, nose] = [mm('mouth') / 2, mm('nose') / 2];
    const right: readonly Dot[] = [
      [0, -0.58 * headMm],
      [nose * 0.6, -0.6 * headMm],
      [nose, -0.8 * headMm],
      [mouth, -0.92 * headMm],
      [mouth * 0.6, -1.18 * headMm],
      [0, -1.2 * headMm],
    ];
    return [
      {
        placed: viewed('headFront'),
        shapes: [line(...right), line(...right.map(([x, y]): Dot => [-x, y]))],
        dimensions: [
          across('mouth', -mouth, -1.42 * headMm, -0.92 * headMm),
          across('nose', -nose, 0.2 * headMm, -0.8 * headMm),
        ],
      },
    ];
  },
  backpack: (mm, { scale: k, backMm, neckMm }) => {
    const waist = neckMm - backMm;
    const tall = Math.max(mm('backMin'), Math.min(mm('backMax'), backMm));
    const top = waist + tall;
    return [
      {
        placed: { body: { pose: 'standing' }, x: 0, y: 0 },
        shapes: [
          line([-500 * k, 0], [400 * k, 0]),
          slab(-210 * k, -14 * k, waist - 40 * k, top),
          slab(-280 * k, -210 * k, waist - 20 * k, waist + 0.6 * tall),
          line(
            [-14 * k, top - 20 * k],
            [90 * k, top - 20 * k],
            [190 * k, top - 160 * k],
            [100 * k, waist + 160 * k],
            [-14 * k, waist + 40 * k],
          ),
          line([-14 * k, waist], [230 * k, waist - 30 * k]),
        ],
        dimensions: [vertical('backMin', -110 * k, waist), vertical('backMax', -110 * k, waist)],
      },
    ];
  },
  'exoskeleton-cuff': (mm, { scale: k, statureMm }) => {
    const [leg, knee, bar] = [90 * k, 0.275 * statureMm, 235 * k];
    const cuff = (size: string, y: number) => {
      const half = mm(size) / Math.PI / 2;
      return behind(leg - half, bar, y - 40 * k, y + 40 * k);
    };
    const part = (size: string): Part => ({
      placed: viewed('standingFront'),
      shapes: [
        cuff(size === 'lengthMax' ? 'thighMax' : 'thighMin', 0.4 * statureMm),
        cuff(size === 'lengthMax' ? 'calfMax' : 'calfMin', 0.2 * statureMm),
        slab(bar, bar + 24 * k, 0.1 * statureMm, knee),
        slab(bar, bar + 24 * k, knee, knee + mm(size)),
      ],
      dimensions: [vertical(size, bar + 12 * k, knee)],
    });
    return [part('lengthMin'), part('lengthMax')];
  },
};
