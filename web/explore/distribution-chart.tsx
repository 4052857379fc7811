import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { CountryCurve } from '../../src/pages/explorer/look-types.js';
import { BottomAxis, dragging, Handle, MARGIN, useWidth } from './chart-parts.js';
import { countryName, percentileText, rough } from './format.js';
import { linearScale, pathOf, type Scale } from './scale.js';
import { type DensityPoint, SmoothCurve } from './smooth-curve.js';

interface DistributionProps {
  readonly curves: readonly CountryCurve[];
  readonly unit: string;
  readonly name: string;
  readonly percentile: number;
  /** The length there, where the service has said it. */
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

/** Densities of the countries; a handle on the first one's moves between the percentiles. */
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
  const { x, y } = useMemo(() => scalesOf(drawn, width), [drawn, width]);
  const outlines = useMemo(
    () => drawn.map(({ points }) => pathOf(points.map((p) => [x.at(p.value), y.at(p.density)]))),
    [drawn, x, y],
  );
  const value = exactValue ?? lead.smooth.valueAt(percentile);
  const drag = dragging((pixel) => {
    const at = lead.smooth.percentileOf(x.inverse(pixel));
    onPercentile(Math.min(99, Math.max(1, Math.round(at * 10) / 10)));
  }, onHold);
  const text = `Percentile ${percentileText(percentile)}, about ${rough(value, unit)} ${unit}`;
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
      <path class="below" d={below(lead.points, value, x, y)} />
      {outlines.map((path, index) => (
        <path
          key={drawn[index]?.country}
          class={`outline series-${index + 1}${index === 0 ? ' lead' : ''}`}
          d={path}
        />
      ))}
      <BottomAxis scale={x} y={floor} title={`${name} (${unit})`} />
      <Handle
        label={`Percentile in ${countryName(lead.country)}`}
        min={1}
        max={99}
        now={percentile}
        text={text}
        step={1}
        onMove={onPercentile}
      >
        <Marker x={x.at(value)} width={width} floor={floor}>
          {`P${percentileText(percentile)} · ${rough(value, unit)} ${unit}`}
        </Marker>
      </Handle>
    </svg>
  );
}

interface MarkerProps {
  readonly x: number;
  readonly width: number;
  readonly floor: number;
  /** Pixel at which the room for the label begins. */
  readonly start?: number;
  readonly children: string;
}

/** The line, grip and label of a handle. */
export function Marker({ x, width, floor, start = 0, children }: MarkerProps): VNode {
  // About half the label's width, so that it stays inside at either end.
  const half = children.length * 4 + 4;
  const labelX = Math.min(Math.max(x, start + half), width - half);
  return (
    <>
      <line class="marker" x1={x} x2={x} y1={MARGIN.top - 8} y2={floor} />
      <circle class="grip" cx={x} cy={floor} r={9} />
      <text class="marker-label" x={labelX} y={MARGIN.top - 16} text-anchor="middle">
        {children}
      </text>
    </>
  );
}

function scalesOf(drawn: readonly Drawn[], width: number): { x: Scale; y: Scale } {
  const values = drawn.flatMap(({ points }) => points.map((point) => point.value));
  const densities = drawn.flatMap(({ points }) => points.map((point) => point.density));
  return {
    x: linearScale(Math.min(...values), Math.max(...values), MARGIN.left, width - MARGIN.right),
    y: linearScale(0, Math.max(...densities), HEIGHT - MARGIN.bottom, MARGIN.top),
  };
}

/** The area under a density up to a value. */
function below(points: readonly DensityPoint[], value: number, x: Scale, y: Scale): string {
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
