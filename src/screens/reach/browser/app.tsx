import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { percent } from '../../../site/labels.js';
import { shownUnit } from '../../../site/lengths.js';
import { addressOf } from '../../shared/address-fields.js';
import { AddressNotices, CardLinks } from '../../shared/screen-parts.js';
import { ControlsSheet } from '../../widgets/controls-sheet.js';
import { UnitChoice } from '../../widgets/fields.js';
import { Notice } from '../../widgets/notice.js';
import { Waiting } from '../../widgets/parts.js';
import { PopulationBar } from '../../widgets/population-bar.js';
import { type FirstAnswer, useScreen } from '../../widgets/use-screen.js';
import { ViewLinks } from '../../widgets/view-links.js';
import {
  atRest,
  REACH_ADDRESS,
  type ReachView,
  reachDataQuery,
  viewOfTemplate,
} from '../address.js';
import type { DrawnScene, ReachData } from '../data-types.js';
import { figuresOf } from '../drawing.js';
import { Demands, Headline, People, SeatPlaces, Sources } from '../results.js';
import { TEMPLATES } from '../templates.js';
import { reachTitle, WORN_NOTE } from '../texts.js';
import { Controls } from './controls.js';
import { Picture } from './picture.js';
import { ReachCalls, ReachExports, Report } from './reach-exports.js';

/** The Reach screen: a scene with three people, and the share of people who reach, see and have room. */
export function App({ first }: { readonly first: FirstAnswer<ReachData> }): VNode {
  const screen = useScreen<ReachView, ReachData>(REACH_ADDRESS, first);
  const { view, data, dataView, problem, busy, stale, choose, slide, hold, retry } = screen;
  const unit = shownUnit(view.unit);
  const pictures = useRef<HTMLDivElement>(null);
  const isSameRoom = dataView.template === view.template;
  const drawn = data ?? (problem?.drawn as DrawnScene | undefined);
  const isOld = drawn !== undefined && !isSameRoom;
  const shown = data === undefined ? atRest(view) : view;
  const figures = drawn === undefined || isOld ? [] : figuresOf(shown, drawn);
  return (
    <>
      <PopulationBar
        populations={view.populations}
        busy={busy}
        together={true}
        note={WORN_NOTE}
        said={
          data === undefined
            ? ''
            : `${percent(data.answer.share)} of ${data.label} reach, see and fit all.`
        }
        onChange={(populations) => choose({ populations })}
      />
      <AddressNotices notices={screen.notices} />
      <ViewLinks
        label="Templates"
        links={TEMPLATES.map(({ id, title }) => {
          const next = viewOfTemplate(view, id);
          return {
            ...{ title, href: addressOf(REACH_ADDRESS, next), isCurrent: id === view.template },
            onChoose: () => choose(next),
          };
        })}
      />
      <Notice problem={problem} hasNumbers={data !== undefined} onRetry={retry} />
      {data === undefined ? null : (
        <Waiting busy={stale} class="reach-answer">
          <Headline {...{ view: dataView, data, unit }} />
        </Waiting>
      )}
      {drawn === undefined ? null : (
        <div ref={pictures} class="reach-pictures column">
          <Picture
            {...{ view, data: drawn, unit, figures, isOld, choose, slide, hold }}
            title={data === undefined ? REACH_ADDRESS.title(view) : reachTitle(view, data)}
            hasImages={data === undefined || reachDataQuery(view) === reachDataQuery(dataView)}
          />
        </div>
      )}
      <ControlsSheet label="Places and seat" class="reach-controls">
        <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
        <Controls {...{ view, unit, choose }} />
      </ControlsSheet>
      {data === undefined ? null : (
        <Waiting busy={stale} class="reach-results column">
          <section class="panel" aria-labelledby="reach-heading">
            <h2 id="reach-heading">Who fails</h2>
            <Demands {...{ view: dataView, data, unit }} />
            <SeatPlaces {...{ view: dataView, data, unit }} />
            <h3>The people in the picture</h3>
            <People {...{ view, data, unit, figures }} />
            <ReachExports
              {...{ view: dataView, data, unit }}
              isFlat={view.turnDegrees === undefined}
              svg={() => pictures.current?.querySelector<SVGSVGElement>('.reach-picture')}
            />
            <CardLinks path={addressOf(REACH_ADDRESS, dataView)} />
            <Sources view={view} />
          </section>
          <Report {...{ view: dataView, data, unit }} />
          <ReachCalls data={data} />
        </Waiting>
      )}
    </>
  );
}
