import type { VNode } from 'preact';
import type { PagePicture } from '../../site/pictures/addresses.js';
import type { SizePerson, SizesParts } from './data.js';
import { rangeNumbers } from './table.js';

/** Gap between two people, as a share of the height of the row. */
const GAP = 0.06;
/** Size of the ranges below people: shares of the height and of the narrowest person. Names are larger. */
const [OF_TALLEST, OF_NARROWEST, NAME] = [0.1, 0.12, 1.3];

/** A row of people in one view and to one scale, with its size in mm. */
export interface PersonsRow {
  readonly widthMm: number;
  /** Height of the tallest person. */
  readonly tallMm: number;
  readonly places: readonly {
    readonly person: SizePerson;
    readonly picture: PagePicture;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
}

/** The rows of a picture of people. Each view of the people has one row. */
export function rowsOf(persons: readonly SizePerson[]): readonly PersonsRow[] {
  const views = persons[0]?.pictures.map(({ view }) => view) ?? [];
  return views.map((view) => {
    const shown = persons.flatMap((person) => {
      const picture = person.pictures.find((one) => one.view === view);
      if (picture === undefined) return [];
      const [left, right, bottom, top] = picture.frame;
      return [{ person, picture, width: right - left, height: top - bottom }];
    });
    const tallest = Math.max(...shown.map(({ height }) => height));
    let x = 0;
    const places = shown.map((one) => {
      const place = { ...one, x, y: tallest - one.height };
      x += one.width + GAP * tallest;
      return place;
    });
    return { places, widthMm: x - GAP * tallest, tallMm: tallest };
  });
}

interface PersonsRowProps extends Pick<SizesParts, 'data' | 'unit'> {
  readonly row: PersonsRow;
}

/** People side by side, to one scale, with their sizes and the ranges of these below. */
export function PersonsRowPicture({ row, data, unit }: PersonsRowProps): VNode {
  const { widthMm, tallMm, places } = row;
  const narrowest = Math.min(...places.map((one) => one.width));
  const small = Math.min(OF_TALLEST * tallMm, OF_NARROWEST * narrowest);
  const size = NAME * small;
  const heightMm = tallMm + 1.3 * (size + data.dimensions.length * small);
  const label = places.map(({ person }) => `${person.size}: ${person.who}`).join('; ');
  return (
    <svg
      class="sizes-persons"
      viewBox={`0 0 ${Math.round(widthMm)} ${Math.round(heightMm)}`}
      role="img"
      aria-label={`To one scale: ${label}`}
    >
      {places.map(({ person, picture, ...place }) => (
        <g key={person.who + person.size}>
          <image href={picture.figure} {...place} />
          <text
            class={`sizes-name series-${person.population + 1}`}
            y={tallMm + size}
            font-size={size}
            text-anchor="middle"
          >
            <tspan x={place.x + place.width / 2}>{person.size}</tspan>
            {data.chart.sizes
              .find(({ name }) => name === person.size)
              ?.ranges.map(({ measurement, from, to }) => (
                <tspan
                  key={measurement}
                  x={place.x + place.width / 2}
                  dy={1.3 * small}
                  font-size={small}
                >
                  {rangeNumbers(from, to, unit)}
                </tspan>
              ))}
          </text>
        </g>
      ))}
    </svg>
  );
}
