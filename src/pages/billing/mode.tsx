import type { VNode } from 'preact';
import { MODES, type Mode } from '../../core/billing-terms.js';

/** Labels of the modes. */
export const MODE_LABELS: Readonly<Record<Mode, string>> = { live: 'Live', test: 'Test' };

interface ModeProps {
  readonly path: string;
  readonly mode: Mode;
}

/** Links to the live and the test version of a page. */
export function ModeTabs({ path, mode }: ModeProps): VNode {
  return (
    <nav class="tabs" aria-label="Mode">
      {MODES.map((name) => (
        <a
          key={name}
          href={`${path}?mode=${name}`}
          aria-current={name === mode ? 'page' : undefined}
        >
          {MODE_LABELS[name]}
        </a>
      ))}
    </nav>
  );
}

/** A link from an empty page to the other mode. */
export function OtherMode({ path, mode }: ModeProps): VNode {
  const other = mode === 'live' ? 'test' : 'live';
  return <a href={`${path}?mode=${other}`}>See {other} mode</a>;
}
