import './reach.css';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { percent } from '../../../site/labels.js';
import { shownUnit } from '../../../site/lengths.js';
import { UnitChoice } from '../../widgets/fields.js';
import { ControlsSheet, Waiting } from '../../widgets/parts.js';
import { Tabs } from '../../widgets/tabs.js';
import { mountScreen, ScreenFrame, type ScreenState } from '../../widgets/view.js';
import { atRest, isEmpty, REACH_ADDRESS, type ReachView, viewOfTemplate } from '../address.js';
import type { DrawnScene, EmptyScene, ReachData } from '../data-types.js';
import { figuresOf } from '../drawing.js';
import { Demands, Headline, People, SeatPlaces, Sources } from '../results.js';
import { TEMPLATES } from '../templates.js';
import { EMPTY_TEXT, reachTitle, WORN_NOTE } from '../texts.js';
import { Controls } from './controls.js';
import { Picture } from './picture.js';
import { takenTabs } from './reach-exports.js';

mountScreen('reach', REACH_ADDRESS, App);

/** The Reach screen: a scene with three people, and the share of people who reach, see and have room. */
export function App(screen: ScreenState<ReachView, ReachData | EmptyScene>): VNode {
  const { view, last, dataView, problem, busy, choose, slide, hold } = screen;
  const stale = last !== undefined && (busy || problem !== undefined);
  const data = isEmpty(view) || last?.answer === undefined ? undefined : last;
  const unit = shownUnit(view.unit);
  const pictures = useRef<HTMLDivElement>(null);
  const isSameRoom = dataView.template === view.template;
  const refused = problem?.drawn as DrawnScene | undefined;
  // People of a refused scene are at rest. The refusal belongs to an earlier view while the next one is asked.
  const rests = refused !== undefined && (!busy || last === undefined);
  const drawn = rests ? refused : last;
  const isOld = drawn !== undefined && !isSameRoom && (busy || !rests);
  const figures = drawn === undefined || isOld ? [] : figuresOf(rests ? atRest(view) : view, drawn);
  const { dataQuery } = REACH_ADDRESS;
  return (
    <ScreenFrame
      screen={{ ...screen, data, stale }}
      bar={{
        together: true,
        note: WORN_NOTE,
        said:
          data === undefined
            ? ''
            : `${percent(data.answer.share)} of ${data.label} reach, see and have room.`,
      }}
      links={[
        'Templates',
        TEMPLATES.map(({ id, title }) => [title, viewOfTemplate(view, id), id === view.template]),
        true,
      ]}
    >
      {isEmpty(view) ? <p class="reach-answer">{EMPTY_TEXT}</p> : null}
      {data === undefined ? null : (
        <Waiting busy={stale} class="reach-answer">
          <Headline {...{ view: dataView, data, unit }} />
        </Waiting>
      )}
      {drawn === undefined ? null : (
        <div ref={pictures} class="reach-pictures column">
          <Picture
            {...{ view, data: drawn, unit, figures, isOld, choose, slide, hold }}
            title={rests || data === undefined ? REACH_ADDRESS.title(view) : reachTitle(view, data)}
            hasImages={rests || dataQuery(view) === dataQuery(dataView)}
          />
        </div>
      )}
      <ControlsSheet class="reach-controls">
        <Controls {...{ view, unit, choose }} faults={busy ? [] : (problem?.errors ?? [])} />
        <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
      </ControlsSheet>
      {data === undefined ? null : (
        <div class="reach-results">
          <Tabs
            label="More about the scene"
            tabs={[
              [
                'Who fails',
                <Waiting key="who" busy={stale}>
                  <Demands {...{ view: dataView, data, unit }} />
                  <SeatPlaces {...{ view: dataView, data, unit }} />
                  <p class="label">The people in the picture</p>
                  <People {...{ view, unit, figures }} />
                  <Sources view={view} />
                </Waiting>,
              ],
              ...takenTabs({
                ...{ view: dataView, data, isFlat: view.turnDegrees === undefined },
                svg: () => pictures.current?.querySelector<SVGSVGElement>('.reach-picture'),
              }),
            ]}
          />
        </div>
      )}
    </ScreenFrame>
  );
}
