import type { VNode } from 'preact';
import { formatAmount } from '../../site/amounts.js';
import { inSentence } from '../../site/in-sentence.js';
import { boxesAlong, boxInPx, labelPlaces } from '../../site/label-places.js';
import { inWords } from '../../site/labels.js';
import { LYING, NO_BODIES, NOBODY } from '../../site/pictures/notes.js';
import { PersonImage } from '../../site/pictures/person-image.js';
import { gridPath } from '../shared/scene.js';
import { clothingIn, type FitView, rulesOf } from './address.js';
import type { FitData, FitPerson } from './data-types.js';
import {
  type DimensionLine,
  decidesSize,
  type FitPersonName,
  type Part,
  productById,
  SCENES,
  sizesOf,
} from './products.js';
import { type Bound, boundsOf } from './proposal.js';
import {
  type Box,
  type Dot,
  movedBy,
  RIDER_PITCH_DEGREES,
  type Shape,
} from './scenes/drawing-parts.js';
import { genderChoices, missedText } from './texts.js';

/** A person at a product from one side, in the coordinates of the drawing. */
interface DrawnPart extends Part {
  readonly person: FitPerson | undefined;
  readonly picture: FitPerson['pictures'][number];
}

/** A product with its people, in the form that is drawn. */
export interface FitDrawing {
  readonly parts: readonly DrawnPart[];
  /** What the drawing shows, with a margin for labels, in mm. */
  readonly box: Box;
  /** The dimension lines in the coordinates of the drawing. */
  readonly dimensions: readonly DimensionLine[];
  /** Heads, which no label may cover. */
  readonly heads: readonly Box[];
  /** Bodies and parts of the product, which labels leave free where there is room. */
  readonly things: readonly Box[];
  /** Height of the soles of the people's shoes, mm; 0 without shoes. */
  readonly soleMm: number;
  /** Says who the people are, or why there is nobody. */
  readonly caption: string;
  /** What follows from the caption, for readers who want to know more. */
  readonly more: string;
}

/** Who is in the picture: those who decide the sizes, one of them, or a known person by index. */
export type WhoIsDrawn = 'both' | FitPersonName | { readonly known: number };

/**
 * The drawing of a view's product; undefined for own limits.
 *
 * @param tall height of the place for the drawing, as a share of its width
 */
export function fitDrawing(
  view: FitView,
  data: FitData | undefined,
  who: WhoIsDrawn,
  tall = 0.6,
): FitDrawing | undefined {
  const [draw, product] = [SCENES[view.product], productById(view.product)];
  if (draw === undefined || product === undefined) return undefined;
  const usual = (id: string) => product.sizes.find((one) => one.id === id)?.usual;
  // Before there is an answer, the product has its usual sizes, without numbers.
  const mm = (size: string) => view.sizesMm[size] ?? usual(size) ?? 0;
  const people = peopleOf(data, who).map(({ person, decides }) => ({
    person,
    parts: draw(mm, person?.sizes ?? sizesOf({})).map(
      (part, index): DrawnPart => ({
        ...{ ...part, person, picture: person?.pictures[index] ?? null },
        dimensions: part.dimensions.filter(
          ({ size }) => decides === 'all' || decidesSize(product, size) === decides,
        ),
      }),
    ),
  }));
  // A further part without a size shows nothing that the others do not show.
  const shown = people.flatMap(({ parts }) => {
    const sized = parts.filter(({ dimensions }) => dimensions.length > 0);
    return sized.length === 0 ? parts.slice(0, 1) : sized;
  });
  const bounds = boundsOf(view);
  const endsOf = ({ size, from }: DimensionLine) => [
    from,
    from + (bounds.find(({ id }) => id === size)?.value ?? 0),
  ];
  const boxes = shown.map((part) => boxOf(part, endsOf));
  const gap = 0.1 * Math.max(...boxes.map(([left, right]) => right - left));
  const { moves, box } = rowsOf(boxes, gap, tall);
  const parts = shown.map((part, index): DrawnPart => {
    return { ...part, ...movedBy(moves[index] ?? [0, 0], part) };
  });
  return {
    ...{ parts, box: roomyBox(box) },
    soleMm: solesOf(view),
    dimensions: parts.flatMap(({ dimensions }) => dimensions),
    heads: parts.flatMap(headOf),
    things: parts.flatMap((part) => [
      ...bodyOf(part),
      // A label may cover the dashed line that leads to its handle.
      ...part.shapes.filter(({ of }) => of === undefined).flatMap(thingOf),
      ...part.dimensions.map((line) => boxAround(dotsOf(line, endsOf(line)))),
    ]),
    ...wordsOf(view, data, new Set(parts.flatMap(({ person }) => person ?? []))),
  };
}

/** A row more must make the picture larger by this factor. */
const ROW_GAIN = 1.3;

/** Boxes beside each other, in as many rows as make them largest: how far each moves, and the box around all. */
function rowsOf(boxes: readonly Box[], gap: number, tall: number) {
  const inRows = (perRow: number) => {
    const moves: Dot[] = [];
    let [wide, floor] = [0, 0];
    for (let start = 0; start < boxes.length; start += perRow) {
      const row = boxes.slice(start, start + perRow);
      const up = start === 0 ? 0 : floor - gap - Math.max(...row.map(([, , , top]) => top));
      floor = up + Math.min(...row.map(([, , bottom]) => bottom));
      let at = 0;
      for (const [left, right] of row) {
        moves.push([Math.round(at - left), Math.round(up)]);
        at += right - left + gap;
      }
      wide = Math.max(wide, at - gap);
    }
    const top = Math.max(...boxes.slice(0, perRow).map((one) => one[3]));
    const box: Box = [0, wide, floor, top];
    return { moves, box, size: Math.max(wide, (top - floor) / tall) };
  };
  return boxes
    .map((_, index) => inRows(boxes.length - index))
    .reduce((best, one) => (one.size * ROW_GAIN < best.size ? one : best));
}

/** The people of a picture, and the sizes whose lines each has. */
function peopleOf(data: FitData | undefined, who: WhoIsDrawn) {
  const { smallest, largest } = data?.persons ?? {};
  if (who === 'both') {
    const known = (data?.known ?? []).flatMap((one) => one?.drawn ?? []);
    const sorted = known.toSorted((a, b) => a.sizes.statureMm - b.sizes.statureMm);
    if (sorted.length === 1) return [{ person: sorted[0], decides: 'all' as const }];
    const large = { person: sorted.at(-1) ?? largest, decides: 'largest' as const };
    const small = sorted[0] ?? smallest;
    // The largest stand in for people who are too small to sit or stand.
    if (small?.pictures.every((one) => one === null))
      return [{ ...large, decides: 'all' as const }];
    return [{ person: small, decides: 'smallest' as const }, large];
  }
  const person = typeof who === 'string' ? data?.persons?.[who] : data?.known[who.known]?.drawn;
  return [{ person, decides: 'all' as const }];
}

/** The size of texts in the picture of a phone, as a share of their usual size. */
export const SMALL_TEXT = 0.8;

/** What people are called in a caption. */
const NAMES = {
  smallest: 'the smallest who fits',
  median: 'the median',
  largest: 'the largest who fits',
};

function wordsOf(view: FitView, data: FitData | undefined, drawn: ReadonlySet<FitPerson>) {
  const { persons = {}, known = [] } = data ?? {};
  if (data === undefined) return { caption: '', more: '' };
  if (!data.hasBodies) return { caption: NO_BODIES, more: '' };
  if (drawn.size === 0) return { caption: NOBODY, more: '' };
  const missed = missedText(view, data) !== undefined;
  const fits = productById(view.product)?.safety ? 'meets the rules' : 'fits';
  const texts = [...drawn].map((person) => {
    const named = known.find((one) => one?.drawn === person);
    const [name] = Object.entries(persons).find(([, one]) => one === person) ?? ['median'];
    const place = missed
      ? `the ${name} of them`
      : NAMES[name as FitPersonName].replace('fits', fits);
    return `${person.who}, ${named === undefined ? place : (named?.name ?? 'whom you described')}`;
  });
  const lies = [...drawn].some(({ pictures }) => pictures.every((one) => one === null));
  const [, gender] = genderChoices(view).find(([one]) => one === view.drawnGender) ?? [];
  const areKnown = known.some((one) => one?.drawn !== undefined && drawn.has(one.drawn));
  const only = gender === undefined || areKnown ? '' : ` (${gender.toLowerCase()} only)`;
  const shod = solesOf(view) === 0 ? '' : ' The soles of their shoes are included.';
  // `drawnView` replaces proposed sizes by those for known people.
  const isOwn = Object.entries(view.sizesMm).some(([id, mm]) => data.design?.sizesMm[id] !== mm);
  const own = areKnown && isOwn ? ', at the sizes that suit them' : '';
  const [rule] = rulesOf(view);
  const by = rule === undefined ? '' : inSentence(inWords(rule.measurement));
  return {
    caption: `Drawn${only}: ${texts.join('; and ')}${own}.${shod}${lies ? ` ${LYING} Nobody is drawn here.` : ''}`,
    more: areKnown
      ? 'Their other measurements are predicted from what is known.'
      : `The smallest and the largest are those for whom a size is just right, or nearly so, such as by their ${by}. Their other measurements are predicted from it.`,
  };
}

/** Places beside each other on a dimension line. */
const dotsOf = ({ axis, at }: DimensionLine, ends: readonly number[]): readonly Dot[] =>
  ends.map((end) => (axis === 'x' ? [end, at] : [at, end]));

/** The box around places. */
export function boxAround(dots: readonly Dot[]): Box {
  const [xs, ys] = [dots.map(([x]) => x), dots.map(([, y]) => y)];
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}

/** The box around a part, mm. */
function boxOf(part: DrawnPart, endsOf: (line: DimensionLine) => readonly number[]): Box {
  const { shapes, dimensions } = part;
  return boxAround([
    ...shapes.flatMap(({ points }) => points),
    ...dimensions.flatMap((line) => dotsOf(line, endsOf(line))),
    ...frameOf(part).flatMap(([left, right, bottom, top]): Dot[] => [
      [left, bottom],
      [right, top],
    ]),
  ]);
}

/** The frame of the picture of a person, mm. */
function frameOf({ placed: { x, y, isLying }, picture }: DrawnPart): readonly Box[] {
  if (picture === null) return [];
  const [left, right, bottom, top] = picture.frame;
  return isLying
    ? [[x - top, x - bottom, y + left, y + right]]
    : [[x + left, x + right, y + bottom, y + top]];
}

/**
 * Half the breadth and the height of a head, and how far it is before the plane of the back: shares of stature. The neck
 * and half the breadth of a face: shares of the height of a picture of a head.
 */
const HEAD = { half: 0.07, high: 0.16, ahead: 0.06, neck: 0.18, face: 0.3 } as const;

function headOf({ placed, picture, person }: DrawnPart): Box[] {
  if (picture === null || person === undefined || placed.isLying) return [];
  const { body, x, y } = placed;
  const [left, right, bottom, top] = picture.frame;
  if (typeof body === 'string' && /^(head|hand|foot)/.test(body)) {
    const chin = bottom + HEAD.neck * (top - bottom);
    const half = HEAD.face * (top - bottom);
    const middle = x + (left + right) / 2;
    return body.startsWith('head') ? [[middle - half, middle + half, y + chin, y + top]] : [];
  }
  const { statureMm } = person.sizes;
  const middle = x + (typeof body === 'string' || body.isFromFront ? 0 : HEAD.ahead * statureMm);
  const half = HEAD.half * statureMm;
  return [[middle - half, middle + half, y + top - HEAD.high * statureMm, y + top]];
}

/** What a body covers besides its head, roughly, in the coordinates of the drawing. */
function bodyOf(part: DrawnPart): readonly Box[] {
  const { placed, person } = part;
  const { body, x, y, isLying } = placed;
  if (isLying || typeof body === 'string' || body.isFromFront) return frameOf(part);
  const { statureMm = 0, abdomenMm = 0, kneeMm = 0, thighMm = 0 } = person?.sizes ?? {};
  const behind = x - BODY.behind * statureMm;
  return body.pose === 'standing'
    ? [[behind, x + abdomenMm, y, y + BODY.neck * statureMm]]
    : [
        [behind, x + abdomenMm, y, y + BODY.sittingNeck * statureMm],
        [x, x + kneeMm, y, y + BODY.thigh * statureMm],
        [x + thighMm, x + kneeMm + BODY.toes * statureMm, y - (body.seatMm ?? 0), y],
      ];
}

/** Places on a body that its dimensions do not say: shares of stature. */
const BODY = { behind: 0.02, neck: 0.85, sittingNeck: 0.36, thigh: 0.18, toes: 0.06 } as const;

/** The box of a solid, or the boxes along a line, in the coordinates of the drawing. */
function thingOf({ points, kind }: Shape): readonly Box[] {
  return kind === 'line' || kind === 'hidden' ? boxesAlong(points) : [boxAround(points)];
}

/**
 * The box of a scene with a margin for handles and their labels. It is rounded to steps, so that it seldom
 * moves.
 */
function roomyBox([left, right, bottom, top]: Box): Box {
  const margin = (right - left) * 0.05;
  const step = right - left < 1000 ? 20 : 50;
  const down = (mm: number) => Math.floor((mm - margin) / step) * step;
  const up = (mm: number) => Math.ceil((mm + margin) / step) * step;
  return [down(left), up(right), down(bottom), up(top)];
}

const pathOf = (points: readonly Dot[]): string =>
  `M${points.map(([x, y]) => `${x} ${-y}`).join('L')}`;

/** The grid, the bodies and the product of a drawing, in mm. */
export function FitGround({ drawing }: { readonly drawing: FitDrawing }): VNode {
  const { parts, box, soleMm } = drawing;
  return (
    <>
      <path class="grid-lines" d={gridPath(box)} />
      {parts.map((part, index) => (
        <g key={index}>
          <Shapes {...part} kind="behind" />
          <Shapes {...part} kind="hidden" />
          <Body {...part} />
          {soleMm === 0 ? null : <Soles {...part} soleMm={soleMm} />}
          <Shapes {...part} kind="solid" />
          <Shapes {...part} kind="line" />
        </g>
      ))}
    </>
  );
}

function Shapes(props: Pick<DrawnPart, 'shapes' | 'dimensions'> & Pick<Shape, 'kind'>): VNode {
  const shown = props.shapes.filter(
    ({ kind, of }) =>
      kind === props.kind && (of === undefined || props.dimensions.some(({ size }) => size === of)),
  );
  return (
    <>
      {shown.map(({ points, kind, of }, index) => (
        <path
          key={index}
          class={of === undefined ? `product ${kind}` : 'product dashed'}
          d={pathOf(points)}
        />
      ))}
    </>
  );
}

function Body({ placed, picture }: Pick<DrawnPart, 'placed' | 'picture'>): VNode | null {
  if (picture === null) return null;
  const { x, y, isLying } = placed;
  const transform = `translate(${x} ${-y})${isLying ? ' rotate(-90)' : ''}`;
  return <PersonImage {...{ picture, transform }} />;
}

/** Height of soles by clothing, mm of adults, as the definitions of clothing say. */
const SOLES_MM: Readonly<Record<string, number>> = {
  ...{ shoes: 28, light_shoes: 28, winter: 35, heels: 45 },
};

const solesOf = (view: FitView): number =>
  Math.max(...view.populations.map((one) => SOLES_MM[clothingIn(view, one)] ?? 0));

/** The soles of shoes: the lowest part of a person's picture, dark. */
function Soles({ soleMm, ...part }: DrawnPart & Pick<FitDrawing, 'soleMm'>): VNode | null {
  const { placed, picture, person } = part;
  const { body, x, y, isLying } = placed;
  if (picture === null || isLying) return null;
  const { seatMm = 0, feet = [], leanDegrees } = typeof body === 'string' ? {} : body;
  const { scale, statureMm } = person?.sizes ?? sizesOf({});
  const [left, right] = picture.frame;
  const isRider = leanDegrees !== undefined;
  const pitch = isRider ? RIDER_PITCH_DEGREES : 0;
  // Both flat feet are on one floor. Each foot of a rider is on its pedal.
  const balls: readonly Dot[] = isRider ? feet : [[0, feet[0]?.[1] ?? -seatMm]];
  const [heel, toe] = isRider ? [-0.115 * statureMm, 0.06 * statureMm] : [left, right];
  const height = soleMm * scale;
  return (
    <>
      {balls.map(([ballX, ballY], index) => {
        const at = [x + ballX, -y - ballY] as const;
        const box = [at[0] + heel, at[1] - height, toe - heel, height] as const;
        const turn = (degrees: number) => `rotate(${[degrees, ...at].join(' ')})`;
        return (
          <g key={index} transform={turn(-pitch)}>
            <svg
              class="soles"
              aria-hidden="true"
              x={box[0]}
              y={box[1]}
              width={box[2]}
              height={height}
              viewBox={box.join(' ')}
            >
              <g transform={turn(pitch)}>
                <Body {...part} />
              </g>
            </svg>
          </g>
        );
      })}
    </>
  );
}

/** A dimension line. */
export function DimensionMarks({
  line,
  bound,
  mmPerPx,
}: {
  line: DimensionLine;
  bound: Bound;
  mmPerPx: number;
}): VNode {
  const { axis, from, at, thing = at } = line;
  const end = from + bound.value;
  const px = (pixels: number) => pixels * mmPerPx;
  const dot = (along: number, beside: number): Dot =>
    axis === 'y' ? [beside, along] : [along, beside];
  return (
    <>
      <path class="dimension-line" d={pathOf([dot(from, at), dot(end, at)])} />
      {[from, end].map((place) => (
        <path
          key={place}
          class="dimension-line"
          d={pathOf([
            dot(place, Math.min(at - px(6), thing)),
            dot(place, Math.max(at + px(6), thing)),
          ])}
        />
      ))}
    </>
  );
}

/** The text of a size with a thin line to the end of its dimension line. */
export function SizeText(
  props: ReturnType<typeof labelledLines>[number] & { size: number },
): VNode {
  const { line, bound, text, label, size } = props;
  const [x, y] = label;
  return (
    <>
      <path
        class="leader"
        d={`M${dimensionEnd(line, bound.value).join(' ')}L${x} ${y - size / 3}`}
      />
      <text x={x} y={y} text-anchor="middle" font-size={size}>
        {text}
      </text>
    </>
  );
}

/** The end of a dimension line, where its handle is, in the coordinates of the SVG. */
export function dimensionEnd(
  { axis, from, at }: DimensionLine,
  valueMm: number,
): readonly [x: number, y: number] {
  const end = from + valueMm;
  return axis === 'y' ? [at, -end] : [end, -at];
}

/**
 * The dimension lines whose sizes are known, with their texts and the middles of the base lines of these, mm.
 *
 * @param mmPerPx length of a pixel of the texts
 */
export function labelledLines(view: FitView, drawing: FitDrawing, mmPerPx: number) {
  const bounds = boundsOf(view);
  const lines = drawing.dimensions.flatMap((line) => {
    const bound = bounds.find(({ id }) => id === line.size);
    if (bound === undefined) return [];
    const [x, y] = dimensionEnd(line, bound.value);
    const text = formatAmount(bound.value, bound.unit);
    return [{ line, bound, text, x: x / mmPerPx, y: y / mmPerPx }];
  });
  const inPx = (one: Box) => boxInPx(one, mmPerPx);
  const { box, heads, things } = drawing;
  const places = labelPlaces(lines, inPx(box), heads.map(inPx), things.map(inPx));
  return lines.map(({ line, bound, text, x, y }, index) => {
    const [middle, base] = places[index] ?? [x, y];
    return { line, bound, text, label: [middle * mmPerPx, base * mmPerPx] as const };
  });
}
