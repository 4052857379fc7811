import type { VNode } from 'preact';
import { GENDERS } from '../../../core/genders.js';
import { AGE_LIMITS, PERCENT_LIMITS } from '../../../core/limits.js';
import { MEASUREMENTS } from '../../../core/measurements.js';
import { CLOTHING_IDS } from '../../../core/profiles.js';
import { CLOTHING_LABELS, inWords, percentileText } from '../../../site/labels.js';
import { Combobox } from '../../widgets/combobox.js';
import { ControlsSheet } from '../../widgets/controls-sheet.js';
import { UnitChoice } from '../../widgets/length-field.js';
import { shownUnit } from '../../widgets/lengths.js';
import { NumberField } from '../../widgets/number-field.js';
import { readCompletedAge, readNumber } from '../../widgets/number-text.js';
import { measurementOptions, notAmongLengths } from '../../widgets/options.js';
import { Segments } from '../../widgets/segments.js';
import { Select } from '../../widgets/select.js';
import type { WorldView } from '../address.js';

interface ControlsProps {
  readonly view: WorldView;
  readonly onChange: (change: Partial<WorldView>) => void;
}

/** The change to another measurement, with the first gender that it has, if the chosen one is none. */
function fitting(measurement: string, { gender }: WorldView): Partial<WorldView> {
  const genders = MEASUREMENTS.find(({ name }) => name === measurement)?.genders ?? GENDERS;
  const isKnown = genders.some((one) => one === gender);
  return { measurement, ...(isKnown ? {} : { gender: genders[0] ?? gender }) };
}

/** The form that chooses a view: measurement, percentile, people and unit. */
export function Controls({ view, onChange }: ControlsProps): VNode {
  const dimension = MEASUREMENTS.find(({ name }) => name === view.measurement);
  return (
    <ControlsSheet label="Measurement and people" class="world-sheet">
      <form class="panel world-controls" onSubmit={(event) => event.preventDefault()}>
        <div>
          <Combobox
            label="Measurement"
            chosen={inWords(view.measurement)}
            find={measurementOptions}
            notes={notAmongLengths}
            onChoose={(measurement) => onChange(fitting(measurement, view))}
          />
          {dimension === undefined ? null : <p class="hint">{dimension.definition}</p>}
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
          label="Age in completed years"
          value={view.age}
          min={AGE_LIMITS.minimum}
          max={AGE_LIMITS.maximum}
          shown={String(view.age)}
          read={readCompletedAge}
          onCommit={(age) => onChange({ age })}
        />
        <Select
          label="Clothing"
          value={view.clothing}
          options={CLOTHING_IDS.map((id) => [id, CLOTHING_LABELS[id] ?? id])}
          onChange={(clothing) => onChange({ clothing })}
        />
        <UnitChoice unit={shownUnit(view.unit)} onChange={(unit) => onChange({ unit })} />
      </form>
    </ControlsSheet>
  );
}

function readPercentile(text: string) {
  const { minimum: min, maximum: max } = PERCENT_LIMITS;
  return readNumber(text, { what: 'The percentile', min, max, words: /^p|%$/ });
}
