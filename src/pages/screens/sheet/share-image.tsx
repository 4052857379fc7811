import type { VNode } from 'preact';
import { COLOUR, figureStyles } from '../../drawing-colours.js';
import { linesOf, type ShareContent } from '../../share/share-card.js';
import { inWords } from '../shared/labels.js';
import { populationLabel } from '../shared/populations.js';
import { type SheetView, sheetNumber } from './address.js';
import type { SheetData, SheetRow } from './data.js';
import { SheetDrawing } from './drawing.js';

const TABLE_WIDTH = 520;
const TABLE_END = TABLE_WIDTH - 10;
/** Width of a column of numbers in pixels. `CHAR_WIDTH` is the width of one character of a name. */
const NUMBER_WIDTH = { plain: 85, feet: 112 } as const;
const CHAR_WIDTH = 9.4;
const ROW = 34;
const FIGURES_MAX = 3;

/** The share image of a sheet: its figures and its first dimensions. */
export function sharedSheet(view: SheetView, data: SheetData): ShareContent {
  return {
    title: `${populationLabel(view.population)}: sheet of ${data.rows.length} dimensions`,
    note: `P5, P50 and P95 in ${view.unit === 'ft-in' ? 'feet and inches' : view.unit}`,
    artifactVersion: data.artifactVersion,
    draw: (area) => {
      const drawings = (data.drawn?.figures ?? []).slice(0, FIGURES_MAX);
      const width = (area.width - TABLE_WIDTH) / Math.max(1, drawings.length);
      const boxes = drawings.map(({ viewBox }) => viewBox.split(' ').map(Number));
      // All figures have one scale, so their lines have one width.
      const mmPerPx = Math.max(
        ...boxes.map(([, , w = 1, h = 1]) => Math.max(w / (width - 12), h / area.height)),
      );
      return {
        styles: figureStyles(mmPerPx),
        picture: (
          <>
            {drawings.map((drawing, index) => {
              const [, , w = 1, h = 1] = boxes[index] ?? [];
              const size = { width: w / mmPerPx, height: h / mmPerPx };
              const x = area.x + index * width + (width - size.width) / 2;
              const place = { x, y: area.y + area.height - size.height, ...size };
              return <SheetDrawing key={drawing.view} drawing={drawing} place={place} />;
            })}
            <Rows
              rows={data.rows.slice(0, Math.floor(area.height / ROW))}
              x={area.x + area.width - TABLE_WIDTH}
              y={area.y}
              view={view}
            />
          </>
        ),
      };
    },
  };
}

interface RowsProps {
  readonly rows: readonly SheetRow[];
  readonly x: number;
  readonly y: number;
  readonly view: SheetView;
}

function Rows({ rows, x, y, view }: RowsProps): VNode {
  const columnWidth = NUMBER_WIDTH[view.unit === 'ft-in' ? 'feet' : 'plain'];
  const nameChars = Math.floor((TABLE_END - 3 * columnWidth) / CHAR_WIDTH);
  return (
    <>
      {rows.map((row, index) => (
        <g
          key={row.measurement}
          transform={`translate(${x} ${y + 24 + index * ROW})`}
          font-size={20}
          fill={COLOUR.ink}
        >
          <text>{linesOf(`${index + 1} ${inWords(row.measurement)}`, nameChars, 1)[0]}</text>
          {[row.p5, row.p50, row.p95].map((value, column) => (
            <text key={column} x={TABLE_END - (2 - column) * columnWidth} text-anchor="end">
              {sheetNumber(value, view)}
            </text>
          ))}
          <path d={`M0 9H${TABLE_WIDTH}`} stroke={COLOUR.rule} />
        </g>
      ))}
    </>
  );
}
