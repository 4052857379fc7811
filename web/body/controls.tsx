import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { BodyView } from '../../src/core/body-view.js';
import { PopulationChips } from '../populations/chips.js';
import { ControlsSheet } from '../populations/controls-sheet.js';
import type { ShownUnit } from '../populations/lengths.js';
import { UnitChoice } from '../populations/unit-choice.js';

interface ControlsProps {
  readonly view: BodyView;
  readonly unit: ShownUnit;
  readonly choose: (change: Partial<BodyView>) => void;
}

/** Populations, posture, side and unit. */
export function BodyControls({ view, unit, choose }: ControlsProps): VNode {
  return (
    <ControlsSheet label="Populations and view" class="body-controls">
      <PopulationChips
        populations={view.populations}
        onChange={(populations) => choose({ populations })}
      />
      <Segments
        legend="Posture"
        options={{ standing: 'Standing', sitting: 'Sitting' }}
        chosen={view.posture}
        onChoose={(posture) => choose({ posture })}
      />
      <Segments
        legend="Seen from"
        options={{ front: 'Front', side: 'Side' }}
        chosen={view.side}
        onChoose={(side) => choose({ side })}
      />
      <Segments
        legend="Populations"
        options={{ beside: 'Side by side', overlaid: 'Overlaid' }}
        chosen={view.overlaid ? 'overlaid' : 'beside'}
        onChoose={(where) => choose({ overlaid: where === 'overlaid' })}
      />
      <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
    </ControlsSheet>
  );
}

interface SegmentsProps<Id extends string> {
  readonly legend: string;
  readonly options: Readonly<Record<Id, string>>;
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  readonly children?: ComponentChildren;
}

function Segments<Id extends string>(props: SegmentsProps<Id>): VNode {
  const { legend, options, chosen, onChoose } = props;
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="label">{legend}</legend>
      <div class="segment-row">
        {(Object.keys(options) as Id[]).map((id) => (
          <label key={id}>
            <input type="radio" name={name} checked={id === chosen} onChange={() => onChoose(id)} />
            <span>{options[id]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
