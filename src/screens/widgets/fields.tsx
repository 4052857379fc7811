import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AGE_LIMITS } from '../../core/limits.js';
import { withPoint } from '../../core/typed-values.js';
import { type AmountUnit, formatAmount, isLengthUnit, parseAmount } from '../../site/amounts.js';
import { SHOWN_UNITS, type ShownUnit } from '../../site/lengths.js';
import { useId } from './parts.js';

interface FaultProps {
  /** Id of the field. */
  readonly id: string;
  readonly fault: string | undefined;
}

/** The attributes of a field that may have a fault. */
export function faultAttributes({ id, fault }: FaultProps) {
  return {
    id,
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
  };
}

/** The fault of a field, below the field. */
export function FieldFault({ id, fault }: FaultProps): VNode | null {
  if (fault === undefined) return null;
  return (
    <p id={`${id}-fault`} class="field-error" role="alert">
      {fault}
    </p>
  );
}

interface DraftFieldProps {
  readonly label: string;
  readonly class: string;
  /** The text of the value. The field shows it while the user types nothing. */
  readonly shown: string;
  readonly inputMode?: 'decimal' | 'text';
  /** What is wrong with the shown value. */
  readonly fault?: string | undefined;
  /**
   * Called with a finished text, after Enter or when the user leaves the field. It accepts the text or
   * returns a sentence about its fault. A text with a fault stays in the field.
   */
  readonly onDone: (text: string) => string | undefined;
  /** Called when the typed text is found faulty, and when it is no longer there. */
  readonly onFault?: (isFaulty: boolean) => void;
  /** Called by the arrow keys with the typed text; up is 1, down is −1. The typed text is then dropped. */
  readonly onStep?: (direction: 1 | -1, text: string | undefined) => void;
}

const DIRECTIONS: Readonly<Record<string, 1 | -1>> = { ArrowUp: 1, ArrowDown: -1 };

/**
 * A text field that reports only finished texts. For example, "1" on the way to 170 is not reported. A text
 * with a fault stays in the field, with an error below it, until it is corrected, Escape is pressed, or the
 * value changes elsewhere.
 */
export function DraftField(props: DraftFieldProps): VNode {
  const { label, shown, inputMode = 'decimal', onDone, onStep } = props;
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const [misread, setMisread] = useState<string>();
  const fault = misread ?? props.fault;
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    setDraft(undefined);
    setMisread(undefined);
    props.onFault?.(false);
  };
  // An answer or a handle of the picture may have changed the value. A text that the user is typing stays. A
  // value without typed text is selected again, so that typing replaces it.
  useLayoutEffect(() => {
    if (document.activeElement !== field.current) clear();
    else if (draft === undefined) field.current?.select();
  }, [shown]);

  const commit = () => {
    if (draft === undefined) return;
    const wrong = draft === shown ? undefined : onDone(draft);
    if (wrong === undefined) clear();
    else {
      setMisread(wrong);
      props.onFault?.(true);
    }
  };
  return (
    <div class={props.class}>
      <label for={id}>{label}</label>
      <input
        {...faultAttributes({ id, fault })}
        ref={field}
        type="text"
        inputMode={inputMode}
        autocomplete="off"
        value={draft ?? shown}
        onFocus={(event) => event.currentTarget.select()}
        onMouseDown={(event) => {
          // The first click selects the text, so that typing replaces it. Later clicks place the cursor.
          const input = event.currentTarget;
          if (document.activeElement === input) return;
          event.preventDefault();
          input.focus();
        }}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') clear();
          const direction = DIRECTIONS[event.key];
          if (direction === undefined || onStep === undefined) return;
          event.preventDefault();
          clear();
          onStep(direction, draft);
        }}
      />
      <FieldFault {...{ id, fault }} />
    </div>
  );
}

/** The number in a field, or a sentence about what is wrong with the text. */
export type Read = { readonly number: number } | { readonly fault: string };

interface NumberRule {
  /** Name of the number with a capital letter, such as `Age`. */
  readonly what: string;
  readonly min: number;
  readonly max: number;
  /** Words that are allowed before or after the number, such as `P` or `years`. */
  readonly words?: RegExp;
}

/** Reads a typed number between two limits. */
export function readNumber(text: string, { what, min, max, words }: NumberRule): Read {
  const plain = withPoint(text.trim().toLowerCase());
  const number = Number(
    (words === undefined ? plain : plain.replace(words, '')).trim() || Number.NaN,
  );
  if (!Number.isFinite(number)) return { fault: `“${text.trim()}” is not a number.` };
  if (number < min || number > max) return { fault: `${what} goes from ${min} to ${max}.` };
  return { number };
}

/** A typed age in years. */
export function readAge(text: string): Read {
  const { minimum: min, maximum: max } = AGE_LIMITS;
  return readNumber(text, { what: 'The age', min, max, words: /y(ea)?rs?$|y(ea)?rs? old$/ });
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  /** The text of the value in the field. */
  readonly shown: string;
  /** Reads a typed text. Returns the number or the fault of the text. */
  readonly read: (text: string) => Read;
  /** Step and limits of the arrow keys. */
  readonly step?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** A sentence about what the service finds wrong with the number. */
  readonly fault?: string | undefined;
  /** Called with a finished number: after Enter, after an arrow key, or when the user leaves the field. */
  readonly onCommit: (value: number) => void;
}

/**
 * A field for a number. A text that is not a number stays in the field with an error below it. The number
 * then stays unchanged.
 */
export function NumberField(props: NumberFieldProps): VNode {
  const { label, value, shown, read, step = 1, min = -Infinity, max = Infinity, onCommit } = props;
  return (
    <DraftField
      class="number-field"
      {...{ label, shown, fault: props.fault }}
      onDone={(text) => {
        if (text.trim() === '') return;
        const found = read(text);
        if ('fault' in found) return found.fault;
        if (found.number !== value) onCommit(found.number);
      }}
      onStep={(direction, text) => {
        const typed = text === undefined ? { number: value } : read(text);
        const from = 'number' in typed ? typed.number : value;
        const next = Math.round((from + direction * step) * 1000) / 1000;
        onCommit(Math.max(min, Math.min(max, next)));
      }}
    />
  );
}

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

interface SelectProps {
  readonly label: string;
  readonly class?: string;
  readonly value: string;
  readonly options: readonly (readonly [id: string, label: string])[];
  readonly onChange: (id: string) => void;
}

/** A choice of one of several options, of which only the chosen one is visible. */
export function Select(props: SelectProps): VNode {
  const { label, value, options, onChange } = props;
  return (
    <label class={`select ${props.class ?? ''}`.trim()}>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([id, text]) => (
          <option key={id} value={id} selected={id === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SegmentsProps<Id> {
  readonly legend: string;
  /** Whether only screen readers get the legend. */
  readonly hideLegend?: boolean;
  readonly options: readonly (readonly [id: Id, label: string])[];
  /** The chosen option; undefined if none is chosen. */
  readonly chosen: Id | undefined;
  readonly isDisabled?: (id: Id) => boolean;
  readonly class?: string;
  readonly onChoose: (id: Id) => void;
}

/** A choice of one of a few options, which are side by side. */
export function Segments<Id>(props: SegmentsProps<Id>): VNode {
  const { legend, hideLegend = false, options, chosen, isDisabled, onChoose } = props;
  const name = useId();
  return (
    <fieldset class={`segments ${props.class ?? ''}`.trim()}>
      <legend class={hideLegend ? 'visually-hidden' : 'label'}>{legend}</legend>
      <div class="segment-row">
        {options.map(([id, label]) => (
          <label key={label}>
            <input
              type="radio"
              name={name}
              checked={id === chosen}
              disabled={isDisabled?.(id) === true}
              onChange={() => onChoose(id)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
