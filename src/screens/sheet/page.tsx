import type { VNode } from 'preact';
import { readingOf } from '../../core/readings.js';
import { VIEWS } from '../../render/views.js';
import { clothingText, inWords, MARKS, MASS_UNITS, readingText } from '../../site/labels.js';
import { imageOf, Layout, renderPage } from '../../site/layout.js';
import { SHOWN_UNITS, unitText } from '../../site/lengths.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import { LYING, NO_BODIES, NOBODY } from '../../site/pictures/notes.js';
import type { ShareContent } from '../../site/share-card.js';
import { addressOf } from '../shared/address-fields.js';
import {
  clothingOf,
  populationLabel,
  populationText,
  populationWords,
} from '../shared/populations.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import {
  AddressNotices,
  BottomSheet,
  DataTable,
  EmbeddedJson,
  PopulationPlace,
  ScreensNav,
} from '../shared/screen-parts.js';
import { Choice, Field } from '../shared/without-script.js';
import {
  SHEET_ADDRESS,
  SHEET_MAX,
  SHEET_NOTICE_ID,
  SHEET_REGIONS,
  type SheetView,
  sheetNumber,
  sheetQuery,
} from './address.js';
import type { SheetData, SheetRow } from './data.js';

/** The values that the page of a sheet shows besides its numbers. */
export interface SheetContext extends PageContext {
  /** Date of the sheet, such as `2026-11-22`. */
  readonly date: string;
}

/** The Sheet as HTML text. Its script shows the population as a chip and moves the form on a phone. */
export function sheetPage(
  view: SheetView,
  first: FirstData<SheetData>,
  { signedIn, origin, notices, date }: SheetContext,
): string {
  const title = populationLabel(view.population);
  const query = sheetQuery(view);
  const address = addressOf(SHEET_ADDRESS, view);
  return renderPage(
    <Layout
      title={`${title}: sheet`}
      section="explore"
      signedIn={signedIn}
      entry="src/screens/sheet/browser/main.tsx"
      canonical={address}
      share={{
        origin,
        title: `${title}: sheet of body dimensions`,
        image: imageOf(SCREEN_PATHS.sheet, query, first),
      }}
      description="A sheet of body dimensions of one population, to print on A4."
      screens={<ScreensNav current="sheet" populations={view.populations} />}
    >
      <PopulationPlace populations={view.populations} />
      <AddressNotices notices={notices} />
      <div id={SHEET_NOTICE_ID}>
        {'problem' in first ? <p class="notice danger">{first.problem.detail}</p> : null}
      </div>
      {'problem' in first ? <EmbeddedJson value={first} /> : null}
      <article class="sheet">
        <h1>{title}</h1>
        {'problem' in first ? null : (
          <>
            <p class="soft">
              {view.population.name === undefined ? '' : `${populationWords(view.population)}. `}
              Body dimensions in {view.unit}, {wearing(view.population)}, in standard postures.
              Percentiles of one dimension at a time: nobody has all of them at once.
            </p>
            <div class="sheet-figures">
              {first.data.drawn?.pictures.map(({ view: name, figure, frame }) => {
                const [left, right, bottom, top] = frame;
                const isWide = right - left > top - bottom;
                return (
                  <img
                    key={name}
                    class={isWide ? 'figure sheet-figure wide' : 'figure sheet-figure'}
                    src={figure}
                    width={right - left}
                    height={top - bottom}
                    alt={`Body ${VIEWS[name].title}, with the numbered lines of dimensions`}
                  />
                );
              })}
            </div>
            <p class="soft small">{sheetCaption(first.data)}</p>
            <Numbers view={view} data={first.data} />
            <Sources data={first.data} date={date} link={origin + address} />
            <p class="sheet-exports">
              Print this page for a PDF. Or download{' '}
              <a href={`${SCREEN_PATHS.sheet}.csv?${sheetQuery(view)}`}>the table as CSV</a> or{' '}
              <a href={`${SCREEN_PATHS.sheet}.svg?${sheetQuery(view)}`}>the drawings as SVG</a>.
            </p>
          </>
        )}
      </article>
      <SheetChoice view={view} />
    </Layout>,
  );
}

/** Clothing of the people in words, such as `in light clothing`. */
function wearing(population: SheetView['population']): string {
  const clothing = clothingOf(population);
  return clothing === 'nude' ? 'without clothing' : `in ${clothingText(clothing)}`;
}

/** Says who is drawn, and what readers must know of the drawings. */
function sheetCaption({ drawn, hasBodies }: SheetData): string {
  if (!hasBodies) return NO_BODIES;
  if (drawn === undefined) return NOBODY;
  const lying = drawn.pictures.some((one) => one.lying) ? ` ${LYING}` : '';
  return `Drawn is the median person: ${drawn.who}.${lying}`;
}

function Numbers({ view, data }: { view: SheetView; data: SheetData }): VNode {
  return (
    <DataTable
      class="sheet-table"
      label="Dimensions"
      head={['No.', 'Dimension', 'P5', 'P50', 'P95', 'Mean', 'SD', '±', 'Basis']}
      texts={['Basis']}
      headAt={1}
      rows={data.rows.map((row: SheetRow, index) => [
        index + 1,
        inWords(row.measurement) +
          (row.measurement in MASS_UNITS ? `, ${MASS_UNITS[row.measurement]}` : ''),
        ...[row.p5, row.p50, row.p95, row.mean, row.sd, row.plusMinus].map((value) =>
          sheetNumber(value, view, row.measurement),
        ),
        <a key="basis" href={`/docs/sources#${row.measurement}`}>
          {readingText(readingOf(row.measurement), row.measuredIn)}, {row.grade}
        </a>,
      ])}
    />
  );
}

function Sources(props: { data: SheetData; date: string; link: string }): VNode {
  const { data, date, link } = props;
  return (
    <footer class="sheet-sources">
      <p>
        ± is the half width of the 90 % interval of the median, of nude people of the first country
        at the middle age. Basis: how directly surveys measured the dimension (measured, derived,
        ratio, proxy), and the size of the error of the median (A to D).
      </p>
      <p>Surveys: {data.surveys.join('; ')}.</p>
      <p>
        Vitruvia, data {data.artifactVersion}, {date}. {data.people.toLocaleString('en')} people.{' '}
        <a href={link}>{link}</a>
      </p>
    </footer>
  );
}

/** The form for choosing another sheet, for browsers without JavaScript. */
function SheetChoice({ view }: { readonly view: SheetView }): VNode {
  const chosen = new Set(view.measurements);
  return (
    <BottomSheet label="Dimensions and unit" class="sheet-choice">
      <form method="get" action={SCREEN_PATHS.sheet} class="panel">
        <Field
          name="p"
          label="Population, such as Female~DE,JP~18-65 or Both~EU27~18-65~winter"
          value={populationText(view.population)}
        />
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
          {SHEET_REGIONS.map(({ id, title, measurements }) => (
            <fieldset key={id} class="sheet-region">
              <legend>{title}</legend>
              {measurements.map(({ name }) => (
                <label key={name}>
                  <input type="checkbox" name="m" value={name} checked={chosen.has(name)} />{' '}
                  {inWords(name)}
                </label>
              ))}
            </fieldset>
          ))}
        </details>
        <button type="submit" class="primary">
          Show the sheet
        </button>
      </form>
    </BottomSheet>
  );
}

/** The share image of a sheet: its person and its first dimensions. */
export function sharedSheet(view: SheetView, data: SheetData): ShareContent {
  return {
    title: `${populationLabel(view.population)}: sheet of ${data.rows.length} dimensions`,
    note: `${MARKS} in ${unitText(view.unit)}`,
    artifactVersion: data.artifactVersion,
    people: data.drawn?.pictures.slice(0, 3) ?? [],
    facts: data.rows.map(({ measurement, p5, p50, p95 }) => {
      const numbers = [p5, p50, p95]
        .map((value) => sheetNumber(value, view, measurement))
        .join(', ');
      const unit = MASS_UNITS[measurement];
      return `${numbers} ${unit === undefined ? '' : `${unit} `}${inWords(measurement)}`;
    }),
  };
}
