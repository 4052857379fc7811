import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { capital } from '../../../site/in-sentence.js';
import { DragHandle } from '../../widgets/drag-handle.js';
import { Segments } from '../../widgets/fields.js';
import { HowToRead, PHONE } from '../../widgets/parts.js';
import { pageWidth, useWidth } from '../../widgets/plot.js';
import type { FitParts } from '../data-types.js';
import {
  DimensionMarks,
  dimensionEnd,
  FitGround,
  fitDrawing,
  labelledLines,
  SizeText,
  SMALL_TEXT,
  type WhoIsDrawn,
} from '../drawing.js';
import { FIT_PERSONS, productById } from '../products.js';
import { boundsOf, withBound } from '../proposal.js';
import { BOTH, genderChoices, knownNames, sizesText } from '../texts.js';

/** Height of a picture at most, as a share of its width, and what the first screen needs besides the picture, pixels. */
const [HEIGHT_MAX, PHONE_HEIGHT_MAX] = [0.95, 1.3];
const BESIDE_PX = 330;
const HEIGHT_LEAST_PX = 300;

/** The product and its people to scale, on a grid of 100 mm. The sizes of the product can be dragged. */
export function Picture(parts: FitParts): VNode | null {
  const { view, unit, data, choose, slide, hold, isOld } = parts;
  const [asked, setAsked] = useState(BOTH);
  /** Addresses of the people's pictures that have come or failed. The caption is pale before. */
  const [over, setOver] = useState<ReadonlySet<string>>(new Set());
  const come = ({ target }: Event) => {
    if (target instanceof SVGImageElement) setOver((was) => new Set(was).add(target.href.baseVal));
  };
  const [ref, width] = useWidth(pageWidth);
  const choices = choicesOf(parts);
  const genders = genderChoices(view);
  const person = choices.has(asked) ? asked : BOTH;
  const isPhone = matchMedia(PHONE).matches;
  const most = width * (isPhone ? PHONE_HEIGHT_MAX : HEIGHT_MAX);
  const tall = Math.max(HEIGHT_LEAST_PX, Math.min(innerHeight - BESIDE_PX, most));
  const drawing = fitDrawing(view, data, choices.get(person) ?? 'both', tall / Math.max(width, 1));
  if (drawing === undefined) return null;
  const { box, caption, more, parts: drawn } = drawing;
  const addresses = drawn.flatMap(({ picture }) => picture?.href ?? []);
  const [left, right, bottom, top] = box;
  const mmPerPx = Math.max((right - left) / Math.max(width, 1), (top - bottom) / tall);
  // Labels have places in the pixels of their texts.
  const textMm = isPhone ? SMALL_TEXT * mmPerPx : mmPerPx;
  const height = (top - bottom) / mmPerPx;
  const lines = labelledLines(view, drawing, textMm);
  const { sizes = [] } = productById(view.product) ?? {};
  return (
    <figure class="fit-scene" aria-busy={isOld}>
      <div ref={ref}>
        {width === 0 ? null : (
          <svg
            class="scene figure"
            onLoadCapture={come}
            onErrorCapture={come}
            role="group"
            aria-label={`${caption} ${data === undefined ? '' : sizesText(boundsOf(view))}`}
            viewBox={`${left} ${-top} ${right - left} ${top - bottom}`}
            width={(right - left) / mmPerPx}
            height={height}
          >
            <FitGround drawing={drawing} />
            {/* Numbers are drawn last, so that they are in front of all lines and bars. */}
            {lines.map(({ line, bound }) => (
              <DimensionMarks key={line.size} {...{ line, bound, mmPerPx }} />
            ))}
            {lines.map((one) => (
              <Dimension
                key={one.line.size}
                {...{ one, mmPerPx, textMm, unit }}
                number={1 + sizes.findIndex(({ id }) => id === one.line.size)}
                onSlide={(mm) => slide(withBound(view, one.bound.id, mm))}
                onHold={hold}
              />
            ))}
          </svg>
        )}
      </div>
      <figcaption class="hint">
        <span class={addresses.every((href) => over.has(href)) ? '' : 'pale'}>{caption}</span>
        <HowToRead>
          {more} The grid has lines every 100 mm. The dot of a size has its number in the list of
          sizes.
        </HowToRead>
      </figcaption>
      <div class="fit-person">
        <Segments
          legend="People in the picture"
          options={[...choices.keys()].map((one) => [one, one] as const)}
          chosen={person}
          onChoose={setAsked}
        />
        {genders.length === 0 || view.known.length > 0 ? null : (
          <Segments
            legend="Drawn"
            options={[[undefined, 'Either'] as const, ...genders]}
            chosen={view.drawnGender}
            onChoose={(drawnGender) => choose({ drawnGender })}
          />
        )}
      </div>
    </figure>
  );
}

/** Who can be in the picture, by label. */
function choicesOf({ data, unit }: FitParts): ReadonlyMap<string, WhoIsDrawn> {
  const people =
    data?.known.flatMap((one, index) => (one === null ? [] : [{ ...one, index }])) ?? [];
  const names = knownNames(people, unit);
  const known = people.map(({ index }, at) => [names[at] ?? '', { known: index }] as const);
  return new Map<string, WhoIsDrawn>([
    [BOTH, 'both'],
    ...(known.length > 0 ? known : FIT_PERSONS.map((name) => [capital(name), name] as const)),
  ]);
}

interface DimensionProps extends Pick<FitParts, 'unit'> {
  readonly one: ReturnType<typeof labelledLines>[number];
  /** Place of the size in the list of sizes, which has its name. */
  readonly number: number;
  readonly mmPerPx: number;
  /** Length of a pixel of the text, mm. */
  readonly textMm: number;
  readonly onSlide: (valueMm: number) => void;
  readonly onHold: (held: boolean) => void;
}

/** The length of a dimension line, and a handle at the end of the line. */
function Dimension(props: DimensionProps): VNode {
  const { one, number, mmPerPx, textMm, unit, onSlide, onHold } = props;
  const { line, bound } = one;
  const { axis, from } = line;
  const px = (pixels: number) => pixels * mmPerPx;
  const [x, y] = dimensionEnd(line, bound.value);
  return (
    <g class="dimension">
      <DragHandle
        label={bound.label}
        {...{
          unit,
          value: bound.value,
          min: bound.min,
          max: bound.max,
          onSlide,
          onHold,
        }}
        valueAt={(pointerX, pointerY) => (axis === 'y' ? -pointerY : pointerX) - from}
      >
        <circle data-screen-only class="grip-area" cx={x} cy={y} r={px(22)} />
        <SizeText {...one} size={13 * textMm} />
        <g data-screen-only aria-hidden="true">
          <circle class="grip" cx={x} cy={y} r={9 * textMm} />
          <text
            class="grip-number"
            x={x}
            y={y + 4 * textMm}
            text-anchor="middle"
            font-size={12 * textMm}
          >
            {number}
          </text>
        </g>
      </DragHandle>
    </g>
  );
}
