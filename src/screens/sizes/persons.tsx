import type { VNode } from 'preact';
import type { PagePicture } from '../../site/pictures/addresses.js';
import type { SizePerson } from './data.js';

/** Gap between two people, as a share of the height of the row. `NAME` is the share for the names below. */
const GAP = 0.06;
const NAME = 0.13;

/** A row of people in one view and to one scale, with its size in mm. */
export interface PersonsRow {
  readonly widthMm: number;
  readonly heightMm: number;
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
    return { places, widthMm: x - GAP * tallest, heightMm: tallest * (1 + NAME) };
  });
}

/** People side by side, to one scale, with the names of their sizes below. */
export function PersonsRowPicture({ row }: { readonly row: PersonsRow }): VNode {
  const { widthMm, heightMm, places } = row;
  const size = (heightMm * NAME) / (1 + NAME);
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
            x={place.x + place.width / 2}
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
