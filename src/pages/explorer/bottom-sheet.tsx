import type { ComponentChildren, Ref, VNode } from 'preact';

interface BottomSheetProps {
  /** Text of the button that opens and closes the controls on a phone. */
  readonly label: string;
  readonly class: string;
  readonly sheet?: Ref<HTMLDetailsElement>;
  readonly children: ComponentChildren;
}

/**
 * The controls of a screen. On a phone they come from below when their button is pressed, so that
 * the picture comes first. On wider screens, and without JavaScript, they are part of the page. The
 * styles are in `web/styles/bottom-sheet.css`, the behaviour is in `web/populations/controls-sheet.tsx`.
 */
export function BottomSheet({ label, class: name, sheet, children }: BottomSheetProps): VNode {
  return (
    <details class={`bottom-sheet ${name}`} open {...(sheet === undefined ? {} : { ref: sheet })}>
      <summary>{label}</summary>
      <div class="bottom-sheet-content">{children}</div>
    </details>
  );
}
