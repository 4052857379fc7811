import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { COUNTRIES } from '../../src/core/countries.js';
import { CLOTHING_IDS } from '../../src/core/profiles.js';
import { CLOTHING_LABELS } from '../../src/pages/screens/shared/labels.js';
import type { ChosenPopulation } from '../../src/pages/screens/shared/populations.js';
import { Combobox } from './combobox.js';
import { placeOptions } from './options.js';
import { isComplete, populationFaults } from './population-faults.js';
import { Segments } from './segments.js';

interface EditorProps {
  readonly population: ChosenPopulation;
  /** Called with every change that leaves the population complete. */
  readonly onChange: (population: ChosenPopulation) => void;
  readonly onClose: () => void;
}

/** The form of one population. A change with a fault is shown at its field and not reported. */
export function PopulationEditor({ population, onChange, onClose }: EditorProps): VNode {
  const [draft, setDraft] = useState(population);
  const form = useRef<HTMLFormElement>(null);
  // Before the next key: a later effect would take the focus back from a user who has moved on.
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const choose = (change: Partial<ChosenPopulation>) => {
    const next = { ...draft, ...change };
    setDraft(next);
    if (isComplete(next)) onChange(next);
  };
  const faults = populationFaults(draft);
  const { gender, countries, ageMin, ageMax, clothing } = draft;
  return (
    <form
      ref={form}
      class="panel population-editor"
      aria-label="Edit the population"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(draft)) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // The controls around the editor stay open.
        event.preventDefault();
        onClose();
      }}
    >
      <Segments<ChosenPopulation['gender']>
        legend="Gender"
        options={GENDER_OPTIONS}
        chosen={gender}
        onChoose={(to) => choose({ gender: to })}
      />
      <Places
        places={countries}
        fault={faults.countries}
        onChange={(to) => choose({ countries: to })}
      />
      <div class="population-ages">
        <AgeField
          label="Youngest age"
          value={ageMin}
          fault={faults.ageMin}
          onInput={(to) => choose({ ageMin: to })}
        />
        <AgeField
          label="Oldest age"
          value={ageMax}
          fault={faults.ageMax}
          onInput={(to) => choose({ ageMax: to })}
        />
      </div>
      <label class="select">
        Clothing
        <select
          value={clothing}
          onChange={(event) => choose({ clothing: event.currentTarget.value })}
        >
          {CLOTHING_IDS.map((id) => (
            <option key={id} value={id} selected={id === clothing}>
              {CLOTHING_LABELS[id] ?? id}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary">
        Done
      </button>
    </form>
  );
}

const GENDER_OPTIONS = [
  ['Female', 'Women'],
  ['Male', 'Men'],
  [undefined, 'Both'],
] as const;

const COUNTRY_NAMES: ReadonlyMap<string, string> = new Map(
  COUNTRIES.map(({ code, name }) => [code, name]),
);

interface PlacesProps {
  readonly places: readonly string[];
  readonly fault: string | undefined;
  readonly onChange: (places: readonly string[]) => void;
}

function Places({ places, fault, onChange }: PlacesProps): VNode {
  const field = useRef<HTMLDivElement>(null);
  const remove = (place: string) => {
    onChange(places.filter((one) => one !== place));
    field.current?.querySelector('input')?.focus();
  };
  return (
    <div class="population-places" ref={field}>
      <ul class="chips" aria-label="Countries chosen">
        {places.map((place) => (
          <li key={place} class="chip">
            {COUNTRY_NAMES.get(place) ?? place}
            <button
              type="button"
              class="bare"
              aria-label={`Remove ${COUNTRY_NAMES.get(place) ?? place}`}
              onClick={() => remove(place)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <Combobox
        label="Add a country or a set of countries"
        chosen=""
        placeholder="Such as Japan, EU27, World"
        find={(text) => placeOptions(text, places)}
        onChoose={(place) => onChange([...places, place])}
      />
      {fault === undefined ? null : (
        <p class="field-error" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

interface AgeFieldProps {
  readonly label: string;
  readonly value: number;
  readonly fault: string | undefined;
  readonly onInput: (age: number) => void;
}

function AgeField({ label, value, fault, onInput }: AgeFieldProps): VNode {
  const id = useId();
  const [text, setText] = useState(Number.isNaN(value) ? '' : String(value));
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autocomplete="off"
        value={text}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          setText(typed);
          onInput(typed.trim() === '' ? Number.NaN : Number(typed));
        }}
      />
      {fault === undefined ? null : (
        <p id={`${id}-fault`} class="field-error" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
