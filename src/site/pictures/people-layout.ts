import type { MeasurementName } from '../../core/measurements.js';
import type { Lying } from '../../render/frames.js';
import type { PagePicture } from './addresses.js';

/** Postures of drawn people. `Side` is the side from which they are seen. */
export type Posture = 'standing' | 'relaxed' | 'sitting';
export type Side = 'front' | 'side';

/** A person of the picture. */
export interface Figure {
  readonly picture: PagePicture;
  /** The person's own heights over the floor in the order of `BANDS`, mm. */
  readonly heightsMm: readonly number[];
}

/** People of one population: a small, a median and a large person, and the bands of heights. */
export interface DrawnPeople {
  readonly label: string;
  /** Number of the colour, from 1. */
  readonly series: number;
  /** The figures; absent if the model has no bodies. */
  readonly figures?: readonly [small: Figure, median: Figure, large: Figure] | undefined;
  /** P5, P50 and P95 in mm of each of `BANDS`. */
  readonly bandsMm: readonly (readonly number[])[];
}

/** A height of the body. A band beside the figures shows its percentiles. */
export interface Band {
  readonly measurement: MeasurementName;
  readonly name: string;
  /** Distance of the landmark from the middle of the figure, seen from the side and the front, as a share of its height. */
  readonly aside: number;
  readonly across: number;
  /** Whether the height is measured from the seat. The seat is drawn at its median height. */
  readonly overSeat?: boolean;
}

const band = (measurement: MeasurementName, name: string, aside: number, across: number): Band => ({
  ...{ measurement, name, aside, across },
});

const STANDING: readonly Band[] = [
  band('Stature', 'Stature', 0.01, 0),
  band('EyeHeight', 'Eye', 0.05, 0.02),
  band('ShoulderHeight', 'Shoulder', 0, 0.11),
  band('ElbowHeight', 'Elbow', -0.02, 0.14),
  band('WaistHeightStanding', 'Waist', 0.06, 0.09),
  band('CrotchHeight', 'Crotch', 0, 0),
];

/** The bands of each posture, from the top downwards. */
export const BANDS: Readonly<Record<Posture, readonly Band[]>> = {
  standing: STANDING,
  relaxed: STANDING,
  sitting: [
    ...[
      band('SittingHeight', 'Sitting height', 0.09, 0),
      band('SittingEyeHeight', 'Eye', 0.14, 0.025),
      band('SittingShoulderHeight', 'Shoulder', 0.08, 0.14),
      band('SittingElbowHeight', 'Elbow', 0.01, 0.19),
    ].map((one) => ({ ...one, overSeat: true })),
    band('KneeHeight', 'Knee', 0.32, 0.1),
    band('PoplitealHeight', 'Seat', 0.28, 0.12),
  ],
};

/** Content of a picture of people, and its size on the page. */
export interface LayoutOptions {
  readonly posture: Posture;
  readonly people: readonly DrawnPeople[];
  readonly overlaid: boolean;
  readonly widthPx: number;
  /** The largest height of the tallest figure. */
  readonly heightPx: number;
  readonly withBands: boolean;
  /** Space for the heights of the grid, left of the figures. */
  readonly axisPx: number;
}

/**
 * How the people of a population stand. `beside`: a small, a median and a large person beside each other.
 * `median`: the median person alone. `overlaid`: the median people of all populations in one place.
 */
export type Arrangement = 'beside' | 'median' | 'overlaid';

/** A population and the positions of its people. */
export interface PlacedPeople extends DrawnPeople {
  /** Position of x = 0 for the small, the median and the large figure. */
  readonly originsPx: readonly [small: number, median: number, large: number];
  /** Start and width of the population's part of the floor. */
  readonly slotPx: readonly [left: number, width: number];
  /** Lines of the label. They fit the width in `slotPx`. Empty if several populations are in one place. */
  readonly labelLines: readonly string[];
  /** Start of the first band, and the distance to the next band; undefined without bands. */
  readonly bandsPx: readonly [left: number, step: number] | undefined;
  /** Start of the names of heights. Lines lead to them from one figure to the next. */
  readonly namesPx: number | undefined;
}

/** A picture of people to scale on one floor. */
export interface PeopleLayout {
  readonly arrangement: Arrangement;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly floorPx: number;
  readonly axisPx: number;
  readonly pxPerMm: number;
  /** The highest line of the grid. */
  readonly topMm: number;
  /** Whether bands have room for their names. */
  readonly namesBands: boolean;
  readonly people: readonly PlacedPeople[];
}

const GRID_MM = 100;
const TOP_PX = 12;
/** Space above people beside each other. It has their heights in words. */
const HEAD_PX = 12;
const FOOT_PX = 14;
/** Height of the line with the percentiles. The line is below the feet of people who stand beside each other. */
const FEET_PX = 15;
/** A population's name below its feet: line height, character width, maximum number of lines and minimum width. */
export const LABEL = { linePx: 15, charPx: 7.4, linesMax: 3, slotPxMin: 80 } as const;
const GAP_PX = 14;
/** Distance between bands: with names, without names, and with many populations. */
const STEP_PX = { named: 22, plain: 7, crowded: 5 } as const;
/** From this number of populations on, bands use the distance `crowded`. */
const CROWDED_FROM = 4;
/** If less width than this remains for a figure, bands are left out. */
const FIGURE_PX_MIN = 70;
/** Minimum width of a population whose bands have names. */
const NAMED_FROM_PX = 330;
/** Distance between people who stand beside each other. `NAMES_PX` is the width for the names of heights. */
const BESIDE_MM = 40;
const NAMES_PX = 84;
/** People stand beside each other if they are then at least this share as large as in one place. */
const BESIDE_FROM = 0.42;
/** Minimum width of a figure beside others. It leaves space for the height in words. */
const BESIDE_PX_MIN = 66;

/** Left, right and top of the things in one part of the floor, mm. */
interface Extent {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Places people on one floor, to scale. They are as large as the width and the height allow. */
export function layoutPeople(options: LayoutOptions): PeopleLayout {
  if (options.overlaid) return layoutAs('overlaid', options);
  const median = layoutAs('median', options);
  if (options.people.some(({ figures }) => figures === undefined)) return median;
  const beside = layoutAs('beside', options);
  const least = Math.min(
    ...beside.people.map(({ originsPx: [small, median, large] }) =>
      Math.min(median - small, large - median),
    ),
  );
  const isLarge = beside.pxPerMm >= BESIDE_FROM * median.pxPerMm && least >= BESIDE_PX_MIN;
  return isLarge ? beside : median;
}

function layoutAs(arrangement: Arrangement, options: LayoutOptions): PeopleLayout {
  const { people, widthPx, heightPx, posture, axisPx } = options;
  const slots = arrangement === 'overlaid' ? [people] : people.map((one) => [one]);
  const extents = slots.map((slot) => extentOf(slot, arrangement));
  const count = Math.max(1, slots.length);
  const freePx = widthPx - axisPx - count * GAP_PX;
  const isBeside = arrangement === 'beside';
  const columns = BANDS[posture].length * (arrangement === 'overlaid' ? people.length : 1);
  const namesBands = freePx / count >= NAMED_FROM_PX && columns <= 12;
  const plainPx = people.length >= CROWDED_FROM ? STEP_PX.crowded : STEP_PX.plain;
  const stepPx = namesBands ? STEP_PX.named : plainPx;
  const wantedPx = isBeside ? NAMES_PX : columns * stepPx + 4;
  const withBands = options.withBands && freePx / count - wantedPx >= FIGURE_PX_MIN;
  const bandsPx = withBands ? wantedPx : 0;

  const topMm = Math.ceil(Math.max(...extents.map(({ top }) => top), 1) / GRID_MM) * GRID_MM;
  const sumMm = extents.reduce((sum, { left, right }) => sum + right - left, 0);
  const bodiesPx = freePx - count * bandsPx;
  const pxPerMm = Math.min(bodiesPx / Math.max(sumMm, 1), heightPx / topMm);
  const sparePx = (bodiesPx - sumMm * pxPerMm) / count;
  const floorPx = TOP_PX + (isBeside ? HEAD_PX : 0) + topMm * pxPerMm;

  let leftPx = axisPx;
  const placed = slots.flatMap((slot, index) => {
    const { left, right } = extents[index] as Extent;
    const slotPx = GAP_PX + sparePx + (right - left) * pxPerMm + bandsPx;
    const originPx = leftPx + (GAP_PX + sparePx) / 2 - left * pxPerMm;
    const besidePx = originPx + right * pxPerMm + 4;
    const place = [leftPx, slotPx] as const;
    leftPx += slotPx;
    return slot.map((one, position): PlacedPeople => {
      const offsets = isBeside ? offsetsMm(one) : ([0, 0, 0] as const);
      const origin = (mm: number): number => originPx + mm * pxPerMm;
      const isFlat = lies(one, 'fromSide');
      return {
        ...one,
        originsPx: [origin(offsets[0]), origin(offsets[1]), origin(offsets[2])],
        slotPx: place,
        labelLines:
          arrangement === 'overlaid' || slotPx < LABEL.slotPxMin ? [] : linesOf(one.label, slotPx),
        bandsPx:
          withBands && !isBeside && !isFlat
            ? [
                besidePx + (arrangement === 'overlaid' ? position * stepPx : 0),
                arrangement === 'overlaid' ? slot.length * stepPx : stepPx,
              ]
            : undefined,
        namesPx: withBands && isBeside && !isFlat ? besidePx + 4 : undefined,
      };
    });
  });
  const lines = Math.max(...placed.map(({ labelLines }) => labelLines.length), 0);
  return {
    ...{ arrangement, widthPx, floorPx, pxPerMm, topMm, axisPx },
    namesBands: namesBands && withBands && !isBeside,
    heightPx: floorPx + FOOT_PX + (isBeside ? FEET_PX : 0) + lines * LABEL.linePx,
    people: placed,
  };
}

function extentOf(slot: readonly DrawnPeople[], arrangement: Arrangement): Extent {
  const sides = slot.flatMap((one) => {
    const top = lies(one, 'fromSide') ? 0 : Math.max(0, ...one.bandsMm.flat());
    // If the model has no bodies, the bands get the width of a body.
    if (one.figures === undefined) return [[-0.16 * top, 0.16 * top, 0, top] as const];
    const offsets = arrangement === 'beside' ? offsetsMm(one) : [0, 0, 0];
    const shown = arrangement === 'beside' ? one.figures : [one.figures[1]];
    return shown.map((figure, index) => {
      const { left, right, top: high } = bodyOf(figure);
      const offset = offsets[index] as number;
      return [left + offset, right + offset, 0, Math.max(high, top)] as const;
    });
  });
  return {
    left: Math.min(...sides.map(([left]) => left)),
    right: Math.max(...sides.map(([, right]) => right)),
    top: Math.max(...sides.map(([, , , top]) => top)),
  };
}

/** Distances from the origin of the small figure to the origins of the three figures, mm. */
function offsetsMm({ figures }: DrawnPeople): readonly [number, number, number] {
  if (figures === undefined) return [0, 0, 0];
  const [small, median, large] = [bodyOf(figures[0]), bodyOf(figures[1]), bodyOf(figures[2])];
  const second = small.right + BESIDE_MM - median.left;
  return [0, second, second + median.right + BESIDE_MM - large.left];
}

/** The share of a frame that a body fills. Frames have a margin, in which others may stand. */
const FILLED = 0.85;

/** Whether somebody of a population lies in the pictures. Seen from the side, nobody then has heights. */
export function lies({ figures }: DrawnPeople, how: Lying): boolean {
  return figures?.some(({ picture }) => picture.lying === how) === true;
}

/** Left, right and top of a body in its frame, mm. */
export function bodyOf({ picture, heightsMm }: Figure): Extent {
  const [left, right, , top] = picture.frame;
  if (picture.lying === 'fromSide') return { left, right, top };
  return { left: FILLED * left, right: FILLED * right, top: Math.max(...heightsMm) };
}

function linesOf(label: string, widthPx: number): readonly string[] {
  const most = Math.floor(widthPx / LABEL.charPx);
  const lines: string[] = [];
  for (const word of label.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.slice(0, LABEL.linesMax);
}
