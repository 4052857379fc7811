import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Later, PHONE, useId } from './parts.js';

interface TabsProps {
  /** Topic of the tabs. */
  readonly label: string;
  readonly tabs: readonly (readonly [label: string, content: ComponentChildren])[];
}

/**
 * Parts of a screen of which one is shown at a time. All parts are in the page once the browser had time: paper
 * shows them one below the other, and a hidden picture can be saved. On a phone, the first part is below the picture, so
 * that it waits too. The styles are in `tabs.css`.
 */
export function Tabs({ label, tabs }: TabsProps): VNode {
  const id = useId();
  const [asked, choose] = useState<string>();
  const chosen = Math.max(
    0,
    tabs.findIndex(([name]) => name === asked),
  );
  const isPhone = matchMedia(PHONE).matches;
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const last = tabs.length - 1;
    const places: Record<string, number> = {
      ArrowLeft: chosen === 0 ? last : chosen - 1,
      ArrowRight: chosen === last ? 0 : chosen + 1,
      Home: 0,
      End: last,
    };
    const to = places[event.key];
    // With Alt, the arrow keys go back and forward.
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(tabs[to]?.[0]);
    (event.currentTarget.children[to] as HTMLElement).focus();
  };
  return (
    <div class="tabbed">
      <div class="row tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(([name], index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(([name, content], index) => (
        <div
          key={name}
          class="tab-panel"
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          hidden={index !== chosen}
        >
          <Later isSeen={index === chosen && (asked !== undefined || !isPhone)}>{content}</Later>
        </div>
      ))}
    </div>
  );
}
