import type { VNode } from 'preact';
import type { SignedInUser } from '../../accounts/sessions.js';
import type { Mode } from '../../core/billing-terms.js';
import { DataTable } from '../../screens/shared/table.js';
import { accountPage } from '../account/account-page.js';
import { KEYS_PATH } from '../account/keys-page.js';
import { callsText, count } from '../format.js';
import { MODE_LABELS, OtherMode, otherMode, Tabs } from './mode.js';
import type { UsageSeries, UsageSplit } from './usage-series.js';

/** Path of the usage page. */
export const USAGE_PATH = '/account/usage';
/** Numbers of days to choose from. */
export const USAGE_SPANS = [7, 30, 90] as const;

/** Content of the usage page. */
export interface UsageState {
  readonly user: SignedInUser;
  readonly mode: Mode;
  readonly split: UsageSplit;
  /** Dates as `YYYY-MM-DD`, the oldest first. */
  readonly days: readonly string[];
  readonly series: readonly UsageSeries[];
  /** Number of calls in the other mode on these days. */
  readonly otherCalls: number;
}

/** The usage of an account, as HTML text. */
export function usagePage(state: UsageState): string {
  const { user, mode, days, series, split, otherCalls } = state;
  return accountPage({
    title: 'Usage',
    path: USAGE_PATH,
    user,
    children: (
      <div class="account-sections">
        <Choices state={state} />
        {series.length === 0 ? (
          <p class="panel">
            {`There was no usage in ${mode} mode in these ${days.length} days. A call with a ${mode} key appears here. `}
            <a href={KEYS_PATH}>Your keys</a> <a href="/docs">How to call the API</a>
          </p>
        ) : (
          <section class="panel" aria-label="Calls per day">
            <UsageChart days={days} series={series} />
          </section>
        )}
        {series.length === 0 ? null : (
          <section class="panel" aria-labelledby="table-title">
            <h2 id="table-title">Day by day</h2>
            <UsageTable days={days} series={series} split={split} />
          </section>
        )}
        <OtherMode
          mode={mode}
          href={addressOf(state, { mode: otherMode(mode) })}
          has={
            otherCalls === 0 ? undefined : `${callsText(otherCalls)} in these ${days.length} days`
          }
          nothing={`usage in these ${days.length} days`}
        />
        <p class="soft small">
          Days are in UTC. Each answered request counts as one call. It costs one credit or one free
          call for each value in the answer. Refused requests cost nothing and are not counted.
        </p>
      </div>
    ),
  });
}

const SPLIT_LABELS: Readonly<Record<UsageSplit, string>> = {
  operation: 'By operation',
  key: 'By key',
};

function Choices({ state }: { readonly state: UsageState }): VNode {
  const { mode, split, days } = state;
  const spans = Object.fromEntries(USAGE_SPANS.map((span) => [span, `${span} days`]));
  return (
    <div class="row choices">
      <Tabs
        label="Mode"
        labels={MODE_LABELS}
        chosen={mode}
        hrefOf={(name) => addressOf(state, { mode: name })}
      />
      <Tabs
        label="Split"
        labels={SPLIT_LABELS}
        chosen={split}
        hrefOf={(by) => addressOf(state, { by })}
      />
      <Tabs
        label="Span"
        labels={spans}
        chosen={String(days.length)}
        hrefOf={(span) => addressOf(state, { days: span })}
      />
    </div>
  );
}

/** The address of the page with another choice. */
function addressOf({ mode, split, days }: UsageState, change: Partial<Chosen>): string {
  const now = { mode, by: split, days: String(days.length) };
  return `${USAGE_PATH}?${new URLSearchParams({ ...now, ...change })}`;
}

interface Chosen {
  readonly mode: string;
  readonly by: string;
  readonly days: string;
}

function UsageTable(props: Pick<UsageState, 'days' | 'series' | 'split'>): VNode {
  const { days, series, split } = props;
  const what = split === 'operation' ? 'Operation' : 'Key';
  const rows = days
    .flatMap((day, index) =>
      series.flatMap(({ name, days: counts }) => {
        const { calls = 0, credits = 0, freeCalls = 0 } = counts[index] ?? {};
        const numbers = [calls, credits, freeCalls].map(count);
        return calls === 0 ? [] : [[day, <span class="long-text">{name}</span>, ...numbers]];
      }),
    )
    .reverse();
  return (
    <DataTable
      stacks
      label="Day by day"
      head={['Day', what, 'Calls', 'Credits', 'Free calls']}
      texts={[what]}
      rows={rows}
    />
  );
}

/** Height of the chart in SVG units; the page scales it. */
const HEIGHT = 100;
/** Width of a day and of its bar, in SVG units. */
const DAY = 10;
const BAR = 8;

/** Calls per day as stacked bars. The table below has the same numbers. */
function UsageChart(props: {
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
          aria-label={`Calls per day from ${first} to ${last}; the table below has the numbers`}
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
        <ul class="row chart-legend small">
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

/** The smallest of 1, 2, 4, 6, 8 and 10 times a power of ten that is at least `value`. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8].find((step) => step * power >= value) ?? 10) * power;
}
