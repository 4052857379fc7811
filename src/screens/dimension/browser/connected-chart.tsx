import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { SmoothCurve } from '../../shared/smooth-curve.js';
import { BottomAxis, MARGIN, Plot, pathOf } from '../../widgets/plot.js';
import { apiUnit } from '../address.js';
import type { ExactAnswer, Picture } from '../data-types.js';
import { percentileText, valueText } from '../texts.js';
import { densityPath, densityScales, PercentileHandle, percentileDrag } from './density.js';

interface ConnectedProps extends Extract<Picture, { readonly kind: 'connected' }> {
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

/**
 * The density of the known dimension with its handle. Below it, the density of the second dimension, once in
 * the whole population and once for the known first dimension.
 */
export function ConnectedChart(props: ConnectedProps): VNode {
  return (
    <Plot
      height={ANCHOR_HEIGHT + LINKED_HEIGHT}
      label={`${props.linkedName} given ${props.anchorName}`}
      on={(width) => dragOf(props, width)}
    >
      {(width) => (
        <>
          <Anchor {...props} width={width} />
          <g transform={`translate(0 ${ANCHOR_HEIGHT})`}>
            <Linked {...props} width={width} />
          </g>
        </>
      )}
    </Plot>
  );
}

type Sized = ConnectedProps & { readonly width: number };

function dragOf({ anchor, onPercentile, onHold }: ConnectedProps, width: number) {
  const smooth = new SmoothCurve(anchor);
  const { x } = densityScales(smooth.density(), width, ANCHOR_HEIGHT);
  const drag = percentileDrag(smooth, x, onPercentile, onHold);
  const onPointerDown = (event: PointerEvent) => {
    const { top } = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    if (event.clientY - top < ANCHOR_HEIGHT) drag.onPointerDown(event);
  };
  return { ...drag, onPointerDown };
}

function Anchor({ anchor, anchorName, unit, percentile, onPercentile, width }: Sized): VNode {
  const smooth = useMemo(() => new SmoothCurve(anchor), [anchor]);
  const points = useMemo(() => smooth.density(), [smooth]);
  const scales = densityScales(points, width, ANCHOR_HEIGHT);
  const floor = ANCHOR_HEIGHT - MARGIN.bottom;
  const value = smooth.valueAt(percentile);
  const text = `P${percentileText(percentile)} · ${valueText(value, unit)}`;
  return (
    <>
      <path class="outline series-1 lead" d={densityPath(points, scales)} />
      <BottomAxis scale={scales.x} y={floor} title={`${anchorName} (${apiUnit(unit)}), known`} />
      <PercentileHandle
        label={`Percentile of ${anchorName}`}
        caption={text}
        x={scales.x.at(value)}
        {...{ percentile, text, width, floor, onPercentile }}
      />
    </>
  );
}

function Linked({ linked, given, answer, linkedName, unit, width }: Sized): VNode {
  const everybody = useMemo(() => new SmoothCurve(linked).density(), [linked]);
  const conditional = useMemo(() => new SmoothCurve(given).density(), [given]);
  const scales = densityScales([...everybody, ...conditional], width, LINKED_HEIGHT);
  const { x, y } = scales;
  const floor = LINKED_HEIGHT - MARGIN.bottom;
  const { lowerBound, upperBound, conditionalMean } = answer ?? {};
  const within = conditional.filter(
    ({ value }) => value >= (lowerBound ?? Infinity) && value <= (upperBound ?? -Infinity),
  );
  const [first, last] = [within[0], within.at(-1)];
  return (
    <>
      <path class="outline everybody" d={densityPath(everybody, scales)} />
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
      <path class="outline series-2 lead" d={densityPath(conditional, scales)} />
      {conditionalMean === undefined ? null : (
        <line
          class="mean"
          x1={x.at(conditionalMean)}
          x2={x.at(conditionalMean)}
          y1={MARGIN.top}
          y2={floor}
        />
      )}
      <BottomAxis scale={x} y={floor} title={`${linkedName} (${apiUnit(unit)})`} />
    </>
  );
}
