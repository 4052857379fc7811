import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { SHOWN_UNIT_LABELS, SHOWN_UNITS, type ShownUnit } from './lengths.js';

interface UnitChoiceProps {
  readonly unit: ShownUnit;
  readonly onChange: (unit: ShownUnit) => void;
}

/** Chooses the unit of all lengths on a screen. */
export function UnitChoice({ unit, onChange }: UnitChoiceProps): VNode {
  const name = useId();
  return (
    <fieldset class="segments unit-choice">
      <legend class="label">Unit</legend>
      <div class="segment-row">
        {SHOWN_UNITS.map((one) => (
          <label key={one}>
            <input type="radio" name={name} checked={one === unit} onChange={() => onChange(one)} />
            <span>{SHOWN_UNIT_LABELS[one]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
