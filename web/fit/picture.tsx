import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { inWords } from '../../src/core/labels.js';
import { VIEWS } from '../../src/figure/runs.js';
import type { View } from '../../src/figure/view.js';
import { useWidth } from '../explore/chart-parts.js';
import { formatLength } from '../populations/lengths.js';
import { DragHandle } from './drag-handle.js';
import { drawnLengthMm } from './drawn-length.js';
import { type Bound, boundsOf, needAt, needsOf, withBound } from './needs.js';
import type { FitParts } from './parts.js';
import { type DimensionLine, type Placed, SCENES, type Scene } from './scenes.js';
import { sizesText } from './share-text.js';

const PERSONS = [5, 50, 95] as const;
const GRID_MM = 100;
/** Tallest picture as a share of its width. */
const HEIGHT_MAX = 0.72;
const HEIGHT_MAX_PX = 620;

/** The product to scale with a person, on a grid of 100 mm. Its sizes can be dragged. */
export function Picture(parts: FitParts): VNode | null {
  const { view, unit, data, slide, hold } = parts;
  const [person, setPerson] = useState<(typeof PERSONS)[number]>(50);
  const [ref, width] = useWidth();
  const draw = SCENES[view.product];
  if (draw === undefined) return null;
  const bounds = boundsOf(view);
  const { scale, caption } = personOf(parts, bounds, person);
  const scene = draw((size) => view.sizesMm[size] ?? 0, scale);
  const [left, right, bottom, top] = roomyBox(scene.box);
  const tall = Math.min(HEIGHT_MAX_PX, Math.max(width * HEIGHT_MAX, 300));
  const mmPerPx = Math.max((right - left) / Math.max(width, 1), (top - bottom) / tall);
  const height = (top - bottom) / mmPerPx;
  return (
    <figure class="fit-scene">
      <div ref={ref}>
        {width === 0 ? null : (
          <svg
            class="scene figure"
            role="group"
            aria-label={`${caption} ${sizesText(bounds, unit)}`}
            viewBox={`${left} ${-top} ${right - left} ${top - bottom}`}
            width={(right - left) / mmPerPx}
            height={height}
          >
            <Grid box={[left, right, bottom, top]} />
            {scene.bodies.map((body) => (
              <Body key={body.view} body={body} scale={scale} />
            ))}
            {scene.lines.map(({ points, dashed }, index) => (
              <path
                key={index}
                class={dashed ? 'product dashed' : 'product'}
                d={`M${points.map(([x, y]) => `${x} ${-y}`).join('L')}`}
              />
            ))}
            {scene.dimensions.map((line) => {
              const bound = bounds.find(({ id }) => id === line.size);
              return bound === undefined ? null : (
                <Dimension
                  key={line.size}
                  {...{ line, bound, mmPerPx, unit, view, data }}
                  onSlide={(mm) => slide(withBound(view, bound.id, mm))}
                  onHold={hold}
                />
              );
            })}
          </svg>
        )}
      </div>
      <figcaption class="hint">
        {caption} Grid: 100 mm. Coloured bars beside a size span what the 5th to 95th percentiles of
        a population need.
      </figcaption>
      <fieldset class="segments fit-person">
        <legend class="label">Person in the picture</legend>
        <div class="segment-row">
          {PERSONS.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="person"
                checked={one === person}
                onChange={() => setPerson(one)}
              />
              <span>P{one}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </figure>
  );
}

/** The scale of the drawn person: one measurement at a percentile of the first population. */
function personOf({ data }: FitParts, bounds: readonly Bound[], person: (typeof PERSONS)[number]) {
  const first = data?.populations.find(({ curves }) => curves !== undefined);
  const none = { scale: 1, caption: 'A person of average size.' };
  if (first === undefined) return none;
  for (const bound of bounds) {
    for (const need of needsOf(bound, first)) {
      const { measurement, clearanceMm } = need.rule;
      const scale = (needAt(need, person) - clearanceMm) / drawnLengthMm(measurement);
      const what = inWords(measurement).toLowerCase();
      const caption = `The person has the ${what} of P${person} of ${first.label} and average proportions.`;
      if (Number.isFinite(scale) && scale > 0.2) return { scale, caption };
    }
  }
  return none;
}

/** The box of a scene with room for handles and their labels, in steps, so that it seldom moves. */
function roomyBox([left, right, bottom, top]: Scene['box']): Scene['box'] {
  const margin = (right - left) * 0.05;
  const step = right - left < 1000 ? 20 : 50;
  const down = (mm: number) => Math.floor((mm - margin) / step) * step;
  const up = (mm: number) => Math.ceil((mm + margin) / step) * step;
  return [down(left), up(right), down(bottom), up(top)];
}

function Grid({ box }: { readonly box: Scene['box'] }): VNode {
  const [left, right, bottom, top] = box;
  const steps = (from: number, to: number) => {
    const first = Math.ceil(from / GRID_MM) * GRID_MM;
    return Array.from(
      { length: Math.floor((to - first) / GRID_MM) + 1 },
      (_, i) => first + i * GRID_MM,
    );
  };
  const across = steps(left, right).map((x) => `M${x} ${-top}V${-bottom}`);
  const up = steps(bottom, top).map((y) => `M${left} ${-y}H${right}`);
  return <path class="grid-lines" d={[...across, ...up].join('')} />;
}

function Body({ body, scale }: { readonly body: Placed; readonly scale: number }): VNode {
  const { view, x, y, isLying } = body;
  const drawing: View = VIEWS[view];
  const turn = isLying ? ' rotate(-90)' : '';
  return (
    <g transform={`translate(${x} ${-y})${turn} scale(${scale})`}>
      {drawing.marks
        .filter(({ kind }) => kind === 'body' || kind === 'detail')
        .map(({ kind, d }) => (
          <path key={d} class={`figure-${kind}`} d={d} />
        ))}
    </g>
  );
}

interface DimensionProps extends Pick<FitParts, 'view' | 'data' | 'unit'> {
  readonly line: DimensionLine;
  readonly bound: Bound;
  readonly mmPerPx: number;
  readonly onSlide: (valueMm: number) => void;
  readonly onHold: (held: boolean) => void;
}

/** A dimension line with its length, the bars of the populations beside it, and a handle. */
function Dimension(props: DimensionProps): VNode {
  const { line, bound, mmPerPx, unit, data, onSlide, onHold } = props;
  const { axis, from, at } = line;
  const end = from + bound.valueMm;
  const px = (pixels: number) => pixels * mmPerPx;
  const dot = (along: number, beside: number): string =>
    axis === 'y' ? `${beside} ${-along}` : `${along} ${-beside}`;
  const [x, y] = axis === 'y' ? [at, -end] : [end, -at];
  const text = axis === 'y' ? [at, -end - px(13)] : [(from + end) / 2, -at - px(8)];
  const bands = (data?.populations ?? []).flatMap((population, series) =>
    needsOf(bound, population).map((need) => ({ need, series })),
  );
  return (
    <g class="dimension">
      {bands.map(({ need, series }, index) => {
        const beside = at + px(6 + index * 5) * -1;
        const [low, high] = [from + needAt(need, 5), from + needAt(need, 95)];
        return (
          <path
            key={`${series}-${need.rule.kind}`}
            class={`need series-${series + 1}`}
            d={`M${dot(low, beside)}L${dot(high, beside)}`}
          />
        );
      })}
      <path class="dimension-line" d={`M${dot(from, at)}L${dot(end, at)}`} />
      {[from, end].map((place) => (
        <path
          key={place}
          class="dimension-line"
          d={`M${dot(place, at - px(6))}L${dot(place, at + px(6))}`}
        />
      ))}
      <DragHandle
        label={bound.label}
        {...{
          unit,
          valueMm: bound.valueMm,
          minMm: bound.minMm,
          maxMm: bound.maxMm,
          onSlide,
          onHold,
        }}
        valueAt={(pointerX, pointerY) => (axis === 'y' ? -pointerY : pointerX) - from}
      >
        <circle data-screen-only class="grip-area" cx={x} cy={y} r={px(22)} />
        <circle data-screen-only class="grip" cx={x} cy={y} r={px(8)} />
        <text x={text[0]} y={text[1]} text-anchor="middle" font-size={px(13)}>
          {formatLength(bound.valueMm, unit)}
        </text>
      </DragHandle>
    </g>
  );
}
