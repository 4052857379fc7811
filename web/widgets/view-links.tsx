import type { VNode } from 'preact';

interface ViewLinksProps {
  /** What the links lead to, such as `Products`. */
  readonly label: string;
  readonly links: readonly {
    readonly title: string;
    readonly href: string;
    /** Whether the page shows this view. */
    readonly isCurrent: boolean;
    readonly onChoose: () => void;
  }[];
}

/** Views of a screen beside each other, as links, so that they can be opened in a new tab. */
export function ViewLinks({ label, links }: ViewLinksProps): VNode {
  return (
    <nav class="view-links" aria-label={label}>
      {links.map(({ title, href, isCurrent, onChoose }) => (
        <a
          key={title}
          href={href}
          aria-current={isCurrent ? 'page' : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onChoose();
          }}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
