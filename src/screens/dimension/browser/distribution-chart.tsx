import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { type DensityPoint, SmoothCurve } from '../../shared/smooth-curve.js';
import { BottomAxis, MARGIN, Plot, pathOf } from '../../widgets/plot.js';
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

const HEIGHT = 320;

/** Density curves of the countries. A handle on the first curve moves between the percentiles. */
export function DistributionChart(props: DistributionProps): VNode | null {
  const { curves, unit, name, percentile, exactValue, onPercentile, onHold } = props;
  const drawn = useMemo(() => curves.map((curve) => new SmoothCurve(curve)), [curves]);
  const densities = useMemo(() => drawn.map((one) => one.density()), [drawn]);
  const [lead] = drawn;
  if (lead === undefined) return null;
  const scalesOf = (width: number) => densityScales(densities.flat(), width, HEIGHT);
  const value = exactValue ?? lead.valueAt(percentile);
  const names = curves.map(({ country }) => countryName(country));
  const modes = densities.map((points) => modeOf(points).value);
  const middle = (Math.min(...modes) + Math.max(...modes)) / 2;
  return (
    <Plot
      height={HEIGHT}
      label={`Distribution of ${name}: ${names.join(', ')}`}
      on={(width) => percentileDrag(lead, scalesOf(width).x, onPercentile, onHold)}
    >
      {(width) => {
        const scales = scalesOf(width);
        const floor = HEIGHT - MARGIN.bottom;
        return (
          <>
            <path class="below" d={areaBelow(densities[0] ?? [], value, scales)} />
            {densities.map((points, index) => (
              <path
                key={names[index]}
                class={`outline series-${index + 1}${index === 0 ? ' lead' : ''}`}
                d={densityPath(points, scales)}
              />
            ))}
            {densities.length > 1
              ? densities.map((points, index) => (
                  <CurveName
                    key={names[index]}
                    {...{ points, scales, index }}
                    isLeft={modeOf(points).value <= middle}
                    name={names[index] ?? ''}
                  />
                ))
              : null}
            <BottomAxis scale={scales.x} y={floor} title={`${name} (${apiUnit(unit)})`} />
            <PercentileHandle
              label={`Percentile in ${names[0]}`}
              percentile={percentile}
              text={`Percentile ${percentileText(percentile)}, about ${valueText(value, unit)}`}
              caption={`P${percentileText(percentile)} · ${valueText(value, unit)}`}
              x={scales.x.at(value)}
              {...{ width, floor, onPercentile }}
            />
          </>
        );
      }}
    </Plot>
  );
}

/** The highest point of a density. */
function modeOf(points: readonly DensityPoint[]): DensityPoint {
  return points.reduce((most, one) => (one.density > most.density ? one : most));
}

interface CurveNameProps {
  readonly points: readonly DensityPoint[];
  readonly scales: DensityScales;
  readonly index: number;
  readonly name: string;
  /** Whether it is on the left side of the curve, which is then left of the others. */
  readonly isLeft: boolean;
}

/** The name of a curve beside it, below its top. Names of further curves are lower. */
function CurveName({ points, scales: { x, y }, index, name, isLeft }: CurveNameProps): VNode {
  const high = modeOf(points).density * (0.9 - 0.12 * index);
  const at = (isLeft ? points : points.toReversed()).find(({ density }) => density >= high);
  return (
    <text
      class={`line-label${index === 0 ? ' lead' : ''}`}
      x={x.at(at?.value ?? 0) + (isLeft ? -6 : 6)}
      y={y.at(high)}
      text-anchor={isLeft ? 'end' : 'start'}
    >
      {name}
    </text>
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
