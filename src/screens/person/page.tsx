import type { VNode } from 'preact';
import { capital } from '../../site/in-sentence.js';
import { inWords } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import { formatLength, shownUnit } from '../../site/lengths.js';
import type { ShareContent } from '../../site/share-card.js';
import { ONE_AGE_LABEL } from '../shared/populations.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { Field, ScreenPage, WithoutScript } from '../shared/screen-page.js';
import { DataTable } from '../shared/screen-parts.js';
import { kindOf, membersText, PERSON_ADDRESS, type PersonView, personTitle } from './address.js';
import { type PersonData, percentileOf, USUAL_MARKS } from './data-types.js';
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
      note={membersText(view)}
      numbers={(data) => (
        <>
          <p class="first-answer">
            {capital(data.who)}. {data.source}
          </p>
          <DataTable
            caption={`Dimensions of ${data.who} in mm`}
            head={['Dimension', 'Percentile', 'Asked', 'Body']}
            rows={data.readings.map(({ measurement, asked, achieved }) => [
              inWords(measurement),
              percentileOf(data, measurement),
              asked?.toFixed(1) ?? '–',
              achieved?.toFixed(1) ?? '–',
            ])}
          />
        </>
      )}
      withoutScript={<Plain view={view} first={first} />}
    />,
  );
}

/** A drawing and a form, for browsers without JavaScript. */
function Plain({ view, first }: { view: PersonView; first: FirstData<PersonData> }): VNode {
  const { gender, age, country } = kindOf(view);
  return (
    <WithoutScript
      screen="person"
      text="Turning the person needs JavaScript. The drawing and the numbers do not."
    >
      {'data' in first ? (
        <>
          <PersonDrawing picture={first.data.picture} label={first.data.who} />
          {first.data.positions === undefined ? <p>{LYING_TEXT}</p> : null}
        </>
      ) : null}
      <Field name="gender" label="Gender, Female or Male" value={gender} />
      <Field name="age" label={ONE_AGE_LABEL} value={age} />
      <Field name="country" label="Country code" value={country} />
      <Field
        name="known"
        label="A known value, such as Stature~1720 or Stature~P95"
        value={view.known.length > 0 ? undefined : 'Stature~P50'}
      />
    </WithoutScript>
  );
}

/** The share image of the Person screen: the person with some dimensions. */
export function sharedPerson(view: PersonView, data: PersonData): ShareContent {
  const unit = shownUnit(view.unit);
  const shown = new Set<string>(view.marked.length > 0 ? view.marked : USUAL_MARKS[data.pose]);
  return {
    title: personTitle(view),
    note: `${data.who}. ${data.source}`,
    artifactVersion: data.artifactVersion,
    people: [data.picture],
    facts: [
      ...data.readings
        .filter(({ measurement }) => shown.has(measurement))
        .map(
          ({ measurement, asked, achieved }) =>
            `${inWords(measurement)} ${formatLength(achieved ?? asked ?? 0, unit)}`,
        ),
      `Body mass ${data.massKg.toFixed(1)} kg`,
    ],
  };
}
