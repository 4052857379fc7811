import type { VNode } from 'preact';
import { BODY_REGIONS } from '../../core/body-regions.js';
import { numberText } from '../../core/number-text.js';
import { readingOf } from '../../core/readings.js';
import { VIEWS } from '../../render/views.js';
import { amountNumber, isMass, MASSES, unitIn } from '../../site/amounts.js';
import { clothingText, inWords, MARKS, MASS_UNITS, readingText } from '../../site/labels.js';
import { unitText } from '../../site/lengths.js';
import { SHEET_FILES } from '../../site/paths.js';
import { LYING, NO_BODIES, NOBODY } from '../../site/pictures/notes.js';
import type { ShareContent } from '../../site/share-card.js';
import { addressOf } from '../shared/address-fields.js';
import {
  type ChosenPopulation,
  clothingOf,
  populationLabel,
  populationWords,
} from '../shared/populations.js';
import { DataTable } from '../shared/table.js';
import { BODY_ADDRESS, type BodyView, populationOfSheet } from './address.js';
import {
  BODY_PERCENTILES,
  type BodyData,
  type BodyPopulation,
  type BodyRow,
} from './data-types.js';

interface SheetProps {
  readonly view: BodyView;
  /** Absent if the service refuses the sheet. */
  readonly data: BodyData | undefined;
  /** Public address of the service. */
  readonly origin: string;
}

/** Width of a drawing with its numbered lines, as a factor of the frame of its picture. Narrower drawings are centred. */
const LINES = 1.35;

/** A sheet of one population, to print on A4. */
export function Sheet({ view, data, origin }: SheetProps): VNode {
  const population = populationOfSheet(view);
  const query = BODY_ADDRESS.query(view);
  return (
    <article class="sheet">
      <h1>{populationLabel(population)}</h1>
      {data === undefined ? null : (
        <>
          <p class="soft">
            {population.name === undefined ? '' : `${populationWords(population)}. `}
            Body measurements in {view.unit}, {wearing(population)}, in standard postures.
            Percentiles of one measurement at a time: nobody has all of them at once.
          </p>
          <div class="row sheet-figures">
            {data.drawn?.pictures.map(({ view: name, figure, frame }) => {
              const [left, right, bottom, top] = frame;
              const isWide = right - left > top - bottom;
              const widthMm = (isWide ? 1 : LINES) * (right - left);
              return (
                <svg
                  key={name}
                  class={isWide ? 'figure sheet-figure wide' : 'figure sheet-figure'}
                  viewBox={`0 0 ${widthMm} ${top - bottom}`}
                  role="img"
                  aria-label={`Body ${VIEWS[name].title}, with the numbered lines of measurements`}
                >
                  <image href={figure} width="100%" height="100%" />
                </svg>
              );
            })}
          </div>
          <p class="soft small">{captionOf(data)}</p>
          {data.populations.map((population) => (
            <Numbers key={population.label} {...{ view, population }} />
          ))}
          <Sources data={data} link={origin + addressOf(BODY_ADDRESS, view)} />
          <p class="sheet-exports">
            Print this page for a PDF. Or download{' '}
            <a href={`${SHEET_FILES}.csv?${query}`}>the table as CSV</a> or{' '}
            <a href={`${SHEET_FILES}.svg?${query}`}>the drawings as SVG</a>.
          </p>
        </>
      )}
    </article>
  );
}

/** Clothing of the people in words, such as `in light clothing`. */
function wearing(population: ChosenPopulation): string {
  const clothing = clothingOf(population);
  return clothing === 'nude' ? 'without clothing' : `in ${clothingText(clothing)}`;
}

/** Says who is drawn, and what readers must know of the drawings. */
function captionOf({ drawn, hasBodies }: BodyData): string {
  if (!hasBodies) return NO_BODIES;
  if (drawn === undefined) return NOBODY;
  const lying = drawn.pictures.some((one) => one.lying) ? ` ${LYING}` : '';
  return `Drawn is the median person: ${drawn.who}.${lying}`;
}

/** A number of a sheet for readers. Masses and BMI are in kg and kg/m². */
function cellText(valueMm: number, { unit }: BodyView, { measurement }: BodyRow): string {
  return amountNumber(valueMm, unitIn({ unit, massUnit: 'kg' }, measurement));
}

/** Half the width of an interval. The service gives it with two significant digits. */
function errorText(view: BodyView, row: BodyRow): string {
  if (row.evidence === undefined) return '–';
  const { errorMm } = row.evidence;
  const isPlain = view.unit === 'mm' || isMass(row.measurement);
  return isPlain ? String(errorMm) : cellText(errorMm, view, row);
}

interface NumbersProps {
  readonly view: BodyView;
  readonly population: BodyPopulation;
  readonly caption?: string;
}

/** The dimensions of a population with their evidence, in the unit of the view. */
export function Numbers({ view, population: { rows = [] }, caption }: NumbersProps): VNode {
  return (
    <DataTable
      class="sheet-table"
      {...(caption === undefined ? { label: 'Measurements' } : { caption })}
      head={['No.', 'Measurement', ...MARKED, 'Mean', 'SD', '±', 'Basis']}
      texts={['Basis']}
      headAt={1}
      rows={rows.map((row, index) => [
        index + 1,
        inWords(row.measurement) +
          (row.measurement in MASS_UNITS ? `, ${MASS_UNITS[row.measurement]}` : ''),
        ...[...row.valuesMm, row.meanMm, row.sdMm].map((mm) => cellText(mm, view, row)),
        errorText(view, row),
        <a key="basis" href={`/docs/sources#${row.measurement}`}>
          {readingText(readingOf(row.measurement), row.evidence?.measuredIn ?? [])}
          {row.evidence === undefined ? '' : `, ${row.evidence.grade}`}
        </a>,
      ])}
    />
  );
}

const MARKED = BODY_PERCENTILES.map((percentile) => `P${percentile}`);

function Sources({ data, link }: { data: BodyData; link: string }): VNode {
  const date = new Date().toISOString().slice(0, 10);
  return (
    <footer class="sheet-sources soft small long-text">
      <p>
        ± is the prediction error: half the 90 % interval of the median, of nude people of the first
        country at the middle age. Basis: how directly surveys took the measurement (measured,
        derived, ratio, proxy), and the size of the error of the median (A to D).
      </p>
      <p>Surveys: {data.surveys.join('; ')}.</p>
      <p>
        Vitruvia, data {data.artifactVersion}, {date}.{' '}
        {numberText(data.populations[0]?.people ?? 0)} people. <a href={link}>{link}</a>
      </p>
    </footer>
  );
}

/** The share image of a sheet: its person and its first dimensions. */
export function sharedSheet(view: BodyView, data: BodyData): ShareContent {
  const rows = data.populations.flatMap((one) => one.rows ?? []);
  return {
    title: `${populationLabel(populationOfSheet(view))}: sheet of ${rows.length} measurements`,
    note: `${MARKS} in ${unitText(view.unit)}`,
    artifactVersion: data.artifactVersion,
    people: data.drawn?.pictures.slice(0, 3) ?? [],
    facts: rows.map((row) => {
      const numbers = row.valuesMm.map((mm) => cellText(mm, view, row)).join(', ');
      const unit = MASS_UNITS[row.measurement];
      return `${numbers} ${unit === undefined ? '' : `${unit} `}${inWords(row.measurement)}`;
    }),
  };
}

/** The choices of a sheet by region of the body, with the mass of the whole body. */
const REGIONS = [
  ...BODY_REGIONS,
  { id: 'mass', title: 'Body mass', measurements: Object.keys(MASSES).map((name) => ({ name })) },
];

/** The dimensions of a sheet by region of the body, each with a box of these attributes. */
export function SheetRegions({ box }: { readonly box: (name: string) => object }): VNode {
  return (
    <>
      {REGIONS.map(({ id, title, measurements }) => (
        <fieldset key={id} class="sheet-region">
          <legend>{title}</legend>
          {measurements.map(({ name }) => (
            <label key={name}>
              <input type="checkbox" {...box(name)} /> {inWords(name)}
            </label>
          ))}
        </fieldset>
      ))}
    </>
  );
}
