import type { VNode } from 'preact';
import { Problem } from '../../core/errors.js';
import { predictRange } from '../../operations/predict.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { linearScale, pathOf } from '../../screens/shared/scale.js';
import { SmoothCurve } from '../../screens/shared/smooth-curve.js';
import { bodyOf, type DrawnPeople } from '../../site/pictures/people-layout.js';
import { figureId } from '../../site/pictures/people-picture.js';

interface PersonProps {
  /** Number of the population, from 1. */
  readonly series: number;
  /** The small (0), the median (1) or the large person (2). */
  readonly index: number;
  /** Number of the colour. The default is the number of the population. */
  readonly colour?: number;
}

/** A person in mm. The figure and its lines come from the large picture of the first page. */
function Person({ series, index, colour = series }: PersonProps): VNode {
  return <use class={`series-${colour}`} href={`#${figureId(series, index)}`} />;
}

/** The figures of the large picture of the first page, where they stand beside each other. */
interface TaskPictureProps {
  readonly people: readonly DrawnPeople[];
}

/** Size of a doorway that is common in Europe, in mm. */
const DOORWAY = { widthMm: 880, heightMm: 2010 } as const;

/** A small woman and a large man in a doorway, to scale. */
export function DoorwayPicture({ people }: TaskPictureProps): VNode {
  const { widthMm, heightMm } = DOORWAY;
  const half = widthMm / 2;
  const small = people[0]?.figures?.[0];
  const large = people.at(-1)?.figures?.[2];
  return (
    <svg class="people-picture" viewBox="-1900 -2200 3800 2300" aria-hidden="true">
      <path class="people-floor" d="M-1900 0H1900" vector-effect="non-scaling-stroke" />
      <path
        class="home-frame"
        d={`M${-half} 0V${-heightMm}H${half}V0`}
        vector-effect="non-scaling-stroke"
      />
      {large === undefined ? null : <Person series={people.length} index={2} />}
      {small === undefined ? null : (
        <g transform="translate(-1000 0)">
          <Person series={1} index={0} />
        </g>
      )}
    </svg>
  );
}

/** Size of a picture of a head, and the distances between its heads, mm. */
const HEAD = { widthMm: 260, heightMm: 380, aboveMm: 30, gapMm: 16, labelMm: 50 } as const;
const SIZES = ['S', 'M', 'L'] as const;

/** Three heads of different sizes, to scale. */
export function HeadsPicture({ people }: TaskPictureProps): VNode {
  const [women, men] = [people[0]?.figures, people.at(-1)?.figures];
  const heads = [
    [women?.[0], 1, 0],
    [men?.[0], people.length, 0],
    [men?.[2], people.length, 2],
  ] as const;
  const { widthMm, heightMm, aboveMm, gapMm, labelMm } = HEAD;
  const box = `0 0 ${heads.length * widthMm - gapMm} ${labelMm + heightMm}`;
  return (
    <svg class="people-picture" viewBox={box} aria-hidden="true">
      {heads.map(([figure, series, person], index) => {
        if (figure === undefined) return null;
        const { top } = bodyOf(figure);
        return (
          <g key={SIZES[index]}>
            <svg
              aria-hidden="true"
              x={index * widthMm}
              y={labelMm}
              width={widthMm - gapMm}
              height={heightMm}
              viewBox={`${-(widthMm - gapMm) / 2} ${-top - aboveMm} ${widthMm - gapMm} ${heightMm}`}
            >
              <Person series={series} index={person} colour={1} />
            </svg>
            <text
              class="home-size"
              x={(index + 0.5) * widthMm - gapMm / 2}
              y={40}
              text-anchor="middle"
            >
              {SIZES[index]}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const COMPARED = ['NL', 'JP', 'GT'] as const;
const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99];
const CURVES = { widthPx: 380, heightPx: 230, floorPx: 212, topPx: 24 } as const;

/** Density curves of the stature of men in three countries. A country that the model refuses has no curve. */
export function CurvesPicture({ model }: { readonly model: PredictionModel }): VNode | null {
  const curves = COMPARED.flatMap((country) => {
    const points = densityOf(country, model);
    return points === undefined ? [] : [{ country, points }];
  });
  if (curves.length === 0) return null;
  const all = curves.flatMap(({ points }) => points);
  const values = all.map(({ value }) => value);
  const { widthPx, heightPx, floorPx, topPx } = CURVES;
  const x = linearScale(Math.min(...values), Math.max(...values), 14, widthPx - 14);
  const y = linearScale(0, Math.max(...all.map(({ density }) => density)), floorPx, topPx);
  return (
    <svg class="people-picture" viewBox={`0 0 ${widthPx} ${heightPx}`} aria-hidden="true">
      {curves.map(({ country, points }, index) => {
        const line = points.map(({ value, density }) => [x.at(value), y.at(density)] as const);
        const [first, last] = [line[0]?.[0] ?? 0, line.at(-1)?.[0] ?? 0];
        const peak = line.reduce((best, one) => (one[1] < best[1] ? one : best));
        return (
          <g key={country} class={`series-${index + 1}`}>
            <path class="home-curve" d={pathOf([[first, floorPx], ...line, [last, floorPx]])} />
            <text class="people-text" x={peak[0]} y={peak[1] - 7} text-anchor="middle">
              {country}
            </text>
          </g>
        );
      })}
      <path class="people-floor" d={`M0 ${floorPx}H${widthPx}`} />
    </svg>
  );
}

function densityOf(country: string, model: PredictionModel) {
  const asked = {
    ...{ measurement: 'Stature', gender: 'Male', age: 30, country, unit: 'mm' },
    percentiles: PERCENTILES,
  };
  try {
    const { values } = predictRange.run(asked as never, model) as {
      readonly values: readonly { readonly value: number }[];
    };
    const lengths = values.map(({ value }) => value);
    return new SmoothCurve({ percentiles: PERCENTILES, values: lengths }).density();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
