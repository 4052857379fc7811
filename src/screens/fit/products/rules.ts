// cspell:ignore AUVA Arezes Castellucci Molenbroek
import type { MeasurementName } from '../../../core/measurements.js';
import type { ClothingId } from '../../../core/profiles.js';
import type { ViewName } from '../../../render/drawing.js';
import type { ChosenPopulation } from '../../shared/populations.js';

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
  /** What a reader must know about the rules, and what they do not cover, in sentences. */
  readonly note?: string;
  /** Usual users. The gallery proposes them to a visitor who has not chosen people. */
  readonly people?: readonly ChosenPopulation[];
  /** Share of the people to design for, in percent, proposed in the same way. */
  readonly targetPercent?: number;
  /** The sizes serve the wanted share of each population, because a part of all together may be small. */
  readonly forEach?: true;
}

/** A clearance without a source. */
export const OWN = 'Our own choice';
export const DEFINITION = 'Follows from the definition of the dimension';
/**
 * Sizes 6 to 11 are 152, 178, 203, 229, 254 and 279 mm around the hand, and 160, 171, 182, 192, 204 and 215
 * mm long. EN ISO 21420:2020 replaces EN 420.
 */
export const HAND_SIZES = 'Hand sizes of EN 420:2003+A1:2009, halfway to the next size';
/**
 * Gouvali & Boudolos 2006, "Match between school furniture dimensions and children's anthropometry",
 * Applied Ergonomics 37(6):765–773. Castellucci, Arezes & Molenbroek 2015, Int. J. Industrial Ergonomics
 * 48:117–126, compare the equations of 17 studies.
 */
export const SEAT_HEIGHT =
  'After Gouvali & Boudolos 2006: the lower leg stands 5° to 30° from the vertical';
/**
 * Parcells, Stommel & Hubbard 1999, "Mismatch of classroom furniture and student body dimensions", Journal
 * of Adolescent Health 24(4):265–273.
 */
const SEAT_DEPTH = 'After Parcells, Stommel & Hubbard 1999: at most 95 % of the thigh';
/** Standing work without force is done 50 to 100 mm below the elbow (AUVA, the Austrian insurer of workers). */
export const STANDING_WORK = 'AUVA: standing work is done 50 to 100 mm below the elbow';
const COS_5 = Math.cos(Math.PI / 36);
const COS_30 = Math.cos(Math.PI / 6);
/** Thickness of a wooden top with nothing below it. EN 527-1:2011 allows 55 mm at the front edge. */
export const TOP_MM = 25;
export const IN_ORDER = 'they are the ends of one range';
export const WALKING = `${OWN}: space to move while walking`;

export function size(
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
  basis?: string,
];

export function room(
  ...[id, measurement, clearanceMm, need, words, basis = OWN]: Parts
): ProductRule {
  return { size: id, kind: 'room', measurement, clearanceMm, need, words, basis };
}

/** The rule for a multiple of the measurement. */
export function times(factor: number, rule: ProductRule): ProductRule {
  return { ...rule, factor };
}

export function reach(
  ...[id, measurement, clearanceMm, need, words, basis = OWN]: Parts
): ProductRule {
  return { size: id, kind: 'reach', measurement, clearanceMm, need, words, basis };
}

/** What an end of an adjustable size adds to the measurement, what an excluded person needs, and the rule in words. */
type End = readonly [clearanceMm: number, need: string, words: string];

/** The rules for the ends of an adjustable size: the smallest person has `…Min` at most, the largest `…Max` at least. */
export function ends(
  id: string,
  measurement: MeasurementName,
  [least, most]: readonly [End, End],
  basis = OWN,
): readonly ProductRule[] {
  return [
    reach(`${id}Min`, measurement, ...least, basis),
    room(`${id}Max`, measurement, ...most, basis),
  ];
}

/** The rules for a seat height, or its ends: the lower leg stands 5° to 30° from the vertical. */
export function seatHeights(
  low: string,
  high: string,
  lowBasis = SEAT_HEIGHT,
): readonly ProductRule[] {
  const words = 'At its highest, the knees are not far above the seat, and it supports the thighs.';
  return [
    lowSeat(low, 'At its lowest, the feet reach the floor.', lowBasis),
    times(COS_30, room(high, 'PoplitealHeight', 0, 'a higher seat', words, SEAT_HEIGHT)),
  ];
}

/** The rule for the height of a seat whose users reach the floor. */
export function lowSeat(id: string, words: string, basis = SEAT_HEIGHT): ProductRule {
  return times(COS_5, reach(id, 'PoplitealHeight', 0, 'a lower seat', words, basis));
}

/** The rule for the depth of a seat that does not press behind the knees. */
export function seatDepth(id: string): ProductRule {
  const words =
    'The back reaches the back rest, and the front edge does not press behind the knee.';
  return times(0.95, reach(id, 'ButtockPoplitealLength', 0, 'a shallower seat', words, SEAT_DEPTH));
}

/** The rule for the breadth of a seat. */
export function seatBreadth(id: string, clearanceMm: number): ProductRule {
  const words = 'The hips fit between the sides.';
  return room(id, 'SittingHipBreadth', clearanceMm, 'a wider seat', words);
}

/** The rules for a table that is used sitting: its lowest and highest top, and the height for the knees below it. */
export function tableHeights(
  low: string,
  high: string,
  knees: string,
  lowBasis = OWN,
): readonly ProductRule[] {
  return [
    reach(
      low,
      'MaximumTableHeight',
      0,
      'a lower top',
      'At its lowest, the top is no higher than 50 mm above the elbow of a person whose seat fits.',
      lowBasis,
    ),
    room(
      high,
      'MaximumTableHeight',
      -50,
      'a higher top',
      'At its highest, the top reaches the elbow, which is 50 mm below the highest usable top.',
      DEFINITION,
    ),
    room(
      knees,
      'KneeHeight',
      25,
      'more free height for the knees',
      'The knees fit under the top and can move.',
    ),
  ];
}

/** The condition that the knees are under the top of a table. */
export function kneesBelow(top: string, knees: string): Coupling {
  const why = `the knees are under the top, which is ${TOP_MM} mm thick`;
  return { upper: top, lower: knees, plusMm: TOP_MM, why };
}

/** The condition that an adjustable part has its lowest setting below its highest. */
export function inOrder(lower: string, upper: string): Coupling {
  return { upper, lower, plusMm: 0, why: IN_ORDER };
}

/** People of both genders from one age to another, in the country of the default populations. */
export function people(ageMin: number, ageMax: number): ChosenPopulation {
  return { countries: ['US'], ageMin, ageMax };
}

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

export type Dot = readonly [x: number, y: number];

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

export const solid = (...points: readonly Dot[]) => ({ points });
export const dashed = (...points: readonly Dot[]) => ({ points, dashed: true });
export const box = (left: number, right: number, bottom: number, top: number) =>
  solid([left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]);
export const vertical = (size: string, at: number, from = 0): DimensionLine => ({
  size,
  axis: 'y',
  from,
  at,
});
export const across = (size: string, from: number, at: number): DimensionLine => ({
  size,
  axis: 'x',
  from,
  at,
});

/** Sizes of an average adult, for a scene without a person: rounded medians of men and women. */
export const AVERAGE = { statureMm: 1695, seatMm: 415, backMm: -150, abdomenMm: 98 } as const;
/** Middle of the seat drawing from the front. It is beside the side view. */
export const FRONT_X = 1150;

/** Scenes by product. A product without a scene has only its rulers. */
export type Scenes = Readonly<Record<string, Draw>>;

/** An arc as points, from the left over the top; a whole circle if `halves` is 2. */
export const arc = (x: number, y: number, radiusMm: number, halves: 1 | 2 = 2) =>
  solid(
    ...Array.from({ length: 24 * halves + 1 }, (_, i): Dot => {
      const turn = Math.PI - (i * Math.PI) / 24;
      return [x + radiusMm * Math.cos(turn), y + radiusMm * Math.sin(turn)];
    }),
  );
