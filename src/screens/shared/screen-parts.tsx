import type { ComponentChildren, Ref, VNode } from 'preact';
import { SCREEN_LABELS, SCREEN_PATHS, type ScreenId } from '../../site/paths.js';
import {
  type ChosenPopulation,
  DEFAULT_POPULATIONS,
  populationLabel,
  populationsQuery,
} from './populations.js';

/** Id of the element that holds the population bar. The script of each screen renders the bar into it. */
export const POPULATION_BAR_ID = 'population-bar';

interface ScreensNavProps {
  readonly current: ScreenId;
  /** The populations of the view. The links to the other screens contain them. */
  readonly populations: readonly ChosenPopulation[];
}

/** The links to all screens, in the header of every screen. */
export function ScreensNav({ current, populations }: ScreensNavProps): VNode {
  return (
    <nav class="screens-nav" aria-label="Screens">
      {(Object.keys(SCREEN_PATHS) as ScreenId[]).map((screen) => (
        <a
          key={screen}
          href={screenLink(screen, populations)}
          aria-current={screen === current ? 'page' : undefined}
          data-screen={screen}
        >
          {SCREEN_LABELS[screen]}
        </a>
      ))}
    </nav>
  );
}

/** The place of the population bar. Without JavaScript, it only names the populations. */
export function PopulationPlace({ populations }: Pick<ScreensNavProps, 'populations'>): VNode {
  return (
    <div id={POPULATION_BAR_ID} class="population-bar">
      <section class="populations" aria-label="Populations">
        <ul class="chips">
          {populations.map((population, index) => (
            <li key={index} class="chip population-chip">
              <span class={`swatch series-${index + 1}`} aria-hidden="true" />
              <span class="population-name">{populationLabel(population)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** The address of a screen with its default view of these populations. */
export function screenLink(screen: ScreenId, populations: readonly ChosenPopulation[]): string {
  const query = populationsQuery(populations);
  const isDefault = query === populationsQuery(DEFAULT_POPULATIONS);
  return isDefault ? SCREEN_PATHS[screen] : `${SCREEN_PATHS[screen]}?${query}`;
}

interface BottomSheetProps {
  /** Text of the button that opens and closes the controls on a phone. */
  readonly label: string;
  readonly class: string;
  readonly sheet?: Ref<HTMLDetailsElement>;
  readonly children: ComponentChildren;
}

/**
 * The controls of a screen. On a phone, they slide in from below when their button is pressed, so that the
 * picture comes first. On wider screens, and without JavaScript, they are part of the page. The styles are in
 * `web/styles/bottom-sheet.css`, the behaviour is in `src/screens/widgets/parts.tsx`.
 */
export function BottomSheet({ label, class: name, sheet, children }: BottomSheetProps): VNode {
  return (
    <div class="bottom-sheet-place">
      <details class={`bottom-sheet ${name}`} open {...(sheet === undefined ? {} : { ref: sheet })}>
        <summary>{label}</summary>
        <div class="bottom-sheet-content">{children}</div>
      </details>
    </div>
  );
}

/** Id of the element with the data of a page's first view. */
const INITIAL_DATA_ID = 'initial-data';

/** Data for the script of a page. `<` is escaped, because it could end the element early. */
export function EmbeddedJson({ value }: { readonly value: unknown }): VNode {
  const html = { __html: JSON.stringify(value).replaceAll('<', '\\u003c') };
  return <script id={INITIAL_DATA_ID} type="application/json" dangerouslySetInnerHTML={html} />;
}
