import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { balanceOf } from '../../src/accounts/credits.js';
import type { Database } from '../../src/database/schema.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { Payments, PURCHASES_PER_DAY } from '../../src/payments/payments.js';
import { findPurchase } from '../../src/payments/purchases.js';
import { TestProvider } from '../../src/payments/test-provider.js';
import { DIALECTS } from '../support/dialects.js';
import { refused } from '../support/refused.js';
import { openForTest } from '../support/test-database.js';

const ORIGIN = 'http://localhost';
const log = pino({ level: 'silent' });

describe.each(DIALECTS)('on $name', ({ newUrl }) => {
  let db: Database;
  let account: string;

  beforeEach(async () => {
    db = await openForTest(await newUrl());
    ({ id: account } = await createAccount(db, 'buyer'));
  });
  afterEach(async () => {
    expect(await verifyLedger(db)).toEqual([]);
  });

  function sale(testPaymentsForLive: boolean): Payments {
    return new Payments({ db, testPaymentsForLive, log });
  }

  it('test payments buy live credits only if allowed', async () => {
    const wanted = { accountId: account, mode: 'live', credits: 100, origin: ORIGIN } as const;
    expect(await sale(false).offers('live')).toEqual([]);
    await refused(sale(false).buy(wanted), 'not_for_sale');
    const payments = sale(true);
    const { purchase, url } = await payments.buy(wanted);
    expect(url).toBe(`/account/credits/checkout/${purchase.id}`);
    expect(await payments.applyTestAction(account, purchase.id, 'pay')).toBe('credited');
    expect(await payments.applyTestAction(account, purchase.id, 'pay')).toBe('unchanged');
    expect(await balanceOf(db, account, 'live')).toBe(100);
    expect(await payments.applyTestAction(account, purchase.id, 'refund')).toBe('refund_booked');
    expect(await payments.applyTestAction(account, purchase.id, 'refund')).toBe('unchanged');
    expect(await balanceOf(db, account, 'live')).toBe(0);
  });

  it('a live purchase started as a test payment cannot be paid if that is not allowed', async () => {
    const wanted = { accountId: account, mode: 'live', credits: 100, origin: ORIGIN } as const;
    const { purchase } = await sale(true).buy(wanted);
    await refused(sale(false).applyTestAction(account, purchase.id, 'pay'), 'not_for_sale');
    expect(await balanceOf(db, account, 'live')).toBe(0);
    expect(await sale(false).applyTestAction(account, purchase.id, 'cancel')).toBe('noted');
  });

  it('an account can start a limited number of purchases per day', async () => {
    const payments = sale(false);
    const wanted = { accountId: account, mode: 'test', credits: 100, origin: ORIGIN } as const;
    for (let started = 0; started < PURCHASES_PER_DAY; started++) await payments.buy(wanted);
    await refused(payments.buy(wanted), 'too_many_purchases');
    const { id: other } = await createAccount(db, 'another');
    await expect(payments.buy({ ...wanted, accountId: other })).resolves.toBeDefined();
  });

  it('test credits are at most 1,000 per day, even with two open checkouts', async () => {
    const payments = sale(false);
    const buy = async (credits: number) =>
      (await payments.buy({ accountId: account, mode: 'test', credits, origin: ORIGIN })).purchase
        .id;
    const [first, second, third] = [await buy(1000), await buy(500), await buy(100)];
    expect(await payments.applyTestAction(account, third, 'cancel')).toBe('noted');
    expect(await payments.applyTestAction(account, first, 'pay')).toBe('credited');
    expect(await payments.applyTestAction(account, second, 'pay')).toBe('refused');
    expect(await findPurchase(db, account, second)).toMatchObject({
      state: 'refused',
      note: /1000/,
    });
    await refused(buy(100), 'test_credit_limit');
    expect(await balanceOf(db, account, 'test')).toBe(1000);
  });

  it('nobody can action on the purchase of another account or sign for the provider', async () => {
    const payments = sale(true);
    const wanted = { accountId: account, mode: 'live', credits: 100, origin: ORIGIN } as const;
    const { purchase } = await payments.buy(wanted);
    const { id: thief } = await createAccount(db, 'thief');
    for (const action of ['pay', 'cancel', 'refund'] as const) {
      await refused(payments.applyTestAction(thief, purchase.id, action), 'unknown_purchase');
    }
    // A signature from another process, and a signature for another provider.
    const { body, signature } = await new TestProvider().paid(purchase.sessionId, purchase.price);
    await refused(payments.receive('test', body, signature), 'forged');
    await refused(payments.receive('stripe', body, signature), 'not_for_sale');
    expect(await findPurchase(db, account, purchase.id)).toMatchObject({ state: 'open' });
  });
});
