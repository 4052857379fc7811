import type { VNode } from 'preact';
import type { NumberedFigure } from '../../../render/marks.js';

interface SheetDrawingProps {
  readonly drawing: NumberedFigure;
  /** Position and size of the drawing inside another picture. */
  readonly place?: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
}

/** One drawing with numbered lines. */
export function SheetDrawing({ drawing, place = undefined }: SheetDrawingProps): VNode {
  const { title, viewBox, marks, numbers, radiusMm } = drawing;
  const listed = numbers.map(({ number }) => number).join(', ');
  const label = `Body ${title}${listed === '' ? '' : `, with the lines of dimensions ${listed}`}`;
  const [, , width = 1, height = 1] = viewBox.split(' ').map(Number);
  const shape = width > height ? 'sheet-figure wide' : 'sheet-figure';
  return (
    <svg class={`figure ${shape}`} viewBox={viewBox} {...place} role="img" aria-label={label}>
      <title>{label}</title>
      {marks.map(({ kind, d }, index) => (
        <path key={`${index}-${kind}`} class={`figure-${kind}`} d={d} />
      ))}
      {numbers.map(({ number, at }) => (
        <g key={number} class="sheet-number">
          <circle cx={round(at.x)} cy={round(-at.y)} r={round(radiusMm)} />
          <text
            x={round(at.x)}
            y={round(-at.y)}
            font-size={round(radiusMm * 1.3)}
            text-anchor="middle"
            dominant-baseline="central"
          >
            {number}
          </text>
        </g>
      ))}
    </svg>
  );
}

function round(mm: number): number {
  return Math.round(mm * 10) / 10;
}
