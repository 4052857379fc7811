import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  type ChosenPopulation,
  populationLabel,
} from '../../src/pages/screens/shared/populations.js';
import {
  type NamedPopulation,
  openPopulationStore,
  type PopulationStore,
} from './saved-populations.js';
import { useId } from './use-id.js';

interface PanelProps {
  /** The populations of the bar, of which one can be saved. */
  readonly populations: readonly ChosenPopulation[];
  /** Adds a saved population to the bar; undefined while the bar is full. */
  readonly onAdd: ((population: ChosenPopulation) => void) | undefined;
  /** Called with all saved populations when they are known or have changed. */
  readonly onList: (saved: readonly NamedPopulation[]) => void;
  readonly onClose: () => void;
}

/** Named populations: those that are saved, and a form that saves one of the bar. */
export function SavedPanel({ populations, onAdd, onList, onClose }: PanelProps): VNode {
  const id = useId();
  const [store, setStore] = useState<PopulationStore>();
  const [saved, show] = useState<readonly NamedPopulation[]>([]);
  const setSaved = (all: readonly NamedPopulation[]) => {
    show(all);
    onList(all);
  };
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(0);
  const [said, setSaid] = useState<{ readonly text: string; readonly isFault: boolean }>();
  useEffect(() => {
    const open = async () => {
      const opened = await openPopulationStore();
      setSaved(await opened.list());
      setStore(opened);
      if (opened.notMoved !== undefined) setSaid({ text: opened.notMoved, isFault: true });
    };
    open().catch(({ message }: Error) => setSaid({ text: message, isFault: true }));
  }, []);

  const act = async (
    change: (to: PopulationStore) => Promise<readonly NamedPopulation[]>,
    done: string,
  ) => {
    if (store === undefined) return;
    try {
      setSaved(await change(store));
      setSaid({ text: done, isFault: false });
    } catch (error) {
      setSaid({ text: (error as Error).message, isFault: true });
    }
  };
  const population = populations[chosen] ?? populations[0];
  const save = () => {
    if (population === undefined) return;
    act((to) => to.save({ name, population }), `Saved “${name.trim()}”.`).then(() => setName(''));
  };
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
        <ul>
          {saved.map((one) => (
            <li key={one.name}>
              <button
                type="button"
                disabled={onAdd === undefined}
                aria-label={`Add ${one.name}`}
                onClick={() => onAdd?.(one.population)}
              >
                {one.name}
              </button>
              <span class="soft">{populationLabel(one.population)}</span>
              <button
                type="button"
                class="bare"
                aria-label={`Delete ${one.name}`}
                onClick={() => act((from) => from.remove(one.name), `Deleted “${one.name}”.`)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
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
                {populationLabel(one)}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            type="text"
            autocomplete="off"
            maxLength={60}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <button type="submit" class="primary" disabled={store === undefined}>
          Save
        </button>
      </form>
      <p class={said?.isFault === true ? 'field-error' : 'hint'} role="status">
        {said?.text ?? ''}
      </p>
      <p class="hint">
        {store?.isAccount === true
          ? 'They are in your account.'
          : 'They are in this browser. Sign in to keep them in your account.'}
      </p>
    </section>
  );
}
