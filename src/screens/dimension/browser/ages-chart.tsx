import type { VNode } from 'preact';
import { AGE_LIMITS } from '../../../core/limits.js';
import { spread } from '../../../site/pictures/spread.js';
import { exactAge } from '../../shared/populations.js';
import { useId } from '../../widgets/parts.js';
import {
  BottomAxis,
  dragging,
  Handle,
  LeftAxis,
  linearScale,
  MARGIN,
  Marker,
  Plot,
  type Scale,
} from '../../widgets/plot.js';
import { type AgePoint, type AgeRange, apiUnit } from '../address.js';
import type { AgeGap, AgeLine, Picture } from '../data-types.js';
import { countryName, percentileText, valueText } from '../texts.js';
import { bandPath, linePath, spansOf, valueAtAge } from './age-lines.js';

interface AgesProps extends Extract<Picture, { readonly kind: 'ages' }> {
  readonly countries: readonly string[];
  readonly percentile: number;
  /** The chosen completed age. */
  readonly age: number;
  /** The exact length at this age and percentile; undefined until the service has answered. */
  readonly exactValue: number | undefined;
  /** The ages to draw. */
  readonly ages: AgeRange;
  /** People to draw. Their lengths have the unit of the lines. */
  readonly people: readonly { readonly point: AgePoint; readonly value: number }[];
  readonly unit: string;
  readonly name: string;
  readonly onAge: (age: number) => void;
  readonly onHold: (held: boolean) => void;
}

const HEIGHT = 420;
const LEFT = 56;
/** Width for the labels at the ends of the lines. */
const RIGHT = 50;
/**
 * Minimum width of a chart with its measurement and with country names of up to `NAME_CHARS_MAX`. Otherwise it shows
 * country codes.
 */
const NAMES_FROM_PX = 560;
const NAME_CHARS_MAX = 24;
/** About the width of a character of a label. */
const NAME_CHAR_PX = 7;
/** Length of the lines that lead to the labels. */
const LEADER = 9;
const LABEL_HEIGHT = 13;

/**
 * Lengths by age. A single country has centiles with a label at each end. With several countries, each has a
 * line, and the first country has a band from P5 to P95. Lines are dashed at ages that no survey measured.
 */
export function AgesChart(props: AgesProps): VNode {
  const { agesYears, lines, gaps, countries, percentile, age, ages, unit, name } = props;
  const [from, to] = ages;
  const floor = HEIGHT - MARGIN.bottom;
  const several = countries.length > 1;
  const clip = useId();
  const spans = Object.entries(spansOf(ages, props.measured));
  const leadAt = (wanted: number) =>
    lines.find((line) => line.country === countries[0] && line.percentile === wanted);
  const at = props.exactValue ?? valueAtAge(agesYears, leadAt(percentile), exactAge(age));
  const value = at === undefined ? 'no model' : valueText(at, unit);
  const isLead = (line: AgeLine) =>
    several ? line.country === countries[0] : line.percentile === percentile;
  const shownLines = several ? lines.filter((line) => line.percentile === percentile) : lines;
  const [low, high] = [leadAt(5), leadAt(95)];
  return (
    <Plot
      height={HEIGHT}
      label={`${name} from ${from} to ${to} years: ${countries.map(countryName).join(', ')}`}
      on={(width) => {
        const { x } = scalesOf(props, width);
        return dragging((pixel) => props.onAge(Math.floor(x.inverse(pixel))), props.onHold, true);
      }}
    >
      {(width) => {
        const { x, y } = scalesOf(props, width);
        const places = { agesYears, x, y };
        const labels = countryLabels(countries, width);
        const end = width - rightOf(countries, width);
        const axis = apiUnit(unit);
        const title = width < NAMES_FROM_PX ? axis : `${name} (${axis})`;
        return (
          <>
            <defs>
              {[...spans, ['all', [ages]] as const].map(([kind, some]) => (
                <clipPath key={kind} id={`${clip}-${kind}`}>
                  {some.map(([start, stop]) => (
                    <rect
                      key={start}
                      x={x.at(start)}
                      width={x.at(stop) - x.at(start)}
                      height={HEIGHT}
                    />
                  ))}
                </clipPath>
              ))}
            </defs>
            <LeftAxis scale={y} x={LEFT} end={end} title={title} />
            {gaps.map((gap) => (
              <Gap key={gap.fromYears} gap={gap} x={x} floor={floor} />
            ))}
            {low === undefined || high === undefined ? null : (
              <path class="band" d={bandPath(low, high, places)} clip-path={`url(#${clip}-all)`} />
            )}
            {shownLines.map((line) =>
              spans.map(([kind, some]) =>
                some.length === 0 ? null : (
                  <path
                    key={`${line.country} ${line.percentile} ${kind}`}
                    class={`outline series-${several ? countries.indexOf(line.country) + 1 : 1} ${isLead(line) ? 'lead' : 'thin'}${kind === 'measured' ? '' : ' unmeasured'}`}
                    d={linePath(line, places)}
                    clip-path={`url(#${clip}-${kind})`}
                  />
                ),
              ),
            )}
            <EndLabels
              {...{ agesYears, y, to, end, isLead }}
              lines={shownLines}
              textOf={({ country, percentile: shown }) =>
                several
                  ? (labels[countries.indexOf(country)] ?? country)
                  : `P${percentileText(shown)}`
              }
            />
            {props.people.map(({ point, value: length }) =>
              point.ageYears < from || point.ageYears > to ? null : (
                <circle
                  key={`${point.ageYears} ${point.value}`}
                  class="person"
                  cx={x.at(point.ageYears)}
                  cy={y.at(length)}
                  r={5}
                />
              ),
            )}
            <BottomAxis scale={x} y={floor} title="Age (years)" />
            <Handle
              label="Age in years"
              min={AGE_LIMITS.minimum}
              max={AGE_LIMITS.maximum}
              now={age}
              text={`${age} years, P${percentileText(percentile)} ${value}`}
              step={1}
              onMove={props.onAge}
            >
              <Marker
                x={x.at(Math.min(to, Math.max(from, exactAge(age))))}
                width={width}
                floor={floor}
                start={LEFT - 44 + (title.length + 2) * NAME_CHAR_PX}
              >
                {`${percentileText(age)} years · P${percentileText(percentile)} ${value}`}
              </Marker>
            </Handle>
          </>
        );
      }}
    </Plot>
  );
}

/** Scales of the ages drawn and of the lengths at them. */
function scalesOf({ agesYears, lines, countries, ages, people }: AgesProps, width: number) {
  const [from, to] = ages;
  const inside = agesYears.filter((age) => age > from && age < to);
  const values = lines.flatMap((line) =>
    [from, ...inside, to].flatMap((age) => valueAtAge(agesYears, line, age) ?? []),
  );
  const drawn = people.filter(({ point }) => point.ageYears >= from && point.ageYears <= to);
  values.push(...drawn.map(({ value }) => value));
  const most = values.length === 0 ? 1 : Math.max(...values);
  const least = values.length === 0 ? 0 : Math.min(...values);
  const start = Math.max(0, least - (most - least) * 0.05);
  return {
    x: linearScale(from, to, LEFT, width - rightOf(countries, width)),
    y: linearScale(start, most + (most - start) * 0.02, HEIGHT - MARGIN.bottom, MARGIN.top),
  };
}

function Gap({ gap, x, floor }: { gap: AgeGap; x: Scale; floor: number }): VNode | null {
  if (gap.toYears < x.from || gap.fromYears > x.to) return null;
  const start = x.at(Math.max(x.from, gap.fromYears));
  const end = Math.max(x.at(Math.min(x.to, gap.toYears)), start + 3);
  return (
    <g>
      <title>{gap.reason}</title>
      <rect class="gap" x={start} y={MARGIN.top} width={end - start} height={floor - MARGIN.top} />
    </g>
  );
}

interface EndLabelsProps {
  readonly agesYears: readonly number[];
  readonly lines: readonly AgeLine[];
  readonly y: Scale;
  readonly to: number;
  readonly end: number;
  readonly textOf: (line: AgeLine) => string;
  readonly isLead: (line: AgeLine) => boolean;
}

/** The labels of several countries: their names if there is enough width, otherwise their codes. */
function countryLabels(countries: readonly string[], width: number): readonly string[] {
  const names = countries.map(countryName);
  const fit = width >= NAMES_FROM_PX && names.every((name) => name.length <= NAME_CHARS_MAX);
  return fit ? names : countries;
}

/** The width that the labels take on the right of a chart. */
function rightOf(countries: readonly string[], width: number): number {
  if (countries.length < 2) return RIGHT;
  const longest = Math.max(...countryLabels(countries, width).map(({ length }) => length));
  return Math.max(RIGHT, LEADER + 3 + longest * NAME_CHAR_PX);
}

/** The percentile or the country at the end of each line. Labels of close lines are moved apart. */
function EndLabels({ agesYears, lines, y, to, end, textOf, isLead }: EndLabelsProps): VNode {
  const ends = lines.flatMap((line) => {
    const value = valueAtAge(agesYears, line, to);
    return value === undefined ? [] : [{ line, at: y.at(value) }];
  });
  const sorted = ends.toSorted((one, other) => other.at - one.at);
  const places = spread(
    sorted.map(({ at }) => at),
    LABEL_HEIGHT,
    HEIGHT - MARGIN.bottom,
  );
  return (
    <g aria-hidden="true">
      {sorted.map(({ line, at }, index) => (
        <g key={textOf(line)}>
          <line class="leader" x1={end} x2={end + LEADER} y1={at} y2={places[index] ?? at} />
          <text
            class={`line-label${isLead(line) ? ' lead' : ''}`}
            x={end + LEADER + 3}
            y={(places[index] ?? at) + 4}
          >
            {textOf(line)}
          </text>
        </g>
      ))}
    </g>
  );
}
