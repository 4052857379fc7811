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

/** The other one of the two modes. */
export function otherMode(mode: Mode): Mode {
  return mode === 'live' ? 'test' : 'live';
}

interface OtherModeProps {
  /** The mode that the page shows. */
  readonly mode: Mode;
  /** Address of the page in the other mode. */
  readonly href: string;
  /** What the other mode has, such as `12 calls in these 30 days`; undefined if it has nothing. */
  readonly has: string | undefined;
  /** Name of the things that `has` counts, such as `entries`. It is used when there are none. */
  readonly nothing: string;
}

/** Says what the other mode has, with a link to the page in that mode. */
export function OtherMode({ mode, href, has, nothing }: OtherModeProps): VNode {
  const other = otherMode(mode);
  return (
    <p class="soft small">
      {`${MODE_LABELS[other]} mode has ${has ?? `no ${nothing}`}. `}
      {has === undefined ? null : <a href={href}>See {other} mode</a>}
    </p>
  );
}
