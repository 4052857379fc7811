import type { VNode } from 'preact';
import { type AmountUnit, formatAmount, isLengthUnit, parseAmount } from '../../site/amounts.js';
import { DraftField } from './draft-field.js';
import { SHOWN_UNITS, type ShownUnit } from './lengths.js';
import { Segments } from './segments.js';

/** Properties of `LengthField`. */
export interface LengthFieldProps {
  readonly label: string;
  /** In mm; in kg or kg/m² for a unit of mass. */
  readonly valueMm: number | undefined;
  readonly unit: AmountUnit;
  /** Whether the field may be empty. An empty field means that there is no limit. */
  readonly optional?: boolean;
  /** Whether the length may be negative, for example for a clearance. */
  readonly signed?: boolean;
  /** Returns a sentence if the length is impossible. An impossible length is not reported. */
  readonly check?: ((valueMm: number) => string | undefined) | undefined;
  /** A sentence about what the page finds wrong with the present length. */
  readonly fault?: string | undefined;
  /** Called with a finished length, after Enter or when the user leaves the field. */
  readonly onCommit: (valueMm: number | undefined) => void;
}

/** A field for a length, or for a mass or BMI, in the unit of the page. It also understands other units. */
export function LengthField(props: LengthFieldProps): VNode {
  const { label, valueMm, unit, optional = false, signed = false, check, fault, onCommit } = props;
  return (
    <DraftField
      class="length-field"
      inputMode={unit === 'ft-in' ? 'text' : 'decimal'}
      shown={valueMm === undefined || Number.isNaN(valueMm) ? '' : formatAmount(valueMm, unit)}
      {...{ label, fault }}
      onDone={(text) => {
        if (text.trim() === '' && optional) {
          onCommit(undefined);
          return;
        }
        const mm = parseAmount(text.replace('−', '-'), unit);
        if (mm === undefined || (!signed && mm <= 0)) {
          const example = formatAmount(valueMm || (isLengthUnit(unit) ? 700 : 30), unit);
          return `Enter ${isLengthUnit(unit) ? 'a length' : 'a value'}, such as ${example}.`;
        }
        // A hundredth of an inch is about a quarter of a millimetre, so mm keep three decimals.
        const finished = Math.round(mm * 1000) / 1000;
        const wrong = check?.(finished);
        if (wrong === undefined) onCommit(finished);
        return wrong;
      }}
    />
  );
}

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
      options={SHOWN_UNITS.map((one) => [one, one] as const)}
      chosen={unit}
      onChoose={onChange}
    />
  );
}
