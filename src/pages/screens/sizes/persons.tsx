import type { VNode } from 'preact';
import type { NumberedFigure } from '../../../render/marks.js';
import { SheetDrawing } from '../sheet/drawing.js';
import type { SizePerson } from './data-types.js';

/** Gap between two people, as a share of the height of the row. `NAME` is the share for the names below. */
const GAP = 0.06;
const NAME = 0.13;

/** A row of people in one view and to one scale, with its size in mm. */
export interface PersonsRow {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly places: readonly {
    readonly person: SizePerson;
    readonly figure: NumberedFigure;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
}

/** The rows of a picture of people. Each view of the people has one row. */
export function rowsOf(persons: readonly SizePerson[]): readonly PersonsRow[] {
  const views = persons[0]?.figures.map(({ view }) => view) ?? [];
  return views.map((view) => {
    const shown = persons.flatMap((person) => {
      const figure = person.figures.find((one) => one.view === view);
      if (figure === undefined) return [];
      const [, , width = 0, height = 0] = figure.viewBox.split(' ').map(Number);
      return [{ person, figure, width, height }];
    });
    const tallest = Math.max(...shown.map(({ height }) => height));
    let x = 0;
    const places = shown.map((one) => {
      const place = { ...one, x, y: tallest - one.height };
      x += one.width + GAP * tallest;
      return place;
    });
    return { places, widthMm: x - GAP * tallest, heightMm: tallest * (1 + NAME) };
  });
}

interface PersonsRowPictureProps {
  readonly row: PersonsRow;
  /** Position and size of the row inside another picture. */
  readonly place?: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
}

/** People side by side, to one scale, with the names of their sizes below. */
export function PersonsRowPicture({ row, place }: PersonsRowPictureProps): VNode {
  const { widthMm, heightMm, places } = row;
  const size = (heightMm * NAME) / (1 + NAME);
  const label = places.map(({ person }) => `${person.size}: ${person.who}`).join('; ');
  return (
    <svg
      class="sizes-persons"
      viewBox={`0 0 ${Math.round(widthMm)} ${Math.round(heightMm)}`}
      {...place}
      role="img"
      aria-label={`To one scale: ${label}`}
    >
      {places.map(({ person, figure, x, y, width, height }) => (
        <g key={person.size}>
          <SheetDrawing drawing={figure} place={{ x, y, width, height }} />
          <text
            class="sizes-name"
            x={x + width / 2}
            y={heightMm - size * 0.25}
            font-size={size * 0.62}
            text-anchor="middle"
          >
            {person.size}
          </text>
        </g>
      ))}
    </svg>
  );
}
