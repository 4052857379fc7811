import type { ComponentChildren, VNode } from 'preact';

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
