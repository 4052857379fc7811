import type { VNode } from 'preact';

interface ViewLinksProps {
  /** Topic of the links, such as `Products`. */
  readonly label: string;
  readonly links: readonly {
    readonly title: string;
    readonly href: string;
    /** Whether the page shows this view. */
    readonly isCurrent: boolean;
    readonly onChoose: () => void;
  }[];
}

/** Links to the views of a screen. The user can open a view in a new tab. */
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
