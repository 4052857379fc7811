import type { VNode } from 'preact';

/** A link from a heading to itself. Readers can copy its address. */
export function HeadingLink({ id }: { readonly id: string }): VNode {
  return (
    <a class="heading-link" href={`#${id}`} aria-label="Link to this section">
      #
    </a>
  );
}
