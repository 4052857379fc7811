import './person.css';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { capital } from '../../../site/in-sentence.js';
import { shownUnit } from '../../../site/lengths.js';
import { CallChoice, ReportPanel, ShareButton } from '../../widgets/exports.js';
import { Segments, UnitChoice } from '../../widgets/fields.js';
import { ControlsSheet } from '../../widgets/parts.js';
import { Tabs } from '../../widgets/tabs.js';
import { mountScreen, ScreenFrame, type ScreenState } from '../../widgets/view.js';
import {
  membersText,
  OF_POPULATION,
  PERSON_ADDRESS,
  type PersonView,
  populationOfPerson,
} from '../address.js';
import { type PersonData, USUAL_MARKS } from '../data-types.js';
import { Download } from '../download.js';
import { LYING_TEXT, PersonDrawing } from '../drawing.js';
import { PersonChoice } from './choice.js';
import { Readings } from './readings.js';
import { Stage } from './stage.js';

/** The Person screen: a whole person that the user can turn around, with dimensions. */
export function App(screen: ScreenState<PersonView, PersonData>): VNode {
  const { view, data, stale, choose } = screen;
  const unit = shownUnit(view.unit);
  const [carriesLines, setCarriesLines] = useState(true);
  const marked = new Set<string>(
    view.marked.length > 0 ? view.marked : USUAL_MARKS[data?.pose ?? view.pose],
  );
  return (
    <ScreenFrame
      screen={screen}
      bar={{
        note: membersText(view),
        ...(view.from === 'values' ? { shown: populationOfPerson(view) } : {}),
        onChange: (populations, shown) =>
          choose({
            ...{ populations, shown: Math.max(1, shown) },
            // Who marks, adds or edits a population wants to see one of its people.
            ...(populations.length < view.populations.length ? {} : OF_POPULATION),
          }),
      }}
    >
      <div class="person-shown column" aria-busy={stale}>
        {data === undefined ? null : (
          <>
            <p class="person-who" role="status">
              <strong>{capital(data.who)}</strong>. {data.source}
            </p>
            {data.positions === undefined ? (
              <figure class="person-stage" data-state="lying">
                <PersonDrawing picture={data.picture} label={`${data.who}, lying`} />
                <figcaption class="hint">{LYING_TEXT}</figcaption>
              </figure>
            ) : (
              <Stage {...{ data, marked, unit }} onPicture={setCarriesLines} />
            )}
          </>
        )}
      </div>
      <ControlsSheet class="person-controls in-view">
        <Segments
          legend="Pose"
          options={POSES}
          chosen={view.pose}
          onChoose={(pose) => choose({ pose, marked: [] })}
        />
        <PersonChoice view={view} unit={unit} cases={data?.cases} choose={choose} />
        <UnitChoice unit={unit} onChange={(next) => choose({ unit: next })} />
      </ControlsSheet>
      {data === undefined ? null : (
        <div class="person-results" aria-busy={stale}>
          <Tabs
            label="More about the person"
            tabs={[
              [
                'Measurements',
                <Readings
                  key="dimensions"
                  {...{ data, marked, unit, carriesLines }}
                  onMark={(names) => choose({ marked: names })}
                />,
              ],
              [
                'Export',
                <>
                  {data.positions === undefined ? null : (
                    <Download view={view} credits={data.call.credits}>
                      <ShareButton />
                    </Download>
                  )}
                  <Report view={view} data={data} />
                </>,
              ],
              ['API', <CallChoice key="calls" calls={[['', data.call]]} />],
            ]}
          />
        </div>
      )}
    </ScreenFrame>
  );
}

const POSES = [
  ['standing', 'Standing'],
  ['sitting', 'Sitting'],
] as const;

mountScreen('person', PERSON_ADDRESS, App);

interface ReportProps {
  readonly view: PersonView;
  readonly data: PersonData;
}

/** The printed page's text on the assumptions about a person, and how to print and cite the page. */
export function Report({ view, data }: ReportProps): VNode {
  const lies = data.positions === undefined;
  return (
    <ReportPanel {...{ address: PERSON_ADDRESS, view, data }}>
      <p class="on-paper">
        The body is a mannequin fitted to numbers, {lies ? 'lying' : data.pose}, without clothing;
        it is not a scan of anybody. What is not known of the person is completed with the most
        probable values. Mesh: MakeHuman, CC0 1.0{lies ? '' : ', about 4,100 vertices'}.
      </p>
    </ReportPanel>
  );
}
