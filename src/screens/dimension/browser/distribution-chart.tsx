import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { type DensityPoint, SmoothCurve } from '../../shared/smooth-curve.js';
import { BottomAxis, MARGIN, pathOf, useWidth } from '../../widgets/plot.js';
import { apiUnit } from '../address.js';
import type { CountryCurve } from '../data-types.js';
import { countryName, percentileText, valueText } from '../texts.js';
import {
  type DensityScales,
  densityPath,
  densityScales,
  PercentileHandle,
  percentileDrag,
} from './density.js';

interface DistributionProps {
  readonly curves: readonly CountryCurve[];
  readonly unit: string;
  readonly name: string;
  readonly percentile: number;
  /** The exact length at this percentile; undefined until the service has answered. */
  readonly exactValue: number | undefined;
  readonly onPercentile: (percentile: number) => void;
  readonly onHold: (held: boolean) => void;
}

interface Drawn {
  readonly country: string;
  readonly smooth: SmoothCurve;
  readonly points: readonly DensityPoint[];
}

const HEIGHT = 320;

/** Density curves of the countries. A handle on the first curve moves between the percentiles. */
export function DistributionChart(props: DistributionProps): VNode {
  const { curves, unit, name, percentile, exactValue, onPercentile, onHold } = props;
  const [ref, width] = useWidth();
  const drawn = useMemo(() => curves.map(drawnOf), [curves]);
  const [lead] = drawn;
  const ready = width > 0 && lead !== undefined;
  return (
    <div ref={ref} class="chart">
      {ready ? (
        <Plot
          {...{ drawn, lead, width, unit, name, percentile, exactValue }}
          onPercentile={onPercentile}
          onHold={onHold}
        />
      ) : null}
    </div>
  );
}

function drawnOf(curve: CountryCurve): Drawn {
  const smooth = new SmoothCurve(curve);
  return { country: curve.country, smooth, points: smooth.density() };
}

interface PlotProps extends Omit<DistributionProps, 'curves'> {
  readonly drawn: readonly Drawn[];
  readonly lead: Drawn;
  readonly width: number;
}

function Plot(props: PlotProps): VNode {
  const { drawn, lead, width, unit, name, percentile, exactValue, onPercentile, onHold } = props;
  const floor = HEIGHT - MARGIN.bottom;
  const scales = useMemo(() => {
    const all = drawn.flatMap(({ points }) => points);
    return densityScales(all, width, HEIGHT);
  }, [drawn, width]);
  const outlines = useMemo(
    () => drawn.map(({ points }) => densityPath(points, scales)),
    [drawn, scales],
  );
  const value = exactValue ?? lead.smooth.valueAt(percentile);
  const drag = percentileDrag(lead.smooth, scales.x, onPercentile, onHold);
  const text = `Percentile ${percentileText(percentile)}, about ${valueText(value, unit)}`;
  return (
    <svg
      class="plot"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="group"
      aria-label={`Distribution of ${name}: ${drawn.map((one) => countryName(one.country)).join(', ')}`}
      {...drag}
    >
      <path class="below" d={areaBelow(lead.points, value, scales)} />
      {outlines.map((path, index) => (
        <path
          key={drawn[index]?.country}
          class={`outline series-${index + 1}${index === 0 ? ' lead' : ''}`}
          d={path}
        />
      ))}
      <BottomAxis scale={scales.x} y={floor} title={`${name} (${apiUnit(unit)})`} />
      <PercentileHandle
        label={`Percentile in ${countryName(lead.country)}`}
        percentile={percentile}
        text={text}
        caption={`P${percentileText(percentile)} · ${valueText(value, unit)}`}
        x={scales.x.at(value)}
        width={width}
        floor={floor}
        onPercentile={onPercentile}
      />
    </svg>
  );
}

/** The area under a density up to a value. */
function areaBelow(
  points: readonly DensityPoint[],
  value: number,
  { x, y }: DensityScales,
): string {
  const left = points.filter((point) => point.value <= value);
  const next = points[left.length];
  const last = left.at(-1);
  const [first] = points;
  if (first === undefined || last === undefined) return '';
  const share = next === undefined ? 0 : (value - last.value) / (next.value - last.value);
  const density = last.density + share * ((next?.density ?? last.density) - last.density);
  return pathOf([
    [x.at(first.value), y.at(0)],
    ...left.map((point) => [x.at(point.value), y.at(point.density)] as const),
    [x.at(value), y.at(density)],
    [x.at(value), y.at(0)],
  ]);
}
