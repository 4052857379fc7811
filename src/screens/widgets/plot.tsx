import { ticks } from 'd3-array';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { numberText } from '../../core/number-text.js';
import { pageWidth, useWidth } from './parts.js';

export { pageWidth, useWidth } from './parts.js';

/** Margins of the plot in pixels. */
export const MARGIN = { top: 34, right: 18, bottom: 46, left: 18 } as const;

/** Padding and border of a panel, which most plots are in, at both sides. */
const PANEL_PX = 34;

interface PlotProps {
  readonly height: number;
  readonly label: string;
  readonly class?: string;
  /** `img` for a plot without handles. */
  readonly role?: 'group' | 'img';
  /** Pointer handlers of the whole plot. */
  readonly on?: (width: number) => Partial<ReturnType<typeof dragging>>;
  /** What a plot of this width contains. */
  readonly children: (width: number) => ComponentChildren;
}

/** A plot as wide as its place. It is drawn again when the width changes. */
export function Plot({ height, label, role = 'group', on, children, ...props }: PlotProps): VNode {
  const [ref, width] = useWidth(() => Math.max(0, pageWidth() - PANEL_PX));
  return (
    <div ref={ref} class="chart">
      {width > 0 ? (
        <svg
          class={`plot ${props.class ?? ''}`.trim()}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role={role}
          aria-label={label}
          {...on?.(width)}
        >
          {children(width)}
        </svg>
      ) : null}
    </div>
  );
}

interface BottomAxisProps {
  readonly scale: Scale;
  /** Position of the axis in pixels from the top. */
  readonly y: number;
  readonly title: string;
}

/** The horizontal axis with its title. */
export function BottomAxis({ scale, y, title }: BottomAxisProps): VNode {
  const [start, end] = [scale.at(scale.from), scale.at(scale.to)];
  return (
    <g class="axis" aria-hidden="true">
      <line x1={start} x2={end} y1={y} y2={y} />
      {scale.ticks(Math.max(2, Math.floor((end - start) / 110))).map((value) => (
        <g key={value}>
          <line x1={scale.at(value)} x2={scale.at(value)} y1={y} y2={y + 5} />
          <text x={scale.at(value)} y={y + 19} text-anchor="middle">
            {numberText(value)}
          </text>
        </g>
      ))}
      <text class="axis-title" x={(start + end) / 2} y={y + 39} text-anchor="middle">
        {title}
      </text>
    </g>
  );
}

interface LeftAxisProps {
  readonly scale: Scale;
  readonly x: number;
  readonly end: number;
  readonly title: string;
}

/** The vertical axis with faint lines across the plot. */
export function LeftAxis({ scale, x, end, title }: LeftAxisProps): VNode {
  return (
    <g class="axis" aria-hidden="true">
      {scale.ticks(5).map((value) => (
        <g key={value}>
          <line class="grid" x1={x} x2={end} y1={scale.at(value)} y2={scale.at(value)} />
          <text x={x - 8} y={scale.at(value) + 4} text-anchor="end">
            {numberText(value)}
          </text>
        </g>
      ))}
      <text class="axis-title" x={x - 44} y={16}>
        {title}
      </text>
    </g>
  );
}

interface HandleProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly now: number;
  /** The meaning of the current position, in words. */
  readonly text: string;
  /** Step of the arrow keys. With Shift, the step is a tenth of this; with the page keys, ten times this. */
  readonly step: number;
  readonly onMove: (to: number) => void;
  readonly children: ComponentChildren;
}

/** A part of a chart that can be dragged. For keyboards and screen readers, it is a slider. */
export function Handle({ label, min, max, now, text, step, onMove, children }: HandleProps): VNode {
  // The next key may arrive before the last move is rendered.
  const latest = useRef(now);
  latest.current = now;
  const onKeyDown = (event: KeyboardEvent) => {
    const at = latest.current;
    const by = event.shiftKey ? step / 10 : step;
    const moves: Record<string, number> = {
      ArrowRight: at + by,
      ArrowUp: at + by,
      ArrowLeft: at - by,
      ArrowDown: at - by,
      PageUp: at + 10 * step,
      PageDown: at - 10 * step,
      Home: min,
      End: max,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    latest.current = Math.min(max, Math.max(min, Math.round(to * 100) / 100));
    onMove(latest.current);
  };
  return (
    <g
      class="handle"
      role="slider"
      tabindex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={now}
      aria-valuetext={text}
      onKeyDown={onKeyDown}
    >
      {children}
    </g>
  );
}

/**
 * Pointer handlers of a part of a picture. `onDrag` gets the place of the pointer in the coordinates of the part. A press
 * on a part that is `everywhere` moves its handle to the pointer.
 */
export function dragging(
  onDrag: (x: number, y: number) => void,
  onHold: (held: boolean) => void,
  everywhere = false,
) {
  const drag = (event: PointerEvent) => {
    const matrix = (event.currentTarget as SVGGraphicsElement).getScreenCTM()?.inverse();
    if (matrix === undefined) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    onDrag(x, y);
  };
  const release = () => onHold(false);
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      event.preventDefault();
      const part = event.currentTarget as SVGGraphicsElement;
      part.setPointerCapture(event.pointerId);
      const slider =
        part.getAttribute('role') === 'slider' ? part : part.querySelector('[role=slider]');
      (slider as SVGElement | null)?.focus({ preventScroll: true });
      onHold(true);
      if (everywhere) drag(event);
    },
    onPointerMove(event: PointerEvent) {
      const part = event.currentTarget as SVGGraphicsElement;
      if (part.hasPointerCapture(event.pointerId)) drag(event);
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
}

interface MarkerProps {
  readonly x: number;
  readonly width: number;
  readonly floor: number;
  /** The leftmost pixel that the label may use. */
  readonly start?: number;
  readonly children: string;
}

/** The line, grip and label of a handle. */
export function Marker({ x, width, floor, start = 0, children }: MarkerProps): VNode {
  // About half the width of the label. The label must stay inside the plot at both ends.
  const half = children.length * 4 + 4;
  const labelX = Math.min(Math.max(x, start + half), width - half);
  return (
    <>
      <line class="marker" x1={x} x2={x} y1={MARGIN.top - 8} y2={floor} />
      <circle class="grip" cx={x} cy={floor} r={9} />
      <text class="marker-label" x={labelX} y={MARGIN.top - 16} text-anchor="middle">
        {children}
      </text>
    </>
  );
}

// Ticks come from d3. The linear scale is one line of code; d3-scale would add 12 kB to a page.

/** A linear scale from data to pixels. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  /** Pixel of a value. */
  at(value: number): number;
  /** Value at a pixel, limited to the scale. */
  inverse(pixel: number): number;
  /** About `count` round values on the scale. There are at least two, because one value shows no scale. */
  ticks(count: number): number[];
}

/** A scale that maps `[from, to]` to the pixels from `start` to `end`. */
export function linearScale(from: number, to: number, start: number, end: number): Scale {
  const perUnit = (end - start) / (to - from);
  return {
    from,
    to,
    at: (value) => start + (value - from) * perUnit,
    inverse: (pixel) => Math.min(to, Math.max(from, from + (pixel - start) / perUnit)),
    ticks(count): number[] {
      const values = ticks(from, to, count);
      return values.length < 2 ? this.ticks(count + 1) : values;
    },
  };
}

/** An SVG path through points; empty without points. */
export function pathOf(points: readonly (readonly [x: number, y: number])[]): string {
  const dots = points.map(([x, y]) => `${tenth(x)},${tenth(y)}`);
  return dots.length === 0 ? '' : `M${dots.join('L')}`;
}

/** A position in a picture, rounded to a tenth of a pixel. */
export function tenth(px: number): number {
  return Math.round(px * 10) / 10;
}
