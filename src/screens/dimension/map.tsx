import type { VNode } from 'preact';
import { type DimensionView, markedCountries } from './address.js';
import type { CountryValues } from './data-types.js';
import { COUNTRY_DOTS, COUNTRY_PATHS, MAP_BOX, OTHER_LAND } from './map-paths.js';
import { countryText, titleOf, valueText } from './texts.js';

const [WIDTH, HEIGHT] = MAP_BOX;
const LEGEND_HEIGHT = 80;
const DOT_RADIUS = 5;
/** Number of colours. */
const CLASSES = 6;
/** Grades of evidence. More lines mean a larger error of the median. */
const GRADES = ['A', 'B', 'C', 'D'] as const;
/** Distance between the lines of each grade. Grade A has no lines. */
const SPACINGS: Readonly<Record<string, number>> = { B: 9, C: 5, D: 5 };

interface MapProps {
  readonly view: DimensionView;
  readonly values: CountryValues;
  /** The country that the reader points at. */
  readonly pointed?: string | undefined;
}

/**
 * All countries as a map. The colour says the length, and lines say how weak the evidence is. Countries that are too
 * small for a shape are dots.
 */
export function CountriesMap({ view, values, pointed }: MapProps): VNode {
  const ends = classEnds(values);
  const marked = markedCountries(view);
  const shown = new Set(values.countries.map(({ country }) => country));
  const without = Object.entries(COUNTRY_PATHS).filter(([code]) => !shown.has(code));
  // Dots lie on top of the countries around them.
  const ordered = [...values.countries].sort(
    (one, other) => Number(one.country in COUNTRY_DOTS) - Number(other.country in COUNTRY_DOTS),
  );
  const last = ordered.find(({ country }) => country === pointed);
  return (
    <svg
      class="plot countries-map"
      viewBox={`0 0 ${WIDTH} ${HEIGHT + LEGEND_HEIGHT}`}
      role="img"
      aria-label={`Map. ${titleOf(view)}. The table has all numbers.`}
    >
      <defs>
        {Object.entries(SPACINGS).map(([grade, spacing]) => (
          <pattern
            key={grade}
            id={`evidence-${grade}`}
            width={spacing}
            height={spacing}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <path
              class="countries-line"
              d={`M0 0V${spacing}${grade === 'D' ? `M0 0H${spacing}` : ''}`}
            />
          </pattern>
        ))}
      </defs>
      <path class="countries-land" d={OTHER_LAND + without.map(([, path]) => path).join('')} />
      {ordered.map((one) => {
        const { country, value, grade } = one;
        const isMarked = marked.has(country);
        return (
          <g
            key={country}
            class={`countries-${classOf(value, ends)}${isMarked ? ' marked' : ''}`}
            data-country={country}
          >
            <title>{countryText(one, values, view)}</title>
            <Shape country={country} class="countries-shape" />
            {grade === undefined || SPACINGS[grade] === undefined ? null : (
              <Shape
                country={country}
                class="countries-evidence"
                fill={`url(#evidence-${grade})`}
              />
            )}
          </g>
        );
      })}
      {last === undefined ? null : <Shape country={last.country} class="countries-pointed" />}
      <g class="countries-legend-wide" transform={`translate(0 ${HEIGHT + 14})`}>
        <Colours ends={ends} view={view} />
        <g transform="translate(600 0)">
          <Evidence />
        </g>
      </g>
    </svg>
  );
}

interface ShapeProps {
  readonly country: string;
  readonly class: string;
  readonly fill?: string;
}

/** A country, or a dot in its place. */
function Shape({ country, ...more }: ShapeProps): VNode {
  const [x, y] = COUNTRY_DOTS[country] ?? [0, 0];
  if (country in COUNTRY_DOTS) return <circle cx={x} cy={y} r={DOT_RADIUS} {...more} />;
  return <path d={COUNTRY_PATHS[country]} {...more} />;
}

/** The legend of the map for phones, where the one in the map would be too small. */
export function NarrowLegend({ view, values }: Pick<MapProps, 'view' | 'values'>): VNode {
  return (
    <svg class="plot countries-legend-narrow" viewBox="0 0 610 134" aria-hidden="true">
      <Colours ends={classEnds(values)} view={view} />
      <g transform="translate(0 64)">
        <Evidence />
      </g>
    </svg>
  );
}

const SWATCH = { width: 84, height: 16 } as const;

/** The colours with the lengths at their ends. */
function Colours({ ends, view }: { ends: readonly number[]; view: DimensionView }): VNode {
  const first = 48;
  return (
    <g>
      {Array.from({ length: CLASSES }, (_, index) => (
        <g key={index} class={`countries-${index}`}>
          <rect class="countries-shape" x={first + index * SWATCH.width} y={0} {...SWATCH} />
        </g>
      ))}
      {ends.map((end, index) =>
        // The other ends have no text, because texts would touch.
        index % 2 === 1 ? null : (
          <text
            key={end + index}
            x={first + index * SWATCH.width}
            y={SWATCH.height + 18}
            text-anchor="middle"
          >
            {valueText(end, view.unit)}
          </text>
        ),
      )}
    </g>
  );
}

/** The lines with the grades that they stand for. */
function Evidence(): VNode {
  return (
    <g class="countries-1">
      {GRADES.map((grade, index) => (
        <g key={grade} transform={`translate(${24 + index * 80} 0)`}>
          <rect class="countries-shape" x={0} y={0} width={36} height={16} />
          {grade in SPACINGS ? (
            <rect x={0} y={0} width={36} height={16} fill={`url(#evidence-${grade})`} />
          ) : null}
          <text x={42} y={13}>
            {grade}
          </text>
        </g>
      ))}
      <text x={24} y={34}>
        Prediction error: A smallest, D largest
      </text>
      <rect class="countries-land" x={24} y={44} width={36} height={16} />
      <text x={66} y={57}>
        No data
      </text>
    </g>
  );
}

/** The ends of the map's colours, from the smallest value to the largest, in the unit of the numbers. */
export function classEnds({ countries }: Pick<CountryValues, 'countries'>): readonly number[] {
  const most = countries[0]?.value ?? 0;
  const least = countries.at(-1)?.value ?? 0;
  return Array.from({ length: CLASSES + 1 }, (_, i) => least + ((most - least) * i) / CLASSES);
}

/** The colour of a value, from 0 for the smallest. */
export function classOf(value: number, ends: readonly number[]): number {
  const above = ends.findIndex((end) => value < end);
  return above === -1 ? CLASSES - 1 : Math.max(0, above - 1);
}
