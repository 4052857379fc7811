import type { VNode } from 'preact';
import { count } from './format.js';
import type { UsageSeries } from './usage-series.js';

/** Height of the drawing in units of its own; the page stretches it. */
const HEIGHT = 100;
/** Width of a day, and of its bar. */
const DAY = 10;
const BAR = 8;

/** Calls a day as stacked bars. The table beside it says the same in words. */
export function UsageChart(props: {
  readonly days: readonly string[];
  readonly series: readonly UsageSeries[];
}): VNode {
  const { days, series } = props;
  const top = roundUp(Math.max(1, ...days.map((_, day) => callsOf(series, day))));
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return (
    <figure class="chart">
      <div class="chart-plot">
        <div class="chart-scale small soft" aria-hidden="true">
          <span>{count(top)}</span>
          <span>{top % 2 === 0 ? count(top / 2) : ''}</span>
          <span>0</span>
        </div>
        <svg
          role="img"
          aria-label={`Calls a day from ${first} to ${last}; the table below has the numbers`}
          viewBox={`0 0 ${days.length * DAY} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <path
            class="chart-grid"
            d={`M0 ${HEIGHT / 2}H${days.length * DAY}M0 0.5H${days.length * DAY}`}
          />
          {days.map((day, index) => (
            <Bar key={day} day={day} index={index} series={series} top={top} />
          ))}
        </svg>
      </div>
      <div class="chart-days small soft" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
      <figcaption>
        <ul class="chart-legend small">
          {series.map(({ name, total }, index) => (
            <li key={name}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect class={`series-${index + 1}`} width="10" height="10" />
              </svg>
              <span class="long-text">{name}</span>
              <span class="soft">{count(total.calls)}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

function Bar(props: {
  readonly day: string;
  readonly index: number;
  readonly series: readonly UsageSeries[];
  readonly top: number;
}): VNode {
  const { day, index, series, top } = props;
  let calls = 0;
  const pieces = series.map((one, place) => {
    const own = one.days[index]?.calls ?? 0;
    calls += own;
    return { place, y: HEIGHT * (1 - calls / top), height: (HEIGHT * own) / top, own };
  });
  return (
    <g>
      <title>{`${day}: ${count(calls)} calls`}</title>
      <rect class="chart-day" x={index * DAY} width={DAY} height={HEIGHT} />
      {pieces
        .filter(({ own }) => own > 0)
        .map(({ place, y, height }) => (
          <rect
            key={place}
            class={`series-${place + 1}`}
            x={index * DAY + (DAY - BAR) / 2}
            y={y.toFixed(2)}
            width={BAR}
            height={height.toFixed(2)}
          />
        ))}
    </g>
  );
}

function callsOf(series: readonly UsageSeries[], day: number): number {
  return series.reduce((sum, { days }) => sum + (days[day]?.calls ?? 0), 0);
}

/** The next of 1, 2, 4, 6, 8 or 10 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8].find((step) => step * power >= value) ?? 10) * power;
}
