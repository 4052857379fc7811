import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { View } from '../../src/core/explorer-view.js';
import { inWords } from '../../src/core/labels.js';
import { AGE_LIMITS } from '../../src/core/limits.js';
import { AgesChart } from './ages-chart.js';
import { ConnectedChart } from './connected-chart.js';
import { DistributionChart } from './distribution-chart.js';
import { csvOf, download, fileName, type Picture, pngOf, svgOf } from './export.js';
import { countryName, people, percentileText } from './format.js';
import { type Point, pointOf } from './point.js';
import { Readout } from './readout.js';
import { type Table, tableOf } from './table.js';
import type { LoadedChart } from './use-chart-data.js';

interface ResultsProps {
  readonly chart: LoadedChart;
  /** The current view; while something is dragged, it is ahead of the chart's view. */
  readonly view: View;
  readonly onChoose: (change: Partial<View>) => void;
  readonly onSlide: (change: Partial<View>) => void;
  readonly onHold: (held: boolean) => void;
}

/** The results of a view: the chosen point, the chart, the table of its numbers, and exports. */
export function Results({ chart, view, onChoose, onSlide, onHold }: ResultsProps): VNode {
  const figure = useRef<HTMLElement>(null);
  const { data } = chart;
  const chosen = onPicture(view, chart.view);
  const point = pointOf(chosen, chart);
  const table = tableOf(chart);
  return (
    <section class="panel" aria-labelledby="results-heading">
      <h2 id="results-heading">{titleOf(chart.view)}</h2>
      {data.refusal === undefined ? (
        <Readout view={chosen} point={point} onChange={onChoose} />
      ) : (
        <p class="notice danger" role="alert">
          {data.refusal.detail}
        </p>
      )}
      <figure ref={figure}>
        <Chart {...{ chart, point, onSlide, onHold }} view={chosen} />
        <figcaption class="hint">{captionOf(chart)}</figcaption>
      </figure>
      <Gaps chart={chart} />
      <Exports table={table} view={chart.view} svg={() => figure.current?.querySelector('svg')} />
      <details>
        <summary>Show the numbers as a table</summary>
        <Numbers table={table} />
      </details>
    </section>
  );
}

/**
 * The view of the loaded picture with the point of the current view. While another population
 * loads, the old picture stays and its handle still moves.
 */
function onPicture(view: View, pictured: View): View {
  if (view.kind !== pictured.kind) return pictured;
  const { percentile, value, age, cover } = view;
  if (view.kind !== 'ages') return { ...pictured, percentile, value, cover };
  // Lines of several countries are drawn for one percentile.
  return pictured.countries.length > 1 ? { ...pictured, age } : { ...pictured, age, percentile };
}

interface ChartProps extends Omit<ResultsProps, 'onChoose'> {
  readonly point: Point;
}

function Chart({ chart, view, point, onSlide, onHold }: ChartProps): VNode {
  const { picture, answer } = chart.data;
  const { unit, countries } = chart.view;
  const name = inWords(chart.view.measurement);
  const onPercentile = (percentile: number) => onSlide({ percentile, value: undefined });
  if (picture.kind === 'distribution') {
    const { percentile } = point;
    const exactValue = point.isExact ? point.value : undefined;
    return (
      <DistributionChart
        {...{ curves: picture.curves, unit, name, percentile, exactValue, onPercentile, onHold }}
      />
    );
  }
  const { percentile, age } = view;
  if (picture.kind === 'ages') {
    const onAge = (years: number) => onSlide({ age: years });
    return <AgesChart {...{ ...picture, countries, percentile, age, unit, name, onAge, onHold }} />;
  }
  return (
    <ConnectedChart
      {...{ ...picture, answer, unit, percentile, onPercentile, onHold }}
      anchorName={name}
      linkedName={inWords(chart.view.linked)}
    />
  );
}

function titleOf({ kind, measurement, linked, gender, age, countries }: View): string {
  const where = countries.map(countryName).join(', ');
  const name = inWords(measurement);
  if (kind === 'ages')
    return `${name} from birth to ${AGE_LIMITS.maximum} years: ${gender === 'Male' ? 'men and boys' : 'women and girls'}, ${where}`;
  const who = `${people(gender, age)} aged ${percentileText(age)}, ${where}`;
  if (kind === 'connected') return `${inWords(linked)} given ${name.toLowerCase()}: ${who}`;
  return `${name}: ${who}`;
}

function captionOf({ view }: LoadedChart): string {
  if (view.kind === 'connected') {
    return `Grey: the whole population. Coloured: people at percentile ${percentileText(view.percentile)} of ${inWords(view.measurement).toLowerCase()}. Shaded: the middle ${view.cover} % of them. Drag the handle on the upper chart.`;
  }
  if (view.kind === 'ages') {
    const lines =
      view.countries.length > 1
        ? `Lines: percentile ${percentileText(view.percentile)} of each country. `
        : '';
    return `${lines}Band: 5th to 95th percentile, ${countryName(view.countries[0] ?? '')}. Drag across the chart to choose an age.`;
  }
  return 'Drag across the chart, or use the arrow keys on its handle, to choose a percentile.';
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

interface ExportsProps {
  readonly table: Table;
  readonly view: View;
  readonly svg: () => SVGSVGElement | null | undefined;
}

function Exports({ table, view, svg: svgElement }: ExportsProps): VNode {
  const name = fileName(view);
  const several = view.kind !== 'connected' && view.countries.length > 1;
  const names = several ? view.countries.map(countryName) : [];
  const withPicture = async (use: (picture: Picture) => Promise<void> | void) => {
    const drawn = svgElement();
    if (drawn != null) await use(svgOf(drawn, titleOf(view), names));
  };
  const onCsv = () => download(new Blob([csvOf(table)], { type: 'text/csv' }), `${name}.csv`);
  const onSvg = () =>
    withPicture(({ svg }) => download(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`));
  const onPng = () => withPicture(async (picture) => download(await pngOf(picture), `${name}.png`));
  return (
    <p class="exports">
      <span class="label">Export</span>
      <button type="button" onClick={onCsv}>
        CSV
      </button>
      <button type="button" onClick={onSvg}>
        SVG
      </button>
      <button type="button" onClick={onPng}>
        PNG
      </button>
    </p>
  );
}

function Numbers({ table }: { readonly table: Table }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class="table-scroll" tabIndex={0} aria-label="Numbers">
      <table>
        <caption class="hint">{table.caption}</caption>
        <thead>
          <tr>
            {table.head.map((text) => (
              <th key={text} scope="col" class="number">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={`${row[0]} ${row[1]}`}>
              {row.map((cell, index) => (
                <td key={table.head[index]} class="number">
                  {typeof cell === 'number' ? cell.toLocaleString('en', DIGITS) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const DIGITS = { maximumFractionDigits: 5 } as const;
