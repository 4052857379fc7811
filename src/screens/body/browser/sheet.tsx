import './sheet.css';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { shownUnit } from '../../../site/lengths.js';
import { UnitChoice } from '../../widgets/fields.js';
import { ControlsSheet, Waiting } from '../../widgets/parts.js';
import { mountScreen, ScreenFrame, type ScreenState } from '../../widgets/view.js';
import { BODY_ADDRESS, type BodyView, noteOfSheet } from '../address.js';
import type { BodyData } from '../data-types.js';
import { FormLinks } from '../form-links.js';
import { Sheet } from '../sheet.js';
import { DimensionChoice } from './dimension-choice.js';

/** The sheet of the Body screen, and the controls that choose another one. */
export function App(screen: ScreenState<BodyView, BodyData>): VNode {
  const { view, data, problem, busy, stale, hold, choose } = screen;
  const isEmpty = view.measurements.length === 0;
  // While no dimensions are chosen, no sheet is requested.
  useEffect(() => hold(isEmpty), [isEmpty]);
  return (
    <ScreenFrame
      screen={{ ...screen, busy: busy && !isEmpty, problem: isEmpty ? undefined : problem }}
      bar={{
        shown: view.shown,
        note: noteOfSheet(view),
        onChange: (populations, shown) => choose({ populations, shown }),
      }}
      ownLinks={<FormLinks view={view} />}
    >
      <ControlsSheet class="sheet-choice">
        <DimensionChoice
          chosen={view.measurements}
          onChange={(measurements) => choose({ measurements })}
        >
          <UnitChoice unit={shownUnit(view.unit)} onChange={(unit) => choose({ unit })} />
        </DimensionChoice>
      </ControlsSheet>
      <Waiting busy={stale && !isEmpty} class="sheet-results">
        <Sheet {...{ view, data }} origin={location.origin} />
      </Waiting>
    </ScreenFrame>
  );
}

mountScreen('body-sheet', BODY_ADDRESS, App);
