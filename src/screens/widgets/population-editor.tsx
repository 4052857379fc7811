import './population-editor.css';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CLOTHING_IDS } from '../../core/profiles.js';
import { CLOTHING_LABELS } from '../../site/labels.js';
import { countryName } from '../shared/names.js';
import {
  AGES_TEXT,
  type ChosenPopulation,
  clothingOf,
  POPULATION_NAME_MAX,
  populationName,
  populationWords,
} from '../shared/populations.js';
import { Combobox } from './combobox.js';
import { FieldFault, faultAttributes, Segments, Select } from './fields.js';
import { RemoveButton, useId } from './parts.js';
import { placeOptions } from './place-options.js';
import { isComplete, populationFaults } from './population-faults.js';

interface EditorProps {
  readonly population: ChosenPopulation;
  /** Clothing of the product's users in words, if the population may wear it. */
  readonly usersWear?: string | undefined;
  /** Called after every change, if the population is complete. */
  readonly onChange: (population: ChosenPopulation) => void;
  readonly onClose: () => void;
}

/**
 * The form of one population. A change with a fault is shown at its field and is not reported. If the form of
 * a blank population is sent, it shows what is missing.
 */
export function PopulationEditor(props: EditorProps): VNode {
  const { population, usersWear, onChange, onClose } = props;
  const [draft, setDraft] = useState(population);
  const [showsFaults, setShowsFaults] = useState(() => isComplete(population));
  /** How often the words have changed the fields. After each change, fields drop their typed texts. */
  const [worded, setWorded] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  // The focus moves before the next key. A later effect would take the focus back from a user who has moved
  // on.
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  /** How often the form was sent with a fault. */
  const [refused, setRefused] = useState(0);
  useLayoutEffect(() => {
    if (refused > 0) form.current?.querySelector<HTMLElement>(FIRST_WRONG)?.focus();
  }, [refused]);
  const choose = (change: Partial<ChosenPopulation>) => {
    const next = { ...draft, ...change };
    setDraft(next);
    if (isComplete(next)) onChange(next);
  };
  const faults = showsFaults ? populationFaults(draft) : {};
  const { gender, countries, ageMin, ageMax } = draft;
  // Without a choice, the population wears the clothing of the product's users.
  const clothing = usersWear === undefined ? clothingOf(draft) : (draft.clothing ?? '');
  return (
    <form
      ref={form}
      class="panel population-editor"
      aria-label="Edit the population"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setShowsFaults(true);
        if (isComplete(draft)) onClose();
        else setRefused((count) => count + 1);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // The controls around the editor stay open.
        event.preventDefault();
        onClose();
      }}
    >
      <WordsField
        draft={draft}
        onRead={(next) => {
          choose(next);
          setWorded((count) => count + 1);
          if (isComplete(next)) onClose();
        }}
      />
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
          key={`youngest-${worded}`}
          label="Youngest age"
          value={ageMin}
          fault={faults.ageMin}
          onInput={(to) => choose({ ageMin: to })}
        />
        <AgeField
          key={`oldest-${worded}`}
          label="Oldest age"
          value={ageMax}
          fault={faults.ageMax}
          onInput={(to) => choose({ ageMax: to })}
        />
      </div>
      <p class="hint">{AGES_TEXT}</p>
      <Select
        label="Clothing"
        class="population-clothing"
        value={clothing}
        options={[
          ...(usersWear === undefined ? [] : [['', `As usual: ${usersWear}`] as const]),
          ...CLOTHING_IDS.map((id) => [id, CLOTHING_LABELS[id] ?? id] as const),
        ]}
        onChange={(id) => choose({ clothing: id || undefined })}
      />
      <NameField key={`name-${worded}`} population={draft} onName={(name) => choose({ name })} />
      <div class="row buttons population-ends">
        <button type="submit" class="primary">
          Done
        </button>
        {isComplete(draft) ? null : (
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}

/** Required fields with a fault. The field for words may keep its fault. */
const FIRST_WRONG =
  '.population-places [aria-invalid="true"], .population-ages [aria-invalid="true"]';

interface NameProps {
  readonly population: ChosenPopulation;
  readonly onName: (name: string | undefined) => void;
}

/** The name of the population in headings, pictures and files. Without a name, its description is used. */
function NameField({ population, onName }: NameProps): VNode {
  const id = useId();
  return (
    <div>
      <label for={id}>Name, if you like</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        maxLength={POPULATION_NAME_MAX}
        placeholder={isComplete(population) ? populationWords(population) : ''}
        value={population.name ?? ''}
        onChange={(event) => onName(populationName(event.currentTarget.value))}
      />
    </div>
  );
}

interface WordsProps {
  /** The population before the words. Its ages stay if the words name no ages. */
  readonly draft: ChosenPopulation;
  /** Called with a population that the words describe. */
  readonly onRead: (population: ChosenPopulation) => void;
}

/** A field for a whole population in words. Enter reads the words. */
function WordsField({ draft, onRead }: WordsProps): VNode {
  const id = useId();
  const [fault, setFault] = useState<string>();
  const read = async (text: string) => {
    const { populationInWords } = await import('./search.js');
    const found = populationInWords(text);
    if ('fault' in found) {
      setFault(found.fault);
      return;
    }
    const { gender, countries = draft.countries, ages, clothing = draft.clothing } = found;
    const [ageMin, ageMax] = ages ?? [draft.ageMin, draft.ageMax];
    // The words describe other people, so the old name is removed.
    const next = { ...draft, gender, countries, ageMin, ageMax, clothing, name: undefined };
    const { countries: places, ageMin: youngest, ageMax: oldest } = populationFaults(next);
    if (places !== undefined) setFault(PLACES_MISSING);
    else setFault(youngest === undefined && oldest === undefined ? undefined : AGES_MISSING);
    onRead(next);
  };
  return (
    <div class="population-words">
      <label for={id}>In words</label>
      <input
        {...faultAttributes({ id, fault })}
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder="Such as women DE, JP 18–65"
        onKeyDown={(event) => {
          const { value } = event.currentTarget;
          if (event.key !== 'Enter' || value.trim() === '') return;
          event.preventDefault();
          read(value);
        }}
        onChange={(event) => {
          if (event.currentTarget.value.trim() !== '') read(event.currentTarget.value);
        }}
      />
      <FieldFault {...{ id, fault }} />
    </div>
  );
}

const PLACES_MISSING = 'Name a country or a set of countries, such as Japan or EU27.';
const AGES_MISSING = 'Say which ages, such as 18–65 or 75+.';

const GENDER_OPTIONS = [
  ['Female', 'Women'],
  ['Male', 'Men'],
  [undefined, 'Both'],
] as const;

interface PlacesProps {
  readonly places: readonly string[];
  readonly fault: string | undefined;
  readonly onChange: (places: readonly string[]) => void;
}

function Places({ places, fault, onChange }: PlacesProps): VNode {
  const field = useRef<HTMLDivElement>(null);
  const id = useId();
  const remove = (place: string) => {
    onChange(places.filter((one) => one !== place));
    field.current?.querySelector('input')?.focus();
  };
  return (
    <div class="population-places" ref={field}>
      <ul class="row chips" aria-label="Countries chosen">
        {places.map((place) => (
          <li key={place} class="chip">
            {countryName(place)}
            <RemoveButton of={countryName(place)} onRemove={() => remove(place)} />
          </li>
        ))}
      </ul>
      <Combobox
        label="Add a country or a set of countries"
        chosen=""
        placeholder="Such as Japan, EU27, World"
        faultId={fault === undefined ? undefined : `${id}-fault`}
        find={(text) => placeOptions(text, places)}
        onChoose={(place) => onChange([...places, place])}
      />
      <FieldFault {...{ id, fault }} />
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
        {...faultAttributes({ id, fault })}
        type="text"
        inputMode="numeric"
        autocomplete="off"
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          setText(typed);
          onInput(typed.trim() === '' ? Number.NaN : Number(typed));
        }}
      />
      <FieldFault {...{ id, fault }} />
    </div>
  );
}
