import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Read } from './number-text.js';
import { useId } from './use-id.js';

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
 * A number field that reports a number only when it is finished: "1" on the way to 170 is none. A text
 * that is no number stays in the field with an error below it, and the number stays as it was.
 */
export function NumberField(props: NumberFieldProps): VNode {
  const { label, value, shown, read, step = 1, min = -Infinity, max = Infinity, onCommit } = props;
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const [misread, setMisread] = useState<string>();
  const fault = misread ?? props.fault;
  const field = useRef<HTMLInputElement>(null);
  // The number was changed elsewhere, such as by the handle of the chart. A text being typed stays.
  useEffect(() => {
    if (document.activeElement === field.current) return;
    setDraft(undefined);
    setMisread(undefined);
  }, [value]);

  const commit = () => {
    if (draft === undefined) return;
    if (draft.trim() === '' || draft === shown) {
      setDraft(undefined);
      setMisread(undefined);
      return;
    }
    const found = read(draft);
    setMisread('fault' in found ? found.fault : undefined);
    if ('fault' in found) return;
    setDraft(undefined);
    if (found.number !== value) onCommit(found.number);
  };
  const nudge = (by: number) => {
    const typed = draft === undefined ? { number: value } : read(draft);
    const from = 'number' in typed ? typed.number : value;
    const next = Math.round((from + by) * 1000) / 1000;
    setDraft(undefined);
    setMisread(undefined);
    onCommit(Math.max(min, Math.min(max, next)));
  };
  const steps: Record<string, number> = { ArrowUp: step, ArrowDown: -step };
  return (
    <div class="number-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={field}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={draft ?? shown}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onFocus={(event) => event.currentTarget.select()}
        onMouseDown={(event) => {
          // The first click selects the text, so that typing replaces it; later ones place the cursor.
          const input = event.currentTarget;
          if (document.activeElement === input) return;
          event.preventDefault();
          input.focus();
        }}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') {
            setDraft(undefined);
            setMisread(undefined);
          }
          const by = steps[event.key];
          if (by === undefined) return;
          event.preventDefault();
          nudge(by);
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
