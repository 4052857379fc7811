import type { VNode } from 'preact';
import { DraftField } from './draft-field.js';
import type { Read } from './number-text.js';

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
