import type { Visitor } from '../../accounts/sessions.js';
import type { Purchase } from '../../payments/purchases.js';
import { accountPage } from '../account/account-page.js';
import { HiddenToken } from '../account/forms.js';
import { CREDITS_PATH } from './credits-page.js';
import { count, money } from './format.js';

/** The test provider's page, as HTML text. */
export function playCheckoutPage(visitor: Visitor, purchase: Purchase): string {
  const { id, credits, mode, price } = purchase;
  return accountPage({
    title: 'Test payment',
    path: CREDITS_PATH,
    visitor,
    children: (
      <section class="panel account-narrow">
        <p>{`${count(credits)} ${mode} credits for ${money(price)}.`}</p>
        <p class="notice">This is play money: no card is asked for and nothing is charged.</p>
        <div class="actions">
          <form method="post" action={`${CREDITS_PATH}/checkout/${id}/pay`}>
            <HiddenToken csrfToken={visitor.csrfToken} />
            <button type="submit" class="primary">
              Pay (test)
            </button>
          </form>
          <form method="post" action={`${CREDITS_PATH}/checkout/${id}/cancel`}>
            <HiddenToken csrfToken={visitor.csrfToken} />
            <button type="submit">Cancel</button>
          </form>
        </div>
      </section>
    ),
  });
}

/**
 * The page that leads to the provider's, as HTML text: the policy of our pages lets no form end on
 * another site, also not by a redirect.
 */
export function leavePage(visitor: Visitor, purchase: Purchase, url: string): string {
  const { credits, mode, price } = purchase;
  return accountPage({
    title: 'On to the payment',
    path: CREDITS_PATH,
    visitor,
    children: (
      <section class="panel account-narrow">
        <p>{`${count(credits)} ${mode} credits for ${money(price)}.`}</p>
        <p>The payment page should open by itself.</p>
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
