import type { VNode } from 'preact';
import { formatAmount } from '../../site/amounts.js';
import { boxInPx, labelPlaces } from '../../site/label-places.js';
import type { FitView } from './address.js';
import type { FitData } from './data-types.js';
import { DimensionMarks, dimensionEnd, type FitDrawing, FitGround } from './drawing.js';
import { boundsOf } from './proposal.js';
import type { Box } from './scenes/drawing-parts.js';
import { sizesText } from './texts.js';

interface StillPictureProps {
  /** A view with all its sizes. */
  readonly view: FitView;
  readonly data: FitData;
  readonly drawing: FitDrawing;
  /** Usual size of the picture, which decides the size of its numbers. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Where the picture is in another one. By default, the page decides. */
  readonly place?: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
}

/** A product with its sizes and its people, to scale, without handles. */
export function StillPicture(props: StillPictureProps): VNode {
  const { view, data, drawing, widthPx, heightPx, place = {} } = props;
  const { caption, dimensions, box, heads, things } = drawing;
  const [left, right, bottom, top] = box;
  const bounds = boundsOf(view);
  const mmPerPx = Math.max((right - left) / widthPx, (top - bottom) / heightPx);
  const lines = dimensions.flatMap((line) => {
    const bound = bounds.find(({ id }) => id === line.size);
    if (bound === undefined) return [];
    const [x, y] = dimensionEnd(line, bound.value);
    const text = formatAmount(bound.value, bound.unit);
    return [{ line, bound, text, x: x / mmPerPx, y: y / mmPerPx }];
  });
  const inPx = (one: Box) => boxInPx(one, mmPerPx);
  const labels = labelPlaces(lines, inPx(box), heads.map(inPx), things.map(inPx));
  return (
    <svg
      class="scene figure"
      role="img"
      aria-label={`${caption} ${sizesText(bounds)}`}
      viewBox={`${left} ${-top} ${right - left} ${top - bottom}`}
      {...place}
    >
      <FitGround drawing={drawing} />
      {lines.map(({ line, bound }) => (
        <DimensionMarks key={line.size} {...{ line, bound, data, mmPerPx }} />
      ))}
      {lines.map(({ line, text, x, y }, index) => {
        const [middle, base] = labels[index] ?? [x, y];
        return (
          <text
            key={line.size}
            x={middle * mmPerPx}
            y={base * mmPerPx}
            text-anchor="middle"
            font-size={12 * mmPerPx}
          >
            {text}
          </text>
        );
      })}
    </svg>
  );
}
