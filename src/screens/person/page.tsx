import type { VNode } from 'preact';
import { inWords } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { ScreenPage } from '../shared/screen-page.js';
import { kindOf, PERSON_ADDRESS, type PersonView, personTitle } from './address.js';
import type { PersonData } from './data-types.js';
import { LYING_TEXT, PersonDrawing } from './drawing.js';

/** The Person screen as HTML text, with the body of its first view. */
export function personPage(
  view: PersonView,
  first: FirstData<PersonData>,
  context: PageContext,
): string {
  return renderPage(
    <ScreenPage
      {...{ view, first, context }}
      screen="person"
      address={PERSON_ADDRESS}
      title="Person"
      heading="A person to turn around"
      sharedAs={personTitle(view)}
      description="Turn a whole person around: completed from known values, drawn at random or on the boundary of a design, standing and sitting."
      place="person"
      withoutScript={<WithoutScript view={view} first={first} />}
    />,
  );
}

/** A drawing, the readings and a form, for browsers without JavaScript. */
function WithoutScript(props: { view: PersonView; first: FirstData<PersonData> }): VNode {
  const { view, first } = props;
  const { gender, age, country } = kindOf(view);
  return (
    <>
      <p>Turning the person needs JavaScript. The drawing and the numbers do not.</p>
      {'problem' in first ? (
        <p class="notice danger">{first.problem.detail}</p>
      ) : (
        <>
          <PersonDrawing picture={first.data.picture} label={first.data.who} />
          {first.data.positions === undefined ? <p>{LYING_TEXT}</p> : null}
          <Readings data={first.data} />
        </>
      )}
      <form method="get" action={SCREEN_PATHS.person} class="panel">
        <div class="form-row">
          <label for="gender">Gender, Female or Male</label>
          <input id="gender" name="gender" value={gender} />
        </div>
        <div class="form-row">
          <label for="age">Age in completed years</label>
          <input id="age" name="age" inputMode="numeric" value={age} />
        </div>
        <div class="form-row">
          <label for="country">Country code</label>
          <input id="country" name="country" value={country} />
        </div>
        <div class="form-row">
          <label for="known">A known value, such as Stature~1720 or Stature~P95</label>
          <input
            id="known"
            name="known"
            value={view.known.length > 0 ? undefined : 'Stature~P50'}
          />
        </div>
        <button type="submit" class="primary">
          Show
        </button>
      </form>
    </>
  );
}

function Readings({ data }: { data: PersonData }): VNode {
  return (
    <div class="table-scroll">
      <table>
        <caption>Dimensions of {data.who} in mm</caption>
        <thead>
          <tr>
            <th scope="col">Dimension</th>
            <th scope="col" class="number">
              Asked
            </th>
            <th scope="col" class="number">
              Body
            </th>
          </tr>
        </thead>
        <tbody>
          {data.readings.map(({ measurement, asked, achieved }) => (
            <tr key={measurement}>
              <th scope="row">{inWords(measurement)}</th>
              <td class="number">{asked === null ? '–' : asked.toFixed(1)}</td>
              <td class="number">{achieved?.toFixed(1) ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
