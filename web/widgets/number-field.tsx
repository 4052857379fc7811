import type { VNode } from 'preact';
import { DraftField } from './draft-field.js';
import type { Read } from './number-text.js';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  /** The value as the field shows it. */
  readonly shown: string;
  /** Understands a typed text, or says what is wrong with it. */
  readonly read: (text: string) => Read;
  /** Step and limits of the arrow keys. */
  readonly step?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** What is wrong with the number in the opinion of the service. */
  readonly fault?: string | undefined;
  /** Called with a finished number: on leaving the field, on Enter, and on an arrow key. */
  readonly onCommit: (value: number) => void;
}

/**
 * A field for a number. A text that is no number stays in the field with an error below it, and the
 * number stays as it was.
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
