import type { VNode } from 'preact';
import { readingOf } from '../../core/readings.js';
import { inWords, READING_LABELS } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import { PeoplePicture } from '../../site/pictures/people-picture.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { PopulationFields, ScreenPage } from '../shared/screen-page.js';
import { BODY_ADDRESS, type BodyView, POSTURES, pictureTitle } from './address.js';
import { BODY_PERCENTILES, type BodyData } from './data-types.js';
import { drawnPeople } from './drawn-people.js';
import { PictureNotes } from './picture-notes.js';

/** Size of the picture from the server. The script draws it again in the width of the screen. */
const FIRST_PICTURE = { widthPx: 960, heightPx: 520 } as const;

/** The Body screen as HTML text, with the data and the picture of its first view. */
export function bodyPage(view: BodyView, first: FirstData<BodyData>, context: PageContext): string {
  return renderPage(
    <ScreenPage
      {...{ view, first, context }}
      screen="body"
      address={BODY_ADDRESS}
      title="People to scale"
      heading="People to scale"
      sharedAs={pictureTitle(view)}
      description="See people of several countries, ages and genders to scale, standing and sitting, with percentiles of their dimensions."
      place="body-screen"
      withoutScript={<WithoutScript view={view} first={first} />}
    >
      {'data' in first ? (
        <div class="body-picture">
          <PeoplePicture
            {...FIRST_PICTURE}
            people={drawnPeople(first.data.populations)}
            posture={view.posture}
            overlaid={view.overlaid}
            withBands={true}
            title={first.data.populations.map(({ label }) => label).join(', ')}
            format={(mm) => `${mm.toLocaleString('en')} mm`}
          />
          <PictureNotes data={first.data} />
        </div>
      ) : null}
    </ScreenPage>,
  );
}

/** A form and a table, for browsers without JavaScript. */
function WithoutScript(props: { view: BodyView; first: FirstData<BodyData> }): VNode {
  const { view, first } = props;
  return (
    <>
      <p>Exports and the choice of regions need JavaScript. The picture and the numbers do not.</p>
      <form method="get" action={SCREEN_PATHS.body} class="panel">
        <PopulationFields populations={view.populations} />
        <Choice name="posture" label="Posture" chosen={view.posture} ids={POSTURES} />
        <Choice name="side" label="Side" chosen={view.side} ids={['front', 'side']} />
        <div class="form-row">
          <label for="m">Dimensions, separated by commas</label>
          <input id="m" name="m" value={view.measurements.join(',')} />
        </div>
        <button type="submit" class="primary">
          Show
        </button>
      </form>
      {'problem' in first ? (
        <p class="notice danger">{first.problem.detail}</p>
      ) : (
        <Numbers data={first.data} />
      )}
    </>
  );
}

function Choice(props: { name: string; label: string; chosen: string; ids: readonly string[] }) {
  const { name, label, chosen, ids } = props;
  return (
    <div class="form-row">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {ids.map((id) => (
          <option key={id} selected={id === chosen}>
            {id}
          </option>
        ))}
      </select>
    </div>
  );
}

function Numbers({ data }: { data: BodyData }): VNode {
  return (
    <div class="table-scroll">
      <table>
        <caption>Dimensions in mm</caption>
        <thead>
          <tr>
            <th scope="col">Population</th>
            <th scope="col">Dimension</th>
            {[...BODY_PERCENTILES.map((p) => `P${p}`), 'Mean', 'SD', '±'].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
            <th scope="col">Basis</th>
          </tr>
        </thead>
        <tbody>
          {data.populations.flatMap(({ label, rows, refusal }) =>
            refusal !== undefined
              ? [
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    <td colSpan={8}>{refusal.detail}</td>
                  </tr>,
                ]
              : (rows ?? []).map(({ measurement, valuesMm, meanMm, sdMm, evidence }) => (
                  <tr key={`${label}-${measurement}`}>
                    <th scope="row">{label}</th>
                    <td>{inWords(measurement)}</td>
                    {[...valuesMm, meanMm, sdMm, evidence?.errorMm ?? ''].map((value, index) => (
                      <td key={index} class="number">
                        {value}
                      </td>
                    ))}
                    <td>{READING_LABELS[readingOf(measurement)]}</td>
                  </tr>
                )),
          )}
        </tbody>
      </table>
    </div>
  );
}
