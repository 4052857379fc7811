import type { VNode } from 'preact';
import { MODES, type Mode } from '../../core/billing-terms.js';

/** Links to a page about either mode. */
export function ModeTabs({ path, mode }: { readonly path: string; readonly mode: Mode }): VNode {
  return (
    <nav class="tabs" aria-label="Mode">
      {MODES.map((name) => (
        <a
          key={name}
          href={`${path}?mode=${name}`}
          aria-current={name === mode ? 'page' : undefined}
        >
          {name === 'live' ? 'Live' : 'Test'}
        </a>
      ))}
    </nav>
  );
}

/** From a page with nothing on it to what there may be in the other mode. */
export function OtherMode({ path, mode }: { readonly path: string; readonly mode: Mode }): VNode {
  const other = mode === 'live' ? 'test' : 'live';
  return <a href={`${path}?mode=${other}`}>See {other} mode</a>;
}
