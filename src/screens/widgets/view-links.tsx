import type { VNode } from 'preact';

/** A link to a view of a screen. */
export interface ViewLink {
  readonly title: string;
  readonly href: string;
  /** Whether the page shows this view. */
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

interface ViewLinksProps {
  /** Topic of the links, such as `Products`. */
  readonly label: string;
  readonly links: readonly ViewLink[];
}

/** Shows the view of a link on the page, unless the user opens it in a new tab or window. */
export function chosenHere({ onChoose }: ViewLink) {
  return (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChoose();
  };
}

/** Links to the views of a screen. The user can open a view in a new tab. */
export function ViewLinks({ label, links }: ViewLinksProps): VNode {
  return (
    <nav class="view-links" aria-label={label}>
      {links.map((link) => (
        <a
          key={link.title}
          href={link.href}
          aria-current={link.isCurrent ? 'page' : undefined}
          onClick={chosenHere(link)}
        >
          {link.title}
        </a>
      ))}
    </nav>
  );
}
