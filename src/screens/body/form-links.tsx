import type { VNode } from 'preact';
import { addressOfForm, type BodyForm, type BodyView } from './address.js';

const TITLES: Readonly<Record<BodyForm, string>> = {
  screen: 'People to scale',
  sheet: 'Sheet to print',
};

/** Links to the forms of the screen, with the populations and dimensions of the view. */
export function FormLinks({ view }: { readonly view: BodyView }): VNode {
  return (
    <nav class="row view-links" aria-label="Forms">
      {(Object.keys(TITLES) as BodyForm[]).map((form) => (
        <a
          key={form}
          href={addressOfForm(view, form)}
          aria-current={form === view.form ? 'page' : undefined}
        >
          {TITLES[form]}
        </a>
      ))}
    </nav>
  );
}
