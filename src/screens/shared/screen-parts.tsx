import { type ComponentChildren, Fragment, type Ref, type VNode } from 'preact';
import {
  SCREEN_LABELS,
  SCREEN_PATHS,
  type ScreenId,
  SHARE_FORMS,
  shareImagePath,
} from '../../site/paths.js';
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

interface PopulationPlaceProps extends Pick<ScreensNavProps, 'populations'> {
  /** As in the population bar. */
  readonly note?: string | undefined;
}

/**
 * The place of the population bar. Without JavaScript, it only names the populations. It is as high as the bar, so that
 * nothing moves when the script fills it.
 */
export function PopulationPlace({ populations, note }: PopulationPlaceProps): VNode {
  return (
    <div id={POPULATION_BAR_ID} class="population-bar">
      <section class="populations" aria-label="Populations">
        <ul class="chips population-list">
          {populations.map((population, index) => (
            <li key={index} class="chip population-chip">
              <span class={`swatch series-${index + 1}`} aria-hidden="true" />
              <span class="population-name">{populationLabel(population)}</span>
            </li>
          ))}
          <li class="population-later" />
        </ul>
      </section>
      {note === undefined ? null : <p class="hint">{note}</p>}
    </div>
  );
}

/** The address of a screen with its default view of these populations. */
export function screenLink(screen: ScreenId, populations: readonly ChosenPopulation[]): string {
  const query = populationsQuery(populations);
  const isDefault = query === populationsQuery(DEFAULT_POPULATIONS);
  return isDefault ? SCREEN_PATHS[screen] : `${SCREEN_PATHS[screen]}?${query}`;
}

/** Sentences about the parts of an address that the page cannot show; nothing if there are none. */
export function AddressNotices({ notices }: { readonly notices: readonly string[] }): VNode | null {
  if (notices.length === 0) return null;
  return (
    <div class="notice warning address-notices" role="status">
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </div>
  );
}

interface CardLinksProps {
  /** Address of the view. */
  readonly path: string;
}

/** Links to the share image of a view, as a card for slides. */
export function CardLinks({ path }: CardLinksProps): VNode {
  const [screen = '', query = ''] = path.split('?');
  return (
    <p class="hint screen-only">
      A card for slides, with the people, the answer, the source and the address:{' '}
      {SHARE_FORMS.map((form, index) => (
        <Fragment key={form}>
          {index === 0 ? '' : ' or '}
          <a href={`${shareImagePath(screen, form)}?${query}`} download={`vitruvia-card.${form}`}>
            {form.toUpperCase()}
          </a>
        </Fragment>
      ))}
    </p>
  );
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
 * `web/styles/bottom-sheet.css`, the behaviour is in `src/screens/widgets/controls-sheet.tsx`.
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

type Row = readonly ComponentChildren[];

interface DataTableProps {
  readonly caption?: ComponentChildren;
  /** Name of the part of the page that scrolls. By default, the caption. */
  readonly label?: string;
  readonly class?: string;
  /** Whether the printed table has two columns. */
  readonly long?: boolean;
  readonly head: readonly string[];
  /** The columns whose cells are texts, besides the head of each row. */
  readonly texts?: readonly string[];
  /** Index of the column that is the head of each row. */
  readonly headAt?: number;
  /** The cells of each row. */
  readonly rows: readonly Row[];
  /** Attributes of a row, by its index. */
  readonly rowAttributes?: (row: number) => object;
  readonly foot?: Row;
}

/** A table of numbers. A wide one scrolls. */
export function DataTable(props: DataTableProps): VNode {
  const { caption, label = String(caption), head, texts = [], headAt = 0, rows } = props;
  const { long = false, rowAttributes, foot } = props;
  const classOf = (index: number) =>
    index === headAt || texts.includes(head[index] ?? '') ? undefined : 'number';
  const rowOf = (cells: Row, row?: number) => (
    <tr key={row} {...(row === undefined ? {} : rowAttributes?.(row))}>
      {cells.map((cell, index) =>
        index === headAt ? (
          <th key={index} scope="row">
            {cell}
          </th>
        ) : (
          <td key={index} class={classOf(index)}>
            {cell}
          </td>
        ),
      )}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class={`table-scroll${long ? ' long' : ''}`} tabIndex={0} aria-label={label}>
      <table class={props.class}>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead>
          <tr>
            {head.map((name, index) => (
              <th key={name} scope="col" class={classOf(index)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map(rowOf)}</tbody>
        {foot === undefined ? null : <tfoot>{rowOf(foot)}</tfoot>}
      </table>
    </section>
  );
}
