import type { VNode } from 'preact';
import { isLengthUnit } from '../../../site/amounts.js';
import { linearScale } from '../../shared/scale.js';
import { useWidth } from '../../widgets/chart-parts.js';
import { type Bound, needAt, needsOf, withBound } from '../needs.js';
import { DragHandle } from './drag-handle.js';
import type { FitParts } from './parts.js';

const BAND_HEIGHT = 7;
const TOP = 8;
/** Space for the handle below the line. */
const BELOW = 11;
const SIDE = 14;

/**
 * A ruler with a bar for each population. The bar spans the needs of people from P5 to P95, with a mark at
 * P50. The handle sets the size.
 */
export function Gauge({ bound, ...parts }: FitParts & { readonly bound: Bound }): VNode {
  const { view, data, slide, hold } = parts;
  const margin = isLengthUnit(bound.unit) ? 20 : 2;
  const [ref, width] = useWidth();
  const bands = (data?.populations ?? []).flatMap((population, series) =>
    needsOf(bound, population).map((need) => ({ need, series })),
  );
  const ends = bands.flatMap(({ need }) => [needAt(need, 1), needAt(need, 99)]);
  const from = Math.max(bound.min, Math.min(bound.value, ...ends) - margin);
  const to = Math.min(bound.max, Math.max(bound.value, ...ends) + margin);
  const x = linearScale(from, Math.max(to, from + 1), SIDE, Math.max(width - SIDE, SIDE + 1));
  const floor = TOP + bands.length * BAND_HEIGHT + 4;
  const at = x.at(bound.value);
  return (
    <div ref={ref} class="gauge">
      {width === 0 ? null : (
        // biome-ignore lint/a11y/noSvgWithoutTitle: the slider inside has a name; the bars repeat the table of results.
        <svg
          class="gauge-plot"
          width={width}
          height={floor + BELOW}
          viewBox={`0 0 ${width} ${floor + BELOW}`}
        >
          {bands.map(({ need, series }, index) => {
            const y = TOP + index * BAND_HEIGHT;
            const [low, high] = [x.at(needAt(need, 5)), x.at(needAt(need, 95))];
            return (
              <g key={`${series}-${need.rule.kind}`} class={`series-${series + 1}`}>
                <rect class="band" x={low} width={high - low} y={y} height={BAND_HEIGHT - 2} />
                <rect
                  class="median"
                  x={x.at(needAt(need, 50)) - 1}
                  width={2}
                  y={y - 1}
                  height={BAND_HEIGHT}
                />
              </g>
            );
          })}
          <line class="axis-line" x1={SIDE} x2={width - SIDE} y1={floor} y2={floor} />
          <DragHandle
            label={`${bound.label}, ruler`}
            {...{
              unit: bound.unit,
              value: bound.value,
              min: bound.min,
              max: bound.max,
            }}
            valueAt={(px) => x.inverse(px)}
            onSlide={(mm) => slide(withBound(view, bound.id, mm))}
            onHold={hold}
          >
            <rect class="grip-area" x={at - 14} y={0} width={28} height={floor + BELOW} />
            <line class="marker" x1={at} x2={at} y1={TOP - 6} y2={floor} />
            <circle class="grip" cx={at} cy={floor} r={8} />
          </DragHandle>
        </svg>
      )}
    </div>
  );
}
