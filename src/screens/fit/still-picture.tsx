import type { VNode } from 'preact';
import type { FitView } from './address.js';
import { DimensionMarks, type FitDrawing, FitGround, labelledLines, SizeText } from './drawing.js';
import { boundsOf } from './proposal.js';
import { sizesText } from './texts.js';

interface StillPictureProps {
  /** A view with all its sizes. */
  readonly view: FitView;
  readonly drawing: FitDrawing;
  /** Size of the picture in which its numbers have 12 pixels. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Where the picture is in another one. By default, the page decides. */
  readonly place?: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
}

/** A product with its sizes and its people, to scale, without handles. */
export function StillPicture(props: StillPictureProps): VNode {
  const { view, drawing, widthPx, heightPx, place = {} } = props;
  const { caption, box } = drawing;
  const [left, right, bottom, top] = box;
  const mmPerPx = Math.max((right - left) / widthPx, (top - bottom) / heightPx);
  const lines = labelledLines(view, drawing, mmPerPx);
  return (
    <svg
      class="scene figure"
      role="img"
      aria-label={`${caption} ${sizesText(boundsOf(view))}`}
      viewBox={`${left} ${-top} ${right - left} ${top - bottom}`}
      {...place}
    >
      <FitGround drawing={drawing} />
      {lines.map(({ line, bound }) => (
        <DimensionMarks key={line.size} {...{ line, bound }} mmPerPx={mmPerPx / 2} />
      ))}
      {lines.map((one) => (
        <SizeText key={one.line.size} {...one} size={12 * mmPerPx} />
      ))}
    </svg>
  );
}
