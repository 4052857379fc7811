import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import {
  rememberClosedAccount,
  succeedClosedAccounts,
} from '../../src/accounts/closed-accounts.js';
import { balanceOf, grantCredits } from '../../src/accounts/credits.js';
import { debtOf, forgiveDebt, listDebtors, sumDebts } from '../../src/accounts/debts.js';
import type { Database } from '../../src/database/schema.js';
import { bookCredits } from '../../src/ledger/book-credits.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { Payments } from '../../src/payments/payments.js';
import { listPurchases, type Purchase } from '../../src/payments/purchases.js';
import { sumRefunds } from '../../src/payments/refunds.js';
import { DIALECTS } from '../support/dialects.js';
import { refused } from '../support/refused.js';
import { openForTest } from '../support/test-database.js';
import {
  paidSession,
  refundOf,
  type Signing,
  type StripeDouble,
  signedEvent,
  startStripeDouble,
} from './stripe-double.js';

const ORIGIN = 'https://vitruvia.example';

describe.each(DIALECTS)('on $name', ({ newUrl }) => {
  let db: Database;
  let stripe: StripeDouble;
  let payments: Payments;
  let account: string;

  beforeEach(async () => {
    db = await openForTest(await newUrl());
    stripe = await startStripeDouble();
    const log = pino({ level: 'silent' });
    payments = new Payments({ db, stripe: stripe.provider, testPaymentsForLive: false, log });
    ({ id: account } = await createAccount(db, 'buyer'));
  });
  afterEach(async () => {
    expect(await verifyLedger(db)).toEqual([]);
    await stripe.close();
  });

  async function buy(credits = 500): Promise<Purchase> {
    return (await payments.buy({ accountId: account, mode: 'live', credits, origin: ORIGIN }))
      .purchase;
  }

  function send(type: string, object: object, signing: Partial<Signing> = {}) {
    const { body, signature } = signedEvent(type, object, { secret: stripe.secret, ...signing });
    return payments.receive('stripe', body, signature);
  }

  const completed = (session: string, more?: object) =>
    send('checkout.session.completed', paidSession(session, more));
  const pay = ({ sessionId, price }: Purchase) =>
    completed(sessionId, { amount_total: price.amountMinor });
  const balance = () => balanceOf(db, account, 'live');
  const debt = () => debtOf(db, account);
  const purchaseNow = async () => (await listPurchases(db, account))[0];

  async function spend(credits: number): Promise<void> {
    const entry = { accountId: account, mode: 'live', kind: 'correction', atMs: 1 } as const;
    await db
      .transaction()
      .execute((trx) =>
        bookCredits(trx, { ...entry, credits: -credits, cause: `spent:${credits}` }),
      );
  }

  describe('a purchase through Stripe', () => {
    it('has Stripe’s price, and its checkout asks for the agreed amount', async () => {
      expect(await payments.offers('live')).toEqual([
        { credits: 100, price: { amountMinor: 900, currency: 'eur' } },
        { credits: 500, price: { amountMinor: 3900, currency: 'eur' } },
        { credits: 1000, price: { amountMinor: 6900, currency: 'eur' } },
      ]);
      const email = 'ada@example.com';
      const wanted = { accountId: account, mode: 'live', credits: 500, email } as const;
      const { purchase, url } = await payments.buy({ ...wanted, origin: ORIGIN });
      expect(url).toBe(`https://checkout.stripe.test/c/${purchase.sessionId}`);
      expect(await purchaseNow()).toEqual(purchase);
      expect(purchase).toMatchObject({ state: 'open', credits: 500, price: { amountMinor: 3900 } });
      const request = stripe.requests.find(({ method }) => method === 'POST');
      expect(request?.headers.authorization).toBe('Bearer sk_test_double');
      expect(request?.headers['idempotency-key']).toBe(purchase.id);
      expect(Object.fromEntries(request?.form ?? [])).toMatchObject({
        mode: 'payment',
        'line_items[0][price]': 'price_500',
        'line_items[0][quantity]': '1',
        'adaptive_pricing[enabled]': 'false',
        currency: 'eur',
        customer_email: email,
        client_reference_id: purchase.id,
        success_url: `${ORIGIN}/account/credits?purchase=${purchase.id}`,
      });
      expect(await balance()).toBe(0);
    });

    it('is not started for an unknown pack or when Stripe fails', async () => {
      await refused(buy(250), 'unknown_pack');
      stripe.fail();
      await refused(buy(100), 'provider_failed');
      expect(await listPurchases(db, account)).toEqual([]);
    });

    it('is credited once, however often and late it is confirmed', async () => {
      const { id, sessionId } = await buy();
      await buy(100);
      expect(await send('checkout.session.expired', { id: sessionId })).toBe('noted');
      expect(await completed(sessionId)).toBe('credited');
      expect(await completed(sessionId)).toBe('unchanged');
      await Promise.all([1, 2, 3].map(() => completed(sessionId)));
      expect(await send('checkout.session.expired', { id: sessionId })).toBe('unchanged');
      expect(await balance()).toBe(500);
      const entries = await db.selectFrom('ledger_entries').selectAll().execute();
      expect(entries).toMatchObject([{ kind: 'purchase', cause: `purchase:${id}`, credits: 500 }]);
      const paid = (await listPurchases(db, account)).find((purchase) => purchase.id === id);
      expect(paid).toMatchObject({ state: 'paid', paymentId: `pi_${sessionId}` });
    });

    it('waits for a payment in progress', async () => {
      const { sessionId } = await buy();
      expect(await completed(sessionId, { payment_status: 'unpaid' })).toBe('noted');
      expect(await purchaseNow()).toMatchObject({ state: 'processing' });
      expect(await balance()).toBe(0);
      const session = paidSession(sessionId);
      expect(await send('checkout.session.async_payment_succeeded', session)).toBe('credited');
      expect(await completed(sessionId, { payment_status: 'unpaid' })).toBe('unchanged');
      expect(await balance()).toBe(500);
      const other = await buy();
      await send('checkout.session.async_payment_failed', { id: other.sessionId });
      expect(await purchaseNow()).toMatchObject({ id: other.id, state: 'failed' });
    });

    it('is not credited for a forged, altered, old or unsigned message', async () => {
      const { sessionId } = await buy();
      const session = paidSession(sessionId);
      const { body, signature } = signedEvent('checkout.session.completed', session, stripe);
      const altered = Buffer.from(String(body).replace('3900', '3901'));
      const old = { secret: stripe.secret, timestamp: Math.floor(Date.now() / 1000) - 301 };
      const tries: [Buffer, string][] = [
        [body, ''],
        [body, 't=1,v1=00'],
        [body, signature.replace(/v1=./, 'v1=g')],
        [altered, signature],
        [body, signedEvent('checkout.session.completed', session, { secret: 'whsec_x' }).signature],
        Object.values(signedEvent('checkout.session.completed', session, old)) as [Buffer, string],
      ];
      for (const [text, header] of tries) {
        await refused(payments.receive('stripe', text, header), 'forged');
      }
      await refused(payments.receive('test', body, signature), 'forged');
      expect(await balance()).toBe(0);
      expect(await purchaseNow()).toMatchObject({ state: 'open' });
    });

    it('is not credited if amount or currency differ, whatever the metadata say', async () => {
      const claims = { metadata: { credits: '1000000', account }, client_reference_id: 'pur_x' };
      const wrong = [{ amount_total: 3899 }, { currency: 'jpy' }, { amount_total: 900, ...claims }];
      for (const more of wrong) {
        const { sessionId } = await buy();
        expect(await completed(sessionId, more)).toBe('refused');
        expect(await completed(sessionId)).toBe('unchanged');
        expect(await purchaseNow()).toMatchObject({ state: 'refused', note: /agreed 3900 eur/ });
      }
      expect(await completed('cs_unknown', claims)).toBe('unknown');
      expect(await balance()).toBe(0);
    });

    it('is booked once when the buyer returns, whether the message arrives or not', async () => {
      const purchase = await buy();
      stripe.setSession({ id: purchase.sessionId, ...{ status: 'open' } });
      expect(await payments.refresh(purchase)).toBe('unchanged');
      stripe.setSession({ ...paidSession(purchase.sessionId), ...{ status: 'complete' } });
      expect(await payments.refresh(purchase)).toBe('credited');
      expect(await payments.refresh(purchase)).toBe('unchanged');
      expect(await completed(purchase.sessionId)).toBe('unchanged');
      expect(await balance()).toBe(500);
    });
  });

  describe('a refund', () => {
    it('takes credits back in proportion, once', async () => {
      const { sessionId } = await buy();
      await completed(sessionId);
      const part = refundOf(sessionId, 're_1', 1300, 'pending');
      expect(await send('refund.created', part)).toBe('refund_booked');
      expect(await send('refund.updated', { ...part, status: 'succeeded' })).toBe('unchanged');
      expect(await balance()).toBe(500 - 166);
      await send('refund.created', refundOf(sessionId, 're_2', 1300));
      expect(await balance()).toBe(500 - 333);
      await send('refund.created', refundOf(sessionId, 're_3', 1300));
      expect(await balance()).toBe(0);
      const entries = await db
        .selectFrom('ledger_entries')
        .select(['kind', 'cause', 'credits'])
        .where('kind', '=', 'correction')
        .orderBy('id')
        .execute();
      expect(entries).toEqual([
        { kind: 'correction', cause: 'refund:re_1', credits: -166 },
        { kind: 'correction', cause: 'refund:re_2', credits: -167 },
        { kind: 'correction', cause: 'refund:re_3', credits: -167 },
      ]);
    });

    it('takes back only unspent credits, and shows how many were spent', async () => {
      const { sessionId } = await buy();
      await completed(sessionId);
      await spend(400);
      await send('refund.created', refundOf(sessionId, 're_1', 3900));
      expect(await balance()).toBe(0);
      expect((await purchaseNow())?.refunds).toMatchObject([
        { creditsDue: 500, creditsTaken: 100 },
      ]);
      const sums = { refunds: 1, creditsTaken: 100, creditsMissing: 400 };
      expect(await sumRefunds(db)).toEqual(sums);
    });

    it('leaves a debt of what was spent, which the next purchase pays first, however often', async () => {
      const bought = await buy(1000);
      await pay(bought);
      await spend(500);
      const dispute = refundOf(bought.sessionId, 'dp_1', 6900);
      await send('charge.dispute.funds_withdrawn', dispute);
      await send('charge.dispute.funds_withdrawn', dispute);
      expect([await balance(), await debt()]).toEqual([0, 500]);
      expect(await listDebtors(db)).toMatchObject([{ accountId: account, credits: 500 }]);
      expect(await sumDebts(db)).toEqual({ accounts: 1, credits: 500 });
      await grantCredits(db, account, 'live', 30);
      expect([await balance(), await debt()]).toEqual([30, 500]);

      const first = await buy(100);
      await Promise.all([1, 2, 3].map(() => pay(first)));
      expect([await balance(), await debt()]).toEqual([30, 400]);
      const second = await buy(500);
      await pay(second);
      expect([await balance(), await debt()]).toEqual([130, 0]);
      const paid = await db
        .selectFrom('ledger_entries')
        .select(['cause', 'credits', 'balance_after'])
        .where('cause', 'like', 'debt:%')
        .orderBy('id')
        .execute();
      expect(paid).toEqual([
        { cause: `debt:purchase:${first.id}`, credits: -100, balance_after: 30 },
        { cause: `debt:purchase:${second.id}`, credits: -400, balance_after: 130 },
      ]);
    });

    it('that fails cancels what is still owed, and returns what was taken or paid for it', async () => {
      const bought = await buy(1000);
      await pay(bought);
      await spend(700);
      const refund = refundOf(bought.sessionId, 're_1', 6900);
      await send('refund.created', refund);
      await pay(await buy(100));
      expect([await balance(), await debt()]).toEqual([0, 600]);
      await send('refund.failed', { ...refund, status: 'failed' });
      await send('refund.failed', { ...refund, status: 'failed' });
      expect([await balance(), await debt()]).toEqual([300 + 100, 0]);
      expect(await sumRefunds(db)).toMatchObject({ creditsTaken: 0, creditsMissing: 0 });
    });

    it('that fails pays the debts of other refunds with what it returns', async () => {
      const one = await buy(100);
      const other = await buy(500);
      await pay(one);
      await pay(other);
      await spend(550);
      const refund = refundOf(one.sessionId, 're_1', 900);
      await send('refund.created', refund);
      await send('refund.created', refundOf(other.sessionId, 're_2', 3900));
      expect([await balance(), await debt()]).toEqual([0, 50 + 500]);
      await send('refund.failed', { ...refund, status: 'failed' });
      expect([await balance(), await debt()]).toEqual([0, 450]);
    });

    it('that was forgiven and then fails returns only what was taken', async () => {
      const bought = await buy(1000);
      await pay(bought);
      await spend(900);
      const refund = refundOf(bought.sessionId, 're_1', 6900);
      await send('refund.created', refund);
      const forgive = (more: { cause: string; creditsMax?: number }) =>
        forgiveDebt(db, account, more);
      await refused(forgive({ cause: 'a', creditsMax: 0 }), 'invalid_amount');
      expect(await forgive({ cause: 'a', creditsMax: 300 })).toMatchObject({ debt: 600 });
      await refused(forgive({ cause: 'a' }), 'cause_conflict');
      expect(await forgive({ cause: 'b' })).toMatchObject({ forgiven: 600, debt: 0 });
      await refused(forgive({ cause: 'c' }), 'not_in_debt');
      await send('refund.failed', { ...refund, status: 'failed' });
      expect([await balance(), await debt()]).toEqual([100, 0]);
      const trail = await db.selectFrom('debts').select(['kind', 'cause', 'credits']).execute();
      expect(trail).toEqual([
        { kind: 'reversed', cause: 'refund:re_1', credits: 900 },
        { kind: 'forgiven', cause: 'forgiven:a', credits: -300 },
        { kind: 'forgiven', cause: 'forgiven:b', credits: -600 },
      ]);
    });

    it('of a deleted account follows its owner to the account made with the same address', async () => {
      const bought = await buy(100);
      const late = await buy(500);
      await pay(bought);
      await pay(late);
      await spend(600);
      await send('refund.created', refundOf(bought.sessionId, 're_1', 900));
      const owner = 'buyer@example.com';
      const nowMs = Date.now();
      await db.transaction().execute((trx) => rememberClosedAccount(trx, account, owner, nowMs));
      const { id: next } = await createAccount(db, 'buyer again');
      await grantCredits(db, next, 'live', 120);
      await db.transaction().execute((trx) => succeedClosedAccounts(trx, next, owner, nowMs));
      expect([await debt(), await debtOf(db, next)]).toEqual([0, 100]);
      const reversed = refundOf(late.sessionId, 're_2', 3900);
      await send('refund.created', reversed);
      expect([await debt(), await debtOf(db, next)]).toEqual([0, 100 + 500 - 120]);
      expect(await balanceOf(db, next, 'live')).toBe(0);
      await send('refund.failed', { ...reversed, status: 'failed' });
      expect(await debtOf(db, next)).toBe(0);
      expect(await balanceOf(db, next, 'live')).toBe(20);
    });

    it('reported before its payment is booked together with it', async () => {
      const { sessionId } = await buy();
      expect(await send('refund.created', refundOf(sessionId, 're_1', 3900))).toBe('unknown');
      expect(await completed(sessionId)).toBe('credited');
      expect(await balance()).toBe(0);
      expect((await purchaseNow())?.refunds).toMatchObject([{ id: 're_1', creditsTaken: 500 }]);
    });

    it('that fails returns the credits once, and stays failed', async () => {
      const { sessionId } = await buy();
      await completed(sessionId);
      const refund = refundOf(sessionId, 're_1', 3900);
      await send('refund.created', refund);
      expect(await balance()).toBe(0);
      const failed = { ...refund, status: 'failed' };
      expect(await send('refund.failed', failed)).toBe('refund_booked');
      expect(await send('refund.failed', failed)).toBe('unchanged');
      expect(await send('refund.updated', refund)).toBe('unchanged');
      expect(await balance()).toBe(500);
      const early = refundOf(sessionId, 're_2', 3900);
      await send('refund.failed', { ...early, status: 'failed' });
      await send('refund.created', early);
      expect(await balance()).toBe(500);
    });

    it('forced by the buyer’s bank counts as a refund', async () => {
      const { sessionId } = await buy();
      await completed(sessionId);
      const dispute = { ...refundOf(sessionId, 'dp_1', 3900), object: 'dispute', status: 'lost' };
      await send('charge.dispute.funds_withdrawn', dispute);
      expect(await balance()).toBe(0);
      await send('charge.dispute.funds_reinstated', dispute);
      expect(await balance()).toBe(500);
    });

    it('in another currency or of another service changes nothing', async () => {
      const { sessionId } = await buy();
      await completed(sessionId);
      await send('refund.created', { ...refundOf(sessionId, 're_1', 3900), currency: 'jpy' });
      await send('refund.created', refundOf('cs_other', 're_2', 3900));
      expect(await balance()).toBe(500);
    });
  });
});
