import type { ComponentChildren, VNode } from 'preact';
import { type AmountUnit, formatAmount, isLengthUnit } from '../../site/amounts.js';
import { Handle } from './chart-parts.js';

/** Step of the arrow keys in mm, or in kg and kg/m². With Shift, the step is a tenth of this. */
const [STEP_MM, STEP_KG] = [10, 1];

interface DragHandleProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly unit: AmountUnit;
  /** The value for a position in the coordinates of the SVG element. */
  readonly valueAt: (x: number, y: number) => number;
  readonly onSlide: (value: number) => void;
  readonly onHold: (held: boolean) => void;
  readonly children: ComponentChildren;
}

/** A part of a picture that changes a length. The pointer drags it; for the keyboard, it is a slider. */
export function DragHandle(props: DragHandleProps): VNode {
  const { label, value, min, max, unit, valueAt, onSlide, onHold, children } = props;
  const isLength = isLengthUnit(unit);
  const drag = (event: PointerEvent) => {
    const target = event.currentTarget as SVGGElement;
    const matrix = target.ownerSVGElement?.getScreenCTM()?.inverse();
    if (matrix === undefined) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const moved = Math.min(max, Math.max(min, valueAt(x, y)));
    onSlide(isLength ? Math.round(moved) : Math.round(moved * 10) / 10);
  };
  const release = () => onHold(false);
  return (
    <g
      class="drag-handle"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget
          .querySelector<SVGGElement>('[role=slider]')
          ?.focus({ preventScroll: true });
        onHold(true);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
      }}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <Handle
        label={label}
        min={min}
        max={max}
        now={value}
        text={formatAmount(value, unit)}
        step={isLength ? STEP_MM : STEP_KG}
        onMove={onSlide}
      >
        {children}
      </Handle>
    </g>
  );
}
