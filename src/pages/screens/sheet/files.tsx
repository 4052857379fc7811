import { renderToString } from 'preact-render-to-string';
import type { Mark } from '../../../render/marks.js';
import { BYTE_ORDER_MARK, csvLines } from '../../../table-formats/csv.js';
import { COLOUR, SERIES } from '../../drawing-colours.js';
import { NO_BODIES } from '../../pictures/notes.js';
import { clothingOf, populationLabel } from '../shared/populations.js';
import { TIDY_HEAD } from '../shared/tidy.js';
import { apiUnit, type SheetView } from './address.js';
import type { SheetData, SheetRow } from './data.js';

const { surface, ink, inkSoft, ruleStrong, skin } = COLOUR;
const RUN = SERIES[1];
const DASHED = { fill: 'none', stroke: RUN, 'stroke-width': 2, 'stroke-dasharray': '8 6' };
/** Styles of the marks in an exported drawing. Its background is light, because it may be printed. */
const MARKS: Readonly<Record<Mark['kind'], Readonly<Record<string, string | number>>>> = {
  body: { fill: skin, stroke: ruleStrong, 'stroke-width': 3 },
  detail: { fill: 'none', stroke: ruleStrong, 'stroke-width': 2 },
  prop: { fill: 'none', stroke: ruleStrong, 'stroke-width': 3 },
  edge: DASHED,
  hidden: DASHED,
  run: { fill: 'none', stroke: RUN, 'stroke-width': 4 },
  arrow: { fill: RUN },
  point: { fill: RUN },
};
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
      ...['standing_erect', statistic, percentile, value, apiUnit(view)],
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

/** The drawings of a sheet side by side, to one scale, with title and version. */
export function sheetSvg({ population }: SheetView, data: SheetData): string {
  const drawings = (data.drawn?.figures ?? []).map((drawing) => {
    const [x = 0, y = 0, width = 0, height = 0] = drawing.viewBox.split(' ').map(Number);
    return { ...drawing, x, y, width, height };
  });
  const height = Math.max(0, ...drawings.map((one) => one.height)) + 2 * TITLE_MM;
  const width = drawings.reduce((sum, one) => sum + one.width + GAP_MM, GAP_MM);
  let from = GAP_MM;
  const places = drawings.map((one) => {
    const place = from;
    from += one.width + GAP_MM;
    return place;
  });
  const picture = (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${width} ${height}`}>
      <title>{`${populationLabel(population)}: where the dimensions are measured`}</title>
      <rect width={width} height={height} fill={surface} />
      <text x={GAP_MM} y={TITLE_MM * 0.6} font-family="sans-serif" font-size="60" fill={ink}>
        {populationLabel(population)}
      </text>
      {drawings.map(({ view, x, y, height: own, marks, numbers, radiusMm }, index) => (
        <g
          key={view}
          transform={`translate(${(places[index] ?? 0) - x} ${height - TITLE_MM - own - y})`}
        >
          {marks.map(({ kind, d }, at) => (
            <path key={`${at}-${kind}`} d={d} {...MARKS[kind]} />
          ))}
          {numbers.map(({ number, at }) => (
            <g key={number}>
              <circle cx={at.x} cy={-at.y} r={radiusMm} fill={surface} stroke={RUN} />
              <text
                x={at.x}
                y={-at.y}
                font-family="sans-serif"
                font-size={radiusMm * 1.3}
                text-anchor="middle"
                dominant-baseline="central"
                fill={ink}
              >
                {number}
              </text>
            </g>
          ))}
        </g>
      ))}
      <text
        x={GAP_MM}
        y={height - TITLE_MM * 0.4}
        font-family="sans-serif"
        font-size="36"
        fill={inkSoft}
      >
        {`Vitruvia, data ${data.artifactVersion}; ${drawnWords(data)}`}
      </text>
    </svg>
  );
  return renderToString(picture);
}
