import type { VNode } from 'preact';
import type { Mode } from '../../core/billing-terms.js';
import type { Purchase, PurchaseState, Refund } from '../../payments/purchases.js';
import { DataTable } from '../../screens/shared/table.js';
import { Form } from '../account/forms.js';
import { count, money, Time } from '../format.js';

const STATES: Readonly<Record<PurchaseState, string>> = {
  open: 'not paid yet',
  processing: 'payment in progress',
  paid: 'paid',
  failed: 'payment failed',
  expired: 'cancelled or expired',
  refused: 'not credited',
};

/** Purchases with their prices, states and refunds. */
export function PurchaseTable(props: {
  readonly purchases: readonly Purchase[];
  readonly csrfToken: string;
}): VNode {
  const { purchases, csrfToken } = props;
  return (
    <DataTable
      stacks
      label="Purchases"
      head={['Started', 'Credits', 'Price', 'State']}
      texts="all"
      rows={purchases.map((purchase) => [
        <Time atMs={purchase.createdAtMs} />,
        <span>
          {count(purchase.credits)} <span class={`tag ${purchase.mode}`}>{purchase.mode}</span>
        </span>,
        money(purchase.price),
        <div>
          <State purchase={purchase} csrfToken={csrfToken} />
        </div>,
      ])}
    />
  );
}

function State(props: { readonly purchase: Purchase; readonly csrfToken: string }): VNode {
  const { purchase, csrfToken } = props;
  const { id, state, note, provider, settledAtMs, refunds, price, credits } = purchase;
  const done = refunds.filter(({ failed }) => !failed);
  const refundedMinor = done.reduce((sum, refund) => sum + refund.price.amountMinor, 0);
  const dueBefore = done.reduce((sum, refund) => sum + refund.creditsDue, 0);
  const isRefundable = provider === 'test' && state === 'paid' && refundedMinor < price.amountMinor;
  return (
    <>
      <span>
        {STATES[state]}
        {settledAtMs === null ? null : ' '}
        {settledAtMs === null ? null : <Time atMs={settledAtMs} />}
      </span>
      {note === null ? null : (
        <p class="small">
          {provider === 'test' ? note : `${note}. Please contact us; your money is not lost.`}
        </p>
      )}
      {done.map((refund) => (
        <p key={refund.id} class="small">
          {refundText(refund, purchase.mode)}
        </p>
      ))}
      {state === 'open' && provider === 'test' ? (
        <p class="small">
          <a href={`/account/credits/checkout/${id}`}>Continue to payment</a>
        </p>
      ) : null}
      {isRefundable ? (
        <>
          <Form
            action={`/account/credits/checkout/${id}/refund`}
            csrfToken={csrfToken}
            submit={`Refund ${money({ ...price, amountMinor: price.amountMinor - refundedMinor })}`}
            look="plain"
          />
          <p class="small">
            It takes back up to {count(credits - dueBefore)} credits: those that are not spent yet.
          </p>
        </>
      ) : null}
    </>
  );
}

function refundText({ price, creditsDue, creditsTaken }: Refund, mode: Mode): string {
  const taken = `${money(price)} refunded, ${count(creditsTaken)} credits taken back`;
  if (creditsTaken === creditsDue) return taken;
  const others = `${taken}; the other ${count(creditsDue - creditsTaken)} were already spent`;
  return mode === 'live' ? `${others} and were added to what you owe` : others;
}
