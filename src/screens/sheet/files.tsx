import { renderToString } from 'preact-render-to-string';
import { COLOUR } from '../../site/drawing-colours.js';
import { MASS_UNITS } from '../../site/labels.js';
import { NO_BODIES } from '../../site/pictures/notes.js';
import { BYTE_ORDER_MARK, csvLines } from '../../table-formats/csv.js';
import { clothingOf, populationLabel } from '../shared/populations.js';
import { TIDY_HEAD } from '../shared/tidy.js';
import { apiUnit, type SheetView } from './address.js';
import type { SheetData, SheetRow } from './data.js';

const { surface, ink, inkSoft } = COLOUR;
const GAP_MM = 120;
const TITLE_MM = 160;

/** A file name that describes the content of the file. */
export function sheetFileName(
  view: SheetView,
  { artifactVersion }: SheetData,
  ending: string,
): string {
  const { population } = view;
  const unit = apiUnit(view);
  const words = `vitruvia sheet ${populationLabel(population)} ${unit} ${artifactVersion}`;
  return `${words.replace(/[^A-Za-z0-9.]+/g, '-')}.${ending}`;
}

/** The numbers of a sheet, one in each row. The columns are those of the Body screen's table. */
export function sheetCsv(view: SheetView, data: SheetData): string {
  const { gender = 'Both', countries, ageMin, ageMax } = view.population;
  const rows = data.rows.flatMap((row) => {
    const numbers: readonly (readonly [string, number | '', number])[] = [
      ['percentile', 5, row.p5],
      ['percentile', 50, row.p50],
      ['percentile', 95, row.p95],
      ['mean', '', row.mean],
      ['standard deviation', '', row.sd],
      ['half 90 % interval of the median', 50, row.plusMinus],
    ];
    return numbers.map(([statistic, percentile, value]) => [
      ...[
        row.measurement,
        populationLabel(view.population),
        gender,
        countries.join(' '),
        ageMin,
        ageMax,
        clothingOf(view.population),
      ],
      ...[
        'standing_erect',
        statistic,
        percentile,
        value,
        MASS_UNITS[row.measurement] ?? apiUnit(view),
      ],
      ...[row.reading, row.grade, basisOf(row), data.artifactVersion],
    ]);
  });
  return BYTE_ORDER_MARK + csvLines([TIDY_HEAD, ...rows]);
}

function basisOf({ measuredIn }: SheetRow): string {
  return measuredIn.length === 0 ? '' : `Surveys of ${measuredIn.join(' ')}`;
}

/** Says who is drawn, or why no person is drawn. */
function drawnWords({ drawn, hasBodies }: SheetData): string {
  if (drawn !== undefined) return `drawn is ${drawn.who}`;
  return hasBodies ? 'nobody is drawn' : NO_BODIES;
}

/**
 * The pictures of a sheet side by side, to one scale, with title and version.
 *
 * @param documents the picture of each view as an SVG document in mm
 */
export function sheetSvg(
  { population }: SheetView,
  data: SheetData,
  documents: readonly string[],
): string {
  const pictures = documents.map((text) => {
    const [, box = '0 0 0 0'] = /viewBox="([^"]+)"/.exec(text) ?? [];
    const [, , width = 0, height = 0] = box.split(' ').map(Number);
    return { text, box, width, height };
  });
  const height = Math.max(0, ...pictures.map((one) => one.height)) + 2 * TITLE_MM;
  const width = pictures.reduce((sum, one) => sum + one.width + GAP_MM, GAP_MM);
  let from = GAP_MM;
  const placed = pictures.map((one) => {
    const place = `x="${from}" y="${height - TITLE_MM - one.height}" width="${one.width}" height="${one.height}"`;
    from += one.width + GAP_MM;
    return one.text.replace(/<svg [^>]*>/, `<svg ${place} viewBox="${one.box}">`);
  });
  const texts = (
    <>
      <title>{`${populationLabel(population)}: where the dimensions are measured`}</title>
      <rect width={width} height={height} fill={surface} />
      <text x={GAP_MM} y={TITLE_MM * 0.6} font-family="sans-serif" font-size="60" fill={ink}>
        {populationLabel(population)}
      </text>
      <text
        x={GAP_MM}
        y={height - TITLE_MM * 0.4}
        font-family="sans-serif"
        font-size="36"
        fill={inkSoft}
      >
        {`Vitruvia, data ${data.artifactVersion}; ${drawnWords(data)}`}
      </text>
    </>
  );
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">`;
  return `${open}${renderToString(texts)}${placed.join('')}</svg>\n`;
}
