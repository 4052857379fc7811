import type { ComponentChildren, Ref, VNode } from 'preact';
import { SCREEN_LABELS, SCREEN_PATHS, type ScreenId } from '../paths.js';

/** The bar that leads from each screen to the others. */
export function ScreensNav({ current }: { readonly current: ScreenId }): VNode {
  return (
    <nav class="screens-nav" aria-label="Screens">
      {(Object.keys(SCREEN_PATHS) as ScreenId[]).map((screen) => (
        <a
          key={screen}
          href={SCREEN_PATHS[screen]}
          aria-current={screen === current ? 'page' : undefined}
        >
          {SCREEN_LABELS[screen]}
        </a>
      ))}
    </nav>
  );
}

/** What an address asks for that the page cannot show, in sentences; nothing if there is none. */
export function AddressNotices({ notices }: { readonly notices: readonly string[] }): VNode | null {
  if (notices.length === 0) return null;
  return (
    <div class="notice warning address-notices" role="status">
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </div>
  );
}

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
 * styles are in `web/styles/bottom-sheet.css`, the behaviour is in `web/widgets/controls-sheet.tsx`.
 */
export function BottomSheet({ label, class: name, sheet, children }: BottomSheetProps): VNode {
  return (
    <details class={`bottom-sheet ${name}`} open {...(sheet === undefined ? {} : { ref: sheet })}>
      <summary>{label}</summary>
      <div class="bottom-sheet-content">{children}</div>
    </details>
  );
}

/** Id of the element with the data of a page's first view. */
const INITIAL_DATA_ID = 'initial-data';

/** Data for the script of a page. Only `<` could end the element early, so it is escaped. */
export function EmbeddedJson({ value }: { readonly value: unknown }): VNode {
  const html = { __html: JSON.stringify(value).replaceAll('<', '\\u003c') };
  return <script id={INITIAL_DATA_ID} type="application/json" dangerouslySetInnerHTML={html} />;
}
