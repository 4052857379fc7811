import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { BodyView } from '../../src/core/body-view.js';
import { PopulationChips } from '../populations/chips.js';
import type { ShownUnit } from '../populations/lengths.js';
import { UnitChoice } from '../populations/unit-choice.js';

interface ControlsProps {
  readonly view: BodyView;
  readonly unit: ShownUnit;
  readonly choose: (change: Partial<BodyView>) => void;
}

/** From this width on, the controls stand beside the picture and are always open. */
const WIDE = '(min-width: 62rem)';

/** Populations, posture, side and unit. On a phone they come from below when they are opened. */
export function BodyControls({ view, unit, choose }: ControlsProps): VNode {
  const isWide = useMedia(WIDE);
  const [isOpened, setOpened] = useState(false);
  return (
    <details
      class="body-controls"
      open={isWide || isOpened}
      onToggle={(event) => setOpened(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isWide || event.defaultPrevented) return;
        setOpened(false);
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary hidden={isWide}>Populations and view</summary>
      <div class="body-controls-content">
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
      </div>
    </details>
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

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const onChange = () => setMatches(list.matches);
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  }, [query]);
  return matches;
}
