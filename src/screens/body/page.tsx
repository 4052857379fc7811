import type { VNode } from 'preact';
import { numberText } from '../../core/number-text.js';
import { MARKS } from '../../site/labels.js';
import { formatLength, SHOWN_UNITS, shownUnit } from '../../site/lengths.js';
import { NO_BODIES } from '../../site/pictures/notes.js';
import { PeoplePicture } from '../../site/pictures/people-picture.js';
import type { FirstData, PageContent, ScreenPage } from '../shared/screen.js';
import { Choice, Field, PopulationFields } from '../shared/screen-page.js';
import {
  BODY_ADDRESS,
  type BodyView,
  noteOfSheet,
  POSTURES,
  pictureTitle,
  populationOfSheet,
  SHEET_MAX,
  SIDES,
} from './address.js';
import { bodyDataOf } from './data.js';
import { BODY_PERCENTILES, type BodyData } from './data-types.js';
import { drawnPeople } from './drawn-people.js';
import { FormLinks } from './form-links.js';
import { PersonFiles } from './person-files.js';
import { PictureNotes } from './picture-notes.js';
import { Numbers, Sheet, SheetRegions, sharedSheet } from './sheet.js';
import { sheetDataOf } from './sheet-data.js';

/** Size of the picture from the server. The script draws it again in the width of the screen. */
const FIRST_PICTURE = { widthPx: 960, heightPx: 520 } as const;

/** The Body screen: populations to scale on one floor, or a sheet of one of them. */
export const PAGE: ScreenPage<BodyView, BodyData> = {
  dataOf: (view, { free, model }, left) =>
    (view.form === 'sheet' ? sheetDataOf : bodyDataOf)(view, free, model().artifactVersion, left),
  content: (view, first, origin) =>
    view.form === 'sheet'
      ? sheetContent(view, 'problem' in first, origin)
      : peopleContent(view, first),
  shared(view, data) {
    if (view.form === 'sheet') return sharedSheet(view, data);
    const persons = data.populations.flatMap((one) => one.persons ?? []);
    return {
      title: pictureTitle(view),
      note: data.hasBodies
        ? `To scale: small, median and large people (${MARKS} of stature and body mass).`
        : NO_BODIES,
      artifactVersion: data.artifactVersion,
      people: persons.map(({ picture }) => picture),
      captions: data.populations.flatMap(({ label, rows = [], persons: own = [] }) => {
        const statures = rows.find(({ measurement }) => measurement === 'Stature')?.valuesMm;
        return own.map((_, index) => [
          `P${BODY_PERCENTILES[index]}`,
          formatLength(statures?.[index] ?? 0, shownUnit(view.unit)),
          // The name of a population is below its middle person.
          ...(data.populations.length > 1 && index === 1 ? [label] : []),
        ]);
      }),
      facts: [],
    };
  },
};

function peopleContent(view: BodyView, first: FirstData<BodyData>): PageContent<BodyData> {
  return {
    title: 'People to scale',
    sharedAs: pictureTitle(view),
    description:
      'See people of several countries, ages and genders to scale, standing and sitting, with percentiles of their measurements.',
    place: 'body-screen',
    numbers: (data) => <FirstNumbers view={view} data={data} />,
    plain: {
      picture: (data) => <Picture view={view} data={data} isLater={false} />,
      text: 'Exports and the choice of regions need JavaScript. The picture and the numbers do not.',
      form: (
        <>
          <PopulationFields populations={view.populations} />
          <Choice
            name="posture"
            label="Posture"
            chosen={view.posture}
            options={POSTURES.map((id) => [id])}
          />
          <Choice name="side" label="Side" chosen={view.side} options={SIDES.map((id) => [id])} />
          <Field
            name="m"
            label="Measurements, separated by commas"
            value={view.measurements.join(',')}
          />
        </>
      ),
      more: 'data' in first ? <PersonFiles data={first.data} /> : null,
    },
  };
}

/** The picture, and the numbers of each population. */
function FirstNumbers({ view, data }: { view: BodyView; data: BodyData }): VNode {
  return (
    <>
      <FormLinks view={view} />
      <div class="body-picture">
        <Picture view={view} data={data} isLater />
        <PictureNotes data={data} />
      </div>
      {data.populations.map((population) => {
        const { label, refusal } = population;
        if (refusal !== undefined) return <p key={label}>{`${label}: ${refusal.detail}`}</p>;
        return <Numbers key={label} {...{ view, population }} caption={label} />;
      })}
    </>
  );
}

function Picture(props: { view: BodyView; data: BodyData; isLater: boolean }): VNode {
  const { view, data, isLater } = props;
  return (
    <PeoplePicture
      {...{ ...FIRST_PICTURE, isLater }}
      people={drawnPeople(data.populations)}
      posture={view.posture}
      overlaid={view.overlaid}
      withBands={true}
      title={data.populations.map(({ label }) => label).join(', ')}
      format={(mm) => `${numberText(mm)} mm`}
    />
  );
}

function sheetContent(view: BodyView, isRefused: boolean, origin: string): PageContent<BodyData> {
  const chosen = new Set(view.measurements);
  return {
    entry: 'sheet',
    // The sheet has its own heading.
    heading: isRefused ? BODY_ADDRESS.title(view) : '',
    note: noteOfSheet(view),
    sharedAs: `${BODY_ADDRESS.title(view)} of body measurements`,
    description: 'A sheet of body measurements of one population, to print on A4.',
    place: 'body-sheet',
    numbers: (data) => <Sheet {...{ view, origin, data }} />,
    plain: {
      text: 'The sheet, its print and its files do not need JavaScript.',
      form: (
        <>
          <input type="hidden" name="form" value="sheet" />
          <PopulationFields populations={[populationOfSheet(view)]} />
          <Choice
            name="unit"
            label="Unit"
            chosen={view.unit}
            options={SHOWN_UNITS.map((unit) => [unit])}
          />
          <details>
            <summary>
              Dimensions: {chosen.size} chosen, at most {SHEET_MAX}
            </summary>
            <SheetRegions box={(name) => ({ name: 'm', value: name, checked: chosen.has(name) })} />
          </details>
        </>
      ),
      more: <FormLinks view={view} />,
    },
  };
}
