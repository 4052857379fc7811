import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { BottomSheet } from '../../src/pages/explorer/bottom-sheet.js';
import { controlSheet } from './bottom-sheet.js';

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
