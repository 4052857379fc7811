import type { ComponentChildren, VNode } from 'preact';
import { type AmountUnit, formatAmount, isLengthUnit } from '../../site/amounts.js';
import { dragging, Handle } from './plot.js';

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
  const drag = dragging((x, y) => {
    const moved = Math.min(max, Math.max(min, valueAt(x, y)));
    onSlide(isLength ? Math.round(moved) : Math.round(moved * 10) / 10);
  }, onHold);
  return (
    <g class="drag-handle" {...drag}>
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
