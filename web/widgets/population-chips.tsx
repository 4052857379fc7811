import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  CHOSEN_MAX,
  type ChosenPopulation,
  DEFAULT_POPULATIONS,
  populationLabel,
} from '../../src/pages/screens/shared/populations.js';
import { PopulationEditor } from './population-editor.js';

interface ChipsProps {
  /** The populations shown, one to `CHOSEN_MAX`. */
  readonly populations: readonly ChosenPopulation[];
  /** The most populations that can be shown; `CHOSEN_MAX` if absent. */
  readonly most?: number;
  /** Called with a list in which every population is complete. */
  readonly onChange: (populations: readonly ChosenPopulation[]) => void;
}

/**
 * The list of populations. A press on a chip opens its editor below the list; Escape closes it. The
 * colour of a chip is that of its series in the pictures.
 */
export function PopulationChips({ populations, most = CHOSEN_MAX, onChange }: ChipsProps): VNode {
  const id = useId();
  const [opened, setOpened] = useState<number>();
  const list = useRef<HTMLUListElement>(null);
  const focusNext = useRef<number | undefined>(undefined);
  // Before the next key: a later effect would take the focus back from a user who has moved on.
  useLayoutEffect(() => {
    if (focusNext.current === undefined) return;
    const chips = list.current?.querySelectorAll<HTMLButtonElement>('.population-name');
    chips?.[Math.min(focusNext.current, chips.length - 1)]?.focus();
    focusNext.current = undefined;
  });

  // After Back, the open editor would show a population that is no longer there.
  useEffect(() => {
    const onBack = () => setOpened(undefined);
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);

  const edited = opened === undefined ? undefined : populations[opened];
  const close = () => {
    focusNext.current = opened;
    setOpened(undefined);
  };
  const remove = (index: number) => {
    // The removed button had the focus; the next chip takes it.
    focusNext.current = index;
    setOpened(undefined);
    onChange(populations.filter((_, i) => i !== index));
  };
  const add = () => {
    onChange([...populations, nextPopulation(populations)]);
    setOpened(populations.length);
  };
  return (
    <section class="populations" aria-label="Populations">
      <ul ref={list} class="chips">
        {populations.map((population, index) => {
          const label = populationLabel(population);
          return (
            <li key={`${index}-${label}`} class="chip population-chip">
              <span class={`swatch series-${index + 1}`} aria-hidden="true" />
              <button
                type="button"
                class="bare population-name"
                aria-label={`${label}, edit`}
                aria-expanded={index === opened}
                aria-controls={`${id}-editor`}
                onClick={() => (index === opened ? close() : setOpened(index))}
              >
                {label}
              </button>
              {populations.length > 1 ? (
                <button
                  type="button"
                  class="bare"
                  aria-label={`Remove ${label}`}
                  onClick={() => remove(index)}
                >
                  ×
                </button>
              ) : null}
            </li>
          );
        })}
        {populations.length < most ? (
          <li>
            <button type="button" class="population-add" onClick={add}>
              Add population
            </button>
          </li>
        ) : null}
      </ul>
      <div id={`${id}-editor`}>
        {opened === undefined || edited === undefined ? null : (
          <PopulationEditor
            key={opened}
            population={edited}
            onChange={(next) => onChange(populations.map((one, i) => (i === opened ? next : one)))}
            onClose={close}
          />
        )}
      </div>
    </section>
  );
}

/** The population that "Add" starts from: the last one, with the other gender if it is not shown. */
function nextPopulation(populations: readonly ChosenPopulation[]): ChosenPopulation {
  const last = populations.at(-1) ?? DEFAULT_POPULATIONS[0];
  if (last === undefined) throw new Error('there is no default population');
  const other = { ...last, gender: last.gender === 'Male' ? 'Female' : 'Male' } as const;
  const shown = populations.map(populationLabel);
  return shown.includes(populationLabel(other)) ? last : other;
}
