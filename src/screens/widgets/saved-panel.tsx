import './population-editor.css';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  CHOSEN_MAX,
  type ChosenPopulation,
  isSamePopulation,
  POPULATION_NAME_MAX,
  populationInFull,
  populationName,
  populationWords,
} from '../shared/populations.js';
import { useId } from './parts.js';
import {
  keptName,
  type NamedPopulation,
  openPopulationStore,
  type PopulationStore,
  SignedOutError,
} from './saved-populations.js';

interface PanelProps {
  /** The populations of the bar. The user can save each of them. */
  readonly populations: readonly ChosenPopulation[];
  /** Adds a saved population to the bar; undefined while the bar is full. */
  readonly onAdd: ((population: ChosenPopulation) => void) | undefined;
  /** Called with the index and the name of a population of the bar when it is saved. */
  readonly onSave: (index: number, name: string) => void;
  readonly onClose: () => void;
}

/** The message after a change: the result or the fault, and the population that an undo restores. */
interface Said {
  readonly text: string;
  readonly isFault?: boolean;
  readonly undo?: NamedPopulation;
  readonly isSignedOut?: boolean;
}

type Change = (store: PopulationStore) => Promise<readonly NamedPopulation[]>;

/** Saved populations with their names, and a form that saves a population of the bar. */
export function SavedPanel({ populations, onAdd, onSave, onClose }: PanelProps): VNode {
  const id = useId();
  const [store, setStore] = useState<PopulationStore>();
  const [saved, setSaved] = useState<readonly NamedPopulation[]>([]);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(0);
  const [said, setSaid] = useState<Said>();
  /** Name of the population that the user renames. */
  const [renamed, setRenamed] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const focusRow = useRef<number | undefined>(undefined);
  useEffect(() => {
    const open = async () => {
      const opened = await openPopulationStore();
      setSaved(await opened.list());
      setStore(opened);
      if (opened.notMoved !== undefined) setSaid({ text: opened.notMoved, isFault: true });
    };
    open().catch((error: Error) => setSaid(faultOf(error)));
  }, []);
  // Another tab may have changed the saved populations.
  useEffect(() => {
    const listAgain = () => {
      if (document.visibilityState === 'hidden') return;
      store?.list().then(setSaved, () => undefined);
    };
    addEventListener('storage', listAgain);
    document.addEventListener('visibilitychange', listAgain);
    return () => {
      removeEventListener('storage', listAgain);
      document.removeEventListener('visibilitychange', listAgain);
    };
  }, [store]);
  // The pressed button is gone. The row in its place takes the focus, or else the field.
  useLayoutEffect(() => {
    if (focusRow.current === undefined) return;
    const rows = list.current?.querySelectorAll<HTMLElement>('.saved-rename') ?? [];
    const row = rows[Math.min(focusRow.current, rows.length - 1)];
    (row ?? field.current)?.focus();
    focusRow.current = undefined;
  });

  const act = async (change: Change, done: Said, row?: number): Promise<boolean> => {
    if (store === undefined) return false;
    try {
      const all = await change(store);
      focusRow.current = row;
      setSaved(all);
      setSaid(done);
      return true;
    } catch (error) {
      setSaid(faultOf(error as Error));
      return false;
    }
  };
  const population = populations[chosen] ?? populations[0];
  /** Gives a population of the bar the name under which it is saved. */
  const call = (index: number, saved: string) => {
    const shown = populationName(saved);
    if (shown !== undefined && populations[index]?.name !== shown) onSave(index, shown);
  };
  const onBar = (named: NamedPopulation) =>
    populations.findIndex((one) => isSamePopulation(one, named.population));
  const save = async () => {
    if (population === undefined) return;
    const kept = keptName(name);
    const before = saved.find((one) => one.name === kept);
    const isOther = before !== undefined && !isSamePopulation(before.population, population);
    const done: Said = isOther
      ? {
          text: `Saved ${quoted(kept)} in place of ${populationWords(before.population)}.`,
          undo: before,
        }
      : { text: `Saved ${quoted(kept)}.` };
    if (await act((to) => to.save({ name, population }), done)) {
      setName('');
      call(chosen, kept);
    } else field.current?.focus();
  };
  const remove = (one: NamedPopulation, row: number) =>
    act((from) => from.remove(one.name), { text: `Deleted ${quoted(one.name)}.`, undo: one }, row);
  const rename = async (one: NamedPopulation, to: string, row: number) => {
    const next = keptName(to);
    if (next === one.name) {
      focusRow.current = row;
      setRenamed(undefined);
      return;
    }
    if (saved.some((other) => other.name === next)) {
      setSaid({ text: `Another population is called ${quoted(next)}.`, isFault: true });
      return;
    }
    // The new name is stored before the old name is removed, so that nothing is lost.
    const change: Change = async (store) => {
      await store.save({ name: to, population: one.population });
      return store.remove(one.name);
    };
    if (await act(change, { text: `${quoted(one.name)} is now ${quoted(next)}.` }, row)) {
      setRenamed(undefined);
      if (populations[onBar(one)]?.name === populationName(one.name)) call(onBar(one), next);
    }
  };
  const add = (one: NamedPopulation) => {
    const there = onBar(one);
    if (there === -1) {
      setSaid({ text: `Added ${quoted(one.name)}.` });
      onAdd?.(one.population);
      return;
    }
    setSaid({ text: `${quoted(one.name)} is already on the bar.` });
    call(there, one.name);
  };
  const isNameFault = said?.isFault === true && renamed === undefined && said.isSignedOut !== true;
  return (
    <section
      class="panel saved-populations"
      aria-label="Saved populations"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      {saved.length === 0 ? (
        <p class="hint">No population is saved yet.</p>
      ) : (
        <ul ref={list}>
          {saved.map((one, row) => (
            <li key={one.name}>
              {one.name === renamed ? (
                <RenameForm
                  name={one.name}
                  onDone={(to) => rename(one, to, row)}
                  onCancel={() => {
                    focusRow.current = row;
                    setRenamed(undefined);
                  }}
                />
              ) : (
                <>
                  <button
                    type="button"
                    class="saved-name"
                    dir="auto"
                    disabled={onAdd === undefined}
                    aria-label={`Add ${one.name}`}
                    onClick={() => add(one)}
                  >
                    {one.name}
                  </button>
                  <span class="soft">{populationWords(one.population)}</span>
                  <span class="saved-ends">
                    <button
                      type="button"
                      class="bare saved-rename"
                      aria-label={`Rename ${one.name}`}
                      onClick={() => setRenamed(one.name)}
                    >
                      Rename
                    </button>
                    <button
                      type="button"
                      class="bare"
                      aria-label={`Delete ${one.name}`}
                      onClick={() => remove(one, row)}
                    >
                      ×
                    </button>
                  </span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {onAdd === undefined && saved.length > 0 ? (
        <p class="hint">
          The bar has {CHOSEN_MAX} populations, which is all it can have. Remove one to add another.
        </p>
      ) : null}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div>
          <label for={`${id}-which`}>Population to save</label>
          <select
            id={`${id}-which`}
            value={String(chosen)}
            onChange={(event) => setChosen(event.currentTarget.selectedIndex)}
          >
            {populations.map((one, index) => (
              <option key={index} value={String(index)} selected={index === chosen}>
                {populationInFull(one)}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            ref={field}
            type="text"
            dir="auto"
            autocomplete="off"
            maxLength={POPULATION_NAME_MAX}
            aria-invalid={isNameFault}
            aria-describedby={isNameFault ? `${id}-said` : undefined}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <button type="submit" class="primary" disabled={store === undefined}>
          Save
        </button>
      </form>
      <p class="saved-said">
        <span
          id={`${id}-said`}
          class={said?.isFault === true ? 'field-error' : 'hint'}
          role="status"
        >
          {said?.text ?? ''}
        </span>{' '}
        {said?.undo === undefined ? null : (
          <button
            type="button"
            onClick={() => {
              const { undo } = said;
              if (undo === undefined) return;
              field.current?.focus();
              act((to) => to.save(undo), { text: `${quoted(undo.name)} is back.` });
            }}
          >
            Undo
          </button>
        )}
        {said?.isSignedOut === true ? <SignIn /> : null}
      </p>
      <p class="hint">
        {store?.isAccount === true ? (
          'They are in your account.'
        ) : (
          <>
            They are in this browser. <SignIn /> to keep them in your account.
          </>
        )}
      </p>
    </section>
  );
}

interface RenameProps {
  readonly name: string;
  readonly onDone: (name: string) => void;
  readonly onCancel: () => void;
}

/** The form that renames a population. Escape keeps the old name. */
function RenameForm({ name, onDone, onCancel }: RenameProps): VNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <form
      class="saved-rename-form"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(field.current?.value ?? '');
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onCancel();
      }}
    >
      <div>
        <label for={id}>New name</label>
        <input
          id={id}
          ref={field}
          type="text"
          dir="auto"
          autocomplete="off"
          maxLength={POPULATION_NAME_MAX}
          defaultValue={name}
        />
      </div>
      <button type="submit">Rename</button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}

/** A sign-in link that leads back to the view at the time of the press. */
function SignIn(): VNode {
  return (
    <a
      href="/account/sign-in"
      onClick={(event) => {
        const next = encodeURIComponent(location.pathname + location.search);
        event.currentTarget.href = `/account/sign-in?next=${next}`;
      }}
    >
      Sign in
    </a>
  );
}

/** A name in quotation marks. It is isolated, so that a right-to-left name does not change the sentence. */
function quoted(name: string): string {
  return `“\u2068${name}\u2069”`;
}

function faultOf(error: Error): Said {
  return { text: error.message, isFault: true, isSignedOut: error instanceof SignedOutError };
}
