import type { VNode } from 'preact';
import { populationLabel } from '../../core/chosen-populations.js';
import { inWords } from '../../core/labels.js';
import type { SheetView } from '../../core/sheet-view.js';
import type { SheetData, SheetRow } from '../explorer/sheet-data.js';
import { drawingsOf, SheetDrawing } from '../explorer/sheet-drawing.js';
import { linesOf, type ShareContent } from './share-card.js';
import { COLOUR, figureStyles } from './share-colours.js';

const TABLE_WIDTH = 520;
const ROW = 34;
const FIGURES_MAX = 3;

/** The share image of a sheet: its figures, and its first dimensions. */
export function sharedSheet(view: SheetView, data: SheetData): ShareContent {
  return {
    title: `${populationLabel(view.population)}: sheet of ${data.rows.length} dimensions`,
    note: `P5, P50 and P95 in ${view.unit}`,
    artifactVersion: data.artifactVersion,
    draw: (area) => {
      const drawings = drawingsOf(view.measurements).slice(0, FIGURES_MAX);
      const width = (area.width - TABLE_WIDTH) / Math.max(1, drawings.length);
      const boxes = drawings.map(({ viewBox }) => viewBox.split(' ').map(Number));
      // One scale for all figures, and with it one width of lines.
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
              isWhole={view.unit === 'mm'}
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
  readonly isWhole: boolean;
}

function Rows({ rows, x, y, isWhole }: RowsProps): VNode {
  const number = (value: number) => (isWhole ? String(Math.round(value)) : value.toFixed(1));
  return (
    <>
      {rows.map((row, index) => (
        <g
          key={row.measurement}
          transform={`translate(${x} ${y + 24 + index * ROW})`}
          font-size={20}
          fill={COLOUR.ink}
        >
          <text>{linesOf(`${index + 1} ${inWords(row.measurement)}`, 27, 1)[0]}</text>
          {[row.p5, row.p50, row.p95].map((value, column) => (
            <text key={column} x={340 + column * 85} text-anchor="end">
              {number(value)}
            </text>
          ))}
          <path d={`M0 9H${TABLE_WIDTH}`} stroke={COLOUR.rule} />
        </g>
      ))}
    </>
  );
}
