import { render, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ScreenId } from '../../site/paths.js';
import {
  CHOSEN_MAX,
  type ChosenPopulation,
  haveCommonAges,
  labelAt,
  populationLabel,
  populationWords,
  screenLink,
} from '../shared/populations.js';
import { RemoveButton, Unbroken, useId } from './parts.js';
import type { PopulationEditor } from './population-editor.js';
import type { SavedPanel } from './saved-panel.js';

/** Properties of the population bar. */
export interface BarProps extends PopulationChipsProps {
  /** Whether the shown numbers are of an earlier view. */
  readonly busy: boolean;
  /** A sentence that says what the screen shows of the populations. */
  readonly note?: string | undefined;
  /** Whether the screen has numbers for all populations together. */
  readonly together?: boolean;
  /** The answer in a sentence. Screen readers say it when it has come. */
  readonly said?: string;
}

/**
 * The population bar at the top of a screen. It renders into the element that every page has for it. So the
 * bar is the same on all screens, and the links to the other screens contain its populations.
 */
export function PopulationBar(props: BarProps): null {
  useLayoutEffect(() => {
    const place = document.getElementById('population-bar');
    if (place === null) return;
    // The page from the server contains the names of the populations. The bar replaces them once.
    if (place.dataset.ready === undefined) place.replaceChildren();
    place.dataset.ready = '';
    render(<Bar {...props} />, place);
    carry(props.populations);
  });
  useLayoutEffect(comeBackAfterSignIn, []);
  return null;
}

function Bar({ busy, note, said = '', together = false, ...chips }: BarProps): VNode {
  return (
    <>
      <PopulationChips {...chips} />
      {note === undefined ? null : <p class="hint">{note}</p>}
      {together ? <CountedOnce populations={chips.populations} /> : null}
      <p class="computing" role="status">
        {busy ? 'Computing…' : <span class="visually-hidden">{said}</span>}
      </p>
    </>
  );
}

/** Says that people belong to two populations. The members of country sets are loaded only for this. */
function CountedOnce({ populations }: Pick<PopulationChipsProps, 'populations'>): VNode | null {
  const [isSaid, setSaid] = useState(false);
  useEffect(() => {
    setSaid(false);
    let isCurrent = true;
    if (
      populations.some((one, i) =>
        populations.slice(0, i).some((other) => haveCommonAges(one, other)),
      )
    ) {
      import('../shared/together.js').then(
        ({ haveCommonPeople }) => isCurrent && setSaid(haveCommonPeople(populations)),
        () => undefined,
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [populations]);
  return isSaid ? (
    <p class="hint">
      Some people belong to two of the populations. They count once in the numbers for all together.
    </p>
  ) : null;
}

/** Puts these populations into the links to the other screens. */
function carry(populations: PopulationChipsProps['populations']): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-screen]')) {
    link.href = screenLink(link.dataset.screen as ScreenId, populations);
  }
}

/** Makes the sign-in link lead back to the view that the page shows when the link is pressed. */
function comeBackAfterSignIn(): () => void {
  const link = document.querySelector<HTMLAnchorElement>('.site-nav a[href^="/account/sign-in"]');
  const onPress = () => {
    const next = encodeURIComponent(location.pathname + location.search);
    if (link !== null) link.href = `/account/sign-in?next=${next}`;
  };
  link?.addEventListener('click', onPress, { capture: true });
  return () => link?.removeEventListener('click', onPress, { capture: true });
}

export interface PopulationChipsProps {
  /** The shown populations: at least one, at most `CHOSEN_MAX`. */
  readonly populations: readonly ChosenPopulation[];
  /** Number of the shown population, from 1, if a screen shows one population at a time. */
  readonly shown?: number;
  /** The age of the people, on a screen that shows a single one. */
  readonly age?: number;
  /** Clothing of the product's users in words, if a population may wear it. */
  readonly usersWear?: string;
  /** Called with a list of complete populations, and with the number of the shown population. */
  readonly onChange: (populations: readonly ChosenPopulation[], shown: number) => void;
}

/** The editor. Its code is loaded when somebody points at the list. */
let Editor: typeof PopulationEditor | undefined;
async function loadEditor(): Promise<void> {
  Editor ??= (await import('./population-editor.js')).PopulationEditor;
}

/** The population at the start of "Add population". It has no country and no ages. */
const BLANK: ChosenPopulation = {
  countries: [],
  ageMin: Number.NaN,
  ageMax: Number.NaN,
};

/**
 * The list of populations. A press on a chip opens its editor below the list. Escape closes the editor. A
 * chip has the colour of its series in the pictures.
 */
export function PopulationChips(props: PopulationChipsProps): VNode {
  const { populations, shown, age, usersWear, onChange } = props;
  const id = useId();
  /** Index of the population in the editor. An index beyond the last population means a new population. */
  const [opened, setOpened] = useState<number>();
  // The editor first loads the search before it reads words. Meanwhile, the user may show or edit other
  // populations.
  const now = useRef({ populations, opened });
  now.current = { populations, opened };
  const list = useRef<HTMLUListElement>(null);
  const focusNext = useRef<number | undefined>(undefined);
  // The focus moves before the next key. A later effect would take the focus back from a user who has moved
  // on.
  useLayoutEffect(() => {
    if (focusNext.current === undefined) return;
    const chips = list.current?.querySelectorAll<HTMLButtonElement>('.population-name');
    // If a user closes the new population without people, the focus returns to the button.
    const add = list.current?.querySelector<HTMLButtonElement>('.population-add');
    const next = focusNext.current === chips?.length ? add : undefined;
    (next ?? chips?.[Math.min(focusNext.current, chips.length - 1)])?.focus();
    focusNext.current = undefined;
  });

  // After Back, the open editor could show a population that no longer exists.
  useEffect(() => {
    const onBack = () => setOpened(undefined);
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);

  /** The panel of saved populations while it is open. Its code is loaded at the first use. */
  const [Saved, setSaved] = useState<typeof SavedPanel>();
  const savedButton = useRef<HTMLButtonElement>(null);
  const openSaved = async () => {
    setOpened(undefined);
    const panel = await import('./saved-panel.js');
    setSaved(() => panel.SavedPanel);
  };
  const closeSaved = () => {
    setSaved(undefined);
    savedButton.current?.focus();
  };
  const current = shown ?? 1;
  /** Gives a population the name under which it was saved. */
  const saved = (index: number, name: string) =>
    onChange(
      populations.map((one, at) => (at === index ? { ...one, name } : one)),
      current,
    );
  const add = (population: ChosenPopulation) =>
    onChange([...populations, population], populations.length + 1);
  const [, setLoaded] = useState(false);
  const open = (index: number) => {
    setSaved(undefined);
    setOpened(index);
    loadEditor().then(
      () => setLoaded(true),
      () => setOpened(undefined),
    );
  };

  const close = () => {
    if (now.current.opened !== opened) return;
    focusNext.current = opened;
    setOpened(undefined);
  };
  const remove = (index: number) => {
    // The removed button had the focus. The next chip takes it.
    focusNext.current = Math.min(index, populations.length - 2);
    setOpened(undefined);
    const moved = index + 1 < current || current === populations.length ? current - 1 : current;
    onChange(
      populations.filter((_, at) => at !== index),
      Math.max(1, moved),
    );
  };
  const change = (next: ChosenPopulation) => {
    const all = [...now.current.populations];
    if (opened === undefined || opened > all.length) return;
    // An added population becomes the visible population.
    const seen = opened === all.length ? opened + 1 : current;
    all[opened] = next;
    onChange(all, seen);
  };
  return (
    <section class="populations" aria-label="Populations">
      <ul
        ref={list}
        class="row chips population-list"
        onPointerEnter={loadEditor}
        onFocusIn={loadEditor}
      >
        {populations.map((population, index) => {
          const label = populationLabel(population);
          const visible = labelAt(population, age);
          const { name } = population;
          const words = populationWords(population);
          return (
            <li key={`${index}-${label}`} class="chip population-chip">
              {shown === undefined || populations.length === 1 ? null : (
                <input
                  type="radio"
                  name={`${id}-shown`}
                  aria-label={`Show ${label}`}
                  checked={index + 1 === shown}
                  onChange={() => onChange(populations, index + 1)}
                />
              )}
              <span class={`swatch series-${index + 1}`} aria-hidden="true" />
              <button
                type="button"
                class="bare population-name"
                aria-label={`${visible === words ? '' : `${visible}: `}${words}, edit`}
                title={name === undefined ? undefined : words}
                aria-expanded={index === opened}
                aria-controls={`${id}-editor`}
                onClick={() => (index === opened ? close() : open(index))}
              >
                <span>
                  <Unbroken text={visible} />
                </span>
              </button>
              {populations.length > 1 ? (
                <RemoveButton of={label} onRemove={() => remove(index)} />
              ) : null}
            </li>
          );
        })}
        {populations.length < CHOSEN_MAX ? (
          <li>
            <button
              type="button"
              class="population-add"
              aria-expanded={opened === populations.length}
              aria-controls={`${id}-editor`}
              onClick={() => open(populations.length)}
            >
              Add population
            </button>
          </li>
        ) : null}
        <li>
          <button
            ref={savedButton}
            type="button"
            class="population-saved"
            aria-expanded={Saved !== undefined}
            aria-controls={`${id}-editor`}
            onClick={() => (Saved === undefined ? openSaved() : closeSaved())}
          >
            Saved
          </button>
        </li>
      </ul>
      <div id={`${id}-editor`}>
        {Saved === undefined ? null : (
          <Saved
            populations={populations}
            onAdd={populations.length < CHOSEN_MAX ? add : undefined}
            onSave={saved}
            onClose={closeSaved}
          />
        )}
        {opened === undefined || Editor === undefined ? null : (
          <Editor
            key={opened}
            population={populations[opened] ?? BLANK}
            usersWear={usersWear}
            onChange={change}
            onClose={close}
          />
        )}
      </div>
    </section>
  );
}
