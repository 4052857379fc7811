import { capital } from '../../site/in-sentence.js';
import { inWords } from '../../site/labels.js';
import { formatLength, shownUnit } from '../../site/lengths.js';
import { ONE_AGE_LABEL } from '../shared/populations.js';
import type { ScreenPage } from '../shared/screen.js';
import { Field } from '../shared/screen-page.js';
import { DataTable } from '../shared/table.js';
import { kindOf, membersText, type PersonView, personTitle } from './address.js';
import { personDataOf } from './data.js';
import { type PersonData, percentileOf, USUAL_MARKS } from './data-types.js';
import { Download } from './download.js';
import { LYING_TEXT, PersonDrawing } from './drawing.js';

/** The Person screen: one whole person in three dimensions. */
export const PAGE: ScreenPage<PersonView, PersonData> = {
  dataOf: (view, { free, model }, left) => personDataOf(view, free, model().artifactVersion, left),
  content: (view, first) => ({
    title: 'Person',
    sharedAs: personTitle(view),
    description:
      'Turn a whole person around: completed from known values, drawn at random or on the boundary of a design, standing and sitting.',
    place: 'person',
    note: membersText(view),
    numbers: (data) => (
      <>
        <p class="first-answer">
          {capital(data.who)}. {data.source}
        </p>
        <DataTable
          caption={`Measurements of ${data.who} in mm`}
          head={['Measurement', 'Percentile', 'Asked', 'Body']}
          rows={data.readings.map(({ measurement, asked, achieved }) => [
            inWords(measurement),
            percentileOf(data, measurement),
            asked?.toFixed(1) ?? '–',
            achieved?.toFixed(1) ?? '–',
          ])}
        />
      </>
    ),
    plain: {
      text: 'Turning the person needs JavaScript. The drawing and the numbers do not.',
      picture: (data) => (
        <>
          <PersonDrawing picture={data.picture} label={data.who} />
          {data.positions === undefined ? <p>{LYING_TEXT}</p> : null}
        </>
      ),
      form: (
        <>
          <Field name="gender" label="Gender, Female or Male" value={kindOf(view).gender} />
          <Field name="age" label={ONE_AGE_LABEL} value={kindOf(view).age} />
          <Field name="country" label="Country code" value={kindOf(view).country} />
          <Field
            name="known"
            label="A known value, such as Stature~1720 or Stature~P95"
            value={view.known.length > 0 ? undefined : 'Stature~P50'}
          />
        </>
      ),
      more:
        'data' in first && first.data.positions !== undefined ? (
          <Download view={view} credits={first.data.call.credits} />
        ) : null,
    },
  }),
  /** The person with some dimensions. */
  shared(view, data) {
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
  },
};
