import type { VNode } from 'preact';
import { MM_PER_UNIT } from '../../../core/units.js';
import { capital, inSentence } from '../../../site/in-sentence.js';
import { inWords, percent } from '../../../site/labels.js';
import { LYING, NO_BODIES } from '../../../site/pictures/notes.js';
import { BottomAxis, LeftAxis, linearScale, Plot, pathOf } from '../../widgets/plot.js';
import type { SizesData, SizesParts } from '../data.js';
import { PersonsRowPicture, rowsOf } from '../persons.js';
import { DOTS_CAPTION, numberedText } from '../texts.js';

const HEIGHT = 270;
const EDGE = { left: 58, right: 16, top: 30, bottom: 48 } as const;
const BOTTOM = HEIGHT - EDGE.bottom;

/** The share that each number of sizes serves. A press on a point chooses its number of sizes. */
export function Curve({ view, data, choose }: Omit<SizesParts, 'unit'>): VNode {
  const { curve, chart } = data;
  const chosen = chart.sizes.length;
  const last = curve.at(-1)?.sizes ?? 3;
  const first = curve[0]?.sizes ?? 1;
  const y = linearScale(0, 100, BOTTOM, EDGE.top);
  const target = y.at(view.targetPercent);
  return (
    <figure class="panel sizes-chart">
      <figcaption>
        {chosen} {chosen === 1 ? 'size serves' : 'sizes serve'} {percent(chart.shareServed)} of the
        people
      </figcaption>
      <Plot
        height={HEIGHT}
        class="sizes-curve"
        label={`Share of people by number of sizes: ${curve.map(({ sizes, share }) => `${sizes}: ${percent(share)}`).join(', ')}`}
      >
        {(width) => {
          const x = linearScale(
            first,
            Math.max(last, first + 1),
            EDGE.left,
            width - EDGE.right - 8,
          );
          return (
            <>
              <BottomAxis scale={x} y={BOTTOM} title="Number of sizes" />
              <LeftAxis scale={y} x={EDGE.left} end={width - EDGE.right} title="Served (%)" />
              <line
                class="sizes-target"
                x1={EDGE.left}
                x2={width - EDGE.right}
                y1={target}
                y2={target}
              />
              <text class="sizes-target-text" x={EDGE.left + 6} y={target - 5}>
                {view.targetPercent} %
              </text>
              <path
                class="outline lead sizes-all"
                d={pathOf(curve.map(({ sizes, share }) => [x.at(sizes), y.at(100 * share)]))}
              />
              {data.populations.map(({ label }, p) => (
                <path
                  key={label}
                  class={`outline sizes-group series-${p + 1}`}
                  d={pathOf(
                    curve.map(({ sizes, shares }) => [x.at(sizes), y.at(100 * (shares[p] ?? 0))]),
                  )}
                />
              ))}
              {curve.map(({ sizes, share }) => (
                <g
                  key={sizes}
                  class="sizes-point"
                  role="button"
                  tabIndex={0}
                  aria-pressed={sizes === chosen}
                  aria-label={`${sizes} ${sizes === 1 ? 'size' : 'sizes'}: ${percent(share)}`}
                  onClick={() => choose({ sizes })}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' && event.key !== ' ') return;
                    event.preventDefault();
                    choose({ sizes });
                  }}
                >
                  <circle class="grip-area" cx={x.at(sizes)} cy={y.at(100 * share)} r={14} />
                  <circle
                    class="grip"
                    cx={x.at(sizes)}
                    cy={y.at(100 * share)}
                    r={sizes === chosen ? 7 : 4.5}
                  />
                </g>
              ))}
            </>
          );
        }}
      </Plot>
      <p class="hint">
        The share that the best places of so many sizes serve
        {data.populations.length === 0 ? '' : ', and a thin line for each population'}. Press a
        point to see these sizes.
      </p>
    </figure>
  );
}

/** Sampled people over the boxes of the sizes. With one dimension, people are spread vertically. */
export function Dots({ data, unit }: Pick<SizesParts, 'data' | 'unit'>): VNode {
  const { dots, chart, dimensions } = data;
  const shown = unit === 'ft-in' ? 'in' : unit;
  const per = MM_PER_UNIT[shown];
  const names = dimensions.slice(0, 2).map(({ measurement }) => measurement);
  const [across = '', up] = names;
  const scaleOf = (axis: number, start: number, end: number) => {
    const values = [
      ...dots.map(({ valuesMm }) => valuesMm[axis] ?? 0),
      ...chart.sizes.flatMap(({ ranges }) => [ranges[axis]?.from ?? 0, ranges[axis]?.to ?? 0]),
    ];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = 0.03 * (high - low);
    return linearScale((low - margin) / per, (high + margin) / per, start, end);
  };
  const y = up === undefined ? undefined : scaleOf(1, BOTTOM, EDGE.top);
  const upwards = (dot: SizesData['dots'][number], index: number) =>
    y?.at((dot.valuesMm[1] ?? 0) / per) ?? spread(index);
  return (
    <figure class="panel sizes-chart">
      <figcaption>People, and the sizes that serve them</figcaption>
      <Plot
        height={HEIGHT}
        class="sizes-dots"
        role="img"
        label={`${names.map(inWords).join(' and ')} of people drawn at random, with the ranges of ${chart.sizes.length} sizes.`}
      >
        {(width) => {
          const x = scaleOf(0, EDGE.left, Math.max(width - EDGE.right, EDGE.left + 1));
          return (
            <>
              {y === undefined ? null : (
                <LeftAxis
                  scale={y}
                  x={EDGE.left}
                  end={width - EDGE.right}
                  title={`${inWords(up ?? '')} (${shown})`}
                />
              )}
              <BottomAxis scale={x} y={BOTTOM} title={`${inWords(across)} (${shown})`} />
              {dots.map((dot, index) => (
                <circle
                  key={index}
                  class={`sizes-dot series-${dot.population + 1}${dot.size < 0 ? ' unserved' : ''}`}
                  cx={x.at((dot.valuesMm[0] ?? 0) / per)}
                  cy={upwards(dot, index)}
                  r={2.4}
                />
              ))}
              {chart.sizes.map(({ name, ranges }) => {
                const [one, other] = ranges;
                if (one === undefined) return null;
                const [left, right] = [x.at(one.from / per), x.at(one.to / per)];
                const [top, bottom] =
                  other === undefined || y === undefined
                    ? [EDGE.top + 4, BOTTOM]
                    : [y.at(other.to / per), y.at(other.from / per)];
                return (
                  <g key={name} class="sizes-box">
                    <rect x={left} y={top} width={right - left} height={bottom - top} />
                    <text x={left + 4} y={top + 14}>
                      {name}
                    </text>
                  </g>
                );
              })}
            </>
          );
        }}
      </Plot>
      <p class="hint">
        {DOTS_CAPTION}
        {dimensions.length > 2 ? ' The picture shows the first two measurements.' : ''}
      </p>
    </figure>
  );
}

/** Vertical position of a person if there is one dimension. Positions are evenly spread (golden ratio). */
function spread(index: number): number {
  const part = (index * 0.618034) % 1;
  return EDGE.top + 22 + part * (BOTTOM - EDGE.top - 30);
}

/** People in the middle of sizes, of each population at least one. */
export function Persons({ data, unit }: Pick<SizesParts, 'data' | 'unit'>): VNode | null {
  const { persons, hasBodies, dimensions } = data;
  const names = dimensions.map(({ measurement }) => inSentence(inWords(measurement)));
  if (!hasBodies) return <p class="hint">{NO_BODIES}</p>;
  if (persons === undefined) return null;
  return (
    <figure>
      <figcaption>
        {capital(names.join(' and '))} of sizes in {unit}; people to one scale
      </figcaption>
      <div class="cards sizes-rows">
        {rowsOf(persons).map((row) => (
          <PersonsRowPicture key={row.places[0]?.picture.view} {...{ row, data, unit }} />
        ))}
      </div>
      <p class="hint">
        {numberedText(data)} {persons.map(({ size, who }) => `${size}: ${who}`).join('; ')}.
        {persons.some(({ pictures }) => pictures.some((one) => one.lying)) ? ` ${LYING}` : ''}
      </p>
    </figure>
  );
}
