import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

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

interface LaterProps {
  /** Whether the content is needed at once. */
  readonly isSeen?: boolean;
  readonly children: ComponentChildren;
}

/** Longest wait for a browser that is busy, ms. */
const LATER_MS = 2000;

/**
 * Content that nobody sees at first, such as a closed tab. A screen draws it once the browser has time, so that a slow
 * phone can be used earlier.
 */
export function Later({ isSeen = false, children }: LaterProps): ComponentChildren {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const draw = () => setTime(true);
    // Safari does not say when it has time.
    if (window.requestIdleCallback === undefined) setTimeout(draw);
    else requestIdleCallback(draw, { timeout: LATER_MS });
    // Paper shows all.
    addEventListener('beforeprint', draw, { once: true });
    return () => removeEventListener('beforeprint', draw);
  }, []);
  // What was seen once keeps its state.
  if (isSeen && !isTime) setTime(true);
  return isSeen || isTime ? children : null;
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

/**
 * On screens up to this width, the controls slide in from below. `web/styles/bottom-sheet.css` has the same
 * width.
 */
export const PHONE = '(max-width: 37.5rem)';

let widthAtFirst: number | undefined;

/**
 * Width of the page's content where a phone opens it, because pictures are as wide there; otherwise 0, for a width that is
 * not known yet. It is read once, before the script changes the page: later, the browser would lay the page out for it.
 */
export function pageWidth(): number {
  const { matches } = matchMedia(PHONE);
  widthAtFirst ??= matches ? (document.querySelector('.one-page')?.clientWidth ?? 0) : 0;
  return widthAtFirst;
}

/**
 * A ref for an element, and the width of this element in pixels. A guess saves a layout of the page before the first
 * paint. The observer corrects a wrong one before this paint, too.
 */
export function useWidth<Place extends HTMLElement = HTMLDivElement>(
  guess = () => 0,
): [RefObject<Place | null>, number] {
  const ref = useRef<Place>(null);
  const [width, setWidth] = useState(guess);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(current);
    if (width === 0) setWidth(current.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

interface ControlsSheetProps {
  readonly class: string;
  readonly children: ComponentChildren;
}

/**
 * The controls of a screen. On a phone, they slide in from below when their button is pressed, so that the picture comes
 * first, and are drawn later. On wider screens, they are part of the page. The styles are in `web/styles/bottom-sheet.css`.
 */
export function ControlsSheet({ class: name, children }: ControlsSheetProps): VNode {
  const sheet = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(() => !matchMedia(PHONE).matches);
  useLayoutEffect(() => {
    if (sheet.current !== null) return controlSheet(sheet.current);
  }, []);
  return (
    <div class="bottom-sheet-place">
      <details class={`bottom-sheet ${name}`} ref={sheet} onToggle={() => setOpen(true)}>
        <summary>Settings</summary>
        <div class="bottom-sheet-content">
          <Later isSeen={isOpen}>{children}</Later>
        </div>
      </details>
    </div>
  );
}

/**
 * Closes the controls of a screen on a phone and opens them elsewhere. If the controls are open on a phone,
 * the picture scrolls into view above them. Escape closes the controls and returns the focus to their button.
 *
 * @returns a function that removes this behaviour
 */
export function controlSheet(sheet: HTMLDetailsElement): () => void {
  const phone = matchMedia(PHONE);
  const adapt = () => {
    sheet.open = !phone.matches;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !phone.matches || !sheet.open) return;
    sheet.open = false;
    sheet.querySelector<HTMLElement>(':scope > summary')?.focus();
  };
  const onToggle = () => {
    if (sheet.open && phone.matches) pictureOutside(sheet)?.scrollIntoView({ block: 'start' });
  };
  adapt();
  sheet.dataset.ready = '';
  phone.addEventListener('change', adapt);
  document.addEventListener('keydown', onKeyDown);
  sheet.addEventListener('toggle', onToggle);
  return () => {
    phone.removeEventListener('change', adapt);
    document.removeEventListener('keydown', onKeyDown);
    sheet.removeEventListener('toggle', onToggle);
  };
}

/** Icons and rulers are lower than this, pixels. */
const PICTURE_LEAST_PX = 120;

/** The first picture of the screen that is not among its controls. */
function pictureOutside(sheet: HTMLElement): Element | undefined {
  const pictures = document.querySelectorAll('main svg, main img');
  return [...pictures].find(
    (picture) =>
      !sheet.contains(picture) && picture.getBoundingClientRect().height > PICTURE_LEAST_PX,
  );
}
