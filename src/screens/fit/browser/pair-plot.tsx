import type { VNode } from 'preact';
import { plainPer, unitIn } from '../../../site/amounts.js';
import { inWords, percent } from '../../../site/labels.js';
import { DragHandle } from '../../widgets/drag-handle.js';
import { Select } from '../../widgets/fields.js';
import {
  BottomAxis,
  LeftAxis,
  linearScale,
  type Scale,
  tenth,
  useWidth,
} from '../../widgets/plot.js';
import { limitsOf } from '../address.js';
import type { FitParts } from '../data-types.js';
import { OWN_ID } from '../products.js';
import { boundsOf, withBound } from '../proposal.js';

const HEIGHT = 340;
const EDGE = { left: 64, right: 18, top: 30, bottom: 48 } as const;

interface PairPlotProps extends FitParts {
  readonly pair: readonly [string, string];
}

/** Two dimensions against each other. People are dots. The limits are a box whose edges can be dragged. */
export function PairPlot({ pair, ...parts }: PairPlotProps): VNode | null {
  const { view, data, slide, hold, choose, stale, isOld } = parts;
  const [ref, width] = useWidth();
  const names = [...new Set([...limitsOf(view).map(({ measurement }) => measurement), ...pair])];
  const dots = (data?.populations ?? []).map((population) => population.dots ?? []);
  const all = dots.flat();
  const limits = pair.map((name) => limitsOf(view).find(({ measurement }) => measurement === name));
  // A label of the plot is one number. Feet and inches are two numbers, so the plot shows inches.
  const [xUnit, yUnit] = pair.map((name) => unitIn(view, name).replace('ft-in', 'in'));
  const per = [plainPer(xUnit as string), plainPer(yUnit as string)] as const;
  const scaleOf = (axis: 0 | 1, start: number, end: number): Scale => {
    const values = all.map((point) => point[axis]);
    const ends = [limits[axis]?.min, limits[axis]?.max].filter((one) => one !== undefined);
    const [low, high] = [Math.min(...values, ...ends), Math.max(...values, ...ends)];
    const margin = (high - low) * 0.06 + 1;
    return linearScale((low - margin) / per[axis], (high + margin) / per[axis], start, end);
  };
  if (all.length === 0) return null;
  const x = scaleOf(0, EDGE.left, Math.max(width - EDGE.right, EDGE.left + 1));
  const y = scaleOf(1, HEIGHT - EDGE.bottom, EDGE.top);
  const at = (scale: Scale, mm: number) => scale.at(mm / per[scale === x ? 0 : 1]);
  const [xLimit, yLimit] = limits;
  const [left, right] = [xLimit?.min, xLimit?.max].map((mm, i) =>
    mm === undefined ? (i === 0 ? EDGE.left : width - EDGE.right) : at(x, mm),
  ) as [number, number];
  const [low, high] = [yLimit?.min, yLimit?.max].map((mm, i) =>
    mm === undefined ? (i === 0 ? HEIGHT - EDGE.bottom : EDGE.top) : at(y, mm),
  ) as [number, number];
  return (
    <figure class="panel pair" aria-busy={isOld}>
      <h2>People and limits</h2>
      <div class="row pair-choice">
        {([0, 1] as const).map((axis) => (
          <Select
            key={axis}
            label={axis === 0 ? 'Across' : 'Upwards'}
            value={pair[axis]}
            options={names.map((name) => [name, inWords(name)])}
            onChange={(chosen) => {
              const other = pair[axis === 0 ? 1 : 0];
              // If a user chooses the measurement of the other axis, the two are exchanged.
              const rest = other === chosen ? pair[axis] : other;
              choose({ pair: axis === 0 ? [chosen, rest] : [rest, chosen] });
            }}
          />
        ))}
      </div>
      <div ref={ref}>
        {width === 0 ? null : (
          <svg
            class="plot"
            role="group"
            aria-label={`${inWords(pair[0])} and ${inWords(pair[1])}: the limits as a box, and people as dots.`}
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
          >
            <BottomAxis
              scale={x}
              y={HEIGHT - EDGE.bottom}
              title={`${inWords(pair[0])}, ${xUnit}`}
            />
            <LeftAxis
              scale={y}
              x={EDGE.left}
              end={width - EDGE.right}
              title={`${inWords(pair[1])}, ${yUnit}`}
            />
            <rect
              class="limit-box"
              x={left}
              y={high}
              width={Math.max(0, right - left)}
              height={Math.max(0, low - high)}
            />
            {dots.map((points, index) => (
              <path
                key={data?.populations[index]?.label}
                class={`person-dots series-${index + 1}`}
                d={points
                  .map(([one, other]) => `M${tenth(at(x, one))} ${tenth(at(y, other))}h0`)
                  .join('')}
              />
            ))}
            {data?.pairShare === undefined ? null : (
              <text
                class="pair-share"
                x={(left + right) / 2}
                y={high - 14}
                text-anchor="middle"
                aria-busy={stale && !isOld}
              >
                {`${percent(data.pairShare)} in the box`}
              </text>
            )}
            {boundsFor(view, pair).map(({ bound, axis, kind, limitMm, factor, offsetMm }) => {
              const place = axis === 0 ? at(x, limitMm) : at(y, limitMm);
              const [cx, cy] = axis === 0 ? [place, (low + high) / 2] : [(left + right) / 2, place];
              return (
                <DragHandle
                  key={`${bound.id}-${axis}-${kind}`}
                  label={`${bound.label}, ${kind === 'reach' ? 'lower' : 'upper'} edge of the box`}
                  {...{
                    unit: bound.unit,
                    value: bound.value,
                    min: bound.min,
                    max: bound.max,
                  }}
                  valueAt={(atX, atY) =>
                    (axis === 0 ? x.inverse(atX) : y.inverse(atY)) * per[axis] * factor + offsetMm
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
        Dots are people drawn from the populations. The box is what the limits let in
        {view.product === OWN_ID ? '' : ', after clearances'}.
      </figcaption>
    </figure>
  );
}

/** The bounds that are edges of the box, each with its axis. */
function boundsFor(view: FitParts['view'], pair: readonly [string, string]) {
  return boundsOf(view).flatMap((bound) =>
    bound.rules.flatMap((rule) => {
      const axis = pair.indexOf(rule.measurement);
      if (axis !== 0 && axis !== 1) return [];
      const { kind, clearanceMm, factor = 1 } = rule;
      const limitMm = (bound.value - clearanceMm) / factor;
      return [{ bound, axis: axis as 0 | 1, kind, limitMm, factor, offsetMm: clearanceMm }];
    }),
  );
}
