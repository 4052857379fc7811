import type { VNode } from 'preact';

/** The link of a heading to itself, which can be copied. */
export function HeadingLink({ id }: { readonly id: string }): VNode {
  return (
    <a class="heading-link" href={`#${id}`} aria-label="Link to this section">
      #
    </a>
  );
}
