import type { VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | undefined;
  /** Text to show instead of the plain number while the field is not edited. */
  readonly shown?: string | undefined;
  /** Called with a finished number: on leaving the field, on Enter, and on an arrow key. */
  readonly onCommit: (value: number) => void;
}

/** A number field that reports a number only when it is finished: "1" on the way to 170 is none. */
export function NumberField(props: NumberFieldProps): VNode {
  const { label, value, min, max, step = 1, shown, onCommit } = props;
  const id = useId();
  const [draft, setDraft] = useState<string>();
  // A value that changes while the field has the focus makes the text old, but nobody has typed it.
  const edited = useRef(false);
  const commit = (text: string) => {
    setDraft(undefined);
    if (!edited.current) return;
    edited.current = false;
    const next = Number(text);
    if (text.trim() !== '' && Number.isFinite(next) && next !== value) onCommit(next);
  };
  const nudge = (by: number) => {
    const from = draft === undefined ? value : Number(draft);
    const next = Math.round((from + by) * 1000) / 1000;
    onCommit(Math.max(min ?? next, Math.min(max ?? next, next)));
    setDraft(undefined);
  };
  return (
    <div class="number-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={draft ?? shown ?? (Number.isNaN(value) ? '' : String(value))}
        onFocus={(event) => {
          edited.current = false;
          setDraft(Number.isNaN(value) ? '' : String(value));
          event.currentTarget.select();
        }}
        onInput={(event) => {
          edited.current = true;
          setDraft(event.currentTarget.value);
        }}
        onBlur={(event) => commit(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit(event.currentTarget.value);
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          nudge(event.key === 'ArrowUp' ? step : -step);
        }}
      />
    </div>
  );
}
