import type { VNode } from 'preact';
import { GENDERS } from '../../../core/genders.js';
import { AGE_LIMITS, PERCENT_LIMITS } from '../../../core/limits.js';
import { MEASUREMENTS } from '../../../core/measurements.js';
import { CLOTHING_IDS } from '../../../core/profiles.js';
import { isMass, MASSES, unitFor, unitsOf } from '../../../site/amounts.js';
import { CLOTHING_LABELS, inWords, percentileText } from '../../../site/labels.js';
import { ONE_AGE_LABEL } from '../../shared/ages.js';
import { Combobox } from '../../widgets/combobox.js';
import { ControlsSheet } from '../../widgets/controls-sheet.js';
import { NumberField } from '../../widgets/number-field.js';
import { readAge, readNumber } from '../../widgets/number-text.js';
import { notCoveredTexts, quantityOptions } from '../../widgets/options.js';
import { Segments } from '../../widgets/segments.js';
import { Select } from '../../widgets/select.js';
import type { WorldView } from '../address.js';

interface ControlsProps {
  readonly view: WorldView;
  readonly onChange: (change: Partial<WorldView>) => void;
}

/** The change to another measurement, with the first gender that it has, if the chosen one is none. */
function fitting(measurement: string, { gender, unit }: WorldView): Partial<WorldView> {
  const genders = MEASUREMENTS.find(({ name }) => name === measurement)?.genders ?? GENDERS;
  const isKnown = genders.some((one) => one === gender);
  return {
    measurement,
    unit: unitFor(measurement, unit),
    ...(isKnown ? {} : { gender: genders[0] ?? gender }),
  };
}

/** The form that chooses a view: measurement, percentile, people and unit. */
export function Controls({ view, onChange }: ControlsProps): VNode {
  const dimension = MEASUREMENTS.find(({ name }) => name === view.measurement);
  const definition = MASSES[view.measurement] ?? dimension?.definition;
  return (
    <ControlsSheet label="Measurement and people" class="world-sheet">
      <form class="panel world-controls" onSubmit={(event) => event.preventDefault()}>
        <div>
          <Combobox
            label="Measurement"
            chosen={inWords(view.measurement)}
            find={quantityOptions}
            notes={notCoveredTexts}
            onChoose={(measurement) => onChange(fitting(measurement, view))}
          />
          {definition === undefined ? null : <p class="hint">{definition}</p>}
        </div>
        <NumberField
          label="Percentile"
          value={view.percentile}
          min={PERCENT_LIMITS.minimum}
          max={PERCENT_LIMITS.maximum}
          shown={percentileText(view.percentile)}
          read={readPercentile}
          onCommit={(percentile) => onChange({ percentile })}
        />
        <Segments
          legend="Gender"
          options={GENDERS.toReversed().map((gender) => [gender, gender] as const)}
          chosen={GENDERS.find((gender) => gender === view.gender)}
          isDisabled={(gender) => dimension?.genders.includes(gender) === false}
          onChoose={(gender) => onChange({ gender })}
        />
        <NumberField
          label={ONE_AGE_LABEL}
          value={view.age}
          min={AGE_LIMITS.minimum}
          max={AGE_LIMITS.maximum}
          shown={String(view.age)}
          read={readAge}
          onCommit={(age) => onChange({ age })}
        />
        {isMass(view.measurement) ? null : (
          <Select
            label="Clothing"
            value={view.clothing}
            options={CLOTHING_IDS.map((id) => [id, CLOTHING_LABELS[id] ?? id])}
            onChange={(clothing) => onChange({ clothing })}
          />
        )}
        <Segments
          legend="Unit"
          class="unit-choice"
          options={unitsOf(view.measurement).map((one) => [one, one] as const)}
          chosen={unitsOf(view.measurement).find((one) => one === view.unit)}
          onChoose={(unit) => onChange({ unit })}
        />
      </form>
    </ControlsSheet>
  );
}

function readPercentile(text: string) {
  const { minimum: min, maximum: max } = PERCENT_LIMITS;
  return readNumber(text, { what: 'The percentile', min, max, words: /^p|%$/ });
}
