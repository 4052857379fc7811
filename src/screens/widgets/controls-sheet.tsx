import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { BottomSheet } from '../shared/screen-parts.js';

/**
 * On screens up to this width, the controls slide in from below. `web/styles/bottom-sheet.css` has the same
 * width.
 */
const PHONE = '(max-width: 37.5rem)';

interface ControlsSheetProps {
  /** Text of the button that opens and closes the controls on a phone. */
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** The controls of a screen. On a phone, they slide in from below. */
export function ControlsSheet(props: ControlsSheetProps): VNode {
  const sheet = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (sheet.current !== null) return controlSheet(sheet.current);
  }, []);
  return <BottomSheet {...props} sheet={sheet} />;
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
