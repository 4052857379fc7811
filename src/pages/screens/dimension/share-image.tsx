import type { VNode } from 'preact';
import { toMm } from '../../../core/units.js';
import { COLOUR, seriesColour } from '../../drawing-colours.js';
import { formatLength, shownUnit } from '../../lengths.js';
import type { Area, ShareContent } from '../../share/share-card.js';
import { CLOTHING_LABELS, inWords, percentileText } from '../shared/labels.js';
import { linearScale, pathOf, type Scale } from '../shared/scale.js';
import { SmoothCurve } from '../shared/smooth-curve.js';
import { type DimensionView, unitOfNumbers } from './address.js';
import type { ChartData, CoarseCurve, Picture } from './data-types.js';
import { countryName, titleOf } from './titles.js';

const AXIS_HEIGHT = 62;

/** A line of the picture with its name. Points are in units of the data. */
interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** The share image of the Dimension screen. It shows the curves. */
export function sharedDimension(view: DimensionView, data: ChartData): ShareContent {
  const clothing = CLOTHING_LABELS[view.clothing] ?? view.clothing;
  return {
    title: titleOf(view),
    note: [pointText(view, data), `Clothing: ${clothing}`].filter((text) => text).join('. '),
    artifactVersion: data.artifactVersion,
    draw: (area) => ({ styles: '', picture: <Plot area={area} view={view} data={data} /> }),
  };
}

/** The exact number in a distribution, such as `P50: 1,633 mm`. */
function pointText(view: DimensionView, { answer, picture }: ChartData): string {
  if (picture.kind !== 'distribution' || answer?.value === undefined) return '';
  const mm = toMm(answer.value, unitOfNumbers(view.unit));
  const percentile = answer.percentile ?? view.percentile;
  return `P${percentileText(percentile)}: ${formatLength(mm, shownUnit(view.unit))}`;
}

function Plot(props: { area: Area; view: DimensionView; data: ChartData }): VNode {
  const { area, view, data } = props;
  const curves = curvesOf(data.picture, view);
  const xs = curves.flatMap(({ points }) => points.map(([x]) => x));
  const ys = curves.flatMap(({ points }) => points.map(([, y]) => y));
  const isAges = data.picture.kind === 'ages';
  const floor = area.y + area.height - AXIS_HEIGHT;
  const left = area.x + (isAges ? 90 : 20);
  const x = linearScale(Math.min(...xs), Math.max(...xs), left, area.x + area.width - 20);
  const y = linearScale(isAges ? Math.min(...ys) : 0, Math.max(...ys), floor, area.y + 14);
  const name = inWords(view.kind === 'connected' ? view.linked : view.measurement);
  const unit = unitOfNumbers(view.unit);
  const { surface, rule, ruleStrong, ink, inkSoft } = COLOUR;
  return (
    <>
      <rect {...area} fill={surface} stroke={rule} />
      {isAges
        ? y.ticks(4).map((value) => (
            <g key={value} font-size={20} fill={inkSoft}>
              <path d={`M${left} ${y.at(value)}H${area.x + area.width - 20}`} stroke={rule} />
              <text x={left - 10} y={y.at(value) + 7} text-anchor="end">
                {value.toLocaleString('en')}
              </text>
            </g>
          ))
        : null}
      {curves.map(({ name: of, points }, index) => (
        <path
          key={of}
          d={pathOf(points.map(([px, py]) => [x.at(px), y.at(py)]))}
          fill="none"
          stroke={seriesColour(isAges ? 0 : index)}
          stroke-width={index === 0 && !isAges ? 5 : 3}
          stroke-linejoin="round"
        />
      ))}
      {isAges ? null : <Marker view={view} data={data} x={x} floor={floor} top={area.y + 14} />}
      <path d={`M${left} ${floor}H${area.x + area.width - 20}`} stroke={ruleStrong} />
      {x.ticks(9).map((value) => (
        <text
          key={value}
          x={x.at(value)}
          y={floor + 25}
          font-size={20}
          fill={inkSoft}
          text-anchor="middle"
        >
          {value.toLocaleString('en')}
        </text>
      ))}
      <text
        x={(left + area.x + area.width) / 2}
        y={floor + 52}
        font-size={20}
        fill={ink}
        text-anchor="middle"
      >
        {isAges ? `Age in years; ${name.toLowerCase()} in ${unit} upwards` : `${name} in ${unit}`}
      </text>
      {!isAges && curves.length > 1
        ? curves.map(({ name: of }, index) => (
            <g key={of} transform={`translate(${area.x + 24} ${area.y + 34 + index * 30})`}>
              <rect y={-15} width={16} height={16} fill={seriesColour(index)} />
              <text x={26} font-size={20} fill={ink}>
                {of}
              </text>
            </g>
          ))
        : null}
    </>
  );
}

function Marker(props: {
  view: DimensionView;
  data: ChartData;
  x: Scale;
  floor: number;
  top: number;
}): VNode | null {
  const { view, data, x, floor, top } = props;
  const { picture, answer } = data;
  if (picture.kind !== 'distribution') return null;
  const value = answer?.value ?? view.value;
  if (value === undefined || !(value >= x.from && value <= x.to)) return null;
  const at = x.at(value);
  return <path d={`M${at} ${top}V${floor}`} stroke={COLOUR.ink} stroke-width={2.5} />;
}

function curvesOf(picture: Picture, view: DimensionView): readonly Curve[] {
  if (picture.kind === 'ages') {
    return picture.lines.map(({ country, percentile, values }) => ({
      name: `${countryName(country)} P${percentile}`,
      points: values.flatMap((value, index) => {
        const age = picture.agesYears[index];
        return value === null || age === undefined ? [] : [[age, value] as const];
      }),
    }));
  }
  if (picture.kind === 'connected') {
    return [
      density(`With this ${inWords(view.measurement).toLowerCase()}`, picture.given),
      density('Everybody', picture.linked),
    ];
  }
  return picture.curves.map((curve) => density(countryName(curve.country), curve));
}

function density(name: string, curve: CoarseCurve): Curve {
  const points = new SmoothCurve(curve).density();
  return { name, points: points.map(({ value, density: height }) => [value, height] as const) };
}
