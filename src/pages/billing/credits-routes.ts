import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findAccount } from '../../accounts/accounts.js';
import { freeCallsOf } from '../../accounts/credits.js';
import { AccountError } from '../../accounts/errors.js';
import { GateError } from '../../billing/gate.js';
import { MODES, type Mode } from '../../core/billing-terms.js';
import { PaymentError } from '../../payments/provider.js';
import { findPurchase, listPurchases, type Purchase } from '../../payments/purchases.js';
import { sendHtml, sendMessage } from '../../site/responses.js';
import { formUseOf, newOnce, sendStaleForm } from '../account/once.js';
import { type AccountParts, modeOf, pathText, queryText } from '../account/requests.js';
import { fieldOf, userOf } from '../user-session.js';
import {
  CREDITS_PATH,
  type CreditsState,
  creditsPage,
  leavePage,
  type ModeCredits,
  testCheckoutPage,
} from './credits-pages.js';

/** Registers the pages of balances, packs and purchases, behind `requireUser`. */
export function creditsRoutes(app: FastifyInstance, parts: AccountParts): void {
  app.get(CREDITS_PATH, async (request, reply) => {
    const bought = await ownPurchase(parts, request, queryText(request, 'purchase'));
    if (bought !== undefined) await refreshPurchase(parts, bought, request.id);
    return sendHtml(reply, creditsPage(await stateOf(parts, request)));
  });
  // The address of a refused form, opened again.
  app.get(`${CREDITS_PATH}/buy`, (_request, reply) => reply.redirect(CREDITS_PATH, 303));
  app.post(`${CREDITS_PATH}/buy`, async (request, reply) => {
    const user = userOf(request);
    const { accountId, email } = user;
    const mode = modeOf(fieldOf(request, 'mode'));
    const credits = Number(fieldOf(request, 'credits'));
    const form = formUseOf(parts, request, reply);
    if (form === undefined) return sendStaleForm(reply, CREDITS_PATH);
    try {
      const origin = parts.publicUrl();
      const wanted = { accountId, mode, credits, email, origin };
      const started = await parts.payments.buyOnce(wanted, form);
      if (started.earlierId !== undefined) {
        return await reply.redirect(`${CREDITS_PATH}?started=${started.earlierId}`, 303);
      }
      const { purchase, url } = started;
      if (url.startsWith('/')) return await reply.redirect(url, 303);
      reply.header('refresh', `0;url=${url}`);
      return sendHtml(reply, leavePage(user, purchase, url));
    } catch (error) {
      if (!(error instanceof PaymentError || error instanceof AccountError)) throw error;
      const page = creditsPage({
        ...(await stateOf(parts, request)),
        refusal: error.message,
      });
      return sendHtml(reply, page, error.reason === 'provider_failed' ? 502 : 422);
    }
  });
  testCheckoutRoutes(app, parts);
}

/** The checkout page of the test provider and the actions of its buttons. */
function testCheckoutRoutes(app: FastifyInstance, parts: AccountParts): void {
  const path = `${CREDITS_PATH}/checkout/:purchase`;
  app.get(path, async (request, reply) => {
    const purchase = await ownPurchase(parts, request, pathText(request, 'purchase'));
    if (purchase?.provider !== 'test') return sendNoPurchase(reply);
    if (purchase.state !== 'open') {
      return reply.redirect(`${CREDITS_PATH}?purchase=${purchase.id}`, 303);
    }
    return sendHtml(reply, testCheckoutPage(userOf(request), purchase));
  });
  for (const action of ['pay', 'cancel', 'refund'] as const) {
    app.post(`${path}/${action}`, async (request, reply) => {
      const { accountId } = userOf(request);
      const purchaseId = pathText(request, 'purchase');
      try {
        await parts.payments.applyTestAction(accountId, purchaseId, action, request.id);
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error;
        if (error.reason === 'unknown_purchase') return sendNoPurchase(reply);
        return sendMessage(reply, 422, {
          title: 'The payment was not accepted',
          text: error.message,
          links: [{ href: CREDITS_PATH, label: 'Your credits' }],
        });
      }
      const back = action === 'pay' ? `${CREDITS_PATH}?purchase=${purchaseId}` : CREDITS_PATH;
      return reply.redirect(back, 303);
    });
  }
}

async function ownPurchase(
  { users: { db } }: AccountParts,
  request: FastifyRequest,
  purchaseId: string | undefined,
): Promise<Purchase | undefined> {
  if (purchaseId === undefined) return undefined;
  return await findPurchase(db, userOf(request).accountId, purchaseId);
}

function sendNoPurchase(reply: FastifyReply): FastifyReply {
  return sendMessage(reply, 404, {
    title: 'Purchase not found',
    text: 'There is no such purchase in your account.',
    links: [{ href: CREDITS_PATH, label: 'Your credits' }],
  });
}

/** Asks the provider for the state of a purchase. If there is no answer, the page shows the stored state. */
async function refreshPurchase(
  { payments }: AccountParts,
  purchase: Purchase,
  requestId: string,
): Promise<void> {
  try {
    await payments.refresh(purchase, requestId);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
  }
}

async function stateOf(parts: AccountParts, request: FastifyRequest): Promise<CreditsState> {
  const user = userOf(request);
  const confirmed = user.confirmByMs === null;
  return {
    user,
    once: MODES.map(() => newOnce(parts, user.csrfToken)),
    // The confirmation may change the live funds, and the gate learns of them only afterwards.
    modes: await Promise.all(
      MODES.filter((mode) => confirmed || mode === 'test').map((mode) =>
        creditsOf(parts, user.accountId, mode),
      ),
    ),
    purchases: await listPurchases(parts.users.db, user.accountId),
    bought: await ownPurchase(parts, request, queryText(request, 'purchase')),
    started: await ownPurchase(parts, request, queryText(request, 'started')),
  };
}

async function creditsOf(parts: AccountParts, accountId: string, mode: Mode): Promise<ModeCredits> {
  const { payments } = parts;
  const [funds, offers] = await Promise.all([
    fundsOf(parts, accountId, mode),
    payments.offers(mode).catch(unless(PaymentError)),
  ]);
  return {
    mode,
    paidCredits: funds?.paidCredits,
    debtCredits: funds?.debtCredits ?? 0,
    free: funds === undefined ? undefined : freeCallsOf(funds, parts.users.clock()),
    seller: payments.sellerOf(mode),
    offers,
  };
}

async function fundsOf({ users: { db }, gate }: AccountParts, accountId: string, mode: Mode) {
  return await gate.funds(await findAccount(db, accountId), mode).catch(unless(GateError));
}

/** Turns an error of this class into undefined, so that the page can show the rest. */
function unless(kind: typeof PaymentError | typeof GateError): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof kind) return undefined;
    throw error;
  };
}
