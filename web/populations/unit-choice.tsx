import type { VNode } from 'preact';
import { Segments } from '../explore/segments.js';
import { SHOWN_UNIT_LABELS, SHOWN_UNITS, type ShownUnit } from './lengths.js';

interface UnitChoiceProps {
  readonly unit: ShownUnit;
  readonly onChange: (unit: ShownUnit) => void;
}

/** Chooses the unit of all lengths on a screen. */
export function UnitChoice({ unit, onChange }: UnitChoiceProps): VNode {
  return (
    <Segments
      legend="Unit"
      class="unit-choice"
      options={SHOWN_UNITS.map((one) => [one, SHOWN_UNIT_LABELS[one]] as const)}
      chosen={unit}
      onChoose={onChange}
    />
  );
}
