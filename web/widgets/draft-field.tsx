import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useId } from './use-id.js';

interface DraftFieldProps {
  readonly label: string;
  readonly class: string;
  /** The value as the field shows it while nobody types. */
  readonly shown: string;
  readonly inputMode?: 'decimal' | 'text';
  /** What is wrong with the value that is shown. */
  readonly fault?: string | undefined;
  /**
   * Called with a finished text: on leaving the field and on Enter. It takes the text, or returns what is
   * wrong with it in a sentence; the text then stays in the field.
   */
  readonly onDone: (text: string) => string | undefined;
  /** Called by the arrow keys, up as 1 and down as −1, with what is typed; an own text ends. */
  readonly onStep?: (direction: 1 | -1, text: string | undefined) => void;
}

const DIRECTIONS: Readonly<Record<string, 1 | -1>> = { ArrowUp: 1, ArrowDown: -1 };

/**
 * A text field that reports a text only when it is finished: "1" on the way to 170 is none. A text that
 * cannot be taken stays in the field with an error below it until it is mended, Escape is pressed, or
 * the value changes elsewhere.
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
  };
  // The value was changed elsewhere, such as by an answer or a handle of the picture. A text being typed
  // stays; a value that nobody has touched is selected again, so that typing replaces it.
  useLayoutEffect(() => {
    if (document.activeElement !== field.current) clear();
    else if (draft === undefined) field.current?.select();
  }, [shown]);

  const commit = () => {
    if (draft === undefined) return;
    const wrong = draft === shown ? undefined : onDone(draft);
    if (wrong === undefined) clear();
    else setMisread(wrong);
  };
  return (
    <div class={props.class}>
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={field}
        type="text"
        inputMode={inputMode}
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
          if (event.key === 'Escape') clear();
          const direction = DIRECTIONS[event.key];
          if (direction === undefined || onStep === undefined) return;
          event.preventDefault();
          clear();
          onStep(direction, draft);
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
