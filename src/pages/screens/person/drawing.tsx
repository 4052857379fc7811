import type { VNode } from 'preact';
import type { Drawing } from '../../../render/drawing.js';
import { bodyMarks } from '../../../render/marks.js';

interface PersonDrawingProps {
  readonly drawing: Drawing;
  readonly label: string;
  /** Position and size of the drawing inside another picture. */
  readonly place?: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
}

/** Left, top, width and height of the shown part of a drawing, with a margin, mm. */
export function drawnBox({ shown }: Drawing): readonly [number, number, number, number] {
  const [left, right, bottom, top] = shown;
  const margin = 0.04 * (top - bottom);
  return [left - margin, -top - margin, right - left + 2 * margin, top - bottom + 2 * margin];
}

/** A drawing of a person from one side, for browsers without scripts and for images. */
export function PersonDrawing({ drawing, label, place }: PersonDrawingProps): VNode {
  return (
    <svg
      class="figure person-drawing"
      viewBox={drawnBox(drawing).map(Math.round).join(' ')}
      {...place}
      role="img"
      aria-label={label}
    >
      {bodyMarks(drawing).map(({ kind, d }) => (
        <path key={kind} class={`figure-${kind}`} d={d} />
      ))}
    </svg>
  );
}
