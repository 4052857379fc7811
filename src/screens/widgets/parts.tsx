import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

/** What a reader of a picture may want to know, behind one line. */
export function HowToRead({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <details class="how-to-read">
      <summary>How to read this</summary>
      {children}
    </details>
  );
}

interface RemoveButtonProps {
  /** Name of the thing that the button removes. */
  readonly of: string;
  readonly onRemove: () => void;
}

/** A small button that removes one thing of a list. */
export function RemoveButton({ of, onRemove }: RemoveButtonProps): VNode {
  return (
    <button type="button" class="bare" aria-label={`Remove ${of}`} onClick={onRemove}>
      ×
    </button>
  );
}

/** Ages, such as 18–65. Browsers break lines after the dash. */
const RANGE = /(?<!\d)(\d+–\d+)/;

/** A text. Its ranges of ages do not wrap. */
export function Unbroken({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text.split(RANGE).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={index} class="unbroken">
            {part}
          </span>
        ),
      )}
    </>
  );
}

interface WaitingProps {
  /** Whether the content belongs to an earlier choice. */
  readonly busy: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/**
 * Numbers that are being computed again. Numbers of the earlier choice are dimmed within 150 ms. The
 * population bar says “Computing”. The styles are in `web/styles/screens.css`.
 */
export function Waiting({ busy, class: name = '', children }: WaitingProps): VNode {
  return (
    <div class={`waiting ${name}`} aria-busy={busy}>
      {children}
    </div>
  );
}

let count = 0;

/**
 * An id that no other element of the page has. Preact's own ids start again in each root. A screen has two
 * roots: its own and the population bar.
 */
export function useId(): string {
  const [id] = useState(() => `id-${++count}`);
  return id;
}
