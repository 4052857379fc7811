// cspell:ignore AUVA Arezes Castellucci Molenbroek
import type { MeasurementName } from '../../core/measurements.js';
import type { ClothingId } from '../../core/profiles.js';

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
 * A rule for the size that a person needs. `factor` × the measurement plus the clearance is the minimum for
 * `room`, which excludes large people. It is the maximum for `reach`, which excludes small people.
 */
export interface ProductRule {
  /** Id of the size. */
  readonly size: string;
  readonly kind: 'room' | 'reach';
  readonly measurement: MeasurementName;
  /** 1 if left out. */
  readonly factor?: number;
  readonly clearanceMm: number;
  /** What an excluded person needs. The text completes a sentence such as “2.8 % need more headroom”. */
  readonly need: string;
  /** The rule in words, without the clearance. */
  readonly words: string;
  /** Source of the clearance. */
  readonly basis: string;
}

/** A condition on the sizes of one product: `upper` is at least `lower` plus a length. */
export interface Coupling {
  readonly upper: string;
  readonly lower: string;
  readonly plusMm: number;
  /** The reason, as the end of a sentence such as “… because the top is 25 mm thick”. */
  readonly why: string;
}

/** A product with its sizes and rules. */
export interface Product {
  readonly id: string;
  readonly title: string;
  /** Clothing of the users, unless their population has other clothing. */
  readonly clothing: ClothingId;
  readonly sizes: readonly ProductSize[];
  readonly rules: readonly ProductRule[];
  readonly couplings?: readonly Coupling[];
}

/** A clearance without a source. */
const OWN = 'Our own choice';
const DEFINITION = 'Follows from the definition of the dimension';
/**
 * Sizes 6 to 11 are 152, 178, 203, 229, 254 and 279 mm around the hand, and 160, 171, 182, 192, 204 and 215
 * mm long. EN ISO 21420:2020 replaces EN 420 and keeps the sizes.
 */
const HAND_SIZES = 'Hand sizes of EN 420:2003+A1:2009, halfway to the next size';
/**
 * Gouvali & Boudolos 2006, "Match between school furniture dimensions and children's anthropometry",
 * Applied Ergonomics 37(6):765–773. Castellucci, Arezes & Molenbroek 2015, Int. J. Industrial Ergonomics
 * 48:117–126, compare the equations of 17 studies.
 */
const SEAT_HEIGHT =
  'After Gouvali & Boudolos 2006: the lower leg stands 5° to 30° from the vertical';
/**
 * Parcells, Stommel & Hubbard 1999, "Mismatch of classroom furniture and student body dimensions", Journal
 * of Adolescent Health 24(4):265–273.
 */
const SEAT_DEPTH = 'After Parcells, Stommel & Hubbard 1999: at most 95 % of the thigh';
/** Standing work without force is done 50 to 100 mm below the elbow (AUVA, the Austrian insurer of workers). */
const STANDING_WORK = 'AUVA: standing work is done 50 to 100 mm below the elbow';
const COS_5 = Math.cos(Math.PI / 36);
const COS_30 = Math.cos(Math.PI / 6);
/** Thickness of a wooden top with nothing below it. EN 527-1:2011 allows 55 mm at the front edge. */
const TOP_MM = 25;
export const IN_ORDER = 'they are the ends of one range';
const WALKING = `${OWN}: space to move while walking`;

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
  need: string,
  words: string,
  basis: string,
];

function room(...[id, measurement, clearanceMm, need, words, basis]: Parts): ProductRule {
  return { size: id, kind: 'room', measurement, clearanceMm, need, words, basis };
}

/** The rule for a multiple of the measurement. */
function times(factor: number, rule: ProductRule): ProductRule {
  return { ...rule, factor };
}

function reach(...[id, measurement, clearanceMm, need, words, basis]: Parts): ProductRule {
  return { size: id, kind: 'reach', measurement, clearanceMm, need, words, basis };
}

/** Products of the Fit screen, in the order of its list. */
export const PRODUCTS: readonly Product[] = [
  {
    id: 'desk',
    title: 'Desk',
    clothing: 'light_shoes',
    sizes: [
      size('low', 'Lowest top height', [250, 680, 1000]),
      size('high', 'Highest top height', [250, 760, 1000]),
      size('knees', 'Free height for knees', [200, 650, 900]),
      size('depth', 'Free depth for knees', [100, 450, 1000]),
    ],
    rules: [
      reach(
        'low',
        'MaximumTableHeight',
        0,
        'a lower top',
        'At its lowest, the top is no higher than 50 mm above the elbow of a person whose seat fits.',
        OWN,
      ),
      room(
        'high',
        'MaximumTableHeight',
        -50,
        'a higher top',
        'At its highest, the top reaches the elbow, which is 50 mm below the highest usable top.',
        DEFINITION,
      ),
      room(
        'knees',
        'KneeHeight',
        25,
        'more free height for the knees',
        'The knees fit under the top and can move.',
        OWN,
      ),
      room(
        'depth',
        'LegRoom',
        50,
        'more free depth for the knees',
        'The knees fit between the edge and what is behind.',
        OWN,
      ),
    ],
    couplings: [
      { upper: 'high', lower: 'low', plusMm: 0, why: IN_ORDER },
      {
        ...{ upper: 'high', lower: 'knees', plusMm: TOP_MM },
        why: `the knees are under the top, which is ${TOP_MM} mm thick`,
      },
    ],
  },
  {
    id: 'chair',
    title: 'Chair',
    clothing: 'light_shoes',
    sizes: [
      size('low', 'Lowest seat height', [150, 400, 600]),
      size('high', 'Highest seat height', [150, 440, 600]),
      size('depth', 'Seat depth', [130, 400, 600]),
      size('width', 'Seat width', [180, 450, 800]),
    ],
    rules: [
      times(
        COS_5,
        reach(
          'low',
          'PoplitealHeight',
          0,
          'a lower seat',
          'At its lowest, the feet reach the floor.',
          SEAT_HEIGHT,
        ),
      ),
      times(
        COS_30,
        room(
          'high',
          'PoplitealHeight',
          0,
          'a higher seat',
          'At its highest, the knees are not far above the seat, and it supports the thighs.',
          SEAT_HEIGHT,
        ),
      ),
      times(
        0.95,
        reach(
          'depth',
          'ButtockPoplitealLength',
          0,
          'a shallower seat',
          'The back reaches the back rest, and the front edge does not press behind the knee.',
          SEAT_DEPTH,
        ),
      ),
      times(
        0.6,
        room(
          'depth',
          'ButtockPoplitealLength',
          0,
          'a deeper seat',
          'The seat supports the thighs.',
          `${OWN}: 300 mm still support the bones that adults sit on, which are 0.6 of a thigh`,
        ),
      ),
      room(
        'width',
        'SittingHipBreadth',
        25,
        'a wider seat',
        'The hips fit between the sides.',
        OWN,
      ),
    ],
    couplings: [{ upper: 'high', lower: 'low', plusMm: 0, why: IN_ORDER }],
  },
  {
    id: 'bed',
    title: 'Bed',
    clothing: 'nude',
    sizes: [size('length', 'Length', [500, 2000, 2500]), size('width', 'Width', [300, 900, 2200])],
    rules: [
      room(
        'length',
        'Stature',
        150,
        'a longer bed',
        'Head and stretched feet stay on the mattress.',
        OWN,
      ),
      room(
        'width',
        'WholeBodyBreadthMax',
        200,
        'a wider bed',
        'A person lying on the back can turn.',
        OWN,
      ),
    ],
  },
  {
    id: 'doorway',
    title: 'Doorway',
    clothing: 'light_shoes',
    sizes: [
      size('height', 'Clear height', [500, 2000, 2600]),
      size('width', 'Clear width', [200, 800, 1600]),
    ],
    rules: [
      room(
        'height',
        'Stature',
        50,
        'a higher doorway',
        'The head passes below the lintel while walking.',
        WALKING,
      ),
      room(
        'width',
        'WholeBodyBreadthMax',
        50,
        'a wider doorway',
        'The elbows pass between the frames.',
        WALKING,
      ),
    ],
  },
  {
    id: 'counter',
    title: 'Counter',
    clothing: 'light_shoes',
    sizes: [
      size('low', 'Lowest top height', [300, 900, 1300]),
      size('high', 'Highest top height', [300, 900, 1300]),
    ],
    rules: [
      reach(
        'low',
        'ElbowHeight',
        -50,
        'a lower top',
        'At its lowest, the top is at least this far below the elbow for light manual work.',
        STANDING_WORK,
      ),
      room(
        'high',
        'ElbowHeight',
        -150,
        'a higher top',
        'At its highest, the top is at most this far below the elbow, so that nobody must stoop.',
        `${STANDING_WORK}; that another 50 mm are tolerated is our own choice`,
      ),
    ],
    couplings: [{ upper: 'high', lower: 'low', plusMm: 0, why: IN_ORDER }],
  },
  {
    id: 'shelf',
    title: 'Shelf',
    clothing: 'light_shoes',
    sizes: [
      size('top', 'Height of the top shelf', [500, 1800, 2400]),
      size('bottom', 'Height of the lowest shelf', [100, 700, 1200]),
    ],
    rules: [
      reach(
        'top',
        'VerticalGripReachStanding',
        -50,
        'a lower top shelf',
        'The hand reaches over the edge of the top shelf.',
        OWN,
      ),
      room(
        'bottom',
        'KnuckleHeight',
        -50,
        'a higher lowest shelf',
        'The hand reaches the lowest shelf upright.',
        OWN,
      ),
    ],
    couplings: [
      { upper: 'top', lower: 'bottom', plusMm: 0, why: 'the top shelf is above the lowest' },
    ],
  },
  {
    id: 'seat-row',
    title: 'Seat row',
    clothing: 'light_shoes',
    sizes: [
      size('pitch', 'Free depth from the back rest', [300, 700, 1200]),
      size('width', 'Seat width', [200, 450, 800]),
      size('shoulders', 'Width at the shoulders', [200, 500, 900]),
      size('headroom', 'Headroom above the seat', [500, 1000, 1400]),
      size('height', 'Seat height', [150, 430, 600]),
    ],
    rules: [
      room(
        'pitch',
        'ButtockKneeLength',
        50,
        'more depth',
        'The knees do not touch the row in front.',
        OWN,
      ),
      room(
        'width',
        'SittingHipBreadth',
        25,
        'a wider seat',
        'The hips fit between the sides.',
        OWN,
      ),
      room(
        'shoulders',
        'ShoulderBreadthBideltoid',
        0,
        'more width at the shoulders',
        'The shoulders stay inside the own place.',
        OWN,
      ),
      room(
        'headroom',
        'SittingHeight',
        50,
        'more headroom',
        'The head stays below what is above.',
        OWN,
      ),
      times(
        COS_5,
        reach(
          'height',
          'PoplitealHeight',
          0,
          'a lower seat',
          'The feet reach the floor.',
          SEAT_HEIGHT,
        ),
      ),
    ],
  },
  {
    id: 'helmet',
    title: 'Helmet',
    clothing: 'nude',
    sizes: [
      size('girthMin', 'Smallest head girth', [300, 540, 680]),
      size('girthMax', 'Largest head girth', [300, 600, 680]),
      size('length', 'Inner length', [100, 215, 260]),
      size('breadth', 'Inner breadth', [80, 175, 220]),
    ],
    rules: [
      reach(
        'girthMin',
        'HeadGirth',
        0,
        'a smaller setting',
        'The tightest setting still holds the head.',
        OWN,
      ),
      room(
        'girthMax',
        'HeadGirth',
        0,
        'a wider setting',
        'The widest setting goes around the head.',
        OWN,
      ),
      room(
        'length',
        'HeadLength',
        10,
        'a longer helmet',
        'The head and its padding fit from front to back.',
        OWN,
      ),
      room(
        'breadth',
        'HeadBreadth',
        10,
        'a broader helmet',
        'The head and its padding fit from side to side.',
        OWN,
      ),
    ],
    couplings: [{ upper: 'girthMax', lower: 'girthMin', plusMm: 0, why: IN_ORDER }],
  },
  {
    id: 'glove',
    title: 'Glove',
    clothing: 'nude',
    sizes: [
      size('girthMin', 'Smallest hand circumference', [80, 191, 300]),
      size('girthMax', 'Largest hand circumference', [80, 216, 300]),
      size('length', 'Longest hand', [60, 195, 260]),
    ],
    rules: [
      reach(
        'girthMin',
        'HandCircumference',
        0,
        'a narrower glove',
        'The glove is not loose. Size 8 is for 203 mm; sizes are 25 or 26 mm apart.',
        HAND_SIZES,
      ),
      room(
        'girthMax',
        'HandCircumference',
        0,
        'a wider glove',
        'The glove is not tight.',
        HAND_SIZES,
      ),
      room(
        'length',
        'HandLength',
        0,
        'a longer glove',
        'The fingers do not press against the tips.',
        OWN,
      ),
    ],
    couplings: [{ upper: 'girthMax', lower: 'girthMin', plusMm: 0, why: IN_ORDER }],
  },
];

/** Id under which a visitor sets limits of dimensions. */
export const OWN_ID = 'own';

/** Older addresses have `box` for `own`. */
export const OLD_OWN_ID = 'box';

/** The product with this id; undefined for own limits and for an unknown id. */
export function productById(id: string): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}
