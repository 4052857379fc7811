import type { VNode } from 'preact';
import type { FreeCalls } from '../../accounts/free-calls.js';
import type { Visitor } from '../../accounts/sessions.js';
import {
  FREE_CALLS_PER_WINDOW,
  MODES,
  type Mode,
  TEST_CREDITS_PER_DAY,
} from '../../core/billing-terms.js';
import type { Offer } from '../../payments/payments.js';
import type { ProviderName } from '../../payments/provider.js';
import type { Purchase } from '../../payments/purchases.js';
import { accountPage } from '../account/account-page.js';
import { HiddenToken } from '../account/forms.js';
import { Time } from '../time.js';
import { count, money } from './format.js';
import { PurchaseTable } from './purchase-table.js';

/** Path of the credits. */
export const CREDITS_PATH = '/account/credits';

/** What an account has in a mode, and may buy. */
export interface ModeCredits {
  readonly mode: Mode;
  /** Undefined where it cannot be found out just now. */
  readonly paidCredits: number | undefined;
  readonly free: FreeCalls | undefined;
  readonly seller: ProviderName | undefined;
  /** Undefined where the prices cannot be had just now. */
  readonly offers: readonly Offer[] | undefined;
}

/** What the page shows. */
export interface CreditsState {
  readonly visitor: Visitor;
  readonly modes: readonly ModeCredits[];
  readonly purchases: readonly Purchase[];
  /** The purchase its buyer is back from. */
  readonly bought?: Purchase | undefined;
  /** Why a purchase could not be begun. */
  readonly refusal?: string | undefined;
}

/** Balances, packs and purchases, as HTML text. */
export function creditsPage(state: CreditsState): string {
  const { visitor, modes, purchases, bought, refusal } = state;
  return accountPage({
    title: 'Credits',
    path: CREDITS_PATH,
    visitor,
    children: (
      <div class="account-sections">
        {refusal === undefined ? null : (
          <p class="notice danger" role="alert">
            {refusal}
          </p>
        )}
        {bought === undefined ? null : <Bought purchase={bought} />}
        <div class="side-by-side">
          {MODES.flatMap((name) => modes.filter(({ mode }) => mode === name)).map((credits) => (
            <ModePanel key={credits.mode} credits={credits} csrfToken={visitor.csrfToken} />
          ))}
        </div>
        <section class="panel" aria-labelledby="purchases-title">
          <h2 id="purchases-title">Purchases</h2>
          {purchases.length === 0 ? (
            <p>You have bought nothing yet.</p>
          ) : (
            <PurchaseTable purchases={purchases} csrfToken={visitor.csrfToken} />
          )}
        </section>
      </div>
    ),
  });
}

function Bought({ purchase }: { readonly purchase: Purchase }): VNode {
  const { state, credits, mode, id } = purchase;
  if (state === 'paid') {
    return (
      <p class="notice good" role="status">
        {`Thank you. ${count(credits)} ${mode} credits are yours.`}
      </p>
    );
  }
  if (state === 'open' || state === 'processing') {
    return (
      <p class="notice warning" role="status">
        {'The payment is not confirmed yet. The credits come by themselves once it is. '}
        <a href={`${CREDITS_PATH}?purchase=${id}`}>Look again</a>
      </p>
    );
  }
  return (
    <p class="notice danger" role="status">
      This purchase was not paid; no credits were added. The list below says why.
    </p>
  );
}

interface PanelProps {
  readonly credits: ModeCredits;
  readonly csrfToken: string;
}

function ModePanel({ credits, csrfToken }: PanelProps): VNode {
  const { mode, paidCredits, free } = credits;
  const title = mode === 'live' ? 'Live' : 'Test';
  return (
    <section class="panel" aria-labelledby={`${mode}-title`}>
      <h2 id={`${mode}-title`}>{title}</h2>
      {paidCredits === undefined || free === undefined ? (
        <p class="notice warning">The balance cannot be told just now. Reload in a moment.</p>
      ) : (
        <dl class="figures">
          <div>
            <dt>Credits</dt>
            <dd class="figure">{count(paidCredits)}</dd>
          </div>
          <div>
            <dt>Free calls left</dt>
            <dd class="figure">{`${count(free.left)} of ${FREE_CALLS_PER_WINDOW}`}</dd>
          </div>
        </dl>
      )}
      {free === undefined || free.returning.length === 0 ? null : <Returning free={free} />}
      {paidCredits === undefined || paidCredits === 0 ? null : (
        <p class="soft small">Free calls are used when there are no credits.</p>
      )}
      <h3>{mode === 'live' ? 'Buy credits' : 'Get test credits'}</h3>
      <Packs credits={credits} csrfToken={csrfToken} />
    </section>
  );
}

function Returning({ free }: { readonly free: FreeCalls }): VNode {
  return (
    <details class="small">
      <summary>When they come back</summary>
      <ul>
        {free.returning.map(({ atMs, calls }) => (
          <li key={atMs}>
            {`${count(calls)} at `}
            <Time atMs={atMs} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Packs({ credits: { mode, seller, offers }, csrfToken }: PanelProps): VNode {
  if (seller === undefined) {
    return (
      <p class="notice">
        Live credits are not for sale on this server: it has no payment provider.
      </p>
    );
  }
  if (offers === undefined) {
    return <p class="notice warning">The prices cannot be had just now. Reload in a moment.</p>;
  }
  return (
    <>
      <form method="post" action={`${CREDITS_PATH}/buy`} class="packs">
        <HiddenToken csrfToken={csrfToken} />
        <input type="hidden" name="mode" value={mode} />
        {offers.map(({ credits, price }) => (
          <button key={credits} type="submit" name="credits" value={credits}>
            <strong>{count(credits)}</strong>
            <span class="visually-hidden"> credits for </span>
            <span>{money(price)}</span>
          </button>
        ))}
      </form>
      <p class="soft small">{SELLER_NOTES[seller](mode)}</p>
    </>
  );
}

const SELLER_NOTES: Readonly<Record<ProviderName, (mode: Mode) => string>> = {
  stripe: () =>
    'You pay on a page of Stripe, which states the final price. A request spends one credit for each value it answers.',
  test: (mode) =>
    mode === 'test'
      ? `Play money: nothing is charged. At most ${count(TEST_CREDITS_PER_DAY)} test credits in 24 hours.`
      : 'Play money: nothing is charged. This is a preview without a payment provider.',
};
