import type { VNode } from 'preact';
import { reasonOfCorrection } from '../../accounts/credits.js';
import type { SignedInUser } from '../../accounts/sessions.js';
import type { Mode } from '../../core/billing-terms.js';
import { dayOf } from '../../ledger/charge.js';
import type { LedgerLine, LedgerPage } from '../../ledger/ledger-page.js';
import { DataTable } from '../../screens/shared/table.js';
import { accountPage } from '../account/account-page.js';
import { KEYS_PATH } from '../account/keys-page.js';
import { callsText, count, signed, Time } from '../format.js';
import { MODE_LABELS, OtherMode, otherMode, Tabs } from './mode.js';

/** Path of the ledger page. */
export const LEDGER_PATH = '/account/ledger';

/** Content of the ledger page. */
export interface LedgerState {
  readonly user: SignedInUser;
  readonly mode: Mode;
  readonly page: LedgerPage;
  /** Whether the page shows the newest lines. */
  readonly newest: boolean;
  /** Time of the newest entry in the other mode; undefined if it has no entries. */
  readonly otherNewestMs: number | undefined;
}

/** An account's ledger, as HTML text. */
export function renderLedger(state: LedgerState): string {
  const { user, mode, page, newest, otherNewestMs } = state;
  const { lines, next } = page;
  return accountPage({
    title: 'Ledger',
    path: LEDGER_PATH,
    user,
    children: (
      <div class="account-sections">
        <div class="row choices">
          <Tabs
            label="Mode"
            labels={MODE_LABELS}
            chosen={mode}
            hrefOf={(name) => `${LEDGER_PATH}?mode=${name}`}
          />
          <a class="button" href={`${LEDGER_PATH}.csv?mode=${mode}`}>
            Export all entries (CSV)
          </a>
        </div>
        <section class="panel" aria-label="Entries">
          {lines.length > 0 ? <Lines lines={lines} /> : <NoEntries mode={mode} />}
          <p class="row actions">
            {newest ? null : <a href={`${LEDGER_PATH}?mode=${mode}`}>Newest</a>}
            {next === undefined ? null : (
              <a href={`${LEDGER_PATH}?mode=${mode}&before=${encodeURIComponent(next)}`}>Older</a>
            )}
          </p>
        </section>
        <OtherMode
          mode={mode}
          href={`${LEDGER_PATH}?mode=${otherMode(mode)}`}
          has={otherNewestMs === undefined ? undefined : `entries up to ${dayOf(otherNewestMs)}`}
          nothing="entries"
        />
        <p class="soft small">
          Ledger entries are never changed or deleted. This page shows one line of usage per day,
          with the balance at the end of the day. The export contains every request.
        </p>
      </div>
    ),
  });
}

/** The text for an empty ledger. It says how the ledger gets its first entry. */
function NoEntries({ mode }: { readonly mode: Mode }): VNode {
  return (
    <p>
      {`There are no entries in ${mode} mode yet. A call with a ${mode} key makes the first one. `}
      <a href={KEYS_PATH}>Your keys</a> <a href="/docs">How to call the API</a>
    </p>
  );
}

function Lines({ lines }: { readonly lines: readonly LedgerLine[] }): VNode {
  return (
    <DataTable
      stacks
      label="Entries"
      head={['Date', 'Entry', 'Credits', 'Free calls', 'Balance']}
      texts={['Entry']}
      rows={lines.map((line) => [
        line.kind === 'usage' ? line.cause.slice('usage:'.length) : <Time atMs={line.atMs} />,
        <span class="long-text">{textOf(line)}</span>,
        signed(line.credits),
        line.freeCalls === 0 ? '' : count(line.freeCalls),
        count(line.balanceAfter),
      ])}
    />
  );
}

function textOf({ kind, calls, cause }: LedgerLine): string {
  if (kind === 'usage') return `Usage, ${callsText(calls)}`;
  if (kind === 'purchase') return `Purchase ${cause.slice('purchase:'.length)}`;
  if (kind === 'grant') return 'Credits granted';
  if (cause.startsWith('refund:')) return `Refund ${cause.slice('refund:'.length)}`;
  if (cause.startsWith('refund_failed:')) {
    return `Refund ${cause.slice('refund_failed:'.length)} failed, credits returned`;
  }
  if (cause.startsWith('debt:')) return 'Debt of a reversed payment paid';
  if (cause.startsWith('debt_returned:')) return 'Reversal failed, paid debt returned';
  const reason = reasonOfCorrection(cause);
  return reason === undefined ? 'Correction' : `Correction: ${reason}`;
}
