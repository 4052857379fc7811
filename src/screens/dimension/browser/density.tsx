import type { VNode } from 'preact';
import { PERCENT_LIMITS } from '../../../core/limits.js';
import type { DensityPoint, SmoothCurve } from '../../shared/smooth-curve.js';
import {
  dragging,
  Handle,
  linearScale,
  MARGIN,
  Marker,
  pathOf,
  type Scale,
} from '../../widgets/plot.js';

/** Scales of a density plot: lengths across, density upwards. */
export interface DensityScales {
  readonly x: Scale;
  readonly y: Scale;
}

/** Scales that fit all points into a plot of this size in pixels. */
export function densityScales(
  points: readonly DensityPoint[],
  width: number,
  height: number,
): DensityScales {
  const values = points.map(({ value }) => value);
  const densities = points.map(({ density }) => density);
  return {
    x: linearScale(Math.min(...values), Math.max(...values), MARGIN.left, width - MARGIN.right),
    y: linearScale(0, Math.max(...densities), height - MARGIN.bottom, MARGIN.top),
  };
}

/** SVG path of a density curve. */
export function densityPath(points: readonly DensityPoint[], { x, y }: DensityScales): string {
  return pathOf(points.map((point) => [x.at(point.value), y.at(point.density)]));
}

/** Pointer handlers of a density plot. They turn a position into a percentile from 1 to 99. */
export function percentileDrag(
  smooth: SmoothCurve,
  x: Scale,
  onPercentile: (percentile: number) => void,
  onHold: (held: boolean) => void,
) {
  return dragging(
    (pixel) => {
      const percentile = smooth.percentileOf(x.inverse(pixel));
      onPercentile(Math.min(99, Math.max(1, Math.round(percentile * 10) / 10)));
    },
    onHold,
    true,
  );
}

interface PercentileHandleProps {
  readonly label: string;
  readonly percentile: number;
  /** The position in words, for screen readers. */
  readonly text: string;
  /** The text beside the marker. */
  readonly caption: string;
  readonly x: number;
  readonly width: number;
  readonly floor: number;
  readonly onPercentile: (percentile: number) => void;
}

/** The handle of a density plot. It moves between the percentiles 1 and 99. */
export function PercentileHandle(props: PercentileHandleProps): VNode {
  const { label, percentile, text, caption, x, width, floor, onPercentile } = props;
  return (
    <Handle
      label={label}
      min={PERCENT_LIMITS.minimum}
      max={PERCENT_LIMITS.maximum}
      now={percentile}
      text={text}
      step={1}
      onMove={onPercentile}
    >
      <Marker x={x} width={width} floor={floor}>
        {caption}
      </Marker>
    </Handle>
  );
}
