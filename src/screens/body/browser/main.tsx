import './body.css';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { capital } from '../../../site/in-sentence.js';
import { shownUnit } from '../../../site/lengths.js';
import type { Arrangement } from '../../../site/pictures/people-layout.js';
import { peopleSentences } from '../../shared/populations.js';
import { exportTabs } from '../../widgets/exports.js';
import { Segments, UnitChoice } from '../../widgets/fields.js';
import { ControlsSheet, Waiting } from '../../widgets/parts.js';
import { Tabs } from '../../widgets/tabs.js';
import { mountScreen, ScreenFrame, type ScreenState } from '../../widgets/view.js';
import {
  BODY_ADDRESS,
  type BodyView,
  POSTURES,
  pictureCaption,
  pictureTitle,
  SIDES,
} from '../address.js';
import type { BodyData } from '../data-types.js';
import { FormLinks } from '../form-links.js';
import { PersonFiles } from '../person-files.js';
import { bodyTidy } from '../tidy.js';
import { People } from './people.js';
import { RegionChoice } from './regions.js';
import { BodyTable } from './table.js';

/** Whether populations are overlaid. */
const PLACES = [
  [false, 'Side by side'],
  [true, 'Overlaid'],
] as const;

/** The Body screen: populations to scale on one floor, and a table of their dimensions. */
export function App(screen: ScreenState<BodyView, BodyData>): VNode {
  const { view, data, stale, choose } = screen;
  const unit = shownUnit(view.unit);
  const svg = useRef<SVGSVGElement>(null);
  return (
    <ScreenFrame
      screen={screen}
      bar={{ said: data === undefined ? '' : `Shown: ${pictureTitle(view)}.` }}
      ownLinks={<FormLinks view={view} />}
    >
      <Waiting busy={stale} class="body-picture">
        {data === undefined ? null : (
          <>
            <People view={view} unit={unit} data={data} choose={choose} svg={svg} />
            <RegionChoice view={view} choose={choose} />
          </>
        )}
      </Waiting>
      <ControlsSheet class="body-controls">
        <Segments
          legend="Posture"
          options={POSTURES.map((posture) => [posture, capital(posture)])}
          chosen={view.posture}
          onChoose={(posture) => choose({ posture })}
        />
        <Segments
          legend="Seen from"
          options={SIDES.map((side) => [side, capital(side)])}
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
      {data === undefined ? null : (
        <Tabs
          label="Numbers of the people"
          tabs={[
            [
              'Measurements',
              <Waiting key="dimensions" busy={stale} class="body-table">
                <BodyTable view={view} unit={unit} data={data} choose={choose} />
              </Waiting>,
            ],
            ...takenTabs(view, data, () => svg.current),
          ]}
        />
      )}
    </ScreenFrame>
  );
}

/** The picture and the table as files, the report, and the calls of the API. */
function takenTabs(view: BodyView, data: BodyData, svg: () => SVGSVGElement | null) {
  const { posture, side, overlaid, populations } = view;
  const calls = data.populations.flatMap(({ label, call }) =>
    call === undefined ? [] : [[label, call] as const],
  );
  return exportTabs({
    ...{ address: BODY_ADDRESS, view, data, populations, calls, label: 'Numbers of' },
    what: ['body', posture, side, ...(overlaid ? ['overlaid'] : [])],
    table: () => bodyTidy(populations, data),
    pictures: [
      {
        svg,
        hasPeople: data.hasBodies,
        texts: ({ dataset: { arrangement = 'median' } }) => ({
          title: pictureTitle(view),
          subtitle: pictureCaption(view, arrangement as Arrangement),
          series: data.populations.map(({ label }) => label),
        }),
      },
    ],
    files: <PersonFiles data={data} />,
    onPaper: <p class="on-paper">{peopleSentences(populations)}</p>,
  });
}

mountScreen('body-screen', BODY_ADDRESS, App);
