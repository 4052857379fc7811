import type { VNode } from 'preact';
import { GENDERS } from '../../../core/genders.js';
import { AGE_LIMITS, COUNTRIES_LIMITS } from '../../../core/limits.js';
import { MEASUREMENTS } from '../../../core/measurements.js';
import { POSTURE_IDS } from '../../../core/profiles.js';
import { fromPlain, isMass, MASSES, toPlain, unitFor, unitsOf } from '../../../site/amounts.js';
import { inWords, POSTURE_LABELS } from '../../../site/labels.js';
import { haveOneAge, ONE_AGE_LABEL } from '../../shared/populations.js';
import {
  Combobox,
  measurementOptions,
  notAmongLengths,
  notCoveredTexts,
  quantityOptions,
} from '../../widgets/combobox.js';
import { NumberField, readAge, Segments, Select } from '../../widgets/fields.js';
import { ControlsSheet, RemoveButton } from '../../widgets/parts.js';
import { countryOptions } from '../../widgets/place-options.js';
import type { DimensionView } from '../address.js';
import { countryName } from '../texts.js';
import { Figure } from './figure.js';

interface ControlsProps {
  readonly view: DimensionView;
  readonly onChange: (change: Partial<DimensionView>) => void;
}

/** The form that chooses a view: measurement, population, clothing, posture and unit. */
export function Controls({ view, onChange }: ControlsProps): VNode {
  const population = view.populations[view.shown - 1];
  const dimension = MEASUREMENTS.find(({ name }) => name === view.measurement);
  const linked = MEASUREMENTS.find(({ name }) => name === view.linked);
  const dimensions = [dimension, view.kind === 'connected' ? linked : undefined].filter(
    (one) => one !== undefined,
  );
  return (
    <ControlsSheet class="dimension-sheet">
      <form class="panel dimension-controls" onSubmit={(event) => event.preventDefault()}>
        <div class="wide">
          <Combobox
            label={view.kind === 'connected' ? 'Known measurement' : 'Measurement'}
            chosen={inWords(view.measurement)}
            find={view.kind === 'connected' ? measurementOptions : quantityOptions}
            notes={view.kind === 'connected' ? notAmongLengths : notCoveredTexts}
            onChoose={(name) => onChange(fitting(name, view))}
          />
          <Shown measurement={view.measurement} view={view} />
        </div>
        {view.kind === 'connected' ? (
          <div class="wide">
            <Combobox
              label="Second measurement"
              chosen={inWords(view.linked)}
              find={measurementOptions}
              notes={notAmongLengths}
              onChoose={(name) => onChange({ linked: name })}
            />
            <Shown measurement={view.linked} view={view} />
          </div>
        ) : null}
        {/* The population says the rest about the people. */}
        {population?.gender === undefined ? (
          <Segments
            legend="Gender"
            options={GENDERS.toReversed().map((gender) => [gender, gender] as const)}
            chosen={GENDERS.find((gender) => gender === view.gender)}
            isDisabled={(gender) => !dimensions.every(({ genders }) => genders.includes(gender))}
            onChoose={(gender) => onChange({ gender })}
          />
        ) : null}
        {population !== undefined && haveOneAge(population) ? null : (
          <NumberField
            label={ONE_AGE_LABEL}
            value={view.age}
            min={AGE_LIMITS.minimum}
            max={AGE_LIMITS.maximum}
            shown={Number.isNaN(view.age) ? '' : String(view.age)}
            read={readAge}
            onCommit={(age) => onChange({ age })}
          />
        )}
        {view.kind === 'countries' || view.kind === 'connected' ? null : (
          <Countries countries={view.countries} onChange={onChange} />
        )}
        {isMass(view.measurement) ? null : (
          <Select
            label="Posture"
            class="posture"
            value={view.posture}
            options={POSTURE_IDS.filter((id) =>
              dimensions.every(({ postures }) => postures.includes(id) || id === view.posture),
            ).map((id) => [id, POSTURE_LABELS[id] ?? id])}
            onChange={(posture) => onChange({ posture })}
          />
        )}
        <Select
          label="Unit"
          class="unit"
          value={view.unit}
          options={unitsOf(view.measurement).map((id) => [id, id])}
          onChange={(unit) => onChange({ unit, value: converted(view, unit) })}
        />
      </form>
    </ControlsSheet>
  );
}

/** The value of a view in another unit. */
function converted({ value, unit }: DimensionView, to: string): number | undefined {
  if (value === undefined) return undefined;
  return fromPlain(toPlain(value, unit), to);
}

/** The definition of a measurement, and a drawing of it. */
function Shown(props: {
  readonly measurement: string;
  readonly view: DimensionView;
}): VNode | null {
  const { measurement, view } = props;
  const definition =
    MASSES[measurement] ?? MEASUREMENTS.find(({ name }) => name === measurement)?.definition;
  if (definition === undefined) return null;
  return (
    <>
      <p class="hint definition">{definition}</p>
      <Figure {...{ measurement, definition, view }} />
    </>
  );
}

/**
 * The change to another measurement. If it has no model for the chosen gender or posture, the first gender or
 * posture with a model is chosen.
 */
function fitting(name: string, view: DimensionView): Partial<DimensionView> {
  const own = { measurement: name, unit: unitFor(name, view.unit), value: undefined };
  const next = MEASUREMENTS.find((one) => one.name === name);
  if (next === undefined) return own;
  const { genders, postures } = next;
  const gender = genders.find((one) => one === view.gender) ?? genders[0] ?? view.gender;
  const posture = postures.find((one) => one === view.posture) ?? postures[0] ?? view.posture;
  const linked = view.linked === name ? view.measurement : view.linked;
  // A value of one measurement has no meaning for another measurement.
  return { ...own, gender, posture, linked };
}

interface CountriesProps {
  readonly countries: readonly string[];
  readonly onChange: (change: Partial<DimensionView>) => void;
}

/** The countries of a view that are compared: up to ten. */
export function Countries({ countries, onChange }: CountriesProps): VNode {
  const add = (code: string) => onChange({ countries: [...countries, code], value: undefined });
  return (
    <div class="wide">
      {countries.length > 1 ? (
        <ul class="row chips" aria-label="Countries shown">
          {countries.map((code, index) => (
            <li key={code} class="chip">
              <span class={`swatch series-${index + 1}`} aria-hidden="true" />
              {countryName(code)}
              <RemoveButton
                of={countryName(code)}
                onRemove={() => onChange({ countries: countries.filter((one) => one !== code) })}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {countries.length < COUNTRIES_LIMITS.maxItems ? (
        <Combobox
          label="Compare with"
          chosen=""
          placeholder="Add a country"
          find={(text) => countryOptions(text, countries)}
          onChoose={add}
        />
      ) : null}
    </div>
  );
}
