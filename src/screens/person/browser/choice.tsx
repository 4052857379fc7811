import type { VNode } from 'preact';
import { GENDERS } from '../../../core/genders.js';
import { inWords } from '../../../site/labels.js';
import type { ShownUnit } from '../../../site/lengths.js';
import { countryName } from '../../shared/names.js';
import { haveOneAge, ONE_AGE_LABEL } from '../../shared/populations.js';
import {
  Combobox,
  knownOptions,
  measurementOptions,
  notAmongLengths,
  notCoveredTexts,
} from '../../widgets/combobox.js';
import { NumberField, readNumber, Segments, Select } from '../../widgets/fields.js';
import { RemoveButton } from '../../widgets/parts.js';
import { countryOptions } from '../../widgets/place-options.js';
import {
  BODY_AGE_RANGE,
  CASE_DIMENSIONS,
  KNOWN_MAX,
  kindOf,
  type PersonSource,
  type PersonView,
  populationOfPerson,
} from '../address.js';
import { KnownField } from './known-field.js';

interface PersonChoiceProps {
  readonly view: PersonView;
  readonly unit: ShownUnit;
  readonly cases: readonly string[] | undefined;
  readonly choose: (change: Partial<PersonView>) => void;
}

const SOURCES: readonly (readonly [PersonSource, string])[] = [
  ['values', 'Own values'],
  ['sample', 'Random'],
  ['case', 'Boundary'],
];

/** The choice of the person: completed from values, drawn at random, or on the boundary of a share. */
export function PersonChoice(props: PersonChoiceProps): VNode {
  const { view, choose } = props;
  return (
    <section class="panel person-choice column" aria-label="Who">
      <Segments
        legend="Person"
        options={SOURCES}
        chosen={view.from}
        onChoose={(from) => choose({ from })}
      />
      {view.from === 'values' ? <Values {...props} /> : null}
      {view.from === 'sample' ? (
        <>
          <p class="hint">Person {view.seed}. The same number is the same person again.</p>
          <button type="button" onClick={() => choose({ seed: view.seed + 1 })}>
            Another person
          </button>
        </>
      ) : null}
      {view.from === 'case' ? <Case {...props} /> : null}
    </section>
  );
}

function Values({ view, unit, choose }: PersonChoiceProps): VNode {
  const { gender, age, country } = kindOf(view);
  const { known } = view;
  // Own people in an address with populations have all controls.
  const population = populationOfPerson(view) > 0 ? view.populations[view.shown - 1] : undefined;
  const { min, max } = BODY_AGE_RANGE;
  return (
    <>
      {/* The population says the rest. */}
      {population?.gender === undefined ? (
        <Segments
          legend="Gender"
          options={GENDERS.toReversed().map((one) => [one, one] as const)}
          chosen={gender}
          onChoose={(to) => choose({ gender: to })}
        />
      ) : null}
      {population !== undefined && haveOneAge(population) ? null : (
        <NumberField
          label={ONE_AGE_LABEL}
          value={age}
          shown={String(age)}
          read={(text) => readNumber(text, { what: 'Age of a body', min, max, words: /years?/ })}
          {...BODY_AGE_RANGE}
          onCommit={(ageYears) => choose({ ageYears })}
        />
      )}
      {population?.countries.length === 1 ? null : (
        <Combobox
          label="Country"
          chosen={countryName(country)}
          find={(text) => countryOptions(text, [])}
          onChoose={(to) => choose({ country: to })}
        />
      )}
      {known.map((one, index) => (
        <div key={one.measurement} class="removable">
          <KnownField
            known={one}
            unit={unit}
            onCommit={(next) =>
              choose({ known: known.map((other, i) => (i === index ? next : other)) })
            }
          />
          <RemoveButton
            of={inWords(one.measurement)}
            onRemove={() => choose({ known: known.filter((_, i) => i !== index) })}
          />
        </div>
      ))}
      {known.length < KNOWN_MAX ? (
        <Combobox
          label="Add a known measurement"
          chosen=""
          placeholder="Such as stature or weight"
          find={(text) =>
            knownOptions(
              text,
              known.map(({ measurement }) => measurement),
            )
          }
          notes={notCoveredTexts}
          onChoose={(measurement) => choose({ known: [...known, { measurement, percentile: 50 }] })}
        />
      ) : null}
      <p class="hint">
        What is not known is completed with the most probable values. Without known measurements it
        is the median person.
      </p>
    </>
  );
}

function Case({ view, cases, choose }: PersonChoiceProps): VNode {
  const { measurements, caseNumber } = view;
  const { least, most } = CASE_DIMENSIONS;
  return (
    <>
      {cases === undefined ? null : (
        <Select
          label="Case"
          value={String(caseNumber)}
          options={cases.map((name, index) => [String(index + 1), `${index + 1}: ${name}`])}
          onChange={(number) => choose({ caseNumber: Number(number) })}
        />
      )}
      <ul class="row chips" aria-label="Measurements that the design depends on">
        {measurements.map((name) => (
          <li key={name} class="chip">
            {inWords(name)}
            {measurements.length > least ? (
              <RemoveButton
                of={inWords(name)}
                onRemove={() =>
                  choose({ measurements: measurements.filter((one) => one !== name) })
                }
              />
            ) : null}
          </li>
        ))}
      </ul>
      {measurements.length < most ? (
        <Combobox
          label="Add a measurement that the design depends on"
          chosen=""
          find={(text) => measurementOptions(text, measurements)}
          notes={notAmongLengths}
          onChoose={(name) => choose({ measurements: [...measurements, name] })}
        />
      ) : null}
    </>
  );
}
