import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { BODY_REGIONS } from '../../core/body-regions.js';
import { MEASUREMENTS, type Measurement } from '../../core/measurements.js';
import { MASSES } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import { useId } from './parts.js';

/** One entry of the list. */
export interface Option {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Whether it is shown and cannot be chosen, because it is chosen already. */
  readonly isTaken?: boolean;
}

/** Options under a heading. The results of a search have no heading. */
export interface OptionGroup {
  readonly heading?: string | undefined;
  readonly options: readonly Option[];
}

interface ComboboxProps {
  readonly label: string;
  /** Label of the chosen option; empty if a choice is added to a list elsewhere. */
  readonly chosen: string;
  readonly placeholder?: string;
  /** Id of the text that describes a fault of the field. */
  readonly faultId?: string | undefined;
  /** Options that match a search text. For an empty text, all options in groups. */
  readonly find: (text: string) => readonly OptionGroup[];
  /** Sentences about things that the text asks for but the list lacks. */
  readonly notes?: (text: string) => readonly string[];
  readonly onChoose: (id: string) => void;
}

/** A field that searches a list: the editable combobox with a list popup (WAI-ARIA 1.2). */
export function Combobox(props: ComboboxProps): VNode {
  const { label, chosen, placeholder, faultId, find, notes, onChoose } = props;
  const id = useId();
  const [text, setText] = useState<string>();
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const open = text !== undefined;
  const wanted = text === undefined || text === chosen ? '' : text.trim();
  const groups = open ? find(wanted) : [];
  const said = wanted === '' ? [] : (notes?.(wanted) ?? []);
  // Until the search is loaded, the list has only names that contain the text. Then the list is made again.
  const [, setLoaded] = useState(() => loadedSearch() !== undefined);
  useEffect(() => {
    if (!open || loadedSearch() !== undefined) return;
    loadSearch().then(
      () => setLoaded(true),
      () => undefined,
    );
  }, [open]);
  useEffect(loadSearchSoon, []);
  const options = groups.flatMap((group) => group.options);
  const optionId = (index: number) => `${id}-option-${index}`;

  // After a choice, typing replaces the chosen text and does not append to it.
  useLayoutEffect(() => {
    if (!open && document.activeElement === field.current) field.current?.select();
  }, [open, chosen]);

  const close = () => {
    setText(undefined);
    setActive(-1);
  };
  const choose = (option: Option | undefined) => {
    if (option === undefined || option.isTaken) return;
    close();
    onChoose(option.id);
  };
  const move = (to: number) => {
    const index = Math.max(0, Math.min(options.length - 1, to));
    setActive(index);
    list.current?.querySelector(`[id="${optionId(index)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => (open ? move(active + 1) : setText(chosen)),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + 8),
      PageUp: () => move(active - 8),
      Enter: () => choose(options[Math.max(0, active)]),
      Escape: close,
    };
    const act = keys[event.key];
    if (act === undefined || (!open && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    act();
  };

  let index = -1;
  return (
    <div class="combobox">
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={field}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-invalid={faultId !== undefined}
        aria-describedby={faultId}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? optionId(active) : undefined}
        value={text ?? chosen}
        onFocus={(event) => event.currentTarget.select()}
        onMouseDown={(event) => {
          // The click that opens the list selects the text. Later clicks place the cursor.
          if (open) return;
          event.preventDefault();
          event.currentTarget.focus();
          event.currentTarget.select();
          setText(chosen);
        }}
        onClick={() => setText((was) => was ?? chosen)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {said.length === 0 ? null : (
        <div class="combobox-notes hint" role="status">
          {said.map((one) => (
            <p key={one}>{one}</p>
          ))}
        </div>
      )}
      <div
        id={`${id}-list`}
        ref={list}
        role="listbox"
        aria-label={label}
        class="combobox-list"
        hidden={!open}
        // A press on the list must not take the focus. Without the focus, the list would close.
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map(({ heading, options: members }) => (
          <div key={heading ?? ''} role="group" aria-label={heading ?? 'Found'}>
            {heading === undefined ? null : (
              <div class="combobox-heading" aria-hidden="true">
                {heading}
              </div>
            )}
            {members.map((option) => {
              index++;
              return (
                <div
                  key={option.id}
                  id={optionId(index)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === active}
                  aria-disabled={option.isTaken}
                  class="combobox-option"
                  onClick={() => choose(option)}
                  onKeyDown={onKeyDown}
                >
                  {option.label}
                  {option.hint === undefined ? null : <span class="hint">{option.hint}</span>}
                </div>
              );
            })}
          </div>
        ))}
        {open && options.length === 0 ? <div class="combobox-none">Nothing found.</div> : null}
      </div>
    </div>
  );
}

/** Sentences about things that a text asks for and no measurement covers, with the nearest measurements. */
export function notCoveredTexts(text: string): readonly string[] {
  return loadedSearch()?.notCoveredTexts(text) ?? [];
}

/** The same for lists of lengths, which lack body mass and BMI. */
export function notAmongLengths(text: string): readonly string[] {
  return loadedSearch()?.notAmongLengths(text) ?? [];
}

function measurementsFor(text: string): readonly Measurement[] {
  const search = loadedSearch();
  if (search !== undefined) return search.findMeasurements(text);
  return MEASUREMENTS.filter(({ name }) => contains(inWords(name), text));
}

/**
 * Measurements that match a search text. For an empty text, all measurements in groups.
 *
 * @param taken names of measurements that are chosen already; a search shows them so that the best match is not missing
 */
export function measurementOptions(text: string, taken: readonly string[] = []): OptionGroup[] {
  const option = ({ name, definition }: Measurement): Option =>
    taken.includes(name)
      ? { id: name, label: inWords(name), hint: 'Already chosen', isTaken: true }
      : { id: name, label: inWords(name), hint: definition };
  if (text !== '') {
    // If the text names a need that no dimension covers, the nearest dimensions are shown. Dimensions that
    // only share a word with it are not.
    const all = measurementsFor(text);
    const found = loadedSearch()?.orNearest(text, all, MEASUREMENTS) ?? all;
    return found.length === 0 ? [] : [{ options: found.map(option) }];
  }
  return BODY_REGIONS.map(({ title, measurements }) => ({
    heading: title,
    options: measurements.filter(({ name }) => !taken.includes(name)).map(option),
  })).filter(({ options }) => options.length > 0);
}

/** Measurements, body mass and BMI that match a search text. For an empty text, all of them in groups. */
export function quantityOptions(
  text: string,
  taken: readonly string[] = [],
  names: readonly string[] = Object.keys(MASSES),
): OptionGroup[] {
  const lengths = measurementOptions(text, taken);
  const found = (loadedSearch()?.findBodyQuantities(text) ?? []).map(({ name }) => name);
  const meant = names.filter((name) => found.includes(name));
  // A list without BMI offers the body mass for it.
  const near = meant.length === 0 && found.length > 0 ? names : meant;
  const options = names
    .filter((name) => text === '' || near.includes(name) || contains(inWords(name), text))
    .filter((name) => !taken.includes(name))
    .map((id) => ({ id, label: inWords(id), hint: MASSES[id] ?? '' }));
  if (options.length === 0) return lengths;
  return text === '' ? [...lengths, { heading: 'Body mass', options }] : [{ options }, ...lengths];
}

/** Values that can be known of a person: the measurements and the body mass. */
export function knownOptions(text: string, taken: readonly string[]): OptionGroup[] {
  return quantityOptions(text, taken, ['BodyMass']);
}

const SEARCH_DELAY_MS = 500;

let search: typeof import('./search.js') | undefined;

/** The search with its words; undefined until it is loaded. */
export function loadedSearch(): typeof search {
  return search;
}

/** Fetches the search and makes its index. Until then, and after a failure, only names are searched. */
export async function loadSearch(): Promise<void> {
  const module = await import('./search.js');
  if (search === undefined) module.prepareSearch();
  search = module;
}

/** Fetches the search after the visible parts of the page, and before the user types. */
export function loadSearchSoon(): void {
  setTimeout(() => loadSearch().catch(() => undefined), SEARCH_DELAY_MS);
}

/** Whether a name contains a text. It is the search until `loadedSearch` is there. */
export function contains(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}
