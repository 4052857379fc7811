import { renderToString } from 'preact-render-to-string';
import { COLOUR } from '../../site/drawing-colours.js';
import { NO_BODIES } from '../../site/pictures/notes.js';
import { BYTE_ORDER_MARK, csvLines } from '../../table-formats/csv.js';
import { populationLabel } from '../shared/populations.js';
import { type BodyView, populationOfSheet } from './address.js';
import type { BodyData } from './data-types.js';
import { bodyTidy } from './tidy.js';

const { surface, ink, inkSoft } = COLOUR;
const GAP_MM = 120;
const TITLE_MM = 160;

/** A file name that describes the content of the file. */
export function sheetFileName(
  view: BodyView,
  { artifactVersion }: BodyData,
  ending: string,
): string {
  const words = `vitruvia sheet ${populationLabel(populationOfSheet(view))} ${artifactVersion}`;
  return `${words.replace(/[^A-Za-z0-9.]+/g, '-')}.${ending}`;
}

/** The numbers of a sheet in mm, kg and kg/m², one in each row, with the columns of the table of people. */
export function sheetCsv(view: BodyView, data: BodyData): string {
  const { head, rows } = bodyTidy([populationOfSheet(view)], data);
  return BYTE_ORDER_MARK + csvLines([head, ...rows]);
}

/** Says who is drawn, or why no person is drawn. */
function drawnWords({ drawn, hasBodies }: BodyData): string {
  if (drawn !== undefined) return `drawn is ${drawn.who}`;
  return hasBodies ? 'nobody is drawn' : NO_BODIES;
}

/**
 * The pictures of a sheet side by side, to one scale, with title and version.
 *
 * @param documents the picture of each view as an SVG document in mm
 */
export function sheetSvg(view: BodyView, data: BodyData, documents: readonly string[]): string {
  const label = populationLabel(populationOfSheet(view));
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
      <title>{`${label}: where the measurements are taken`}</title>
      <rect width={width} height={height} fill={surface} />
      <text x={GAP_MM} y={TITLE_MM * 0.6} font-family="sans-serif" font-size="60" fill={ink}>
        {label}
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
