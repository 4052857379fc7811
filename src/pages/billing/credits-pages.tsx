import type { VNode } from 'preact';
import type { FreeCalls } from '../../accounts/credits.js';
import type { SignedInUser } from '../../accounts/sessions.js';
import {
  FREE_CALLS_PER_WINDOW,
  MODES,
  type Mode,
  TEST_CREDITS_PER_DAY,
} from '../../core/billing-terms.js';
import type { Offer } from '../../payments/payments.js';
import type { ProviderName } from '../../payments/provider.js';
import type { Purchase } from '../../payments/purchases.js';
import { DataTable } from '../../screens/shared/table.js';
import { accountPage } from '../account/account-page.js';
import { Form } from '../account/forms.js';
import { count, money, Time } from '../format.js';
import { MODE_LABELS } from './mode.js';
import { PurchaseTable } from './purchase-table.js';

/** Path of the credits page. */
export const CREDITS_PATH = '/account/credits';

/** Balance and offers of an account in one mode. */
export interface ModeCredits {
  readonly mode: Mode;
  /** Undefined while the balance is not available. */
  readonly paidCredits: number | undefined;
  readonly free: FreeCalls | undefined;
  /** Credits owed for reversed payments. */
  readonly debtCredits: number;
  readonly seller: ProviderName | undefined;
  /** Undefined while the prices are not available. */
  readonly offers: readonly Offer[] | undefined;
}

/** Content of the credits page. */
export interface CreditsState {
  readonly user: SignedInUser;
  /** One-time tokens of the forms of the modes. */
  readonly once: readonly string[];
  /** Balances of the modes. Live is missing until the owner has confirmed the e-mail address. */
  readonly modes: readonly ModeCredits[];
  readonly purchases: readonly Purchase[];
  /** The purchase from which the buyer has just returned. */
  readonly bought?: Purchase | undefined;
  /** The purchase that this form had already started. */
  readonly started?: Purchase | undefined;
  /** Why a purchase could not be started. */
  readonly refusal?: string | undefined;
}

/** Balances, packs and purchases, as HTML text. */
export function creditsPage(state: CreditsState): string {
  const { user, modes, purchases, bought, started, refusal } = state;
  return accountPage({
    title: 'Credits',
    path: CREDITS_PATH,
    user,
    entry: 'web/account/main.ts',
    children: (
      <div class="account-sections">
        <p data-came-from hidden>
          <a href={CREDITS_PATH}>Back</a>
        </p>
        {refusal === undefined ? null : (
          <p class="notice danger" role="alert">
            {refusal}
          </p>
        )}
        {bought === undefined ? null : <Bought purchase={bought} />}
        {started === undefined ? null : <StartedBefore purchase={started} />}
        <section class="panel" aria-label="Balance">
          <Balances modes={modes} />
          {modes.map((credits) => {
            const once = state.once[MODES.indexOf(credits.mode)] ?? '';
            return <Packs key={credits.mode} {...{ credits, once }} csrfToken={user.csrfToken} />;
          })}
        </section>
        <section class="panel" aria-labelledby="purchases-title">
          <h2 id="purchases-title">Purchases</h2>
          {purchases.length === 0 ? (
            <p>You have bought nothing yet.</p>
          ) : (
            <PurchaseTable purchases={purchases} csrfToken={user.csrfToken} />
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
        {`Thank you. We added ${count(credits)} ${mode} credits to your account.`}
      </p>
    );
  }
  if (state === 'open' || state === 'processing') {
    return (
      <p class="notice warning" role="status">
        {'Your payment is not confirmed yet. We add the credits as soon as it is. '}
        <a href={`${CREDITS_PATH}?purchase=${id}`}>Check again</a>
      </p>
    );
  }
  return (
    <p class="notice danger" role="status">
      This purchase was not completed, and no credits were added. See the list below for the reason.
    </p>
  );
}

function StartedBefore({ purchase }: { readonly purchase: Purchase }): VNode {
  const { state, credits, mode, id, provider } = purchase;
  return (
    <p class="notice warning" role="status">
      {`The form that you sent has started the purchase of ${count(credits)} ${mode} credits before. Nothing new was started. `}
      {state === 'open' && provider === 'test' ? (
        <a href={`${CREDITS_PATH}/checkout/${id}`}>Continue to payment</a>
      ) : (
        <a href={`${CREDITS_PATH}?purchase=${id}`}>See whether it is paid</a>
      )}
    </p>
  );
}

/** Credits and free calls of each mode, and what is to be known of them. */
function Balances({ modes }: Pick<CreditsState, 'modes'>): VNode {
  return (
    <>
      <DataTable
        stacks
        label="Balance"
        head={['Mode', 'Credits', 'Free calls left']}
        rows={modes.map(({ mode, paidCredits, free }) => [
          MODE_LABELS[mode],
          paidCredits === undefined ? '–' : count(paidCredits),
          free === undefined ? '–' : `${count(free.left)} of ${FREE_CALLS_PER_WINDOW}`,
        ])}
      />
      {modes.some(({ paidCredits }) => paidCredits === undefined) ? (
        <p class="notice warning">
          Your balance is not available right now. Please reload the page in a moment.
        </p>
      ) : null}
      {modes.map(({ debtCredits }) =>
        debtCredits === 0 ? null : (
          <p key="debt" class="notice danger">
            {`You owe ${count(debtCredits)} ${debtCredits === 1 ? 'credit' : 'credits'}: a payment was reversed after its credits had been spent. Your live keys are refused until this is paid. Your next purchase pays it first.`}
          </p>
        ),
      )}
      {modes.map(({ mode, free }) =>
        free === undefined || free.returning.length === 0 ? null : (
          <FreeCallTimes key={mode} {...{ mode, free }} />
        ),
      )}
      <p class="soft small">
        <a href="/docs/billing">Prices of all operations</a>: a prediction costs one credit. Free
        calls are used only when you have no credits.
      </p>
    </>
  );
}

interface FreeCallTimesProps {
  readonly mode: Mode;
  readonly free: FreeCalls;
}

function FreeCallTimes({ mode, free }: FreeCallTimesProps): VNode {
  return (
    <details class="small">
      <summary>When used free {mode} calls become available again</summary>
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

interface PacksProps {
  readonly credits: ModeCredits;
  readonly csrfToken: string;
  readonly once: string;
}

/** The packs for sale in a mode. */
function Packs({ credits: { mode, seller, offers }, csrfToken, once }: PacksProps): VNode {
  if (seller === undefined) {
    return (
      <p class="notice">
        This server does not sell live credits, because it has no payment provider.
      </p>
    );
  }
  return (
    <section aria-labelledby={`${mode}-title`}>
      <h2 id={`${mode}-title`}>{mode === 'live' ? 'Buy live credits' : 'Get test credits'}</h2>
      {offers === undefined ? (
        <p class="notice warning">
          The prices are not available right now. Please reload the page in a moment.
        </p>
      ) : (
        <>
          <Form
            action={`${CREDITS_PATH}/buy`}
            {...{ csrfToken, once, hidden: { mode } }}
            class="row packs"
          >
            {offers.map(({ credits, price }) => (
              <button key={credits} type="submit" name="credits" value={credits}>
                <strong>{count(credits)}</strong>
                <span class="visually-hidden"> credits for </span>
                <span>{money(price)}</span>
              </button>
            ))}
          </Form>
          <p class="soft small">{SELLER_NOTES[seller](mode)}</p>
        </>
      )}
    </section>
  );
}

const SELLER_NOTES: Readonly<Record<ProviderName, (mode: Mode) => string>> = {
  stripe: () => 'You pay on a page of Stripe, which shows the final price.',
  test: (mode) =>
    mode === 'test'
      ? `Test credits are free. You can get up to ${count(TEST_CREDITS_PER_DAY)} in 24 hours.`
      : 'Test payment: you pay nothing. This preview has no payment provider.',
};

/** The checkout page of the test provider, as HTML text. */
export function testCheckoutPage(user: SignedInUser, purchase: Purchase): string {
  const { id, credits, mode, price } = purchase;
  return accountPage({
    title: 'Test payment',
    path: CREDITS_PATH,
    user,
    children: (
      <section class="panel account-narrow">
        <p>{`${count(credits)} ${mode} credits for ${money(price)}.`}</p>
        <p class="notice">This is a test payment. You need no card and pay nothing.</p>
        <div class="row actions">
          <Form
            action={`${CREDITS_PATH}/checkout/${id}/pay`}
            csrfToken={user.csrfToken}
            submit="Pay (test)"
          />
          <Form
            action={`${CREDITS_PATH}/checkout/${id}/cancel`}
            csrfToken={user.csrfToken}
            submit="Cancel"
            look="plain"
          />
        </div>
      </section>
    ),
  });
}

/**
 * The page with a link to the provider's checkout, as HTML text. A redirect is not possible, because the
 * content security policy does not let a form end on another site.
 */
export function leavePage(user: SignedInUser, purchase: Purchase, url: string): string {
  const { credits, mode, price } = purchase;
  return accountPage({
    title: 'Continue to payment',
    path: CREDITS_PATH,
    user,
    children: (
      <section class="panel account-narrow">
        <p>{`${count(credits)} ${mode} credits for ${money(price)}.`}</p>
        <p>The payment page opens automatically. If it does not, use this link:</p>
        <p>
          <a class="button primary" href={url} rel="noreferrer">
            Go to the payment page
          </a>
        </p>
        <p>
          <a href={CREDITS_PATH}>Back to your credits</a>
        </p>
      </section>
    ),
  });
}
