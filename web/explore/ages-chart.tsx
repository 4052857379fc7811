import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { AGE_LIMITS } from '../../src/core/limits.js';
import type { AgeGap, AgeLine } from '../../src/pages/explorer/chart-data-types.js';
import { BottomAxis, dragging, Handle, LeftAxis, MARGIN, Marker, useWidth } from './chart-parts.js';
import { countryName, percentileText, rough } from './format.js';
import { linearScale, pathOf, type Scale } from './scale.js';

interface AgesProps {
  readonly agesYears: readonly number[];
  readonly lines: readonly AgeLine[];
  readonly gaps: readonly AgeGap[];
  readonly countries: readonly string[];
  readonly percentile: number;
  readonly age: number;
  readonly unit: string;
  readonly name: string;
  readonly onAge: (age: number) => void;
  readonly onHold: (held: boolean) => void;
}

const HEIGHT = 360;
const LEFT = 56;

/** Lengths by age: the band from P5 to P95 of the first country, and a line for each country. */
export function AgesChart(props: AgesProps): VNode {
  const [ref, width] = useWidth();
  return (
    <div ref={ref} class="chart">
      {width > 0 ? <Plot {...props} width={width} /> : null}
    </div>
  );
}

function Plot(props: AgesProps & { readonly width: number }): VNode {
  const { agesYears, lines, gaps, countries, percentile, age, unit, name, width } = props;
  const floor = HEIGHT - MARGIN.bottom;
  const { x, y } = useMemo(() => {
    const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
    const most = Math.max(...values);
    const least = Math.min(...values);
    const from = least < most / 2 ? 0 : least - (most - least) * 0.1;
    return {
      x: linearScale(AGE_LIMITS.minimum, AGE_LIMITS.maximum, LEFT, width - MARGIN.right),
      y: linearScale(from, most * 1.02, floor, MARGIN.top),
    };
  }, [lines, width]);
  const [lead = ''] = countries;
  const of = (wanted: number, country = lead) =>
    lines.find((line) => line.country === country && line.percentile === wanted);
  const drag = dragging((pixel) => props.onAge(Math.round(x.inverse(pixel))), props.onHold);
  const several = countries.length > 1;
  const marked = several ? percentile : 50;
  const at = valueAtAge(agesYears, of(marked), age);
  const value = at === undefined ? 'no model' : `${rough(at, unit)} ${unit}`;
  return (
    <svg
      class="plot"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="group"
      aria-label={`${name} from birth to ${AGE_LIMITS.maximum} years: ${countries.map(countryName).join(', ')}`}
      {...drag}
    >
      <LeftAxis scale={y} x={LEFT} end={width - MARGIN.right} title={unit} />
      {gaps.map((gap) => (
        <Gap key={gap.fromYears} gap={gap} x={x} floor={floor} />
      ))}
      <path class="band" d={band(agesYears, of(5), of(95), x, y)} />
      {several
        ? countries.map((country, index) => (
            <path
              key={country}
              class={`outline series-${index + 1}${index === 0 ? ' lead' : ''}`}
              d={trace(agesYears, of(percentile, country), x, y)}
            />
          ))
        : [5, 50, 95].map((p) => (
            <path
              key={p}
              class={`outline series-1${p === 50 ? ' lead' : ' thin'}`}
              d={trace(agesYears, of(p), x, y)}
            />
          ))}
      {several ? null : <BandLabels ages={agesYears} of={of} x={x} y={y} />}
      <BottomAxis scale={x} y={floor} title="Age (years)" />
      <Handle
        label="Age in years"
        min={AGE_LIMITS.minimum}
        max={AGE_LIMITS.maximum}
        now={age}
        text={`${age} years, P${percentileText(marked)} ${value}`}
        step={1}
        onMove={props.onAge}
      >
        <Marker x={x.at(age)} width={width} floor={floor} start={LEFT - 16}>
          {`${percentileText(age)} years · P${percentileText(marked)} ${value}`}
        </Marker>
      </Handle>
    </svg>
  );
}

function Gap({ gap, x, floor }: { gap: AgeGap; x: Scale; floor: number }): VNode {
  const start = x.at(gap.fromYears);
  const end = Math.max(x.at(gap.toYears), start + 3);
  return (
    <g>
      <title>{gap.reason}</title>
      <rect class="gap" x={start} y={MARGIN.top} width={end - start} height={floor - MARGIN.top} />
    </g>
  );
}

interface BandLabelProps {
  readonly ages: readonly number[];
  readonly of: (percentile: number) => AgeLine | undefined;
  readonly x: Scale;
  readonly y: Scale;
}

function BandLabels({ ages, of, x, y }: BandLabelProps): VNode {
  // At an age where the lines are far apart and level.
  const at = 100;
  return (
    <g aria-hidden="true">
      {[5, 50, 95].map((percentile) => {
        const value = valueAtAge(ages, of(percentile), at);
        return value === undefined ? null : (
          <text key={percentile} class="line-label" x={x.at(at)} y={y.at(value) - 6}>
            P{percentile}
          </text>
        );
      })}
    </g>
  );
}

/** A line's value at any age, interpolated; undefined where there is no model. */
export function valueAtAge(
  ages: readonly number[],
  line: AgeLine | undefined,
  age: number,
): number | undefined {
  if (line === undefined) return undefined;
  const after = ages.findIndex((known) => known >= age);
  const before = Math.max(0, ages[after] === age ? after : after - 1);
  const [from, to] = [line.values[before], line.values[after]];
  const [start, end] = [ages[before] ?? 0, ages[after] ?? 0];
  if (from === null || to === null || from === undefined || to === undefined) return undefined;
  return start === end ? from : from + ((age - start) / (end - start)) * (to - from);
}

function trace(ages: readonly number[], line: AgeLine | undefined, x: Scale, y: Scale): string {
  return pieces(ages, line, x, y).map(pathOf).join('');
}

/** The unbroken pieces of a line. */
function pieces(ages: readonly number[], line: AgeLine | undefined, x: Scale, y: Scale) {
  const found: (readonly [number, number])[][] = [[]];
  for (const [index, value] of (line?.values ?? []).entries()) {
    if (value === null) found.push([]);
    else found.at(-1)?.push([x.at(ages[index] ?? 0), y.at(value)]);
  }
  return found.filter((piece) => piece.length > 0);
}

function band(
  ages: readonly number[],
  low: AgeLine | undefined,
  high: AgeLine | undefined,
  x: Scale,
  y: Scale,
): string {
  const tops = pieces(ages, high, x, y);
  return pieces(ages, low, x, y)
    .map((bottom, index) => pathOf([...bottom, ...(tops[index] ?? []).toReversed()]))
    .join('');
}
