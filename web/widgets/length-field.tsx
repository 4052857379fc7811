import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import {
  formatLength,
  parseLength,
  SHOWN_UNIT_LABELS,
  SHOWN_UNITS,
  type ShownUnit,
} from './lengths.js';
import { Segments } from './segments.js';
import { useId } from './use-id.js';

interface LengthFieldProps {
  readonly label: string;
  readonly valueMm: number | undefined;
  readonly unit: ShownUnit;
  /** Whether the field may be empty, which means no limit. */
  readonly optional?: boolean;
  /** Whether the length may be negative, as a clearance may. */
  readonly signed?: boolean;
  /** What is wrong with a length that cannot be, in a sentence; it is then not reported. */
  readonly check?: ((valueMm: number) => string | undefined) | undefined;
  /** What is wrong with the present length, in the opinion of the page. */
  readonly fault?: string | undefined;
  /** Called with a finished length: on leaving the field and on Enter. */
  readonly onCommit: (valueMm: number | undefined) => void;
}

/** A field for a length in the unit of the page; it also understands other units. */
export function LengthField(props: LengthFieldProps): VNode {
  const { label, valueMm, unit, optional = false, signed = false, check, onCommit } = props;
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const [misread, setFault] = useState<string>();
  const fault = misread ?? props.fault;
  const shown = valueMm === undefined || Number.isNaN(valueMm) ? '' : formatLength(valueMm, unit);
  const commit = () => {
    if (draft === undefined || draft === shown) return setDraft(undefined);
    if (draft.trim() === '' && optional) {
      setFault(undefined);
      setDraft(undefined);
      return onCommit(undefined);
    }
    const mm = parseLength(draft.replace('−', '-'), unit);
    if (mm === undefined || (!signed && mm <= 0)) {
      return setFault(`Enter a length, such as ${formatLength(valueMm || 700, unit)}.`);
    }
    // Inches have hundredths, which are a quarter of a millimetre.
    const finished = Math.round(mm * 1000) / 1000;
    const wrong = check?.(finished);
    if (wrong !== undefined) return setFault(wrong);
    setFault(undefined);
    setDraft(undefined);
    onCommit(finished);
  };
  return (
    <div class="length-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        inputMode={unit === 'ft-in' ? 'text' : 'decimal'}
        value={draft ?? shown}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
      />
      {fault === undefined ? null : (
        <p id={`${id}-fault`} class="field-error" role="alert">
          {fault}
        </p>
      )}
    </div>
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
      options={SHOWN_UNITS.map((one) => [one, SHOWN_UNIT_LABELS[one]] as const)}
      chosen={unit}
      onChoose={onChange}
    />
  );
}
