import { BODY_DIMENSIONS } from '../body/dimensions.js';
import { AGE_LIMITS, QUANTITY_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../core/measurements.js';
import { achievedMm, type BodyViewer, isNearest, type PersonToDraw } from './body-viewer.js';
import type { Box, RegionPath } from './drawing.js';
import { frameOf, VIEW_NAMES, type ViewName } from './frames.js';
import {
  type Mark,
  type Miss,
  measurementFigure,
  missesOf,
  type NumberedFigure,
  numberedFigure,
} from './marks.js';
import { type Colour, PIXELS_MAX, type Pixels } from './render-surface.js';

/** A picture of a person. Its text is the address of the picture. */
export interface PictureOf {
  readonly person: PersonToDraw;
  readonly view: ViewName;
  /** Colour of suit and cap, such as `#0b5f66`. */
  readonly suit: string;
  /** Height in device pixels. */
  readonly heightPx: number;
  /** Lines of measurements on the body: one measurement, or several with or without their numbers. */
  readonly lines?: PictureLines | undefined;
  /** Whether the picture shows a user's own person, and only the user may keep it. */
  readonly isOwn?: boolean | undefined;
}

/** Measurements of a picture. The number of a measurement is its place in a list, from 1. */
export interface PictureLines {
  readonly kind: (typeof LINE_KINDS)[number];
  readonly measurements: readonly { readonly name: MeasurementName; readonly number: number }[];
}

/** One enlarged line; lines with numbers; lines without numbers in the frame of the picture. */
const LINE_KINDS = ['one', 'numbered', 'plain'] as const;

/** Version of what pictures look like. A change of the look needs a new one, because pictures are kept for ever. */
export const RENDERER_VERSION = 17;
/** Largest height of a picture, device pixels: 200 mm in print with 300 dots per inch. */
export const HEIGHT_PX_MAX = 2400;

/** Largest dimension, mm, and mass, kg, of a drawn person: above those of any person. */
const [DIMENSION_MM_MAX, MASS_KG_MAX] = [4000, 1000];

/** Dimensions besides those of the body: what decides arms and furniture, and the heights that pages compare. */
const OTHERS = [
  'ElbowHeight',
  'EyeToTableDistance',
  'GripWidth',
  'HighCounterHeight',
  'LegRoom',
  'LowCounterHeight',
  'MaximumSeatLength',
  'MaximumTableHeight',
  'SittingEyeHeight',
  'SittingShoulderHeight',
  'VerticalGripReachSitting',
  'VerticalGripReachStanding',
  'WholeBodyBreadthMax',
] as const satisfies readonly MeasurementName[];
/** Dimensions of the description of a person, in their order. */
const DESCRIBED: readonly MeasurementName[] = [...BODY_DIMENSIONS, ...OTHERS];

/** The canonical text of a picture. It needs no escapes in a URL. */
export function pictureText({ person, view, suit, heightPx, lines, isOwn }: PictureOf): string {
  const { valuesMm } = person;
  const measurements = lines?.measurements.map(
    ({ name, number }) =>
      `${number}-${MEASUREMENT_NAMES.indexOf(name)}-${Math.round(valuesMm[name] ?? 0)}`,
  );
  return [
    personText(person),
    view,
    suit.replace('#', ''),
    heightPx,
    ...(lines === undefined ? [] : [lines.kind, measurements?.join('.')]),
    ...(isOwn === true ? ['own'] : []),
  ].join('~');
}

/** The text of a person: gender, completed years, mass and dimensions. */
export function personText({ gender, ageYears, valuesMm, massKg }: PersonToDraw): string {
  const values = DESCRIBED.map((name) => {
    const mm = valuesMm[name];
    return mm === undefined ? '' : String(Math.round(mm));
  });
  const mass = massKg === undefined ? '' : massKg.toFixed(1);
  return [gender === 'Female' ? 'f' : 'm', Math.floor(ageYears), mass, values.join('.')].join('~');
}

/** The person of the four parts of a text. */
export function personOf([gender, age, mass, values = '']: readonly string[]) {
  const valuesMm: Record<string, number> = {};
  for (const [index, mm] of values.split('.').entries()) {
    const name = DESCRIBED[index];
    if (mm !== '' && name !== undefined) valuesMm[name] = Number(mm);
  }
  return {
    gender: gender === 'f' ? ('Female' as const) : ('Male' as const),
    ageYears: Number(age),
    valuesMm,
    massKg: mass === '' ? undefined : Number(mass),
  };
}

/** The picture of a canonical text; undefined if the text is not one that `pictureText` returns. */
export function pictureOf(text: string): PictureOf | undefined {
  const parts = text.split('~');
  const isOwn = parts.at(-1) === 'own';
  if (isOwn) parts.pop();
  const [viewName, suit = '', height, kindName, list] = parts.slice(4);
  const view = VIEW_NAMES.find((one) => one === viewName);
  const kind = LINE_KINDS.find((one) => one === kindName);
  if (view === undefined || !/^[\da-f]{6}$/.test(suit)) return undefined;
  const person = personOf(parts);
  const measurements = list?.split('.').map((one) => {
    const [number, index, mm] = one.split('-').map(Number);
    const name = MEASUREMENT_NAMES[index];
    if (mm > 0) person.valuesMm[name] = mm;
    return { name, number };
  });
  const picture: PictureOf = {
    person,
    ...{ view, suit: `#${suit}`, heightPx: Number(height), isOwn },
    lines: kind === undefined || measurements === undefined ? undefined : { kind, measurements },
  };
  const numbers = measurements?.map(({ number }) => number) ?? [];
  const isBounded =
    numbers.length <= MEASUREMENT_NAMES.length &&
    areWithin(numbers, 1, MEASUREMENT_NAMES.length) &&
    isDrawable(picture, frameOf(view, person));
  return isBounded && pictureText(picture) === text ? picture : undefined;
}

/** Whether numbers are within limits. No other number is, such as NaN. */
export function areWithin(numbers: readonly number[], least: number, most: number): boolean {
  return numbers.every((one) => one >= least && one <= most);
}

/** Pixels of a part of a view. */
export function pixelsIn([left, right, bottom, top]: Box, heightPx: number): number {
  return heightPx * Math.round((heightPx * (right - left)) / (top - bottom));
}

/** Whether all numbers of a person, a part of a view and a height are in their ranges, and the pixels not too many. */
export function isDrawable(
  { person, heightPx }: { readonly person: PersonToDraw; readonly heightPx: number },
  frame: Box,
): boolean {
  const { ageYears, massKg = 0, valuesMm } = person;
  const [left, right, bottom, top] = frame;
  const { minimum, maximum } = AGE_LIMITS;
  return (
    areWithin([ageYears], minimum, maximum) &&
    areWithin([massKg], 0, MASS_KG_MAX) &&
    areWithin(Object.values(valuesMm), 0, DIMENSION_MM_MAX) &&
    arePlaces(frame) &&
    right > left &&
    top > bottom &&
    Number.isInteger(heightPx) &&
    areWithin([heightPx], 1, HEIGHT_PX_MAX) &&
    areWithin([pixelsIn(frame, heightPx)], 1, PIXELS_MAX)
  );
}

/** Whether numbers can be coordinates, mm. */
export function arePlaces(numbers: readonly number[]): boolean {
  return areWithin(numbers, -QUANTITY_LIMITS.maximum, QUANTITY_LIMITS.maximum);
}

/** A part of a view with a whole number of pixels, and the size of a pixel in mm. */
export function wholePixels(
  [left, right, bottom, top]: Box,
  heightPx: number,
): readonly [whole: Box, pixelMm: number] {
  const pixelMm = (top - bottom) / heightPx;
  const columns = Math.round((right - left) / pixelMm);
  return [[left, left + pixelMm * columns, bottom, top], pixelMm];
}

/** Whether a person stands at ease: no lines of the tape are shown, or only the breadth with hanging arms. */
function isAtEase(lines: PictureLines | undefined): boolean {
  return lines?.measurements.every(({ name }) => name === 'WholeBodyBreadthMax') ?? true;
}

/** Renders a picture in its frame. */
export function renderPicture(viewer: BodyViewer, picture: PictureOf, frame?: Box): Pixels {
  const { person, view, heightPx, suit, lines } = picture;
  const seen = viewer.see(person, view, isAtEase(lines));
  const [whole, pixelMm] = wholePixels(frame ?? frameOf(view, person), heightPx);
  return viewer.pixels(seen, whole, pixelMm, suitColour(suit));
}

/** What a page can say about a picture and do with it, besides showing it. */
export interface PicturePlaces {
  /** The silhouette, as an SVG path in mm with y downwards. */
  readonly silhouette: string;
  /** The regions of a whole body. */
  readonly regions: readonly RegionPath[];
  /** Dimensions that are drawn more than some mm off. */
  readonly misses: readonly Miss[];
  /** Age of the body, if no body has the person's age. */
  readonly bodyAgeYears?: number;
  /** Whether the body is only the nearest one. */
  readonly isNearest: boolean;
}

/** Finds the places of a picture. */
export function picturePlaces(
  viewer: BodyViewer,
  { person, view, lines }: PictureOf,
): PicturePlaces {
  const seen = viewer.see(person, view, isAtEase(lines));
  const { drawing, fitted } = seen;
  const isWhole = /^(standing|relaxed|sitting)(Front|Side)$/.test(view);
  const years = fitted.person.ageYears;
  return {
    silhouette: viewer.silhouette(seen),
    regions: isWhole ? viewer.regions(seen) : [],
    misses: missesOf(drawing, achievedMm(fitted), person.valuesMm, Object.keys(person.valuesMm)),
    ...(years === Math.floor(person.ageYears) ? {} : { bodyAgeYears: years }),
    isNearest: isNearest(fitted),
  };
}

/** Styles of the lines of measurements. Pages cannot style an image, so it has its own. */
const STYLES = `.prop{fill:none;stroke:#8a8f94;stroke-width:1.2}
.silhouette{fill:none;stroke:#6b7075;stroke-width:.7}
.run{fill:none;stroke:#c2410c;stroke-width:2.4}
.hidden,.edge{fill:none;stroke:#c2410c;stroke-width:1.2;stroke-dasharray:4}
.arrow,.point{fill:#c2410c}
path{vector-effect:non-scaling-stroke}
circle{fill:#fdfcf9;stroke:#c2410c;stroke-width:1.2;vector-effect:non-scaling-stroke}
text{fill:#1c1f23;font-family:'Public Sans',sans-serif}`;
/** Breadth of a character of a text below a picture, in radii of its numbers. */
const CHARACTER = 0.72;

/**
 * A picture as an SVG document in mm: the rendered person, the silhouette, things around the body and the lines of
 * measurements.
 *
 * @param image the pixels of a part of the view as a file; without it, the silhouette is filled
 */
export async function pictureSvg(
  viewer: BodyViewer,
  picture: PictureOf,
  image: ((frame: Box) => Promise<string>) | undefined,
): Promise<string> {
  const { person, view, lines, heightPx, suit } = picture;
  const seen = viewer.see(person, view, isAtEase(lines));
  const { drawing } = seen;
  const [left, right, bottom, top] = frameOf(view, person);
  let viewBox = [left, -top, right - left, top - bottom].join(' ');
  let marks: readonly Mark[] = [];
  let numbers = '';
  const names = lines?.measurements.map(({ name }) => name) ?? [];
  const [name] = names;
  if (lines?.kind === 'one' && name !== undefined) {
    ({ viewBox, marks } = measurementFigure(drawing, name));
  } else if (lines !== undefined) {
    const figure = numberedFigure(drawing, names);
    marks = figure.marks;
    if (lines.kind === 'numbered') {
      const misses = missesOf(drawing, achievedMm(seen.fitted), person.valuesMm, names);
      ({ viewBox, numbers } = withNumbers(figure, lines, misses));
    }
  }
  const part = boxIn(viewBox);
  const silhouette = viewer.silhouette(seen);
  const shown =
    image === undefined
      ? `<path d="${silhouette}" fill="${suit}" fill-opacity=".35"/>`
      : `<image x="${part[0]}" y="${-part[3]}" width="${part[1] - part[0]}" height="${part[3] - part[2]}" preserveAspectRatio="none" xlink:href="${await image(part)}"/>`;
  const [, , width = 1, height = 1] = viewBox.split(' ').map(Number);
  const size = `width="${Math.round((width * heightPx) / height)}" height="${heightPx}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size} viewBox="${viewBox}">`,
    `<title>Body ${drawing.title}</title><style>${STYLES}</style>`,
    `<path class="prop" d="${drawing.props}"/>`,
    shown,
    `<path class="silhouette" d="${silhouette}"/>`,
    ...marks.map(({ kind, d }) => `<path class="${kind}" d="${d}"/>`),
    numbers,
    '</svg>\n',
  ].join('');
}

/** The numbers of a figure as SVG elements, and below it the dimensions that are drawn off. */
function withNumbers(
  { viewBox, numbers, radiusMm: r }: NumberedFigure,
  { measurements }: PictureLines,
  misses: readonly Miss[],
) {
  const [x = 0, y = 0, width = 0, height = 0] = viewBox.split(' ').map(Number);
  const circles = numbers.map(
    ({ number, at }) =>
      `<circle cx="${at.x}" cy="${-at.y}" r="${r}"/><text x="${at.x}" y="${-at.y}" font-size="${1.3 * r}" text-anchor="middle" dominant-baseline="central">${measurements[number - 1]?.number}</text>`,
  );
  const rows: string[] = [];
  for (const { measurement, askedMm, drawnMm } of misses) {
    const by = Math.round(drawnMm - askedMm);
    const number = measurements.find(({ name }) => name === measurement)?.number;
    const one = `${number} by ${by > 0 ? '+' : '−'}${Math.abs(by)} mm`;
    const before = rows.pop();
    const row = before === undefined ? `Drawn off: ${one}` : `${before}, ${one}`;
    const isFull = before !== undefined && row.length * CHARACTER * r > width - 2 * r;
    rows.push(...(isFull ? [before, one] : [row]));
  }
  const below = rows.map((row, index) => {
    const rowY = y + height + (2 * index + 1) * r;
    return `<text x="${x + r}" y="${rowY}" font-size="${1.3 * r}">${row}</text>`;
  });
  const room = rows.length === 0 ? 0 : (2 * rows.length + 1) * r;
  return {
    viewBox: [x, y, width, height + room].join(' '),
    numbers: [...circles, ...below].join(''),
  };
}

function boxIn(viewBox: string): Box {
  const [x = 0, y = 0, width = 0, height = 0] = viewBox.split(' ').map(Number);
  return [x, x + width, -y - height, -y];
}

/** How much lighter a suit is than its colour, so that shades remain visible on it: share of the way to white. */
const LIGHTER = 0.28;

export function suitColour(hex: string): Colour {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16);
    return Math.round(value + LIGHTER * (255 - value));
  };
  return [part(1), part(3), part(5)];
}
