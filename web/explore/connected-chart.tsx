import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { CoarseCurve, ExactAnswer } from '../../src/pages/explorer/look-types.js';
import { BottomAxis, dragging, Handle, MARGIN, useWidth } from './chart-parts.js';
import { Marker } from './distribution-chart.js';
import { percentileText, rough } from './format.js';
import { linearScale, pathOf, type Scale } from './scale.js';
import { type DensityPoint, SmoothCurve } from './smooth-curve.js';

interface ConnectedProps {
  readonly anchor: CoarseCurve;
  readonly linked: CoarseCurve;
  readonly given: CoarseCurve;
  readonly answer: ExactAnswer | undefined;
  readonly anchorName: string;
  readonly linkedName: string;
  readonly unit: string;
  readonly percentile: number;
  readonly onPercentile: (percentile: number) => void;
  readonly onHold: (held: boolean) => void;
}

const ANCHOR_HEIGHT = 200;
const LINKED_HEIGHT = 280;

/** The known dimension with its handle, above the second one: in everybody, and given the first. */
export function ConnectedChart(props: ConnectedProps): VNode {
  const [ref, width] = useWidth();
  return (
    <div ref={ref} class="chart">
      {width > 0 ? (
        <svg
          class="plot"
          width={width}
          height={ANCHOR_HEIGHT + LINKED_HEIGHT}
          viewBox={`0 0 ${width} ${ANCHOR_HEIGHT + LINKED_HEIGHT}`}
          role="group"
          aria-label={`${props.linkedName} given ${props.anchorName}`}
          {...dragOf(props, width)}
        >
          <Anchor {...props} width={width} />
          <g transform={`translate(0 ${ANCHOR_HEIGHT})`}>
            <Linked {...props} width={width} />
          </g>
        </svg>
      ) : null}
    </div>
  );
}

type Sized = ConnectedProps & { readonly width: number };

function dragOf({ anchor, onPercentile, onHold }: ConnectedProps, width: number) {
  const smooth = new SmoothCurve(anchor);
  const { x } = scalesOf(smooth.density(), [], width, ANCHOR_HEIGHT);
  const drag = dragging((pixel) => {
    const at = smooth.percentileOf(x.inverse(pixel));
    onPercentile(Math.min(99, Math.max(1, Math.round(at * 10) / 10)));
  }, onHold);
  const onPointerDown = (event: PointerEvent) => {
    const { top } = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    if (event.clientY - top < ANCHOR_HEIGHT) drag.onPointerDown(event);
  };
  return { ...drag, onPointerDown };
}

function Anchor({ anchor, anchorName, unit, percentile, onPercentile, width }: Sized): VNode {
  const smooth = useMemo(() => new SmoothCurve(anchor), [anchor]);
  const points = useMemo(() => smooth.density(), [smooth]);
  const { x, y } = scalesOf(points, [], width, ANCHOR_HEIGHT);
  const floor = ANCHOR_HEIGHT - MARGIN.bottom;
  const value = smooth.valueAt(percentile);
  const text = `P${percentileText(percentile)} · ${rough(value, unit)} ${unit}`;
  return (
    <>
      <path class="outline series-1 lead" d={outline(points, x, y)} />
      <BottomAxis scale={x} y={floor} title={`${anchorName} (${unit}), known`} />
      <Handle
        label={`Percentile of ${anchorName}`}
        min={1}
        max={99}
        now={percentile}
        text={text}
        step={1}
        onMove={onPercentile}
      >
        <Marker x={x.at(value)} width={width} floor={floor}>
          {text}
        </Marker>
      </Handle>
    </>
  );
}

function Linked({ linked, given, answer, linkedName, unit, width }: Sized): VNode {
  const everybody = useMemo(() => new SmoothCurve(linked).density(), [linked]);
  const some = useMemo(() => new SmoothCurve(given).density(), [given]);
  const { x, y } = scalesOf(everybody, some, width, LINKED_HEIGHT);
  const floor = LINKED_HEIGHT - MARGIN.bottom;
  const { lowerBound, upperBound, conditionalMean } = answer ?? {};
  const within = some.filter(
    ({ value }) => value >= (lowerBound ?? Infinity) && value <= (upperBound ?? -Infinity),
  );
  const [first, last] = [within[0], within.at(-1)];
  return (
    <>
      <path class="outline everybody" d={outline(everybody, x, y)} />
      {first === undefined || last === undefined ? null : (
        <path
          class="below second"
          d={pathOf([
            [x.at(first.value), floor],
            ...within.map((point) => [x.at(point.value), y.at(point.density)] as const),
            [x.at(last.value), floor],
          ])}
        />
      )}
      <path class="outline series-2 lead" d={outline(some, x, y)} />
      {conditionalMean === undefined ? null : (
        <line
          class="mean"
          x1={x.at(conditionalMean)}
          x2={x.at(conditionalMean)}
          y1={MARGIN.top}
          y2={floor}
        />
      )}
      <BottomAxis scale={x} y={floor} title={`${linkedName} (${unit})`} />
    </>
  );
}

function scalesOf(
  one: readonly DensityPoint[],
  other: readonly DensityPoint[],
  width: number,
  height: number,
): { x: Scale; y: Scale } {
  const points = [...one, ...other];
  const values = points.map(({ value }) => value);
  const densities = points.map(({ density }) => density);
  return {
    x: linearScale(Math.min(...values), Math.max(...values), MARGIN.left, width - MARGIN.right),
    y: linearScale(0, Math.max(...densities), height - MARGIN.bottom, MARGIN.top),
  };
}

function outline(points: readonly DensityPoint[], x: Scale, y: Scale): string {
  return pathOf(points.map((point) => [x.at(point.value), y.at(point.density)]));
}
