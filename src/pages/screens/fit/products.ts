import type { MeasurementName } from '../../../core/measurements.js';
import type { ClothingId } from '../../../core/profiles.js';

/** A size of a product. */
export interface ProductSize {
  readonly id: string;
  readonly label: string;
  readonly defaultMm: number;
  /** Ends of the range that the page offers. */
  readonly minMm: number;
  readonly maxMm: number;
}

/**
 * A rule: how large the size must be for a person. With `room`, the size must be at least the
 * measurement plus the clearance, so large people are excluded. With `reach`, the size must be at
 * most the measurement plus the clearance, so small people are excluded.
 */
export interface ProductRule {
  /** Id of the size. */
  readonly size: string;
  readonly kind: 'room' | 'reach';
  readonly measurement: MeasurementName;
  readonly clearanceMm: number;
  /** The rule in words, without the clearance. */
  readonly words: string;
  /** Where the clearance comes from. */
  readonly basis: string;
}

/** A product with its sizes and rules. */
export interface Product {
  readonly id: string;
  readonly title: string;
  /** What its users wear, unless their population says otherwise. */
  readonly clothing: ClothingId;
  readonly sizes: readonly ProductSize[];
  readonly rules: readonly ProductRule[];
}

const THUMB = 'Rule of thumb';
const DEFINITION = 'Follows from the definition of the dimension';
/** Hand sizes of EN 420:2003+A1:2009: 178, 203, 229 and 254 mm around the hand for sizes 7 to 10. */
const HAND_SIZES = 'Hand sizes of EN 420:2003, halfway to the next size';
const WALKING = `${THUMB}: space to move while walking`;

function size(
  id: string,
  label: string,
  [minMm, defaultMm, maxMm]: readonly [number, number, number],
): ProductSize {
  return { id, label, defaultMm, minMm, maxMm };
}

type Parts = readonly [
  size: string,
  measurement: MeasurementName,
  clearanceMm: number,
  words: string,
  basis: string,
];

function room(...[id, measurement, clearanceMm, words, basis]: Parts): ProductRule {
  return { size: id, kind: 'room', measurement, clearanceMm, words, basis };
}

function reach(...[id, measurement, clearanceMm, words, basis]: Parts): ProductRule {
  return { size: id, kind: 'reach', measurement, clearanceMm, words, basis };
}

/** Products of the Fit screen, in the order of its list. */
export const PRODUCTS: readonly Product[] = [
  {
    id: 'desk',
    title: 'Desk',
    clothing: 'light_shoes',
    sizes: [
      size('low', 'Lowest top height', [450, 680, 1000]),
      size('high', 'Highest top height', [450, 760, 1000]),
      size('knees', 'Free height for knees', [400, 650, 900]),
      size('depth', 'Free depth for knees', [200, 450, 1000]),
    ],
    rules: [
      reach(
        'low',
        'MaximumTableHeight',
        0,
        'At its lowest, the top is no higher than 50 mm above the elbow of a person whose seat fits.',
        THUMB,
      ),
      room(
        'high',
        'MaximumTableHeight',
        -50,
        'At its highest, the top reaches the elbow, which is 50 mm below the highest usable top.',
        DEFINITION,
      ),
      room('knees', 'KneeHeight', 25, 'The knees fit under the top and can move.', THUMB),
      room('depth', 'LegRoom', 50, 'The knees fit between the edge and what is behind.', THUMB),
    ],
  },
  {
    id: 'chair',
    title: 'Chair',
    clothing: 'light_shoes',
    sizes: [
      size('height', 'Seat height', [250, 420, 600]),
      size('depth', 'Seat depth', [250, 420, 600]),
      size('width', 'Seat width', [250, 450, 800]),
    ],
    rules: [
      reach('height', 'PoplitealHeight', 0, 'The feet reach the floor.', DEFINITION),
      reach(
        'depth',
        'ButtockPoplitealLength',
        -50,
        'The back reaches the back rest, and the front edge does not press behind the knee.',
        THUMB,
      ),
      room('width', 'SittingHipBreadth', 25, 'The hips fit between the sides.', THUMB),
    ],
  },
  {
    id: 'bed',
    title: 'Bed',
    clothing: 'nude',
    sizes: [size('length', 'Length', [1200, 2000, 2500]), size('width', 'Width', [500, 900, 2200])],
    rules: [
      room('length', 'Stature', 150, 'Head and stretched feet stay on the mattress.', THUMB),
      room('width', 'WholeBodyBreadthMax', 200, 'A person lying on the back can turn.', THUMB),
    ],
  },
  {
    id: 'doorway',
    title: 'Doorway',
    clothing: 'light_shoes',
    sizes: [
      size('height', 'Clear height', [1000, 2000, 2600]),
      size('width', 'Clear width', [300, 800, 1600]),
    ],
    rules: [
      room('height', 'Stature', 50, 'The head passes below the lintel while walking.', WALKING),
      room('width', 'WholeBodyBreadthMax', 50, 'The elbows pass between the frames.', WALKING),
    ],
  },
  {
    id: 'counter',
    title: 'Counter',
    clothing: 'light_shoes',
    sizes: [
      size('low', 'Lowest top height', [500, 900, 1300]),
      size('high', 'Highest top height', [500, 900, 1300]),
    ],
    rules: [
      reach(
        'low',
        'ElbowHeight',
        -50,
        'At its lowest, the top is at least this far below the elbow for light manual work.',
        `${THUMB}: 50 to 100 mm below the elbow`,
      ),
      room(
        'high',
        'ElbowHeight',
        -150,
        'At its highest, the top is at most this far below the elbow, so that nobody must stoop.',
        `${THUMB}: 50 to 100 mm below the elbow; another 50 mm are tolerated`,
      ),
    ],
  },
  {
    id: 'shelf',
    title: 'Shelf',
    clothing: 'light_shoes',
    sizes: [
      size('top', 'Height of the top shelf', [800, 1800, 2400]),
      size('bottom', 'Height of the lowest shelf', [100, 700, 1200]),
    ],
    rules: [
      reach(
        'top',
        'VerticalGripReachStanding',
        -50,
        'The hand reaches over the edge of the top shelf.',
        THUMB,
      ),
      room('bottom', 'KnuckleHeight', -50, 'The hand reaches the lowest shelf upright.', THUMB),
    ],
  },
  {
    id: 'seat-row',
    title: 'Seat row',
    clothing: 'light_shoes',
    sizes: [
      size('pitch', 'Free depth from the back rest', [450, 700, 1200]),
      size('width', 'Seat width', [300, 450, 800]),
      size('shoulders', 'Width at the shoulders', [300, 500, 900]),
      size('headroom', 'Headroom above the seat', [700, 1000, 1400]),
      size('height', 'Seat height', [250, 430, 600]),
    ],
    rules: [
      room('pitch', 'ButtockKneeLength', 50, 'The knees do not touch the row in front.', THUMB),
      room('width', 'SittingHipBreadth', 25, 'The hips fit between the sides.', THUMB),
      room(
        'shoulders',
        'ShoulderBreadthBideltoid',
        0,
        'The shoulders stay inside the own place.',
        THUMB,
      ),
      room('headroom', 'SittingHeight', 50, 'The head stays below what is above.', THUMB),
      reach('height', 'PoplitealHeight', 0, 'The feet reach the floor.', DEFINITION),
    ],
  },
  {
    id: 'helmet',
    title: 'Helmet',
    clothing: 'nude',
    sizes: [
      size('girthMin', 'Smallest head girth', [440, 540, 680]),
      size('girthMax', 'Largest head girth', [440, 600, 680]),
      size('length', 'Inner length', [140, 215, 260]),
      size('breadth', 'Inner breadth', [110, 175, 220]),
    ],
    rules: [
      reach('girthMin', 'HeadGirth', 0, 'The tightest setting still holds the head.', THUMB),
      room('girthMax', 'HeadGirth', 0, 'The widest setting goes around the head.', THUMB),
      room('length', 'HeadLength', 10, 'The head and its padding fit from front to back.', THUMB),
      room('breadth', 'HeadBreadth', 10, 'The head and its padding fit from side to side.', THUMB),
    ],
  },
  {
    id: 'glove',
    title: 'Glove',
    clothing: 'nude',
    sizes: [
      size('girthMin', 'Smallest hand circumference', [120, 191, 300]),
      size('girthMax', 'Largest hand circumference', [120, 216, 300]),
      size('length', 'Longest hand', [120, 195, 260]),
    ],
    rules: [
      reach(
        'girthMin',
        'HandCircumference',
        0,
        'The glove is not loose. Size 8 is for 203 mm; sizes are 25 or 26 mm apart.',
        HAND_SIZES,
      ),
      room('girthMax', 'HandCircumference', 0, 'The glove is not tight.', HAND_SIZES),
      room('length', 'HandLength', 0, 'The fingers do not press against the tips.', THUMB),
    ],
  },
];

/** Id under which a visitor draws limits freely. */
export const BOX_ID = 'box';

/** The product with this id; undefined for the box and for unknown ids. */
export function productById(id: string): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}
