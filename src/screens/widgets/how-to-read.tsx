import type { ComponentChildren, VNode } from 'preact';

/** What a reader of a picture may want to know, behind one line. */
export function HowToRead({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <details class="how-to-read">
      <summary>How to read this</summary>
      {children}
    </details>
  );
}
