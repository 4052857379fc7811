import type { VNode } from 'preact';
import { MARKS } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import { SHOWN_UNITS } from '../../site/lengths.js';
import { NO_BODIES } from '../../site/pictures/notes.js';
import { PeoplePicture } from '../../site/pictures/people-picture.js';
import type { ShareContent } from '../../site/share-card.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import {
  Choice,
  Field,
  PopulationFields,
  ScreenPage,
  WithoutScript,
} from '../shared/screen-page.js';
import {
  BODY_ADDRESS,
  type BodyView,
  POSTURES,
  pictureTitle,
  populationOfSheet,
  SHEET_MAX,
} from './address.js';
import type { BodyData } from './data-types.js';
import { drawnPeople } from './drawn-people.js';
import { FormLinks } from './form-links.js';
import { PictureNotes } from './picture-notes.js';
import { Numbers, Sheet, SheetRegions, sharedSheet } from './sheet.js';

/** Size of the picture from the server. The script draws it again in the width of the screen. */
const FIRST_PICTURE = { widthPx: 960, heightPx: 520 } as const;

/** The Body screen as HTML text, with the data and the picture of its first view. */
export function bodyPage(view: BodyView, first: FirstData<BodyData>, context: PageContext): string {
  const parts = { view, first, context, screen: 'body', address: BODY_ADDRESS } as const;
  if (view.form === 'sheet') {
    const title = BODY_ADDRESS.title(view);
    return renderPage(
      <ScreenPage
        {...parts}
        entry="sheet"
        title={title}
        sharedAs={`${title} of body dimensions`}
        description="A sheet of body dimensions of one population, to print on A4."
        place="body-sheet"
        numbers={(data) => <Sheet {...{ view, data }} origin={context.origin} />}
        withoutScript={<PlainSheet view={view} />}
      />,
    );
  }
  return renderPage(
    <ScreenPage
      {...parts}
      title="People to scale"
      heading="People to scale"
      sharedAs={pictureTitle(view)}
      description="See people of several countries, ages and genders to scale, standing and sitting, with percentiles of their dimensions."
      place="body-screen"
      numbers={(data) => <FirstNumbers view={view} data={data} />}
      withoutScript={<Plain view={view} />}
    />,
  );
}

/** The picture, and the numbers of each population. */
function FirstNumbers({ view, data }: { view: BodyView; data: BodyData }): VNode {
  return (
    <>
      <FormLinks view={view} />
      <div class="body-picture">
        <PeoplePicture
          {...FIRST_PICTURE}
          people={drawnPeople(data.populations)}
          posture={view.posture}
          overlaid={view.overlaid}
          withBands={true}
          title={data.populations.map(({ label }) => label).join(', ')}
          format={(mm) => `${mm.toLocaleString('en')} mm`}
        />
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

/** A form, for browsers without JavaScript. */
function Plain({ view }: { view: BodyView }): VNode {
  return (
    <WithoutScript
      screen="body"
      text="Exports and the choice of regions need JavaScript. The picture and the numbers do not."
    >
      <PopulationFields populations={view.populations} />
      <Choice
        name="posture"
        label="Posture"
        chosen={view.posture}
        options={POSTURES.map((id) => [id])}
      />
      <Choice name="side" label="Side" chosen={view.side} options={[['front'], ['side']]} />
      <Field name="m" label="Dimensions, separated by commas" value={view.measurements.join(',')} />
    </WithoutScript>
  );
}

/** The form of another sheet, for browsers without JavaScript. */
function PlainSheet({ view }: { view: BodyView }): VNode {
  const chosen = new Set(view.measurements);
  return (
    <WithoutScript screen="body" text="The sheet, its print and its files do not need JavaScript.">
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
    </WithoutScript>
  );
}

/** The share image of the Body screen: small, median and large people. */
export function sharedBody(view: BodyView, data: BodyData): ShareContent {
  if (view.form === 'sheet') return sharedSheet(view, data);
  const persons = data.populations.flatMap((one) => one.persons ?? []);
  return {
    title: pictureTitle(view),
    note: data.hasBodies
      ? `To scale: small, median and large people (${MARKS} of stature and body mass).`
      : NO_BODIES,
    artifactVersion: data.artifactVersion,
    people: persons.map(({ picture }) => picture),
    facts: [],
  };
}
