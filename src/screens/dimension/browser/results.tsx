import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { fromPlain } from '../../../site/amounts.js';
import { BAND_ENDS, inWords } from '../../../site/labels.js';
import type { ExactCall } from '../../shared/data-types.js';
import { exportTabs } from '../../widgets/exports.js';
import { Tabs } from '../../widgets/tabs.js';
import { DIMENSION_ADDRESS, type DimensionView } from '../address.js';
import type { Loaded, LoadedChart, MeasuredAges, Picture } from '../data-types.js';
import { Numbers } from '../table.js';
import {
  conditionsOf,
  countryName,
  fileWords,
  findingOf,
  percentileText,
  titleOf,
} from '../texts.js';
import { AgesChart } from './ages-chart.js';
import { AgesControls } from './ages-controls.js';
import { ConnectedChart } from './connected-chart.js';
import { DistributionChart } from './distribution-chart.js';
import { type Point, pointOf } from './point.js';
import { Readout } from './readout.js';
import { tidyOf } from './tidy.js';

/** Properties of `Results`. */
export interface ResultsProps {
  readonly chart: LoadedChart;
  /** The current view. While the user drags something, it is newer than the view of the chart. */
  readonly view: DimensionView;
  readonly onChoose: (change: Partial<DimensionView>) => void;
  readonly onSlide: (change: Partial<DimensionView>) => void;
  readonly onHold: (held: boolean) => void;
}

/** Refusals of a typed value. The field shows them. */
const OUTSIDE: readonly string[] = ['value_out_of_range', 'value_implausible'];

/** The results of a view: the chosen point, the chart, the table of its numbers, and exports. */
export function Results({ chart, view, onChoose, onSlide, onHold }: ResultsProps): VNode {
  const figure = useRef<HTMLElement>(null);
  const { data } = chart;
  const chosen = onPicture(view, chart.view);
  const isOutside = OUTSIDE.includes(data.refusal?.code ?? '');
  const point = useLastPoint(pointOf(chosen, chart), isOutside);
  return (
    <>
      <section class="panel" aria-labelledby="results-heading">
        <h2 id="results-heading">{findingOf(chart.view, data)}</h2>
        <Readout
          view={chosen}
          point={point}
          evidence={data.evidence}
          valueFault={isOutside && chosen.value === view.value ? data.refusal?.detail : undefined}
          onChange={onChoose}
        />
        {data.refusal === undefined || isOutside ? null : (
          <p class="notice danger" role="alert">
            {data.refusal.detail}
          </p>
        )}
        {data.picture.kind === 'ages' ? (
          <AgesControls
            view={chosen}
            agesYears={data.picture.agesYears}
            lines={data.picture.lines}
            onChoose={onChoose}
          />
        ) : null}
        <figure ref={figure}>
          <Chart {...{ chart, point, onSlide, onHold }} view={chosen} />
          <figcaption class="hint">{captionOf(chart)}</figcaption>
        </figure>
        <Gaps chart={chart} />
      </section>
      <MoreTabs chart={chart} svg={() => figure.current?.querySelector('svg')}>
        <Numbers {...chart} />
      </MoreTabs>
    </>
  );
}

/** Returns the point. While the service refuses the requested length, returns the last point with an answer. */
function useLastPoint(point: Point, isRefused: boolean): Point {
  const last = useRef<Point>(undefined);
  if (point.isExact) last.current = point;
  if (!isRefused) return point;
  return last.current ?? { ...point, numbers: [] };
}

/**
 * The view of the loaded picture with the chosen point of the current view. While another population loads,
 * the old picture stays and its handle still moves.
 */
function onPicture(view: DimensionView, pictured: DimensionView): DimensionView {
  if (view.kind !== pictured.kind) return pictured;
  const { percentile, value, age, cover, ages, points } = view;
  if (view.kind !== 'ages') return { ...pictured, percentile, value, cover };
  // The loaded lines show the percentile of the picture's view, so this percentile stays.
  return { ...pictured, age, ages, points };
}

interface ChartProps extends Omit<ResultsProps, 'onChoose'> {
  readonly point: Point;
}

function Chart({ chart, view, point, onSlide, onHold }: ChartProps): VNode {
  const { picture, answer } = chart.data;
  const { unit, countries } = chart.view;
  const name = inWords(chart.view.measurement);
  const onPercentile = (percentile: number) => onSlide({ percentile, value: undefined });
  const exactValue = point.isExact ? point.value : undefined;
  if (picture.kind === 'distribution') {
    const { percentile } = point;
    return (
      <DistributionChart
        {...{ curves: picture.curves, unit, name, percentile, exactValue, onPercentile, onHold }}
      />
    );
  }
  const { percentile, age } = view;
  if (picture.kind === 'ages') {
    const onAge = (years: number) => onSlide({ age: years });
    const { ages, points } = view;
    const people = points.map((person) => ({
      point: person,
      value: fromPlain(person.value, unit),
    }));
    const lead = { countries, percentile, age, exactValue, ages, people, unit, name };
    return <AgesChart {...picture} {...lead} {...{ onAge, onHold }} />;
  }
  return (
    <ConnectedChart
      {...{ ...picture, answer, unit, percentile, onPercentile, onHold }}
      anchorName={name}
      linkedName={inWords(chart.view.linked)}
    />
  );
}

function captionOf({ data, view }: LoadedChart): string {
  if (view.kind === 'connected') {
    return `Grey: the whole population. Coloured: people at percentile ${percentileText(view.percentile)} of ${inWords(view.measurement).toLowerCase()}. Shaded: the middle ${view.cover} % of them. Drag the handle on the upper chart.`;
  }
  if (view.kind === 'ages') {
    const lines =
      view.countries.length > 1
        ? `Lines: percentile ${percentileText(view.percentile)} of each country. Band: the spread of people from ${BAND_ENDS}, ${countryName(view.countries[0] ?? '')}.`
        : `Band: the spread of people from ${BAND_ENDS}.`;
    const spans = measuredIn(data.picture)
      .map(({ fromYears, toYears }) => `${fromYears} to ${toYears}`)
      .join(', ');
    const dashes =
      spans === ''
        ? 'Dashed: no survey took this measurement; it is computed.'
        : `Solid: ages ${spans}, which surveys measured. Dashed: other ages, which are computed.`;
    return `${lines} ${dashes} Drag across the chart to choose an age.`;
  }
  return 'The higher the curve, the more people. Drag across the chart, or use the arrow keys on its handle, to choose a percentile.';
}

function measuredIn(picture: Picture): readonly MeasuredAges[] {
  return picture.kind === 'ages' ? picture.measured : [];
}

function Gaps({ chart }: { readonly chart: LoadedChart }): VNode | null {
  const { picture } = chart.data;
  if (picture.kind !== 'ages' || picture.gaps.length === 0) return null;
  return (
    <ul class="hint">
      {picture.gaps.map((gap) => (
        <li key={gap.fromYears}>
          {gap.fromYears === gap.toYears
            ? `Age ${gap.fromYears}`
            : `Ages ${gap.fromYears} to ${gap.toYears}`}{' '}
          not shown: {gap.reason}
        </li>
      ))}
    </ul>
  );
}

interface MoreProps {
  readonly chart: Loaded;
  /** What the picture shows besides its title. */
  readonly source?: string;
  readonly svg: () => SVGSVGElement | null | undefined;
  /** The numbers of the picture. */
  readonly children: ComponentChildren;
}

/** The tabs below a picture: its numbers, the view as files, a report, and the calls of the API. */
export function MoreTabs({ chart, source, svg, children }: MoreProps): VNode {
  const { view, data } = chart;
  const conditions = conditionsOf(view, data.artifactVersion);
  const several = ['distribution', 'ages'].includes(view.kind) && view.countries.length > 1;
  const texts = {
    title: titleOf(view),
    subtitle: conditions,
    source: source ?? data.evidence[0]?.basis ?? '',
    series: several ? view.countries.map(countryName) : [],
  };
  const taken = exportTabs({
    ...{ address: DIMENSION_ADDRESS, view, data, title: texts.title, calls: callsOf(chart) },
    label: 'Country',
    what: fileWords(view),
    table: () => tidyOf(chart),
    pictures: [{ svg, texts: () => texts }],
    onPaper: <p class="on-paper">{conditions}</p>,
  });
  return <Tabs label="More about the measurement" tabs={[['Numbers', children], ...taken]} />;
}

/** The call of the API, or a call for each country. */
function callsOf({ data, view }: Loaded): readonly (readonly [string, ExactCall])[] {
  const { call, otherCalls, picture } = data;
  const of =
    picture.kind === 'countries' ? picture.countries.map((one) => one.country) : view.countries;
  return [call, ...otherCalls].map((one, index) => [countryName(of[index] ?? ''), one]);
}
