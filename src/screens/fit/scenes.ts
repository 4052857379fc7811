import { lyingIn, type ViewName } from '../../render/drawing.js';

/** A drawing of a body in a scene. */
export interface Placed {
  readonly view: ViewName;
  /** Position of the drawing's origin in mm. The y axis points up. */
  readonly x: number;
  readonly y: number;
  /** Whether the body lies on its back, with the head to the left, seen from above. */
  readonly isLying?: boolean;
}

/** A dimension line of a size, with a handle at its end. */
export interface DimensionLine {
  readonly size: string;
  readonly axis: 'x' | 'y';
  /** Start of the line on its axis, mm. */
  readonly from: number;
  /** Position of the line: x for a vertical line, y for a horizontal one. */
  readonly at: number;
}

/** A product with people in mm, y upwards. */
export interface Scene {
  readonly box: readonly [left: number, right: number, bottom: number, top: number];
  readonly bodies: readonly Placed[];
  /** Lines of the product as points. A `dashed` line is another setting of the same part. */
  readonly lines: readonly { readonly points: readonly Dot[]; readonly dashed?: boolean }[];
  readonly dimensions: readonly DimensionLine[];
}

type Dot = readonly [x: number, y: number];

/** Sizes of the body that a scene needs, mm. */
export interface BodySizes {
  /** Size relative to the average body. */
  readonly scale: number;
  readonly statureMm: number;
  /** Height of the seat. */
  readonly seatMm: number;
  /** Position of the plane of the back of a sitting person. `abdomenMm` is the front of the abdomen. */
  readonly backMm: number;
  readonly abdomenMm: number;
}

/** Draws a product with its sizes in mm and the sizes of the body. */
type Draw = (mm: (size: string) => number, body: BodySizes) => Scene;

const solid = (...points: readonly Dot[]) => ({ points });
const dashed = (...points: readonly Dot[]) => ({ points, dashed: true });
const box = (left: number, right: number, bottom: number, top: number) =>
  solid([left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]);
const vertical = (size: string, at: number, from = 0): DimensionLine => ({
  size,
  axis: 'y',
  from,
  at,
});
const across = (size: string, from: number, at: number): DimensionLine => ({
  size,
  axis: 'x',
  from,
  at,
});

/** Sizes of an average adult, for a scene without a person: rounded medians of men and women. */
const AVERAGE = { statureMm: 1695, seatMm: 415, backMm: -150, abdomenMm: 98 } as const;
/** Middle of the seat drawing from the front. It is beside the side view. */
const FRONT_X = 1150;

/** Scenes by product. A product without a scene has only its rulers. */
export const SCENES: Readonly<Record<string, Draw>> = {
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
};

/** The sizes for a scene without a person. */
export const AVERAGE_SIZES: BodySizes = { scale: 1, ...AVERAGE };

/** The sizes of a person with these predicted dimensions, mm. */
export function sizesOf(valuesMm: Readonly<Record<string, number>>): BodySizes {
  const { Stature: statureMm = AVERAGE.statureMm, PoplitealHeight, AbdominalDepth } = valuesMm;
  const scale = statureMm / AVERAGE.statureMm;
  const backMm = AVERAGE.backMm * scale;
  return {
    scale,
    statureMm,
    backMm,
    seatMm: PoplitealHeight ?? AVERAGE.seatMm * scale,
    abdomenMm: backMm + (AbdominalDepth ?? (AVERAGE.abdomenMm - AVERAGE.backMm) * scale),
  };
}

/**
 * The views of a body in the picture of a product; empty for own limits. People who are drawn lying have none where
 * others stand or sit.
 */
export function viewsOfProduct(product: string, ageYears: number): readonly ViewName[] {
  const bodies = SCENES[product]?.(() => 0, AVERAGE_SIZES).bodies ?? [];
  const shown = bodies.filter(({ view, isLying }) => isLying || !lyingIn(view, ageYears));
  return [...new Set(shown.map(({ view }) => view))];
}
