import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FieldFault, faultAttributes } from './field-fault.js';
import { useId } from './use-id.js';

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
