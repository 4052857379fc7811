import type { VNode } from 'preact';
import type { ShownUnit } from '../../../site/lengths.js';
import { Segments, UnitChoice } from '../../widgets/fields.js';
import { ControlsSheet } from '../../widgets/parts.js';
import type { BodyView } from '../address.js';

interface ControlsProps {
  readonly view: BodyView;
  readonly unit: ShownUnit;
  readonly choose: (change: Partial<BodyView>) => void;
}

type Options<Id> = readonly (readonly [id: Id, label: string])[];

const POSTURES: Options<BodyView['posture']> = [
  ['standing', 'Standing'],
  ['relaxed', 'Relaxed'],
  ['sitting', 'Sitting'],
];
const SIDES: Options<BodyView['side']> = [
  ['front', 'Front'],
  ['side', 'Side'],
];
/** Whether populations are overlaid. */
const PLACES: Options<boolean> = [
  [false, 'Side by side'],
  [true, 'Overlaid'],
];

/** Posture, side, places and unit. */
export function BodyControls({ view, unit, choose }: ControlsProps): VNode {
  return (
    <ControlsSheet label="View" class="body-controls">
      <Segments
        legend="Posture"
        options={POSTURES}
        chosen={view.posture}
        onChoose={(posture) => choose({ posture })}
      />
      <Segments
        legend="Seen from"
        options={SIDES}
        chosen={view.side}
        onChoose={(side) => choose({ side })}
      />
      <Segments
        legend="Populations"
        options={PLACES}
        chosen={view.overlaid}
        onChoose={(overlaid) => choose({ overlaid })}
      />
      <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
    </ControlsSheet>
  );
}
