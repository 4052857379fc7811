import type { VNode } from 'preact';
import type { Visitor } from '../../accounts/sessions.js';
import { MODES, type Mode } from '../../core/billing-terms.js';
import { accountPage } from '../account/account-page.js';
import { count } from './format.js';
import { OtherMode } from './mode-tabs.js';
import { UsageChart } from './usage-chart.js';
import { USAGE_SPLITS, type UsageSeries, type UsageSplit } from './usage-series.js';

/** Path of the usage. */
export const USAGE_PATH = '/account/usage';
/** Spans of days to choose from. */
export const USAGE_SPANS = [7, 30, 90] as const;

/** What the page shows. */
export interface UsageState {
  readonly visitor: Visitor;
  readonly mode: Mode;
  readonly split: UsageSplit;
  /** The oldest first. */
  readonly days: readonly string[];
  readonly series: readonly UsageSeries[];
}

/** Usage of an account, as HTML text. */
export function usagePage(state: UsageState): string {
  const { visitor, mode, days, series, split } = state;
  return accountPage({
    title: 'Usage',
    path: USAGE_PATH,
    visitor,
    children: (
      <div class="account-sections">
        <Choices state={state} />
        {series.length === 0 ? (
          <p class="panel">
            {`Nothing was used in ${mode} mode in these ${days.length} days. `}
            <OtherMode path={USAGE_PATH} mode={mode} />
          </p>
        ) : (
          <section class="panel" aria-label="Calls a day">
            <UsageChart days={days} series={series} />
          </section>
        )}
        {series.length === 0 ? null : (
          <section class="panel" aria-labelledby="table-title">
            <h2 id="table-title">Day by day</h2>
            <UsageTable days={days} series={series} split={split} />
          </section>
        )}
        <p class="soft small">
          Days are in UTC. Every answer is a call; it costs a credit or a free call for each value
          in it. Refused requests cost nothing and are not counted.
        </p>
      </div>
    ),
  });
}

const MODE_LABELS: Readonly<Record<Mode, string>> = { live: 'Live', test: 'Test' };
const SPLIT_LABELS: Readonly<Record<UsageSplit, string>> = {
  operation: 'By operation',
  key: 'By key',
};

/** The choices as one form: a button to press where no script runs, and none does. */
function Choices({ state: { mode, split, days } }: { readonly state: UsageState }): VNode {
  return (
    <form method="get" action={USAGE_PATH} class="choices">
      <Choice name="mode" label="Mode" value={mode} names={MODES} labels={MODE_LABELS} />
      <Choice name="by" label="Split" value={split} names={USAGE_SPLITS} labels={SPLIT_LABELS} />
      <Choice
        name="days"
        label="Span"
        value={String(days.length)}
        names={USAGE_SPANS.map(String)}
        labels={Object.fromEntries(USAGE_SPANS.map((span) => [span, `${span} days`]))}
      />
      <button type="submit">Show</button>
    </form>
  );
}

function Choice<Name extends string>(props: {
  readonly name: string;
  readonly label: string;
  readonly value: Name;
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
}): VNode {
  const { name, label, value, names, labels } = props;
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {names.map((option) => (
          <option key={option} value={option} selected={option === value}>
            {labels[option]}
          </option>
        ))}
      </select>
    </div>
  );
}

function UsageTable(props: Pick<UsageState, 'days' | 'series' | 'split'>): VNode {
  const { days, series, split } = props;
  const what = split === 'operation' ? 'Operation' : 'Key';
  const rows = days
    .flatMap((day, index) =>
      series.map(({ name, days: counts }) => ({ day, name, counts: counts[index] })),
    )
    .filter(({ counts }) => counts !== undefined && counts.calls > 0)
    .reverse();
  return (
    <div class="table-scroll">
      <table class="stacking">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{what}</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Credits
            </th>
            <th scope="col" class="number">
              Free calls
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ day, name, counts }) => (
            <tr key={`${day} ${name}`}>
              <th scope="row">{day}</th>
              <td data-label={what} class="long-text">
                {name}
              </td>
              <td data-label="Calls" class="number">
                {count(counts?.calls ?? 0)}
              </td>
              <td data-label="Credits" class="number">
                {count(counts?.credits ?? 0)}
              </td>
              <td data-label="Free calls" class="number">
                {count(counts?.freeCalls ?? 0)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
