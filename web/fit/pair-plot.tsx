import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { MM_PER_UNIT } from '../../src/core/units.js';
import { FIT_PERCENTILES, limitsOf } from '../../src/pages/screens/fit/address.js';
import type { FitPopulation } from '../../src/pages/screens/fit/data-types.js';
import { boundsOf, withBound } from '../../src/pages/screens/fit/needs.js';
import { BOX_ID } from '../../src/pages/screens/fit/products.js';
import { inWords } from '../../src/pages/screens/shared/labels.js';
import { linearScale, pathOf, type Scale } from '../../src/pages/screens/shared/scale.js';
import { BottomAxis, LeftAxis, useWidth } from '../widgets/chart-parts.js';
import { DragHandle } from './drag-handle.js';
import type { FitParts } from './parts.js';

const HEIGHT = 340;
const EDGE = { left: 64, right: 18, top: 30, bottom: 48 } as const;

interface PairPlotProps extends FitParts {
  readonly pair: readonly [string, string];
}

/**
 * Two dimensions against each other: a curve that contains 90 % of each population, and the limits
 * as a box whose edges can be dragged.
 */
export function PairPlot({ pair, ...parts }: PairPlotProps): VNode | null {
  const { view, unit, data, slide, hold, choose } = parts;
  const [ref, width] = useWidth();
  const id = useId();
  const names = [...new Set(limitsOf(view).map(({ measurement }) => measurement))];
  const curves = (data?.populations ?? []).map((population) => ellipse(population, pair));
  const all = curves.flat();
  const limits = pair.map((name) => limitsOf(view).find(({ measurement }) => measurement === name));
  // The plot has numbers; feet and inches have two of them, so it shows inches.
  const shown = unit === 'ft-in' ? 'in' : unit;
  const per = MM_PER_UNIT[shown];
  const scaleOf = (axis: 0 | 1, start: number, end: number): Scale => {
    const values = all.map((point) => point[axis]);
    const ends = [limits[axis]?.minMm, limits[axis]?.maxMm].filter((one) => one !== undefined);
    const [low, high] = [Math.min(...values, ...ends), Math.max(...values, ...ends)];
    const margin = (high - low) * 0.06 + 1;
    return linearScale((low - margin) / per, (high + margin) / per, start, end);
  };
  if (all.length === 0) return null;
  const x = scaleOf(0, EDGE.left, Math.max(width - EDGE.right, EDGE.left + 1));
  const y = scaleOf(1, HEIGHT - EDGE.bottom, EDGE.top);
  const at = (scale: Scale, mm: number) => scale.at(mm / per);
  const [xLimit, yLimit] = limits;
  const [left, right] = [xLimit?.minMm, xLimit?.maxMm].map((mm, i) =>
    mm === undefined ? (i === 0 ? EDGE.left : width - EDGE.right) : at(x, mm),
  ) as [number, number];
  const [low, high] = [yLimit?.minMm, yLimit?.maxMm].map((mm, i) =>
    mm === undefined ? (i === 0 ? HEIGHT - EDGE.bottom : EDGE.top) : at(y, mm),
  ) as [number, number];
  return (
    <figure class="pair">
      <div class="pair-choice">
        {([0, 1] as const).map((axis) => (
          <label key={axis} class="select" for={`${id}-${axis}`}>
            {axis === 0 ? 'Across' : 'Upwards'}
            <select
              id={`${id}-${axis}`}
              value={pair[axis]}
              onChange={(event) => {
                const chosen = event.currentTarget.value;
                const other = pair[axis === 0 ? 1 : 0];
                // Choosing the other axis's measurement exchanges the two.
                const rest = other === chosen ? pair[axis] : other;
                choose({ pair: axis === 0 ? [chosen, rest] : [rest, chosen] });
              }}
            >
              {names.map((name) => (
                <option key={name} value={name} selected={name === pair[axis]}>
                  {inWords(name)}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <div ref={ref}>
        {width === 0 ? null : (
          <svg
            class="plot"
            role="group"
            aria-label={`${inWords(pair[0])} and ${inWords(pair[1])}: the limits as a box, and a curve around 90 % of each population.`}
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
          >
            <BottomAxis
              scale={x}
              y={HEIGHT - EDGE.bottom}
              title={`${inWords(pair[0])}, ${shown}`}
            />
            <LeftAxis
              scale={y}
              x={EDGE.left}
              end={width - EDGE.right}
              title={`${inWords(pair[1])}, ${shown}`}
            />
            <rect
              class="limit-box"
              x={left}
              y={high}
              width={Math.max(0, right - left)}
              height={Math.max(0, low - high)}
            />
            {curves.map((points, index) =>
              points.length === 0 ? null : (
                <path
                  key={data?.populations[index]?.label}
                  class={`contour series-${index + 1}`}
                  d={`${pathOf(points.map(([one, other]) => [at(x, one), at(y, other)]))}Z`}
                />
              ),
            )}
            {boundsFor(view, pair).map(({ bound, axis, limitMm, offsetMm }) => {
              const place = axis === 0 ? at(x, limitMm) : at(y, limitMm);
              const [cx, cy] = axis === 0 ? [place, (low + high) / 2] : [(left + right) / 2, place];
              return (
                <DragHandle
                  key={bound.id + axis}
                  label={`${bound.label}, edge of the box`}
                  {...{ unit, valueMm: bound.valueMm, minMm: bound.minMm, maxMm: bound.maxMm }}
                  valueAt={(px, py) =>
                    (axis === 0 ? x.inverse(px) : y.inverse(py)) * per + offsetMm
                  }
                  onSlide={(mm) => slide(withBound(view, bound.id, mm))}
                  onHold={hold}
                >
                  <circle data-screen-only class="grip-area" cx={cx} cy={cy} r={18} />
                  <circle data-screen-only class="grip" cx={cx} cy={cy} r={7} />
                </DragHandle>
              );
            })}
          </svg>
        )}
      </div>
      <figcaption class="hint">
        Each curve contains 90 % of a population. The box is what the limits let in
        {view.product === BOX_ID ? '' : ', after clearances'}.
      </figcaption>
    </figure>
  );
}

/** The bounds that are edges of the box, with their axis. */
function boundsFor(view: FitParts['view'], pair: readonly [string, string]) {
  return boundsOf(view).flatMap((bound) =>
    bound.rules.flatMap((rule) => {
      const axis = pair.indexOf(rule.measurement);
      if (axis !== 0 && axis !== 1) return [];
      const limitMm = bound.valueMm - rule.clearanceMm;
      return [{ bound, axis: axis as 0 | 1, limitMm, offsetMm: rule.clearanceMm }];
    }),
  );
}

function ellipse(
  { curves = [], correlation }: FitPopulation,
  pair: readonly [string, string],
): readonly (readonly [number, number])[] {
  const [one, other] = pair.map((name) => curves.find(({ measurement }) => measurement === name));
  if (one === undefined || other === undefined || correlation === undefined) return [];
  const [across, up] = [one, other].map(({ valuesMm }) => quantileOf(FIT_PERCENTILES, valuesMm));
  if (across === undefined || up === undefined) return [];
  return contour(correlation).map(([a, b]) => [across(a), up(b)] as const);
}

/** Normal scores of the percentiles that curves have (standard normal quantiles). */
const Z: Readonly<Record<number, number>> = {
  1: -2.326348,
  5: -1.644854,
  25: -0.67449,
  50: 0,
  75: 0.67449,
  95: 1.644854,
  99: 2.326348,
};
/** Radius of the circle that contains 90 % of a bivariate standard normal: √(−2 ln 0.1). */
const RADIUS_90 = Math.sqrt(-2 * Math.log(0.1));
const POINTS = 72;

/** The curve around 90 % of two normal scores with a correlation, as points. */
function contour(correlation: number): readonly (readonly [number, number])[] {
  const rest = Math.sqrt(Math.max(0, 1 - correlation ** 2));
  return Array.from({ length: POINTS }, (_, i) => {
    const turn = (2 * Math.PI * i) / POINTS;
    const [u, v] = [RADIUS_90 * Math.cos(turn), RADIUS_90 * Math.sin(turn)];
    return [u, correlation * u + rest * v] as const;
  });
}

/** A quantile function of normal scores through values at percentiles, linear between them. */
export function quantileOf(
  percentiles: readonly number[],
  values: readonly number[],
): (z: number) => number {
  const knots = percentiles.map((percentile, i) => [Z[percentile] ?? 0, values[i] ?? 0] as const);
  return (z) => {
    const after = knots.findIndex(([at]) => at >= z);
    const i = Math.min(knots.length - 1, Math.max(1, after === -1 ? knots.length - 1 : after));
    const [z0, v0] = knots[i - 1] ?? [0, 0];
    const [z1, v1] = knots[i] ?? [1, 0];
    return v0 + ((z - z0) / (z1 - z0)) * (v1 - v0);
  };
}
