import './fit.css';
import type { VNode } from 'preact';
import { MASS_UNITS } from '../../../core/units.js';
import { clothingText, percent } from '../../../site/labels.js';
import { shownUnit } from '../../../site/lengths.js';
import { CardLinks } from '../../widgets/exports.js';
import { Segments, UnitChoice } from '../../widgets/fields.js';
import { ControlsSheet, Waiting } from '../../widgets/parts.js';
import { Tabs } from '../../widgets/tabs.js';
import { mountScreen, ScreenFrame, type ScreenState } from '../../widgets/view.js';
import { FIT_ADDRESS, type FitView, measurementsOf, pairOf } from '../address.js';
import type { FitData, FitParts } from '../data-types.js';
import { describedOf } from '../people-needs.js';
import { OWN_ID, productById } from '../products.js';
import { drawnView, isProposed, withDesign } from '../proposal.js';
import { clothingNote, missedText, shareText } from '../texts.js';
import { Answer, ThesePeople } from './answer.js';
import { FitCalls, FitExports, publicViewOf, Report } from './fit-exports.js';
import { Gallery } from './gallery.js';
import { PairPlot } from './pair-plot.js';
import { Picture } from './picture.js';
import { NeedsTable, SharesTable } from './results.js';
import { Rules } from './sizes.js';

mountScreen('fit', FIT_ADDRESS, App);

/** The Fit screen: a product with its sizes, and the share of people that it fits. */
export function App(screen: ScreenState<FitView, FitData>): VNode {
  const { view: asked, data, stale, choose, slide, hold } = screen;
  const unit = shownUnit(asked.unit);
  // The answer supplies the sizes that the address lacks.
  const answer = data?.product === asked.product ? data : undefined;
  const view = withDesign(asked, answer?.design);
  const shown = drawnView(asked, answer ?? { known: [] });
  const usersWear = clothingText(productById(view.product)?.clothing);
  const pair = pairOf(view);
  const hasMass = measurementsOf(view).includes('BodyMass');
  // A size that the user drags belongs to the view at once. So the pictures are not dimmed during a drag.
  const drawn = ({ product, populations, drawnGender }: FitView) =>
    JSON.stringify([product, populations, drawnGender]);
  const isOld = stale && (isProposed(asked) || drawn(asked) !== drawn(screen.dataView));
  const parts = { asked, view, unit, data, choose, slide, hold, stale, isOld };
  const plot =
    pair === undefined || data === undefined ? null : <PairPlot {...parts} pair={pair} />;
  const these =
    data === undefined ? null : (
      <Waiting key="these" busy={stale}>
        <ThesePeople {...parts} />
      </Waiting>
    );
  return (
    <ScreenFrame
      screen={screen}
      bar={{
        ...{ together: true, usersWear, said: data === undefined ? '' : shareText(data) },
        note: clothingNote(view),
      }}
      ownLinks={<Gallery view={asked} choose={choose} />}
    >
      <div class="side-place">
        <div class="side column in-view">
          {asked.known.length === 0 ? null : these}
          <Answer {...parts} />
          <ControlsSheet class="fit-controls">
            <Rules {...parts} />
            <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
            {hasMass ? (
              <Segments
                legend="Unit of body mass"
                class="unit-choice"
                options={MASS_UNITS.map((one) => [one, one] as const)}
                chosen={view.massUnit}
                onChoose={(massUnit) => choose({ massUnit })}
              />
            ) : null}
          </ControlsSheet>
          {asked.known.length === 0 ? these : null}
        </div>
      </div>
      <div class="fit-picture column">
        <ShortAnswer {...parts} />
        {view.product === OWN_ID ? plot : <Picture {...parts} data={answer} view={shown} />}
        {data === undefined ? null : (
          <Tabs
            label="More about the fit"
            tabs={[
              [
                'Who fits',
                <Waiting key="who" busy={stale} class="fit-results">
                  <SharesTable {...parts} data={data} />
                </Waiting>,
              ],
              [
                'Sizes needed',
                <Waiting key="needs" busy={stale}>
                  <NeedsTable {...parts} data={data} />
                </Waiting>,
              ],
              ...(plot === null || view.product === OWN_ID
                ? []
                : [['Two measurements', plot] as const]),
              [
                'Export',
                <>
                  <FitExports view={view} shown={shown} data={data} />
                  <CardLinks address={FIT_ADDRESS} view={publicViewOf(view)} />
                  <Report {...parts} data={data} />
                </>,
              ],
              ['API', <FitCalls key="calls" data={data} stale={stale} />],
            ]}
          />
        )}
      </div>
    </ScreenFrame>
  );
}

/**
 * The share, or the compromise for known people, above the picture of a phone. The answer below the picture says more,
 * also to screen readers.
 */
function ShortAnswer({ asked, data, isOld }: FitParts): VNode | null {
  const [compromise] = data?.conflicts ?? [];
  if (!isOld && data !== undefined && describedOf(data).length > 0) {
    return compromise === undefined ? null : (
      <p class="short-answer notice warning" aria-hidden="true">
        {compromise}
      </p>
    );
  }
  if (data?.overall === undefined) return null;
  const missed = isProposed(asked) ? missedText(asked, data) : undefined;
  const fit = missed ?? (
    <>
      <strong>{percent(data.overall.share)}</strong> fit
    </>
  );
  return (
    <p class="short-answer" aria-hidden="true">
      {isOld ? 'Computing …' : fit}
    </p>
  );
}
