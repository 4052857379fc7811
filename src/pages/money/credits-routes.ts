import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findAccount } from '../../accounts/accounts.js';
import { AccountError } from '../../accounts/errors.js';
import { freeCallsOf } from '../../accounts/free-calls.js';
import { GateError } from '../../billing/errors.js';
import { MODES, type Mode } from '../../core/billing-terms.js';
import { PaymentError } from '../../payments/errors.js';
import { findPurchase, listPurchases, type Purchase } from '../../payments/purchases.js';
import { sendMessage } from '../message-page.js';
import { sendHtml } from '../send-html.js';
import { fieldOf, visitorOf } from '../visitors.js';
import { leavePage, playCheckoutPage } from './checkout-pages.js';
import { CREDITS_PATH, type CreditsState, creditsPage, type ModeCredits } from './credits-page.js';
import { type MoneyParts, modeOf, pathText, queryText } from './parts.js';

/** Registers balances, packs and purchases, behind `requirePerson`. */
export function creditsRoutes(app: FastifyInstance, parts: MoneyParts): void {
  app.get(CREDITS_PATH, async (request, reply) => {
    const bought = await ownPurchase(parts, request, queryText(request, 'purchase'));
    if (bought !== undefined) await catchUp(parts, bought);
    return sendHtml(reply, creditsPage(await stateOf(parts, request)));
  });
  app.post(`${CREDITS_PATH}/buy`, async (request, reply) => {
    const visitor = visitorOf(request);
    const { accountId, email } = visitor;
    const mode = modeOf(fieldOf(request, 'mode'));
    const credits = Number(fieldOf(request, 'credits'));
    try {
      const origin = parts.publicUrl();
      const { purchase, url } = await parts.payments.buy({
        accountId,
        mode,
        credits,
        email,
        origin,
      });
      if (url.startsWith('/')) return await reply.redirect(url, 303);
      reply.header('refresh', `0;url=${url}`);
      return sendHtml(reply, leavePage(visitor, purchase, url));
    } catch (error) {
      if (!(error instanceof PaymentError || error instanceof AccountError)) throw error;
      const page = creditsPage({ ...(await stateOf(parts, request)), refusal: error.message });
      return sendHtml(reply, page, error.reason === 'provider_failed' ? 502 : 422);
    }
  });
  playRoutes(app, parts);
}

/** The test provider's page and its buttons. */
function playRoutes(app: FastifyInstance, parts: MoneyParts): void {
  const path = `${CREDITS_PATH}/checkout/:purchase`;
  app.get(path, async (request, reply) => {
    const purchase = await ownPurchase(parts, request, pathText(request, 'purchase'));
    if (purchase?.provider !== 'test') return sendNoPurchase(reply);
    if (purchase.state !== 'open') {
      return reply.redirect(`${CREDITS_PATH}?purchase=${purchase.id}`, 303);
    }
    return sendHtml(reply, playCheckoutPage(visitorOf(request), purchase));
  });
  for (const act of ['pay', 'cancel', 'refund'] as const) {
    app.post(`${path}/${act}`, async (request, reply) => {
      const { accountId } = visitorOf(request);
      const purchaseId = pathText(request, 'purchase');
      try {
        await parts.payments.playOut(accountId, purchaseId, act);
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error;
        if (error.reason === 'unknown_purchase') return sendNoPurchase(reply);
        return sendMessage(reply, 422, {
          title: 'Not for sale',
          text: error.message,
          links: [{ href: CREDITS_PATH, label: 'Your credits' }],
        });
      }
      const back = act === 'pay' ? `${CREDITS_PATH}?purchase=${purchaseId}` : CREDITS_PATH;
      return reply.redirect(back, 303);
    });
  }
}

async function ownPurchase(
  { db }: MoneyParts,
  request: FastifyRequest,
  purchaseId: string | undefined,
): Promise<Purchase | undefined> {
  if (purchaseId === undefined) return undefined;
  return await findPurchase(db, visitorOf(request).accountId, purchaseId);
}

function sendNoPurchase(reply: FastifyReply): FastifyReply {
  return sendMessage(reply, 404, {
    title: 'No such purchase',
    text: 'You have no such purchase.',
    links: [{ href: CREDITS_PATH, label: 'Your credits' }],
  });
}

/** Asks the provider for news; without an answer the page shows what is known. */
async function catchUp({ payments }: MoneyParts, purchase: Purchase): Promise<void> {
  try {
    await payments.catchUp(purchase);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
  }
}

async function stateOf(parts: MoneyParts, request: FastifyRequest): Promise<CreditsState> {
  const visitor = visitorOf(request);
  return {
    visitor,
    modes: await Promise.all(MODES.map((mode) => creditsOf(parts, visitor.accountId, mode))),
    purchases: await listPurchases(parts.db, visitor.accountId),
    bought: await ownPurchase(parts, request, queryText(request, 'purchase')),
  };
}

async function creditsOf(parts: MoneyParts, accountId: string, mode: Mode): Promise<ModeCredits> {
  const { payments } = parts;
  const [funds, offers] = await Promise.all([
    fundsOf(parts, accountId, mode),
    payments.offers(mode).catch(unless(PaymentError)),
  ]);
  return {
    mode,
    paidCredits: funds?.paidCredits,
    free: funds === undefined ? undefined : freeCallsOf(funds, parts.clock()),
    seller: payments.sellerOf(mode),
    offers,
  };
}

async function fundsOf({ db, gate }: MoneyParts, accountId: string, mode: Mode) {
  return await gate.funds(await findAccount(db, accountId), mode).catch(unless(GateError));
}

/** Undefined in place of such an error: the page shows the rest. */
function unless(kind: typeof PaymentError | typeof GateError): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof kind) return undefined;
    throw error;
  };
}
