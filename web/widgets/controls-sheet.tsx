import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { BottomSheet } from '../../src/pages/screens/shared/screen-parts.js';

/** Screens up to this width show the controls from below; `web/styles/bottom-sheet.css` has it too. */
const PHONE = '(max-width: 37.5rem)';

interface ControlsSheetProps {
  /** Text of the button that opens and closes the controls on a phone. */
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** The controls of a screen, which come from below on a phone. */
export function ControlsSheet(props: ControlsSheetProps): VNode {
  const sheet = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (sheet.current !== null) return controlSheet(sheet.current);
  }, []);
  return <BottomSheet {...props} sheet={sheet} />;
}

/**
 * Closes the controls of a screen on a phone and opens them elsewhere. On a phone, the picture scrolls
 * into view above open controls. Escape closes them and gives the focus back to their button.
 *
 * @returns a function that ends this
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

/** The first picture of the screen that is not among its controls. */
function pictureOutside(sheet: HTMLElement): SVGSVGElement | undefined {
  const pictures = document.querySelectorAll<SVGSVGElement>('main svg');
  return [...pictures].find((picture) => !sheet.contains(picture));
}
