import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { balanceOf } from '../../src/accounts/credits.js';
import { debtOf } from '../../src/accounts/debts.js';
import { openDatabase } from '../../src/database/open.js';
import { bookDebt } from '../../src/ledger/debts.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { Payments } from '../../src/payments/payments.js';
import { serveAt } from '../support/cli.js';
import { newSqliteUrl } from '../support/folders.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { paidSession, signedEvent, startStripeDouble } from './stripe-double.js';

const PURCHASES = 30;
/** Reports that are under way at once. */
const AT_ONCE = 8;
/** The debt is more than one purchase and less than two. The second purchase pays the rest of it. */
const DEBT = 750;

it('a payment reported while the service is killed is credited once after a second report, and pays a debt once', async () => {
  const databaseUrl = newSqliteUrl();
  const db = await openDatabase(databaseUrl);
  const stripe = await startStripeDouble();
  const log = pino({ level: 'silent' });
  const payments = new Payments({ db, stripe: stripe.provider, testPaymentsForLive: false, log });
  const { id: accountId } = await createAccount(db, 'buyer');
  const entry = { accountId, kind: 'reversed', credits: DEBT, reversal: 'refund:1' } as const;
  await db
    .transaction()
    .execute((trx) => bookDebt(trx, { ...entry, cause: 'refund:1', atMs: Date.now() }));
  /** Credits bought so far: the balance of the account, plus the part of the debt that is paid. */
  const bought = async () =>
    (await balanceOf(db, accountId, 'live')) + DEBT - (await debtOf(db, accountId));
  const sessions: string[] = [];
  for (let index = 0; index < PURCHASES; index++) {
    const wanted = { accountId, mode: 'live', credits: 500, origin: 'http://x' } as const;
    sessions.push((await payments.buy(wanted)).purchase.sessionId);
  }
  const env = {
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    ARTIFACTS_DIR: writeTinyArtifact(),
    STRIPE_SECRET_KEY: 'sk_test_double',
    STRIPE_WEBHOOK_SECRET: stripe.secret,
    STRIPE_PRICE_100: 'price_100',
    STRIPE_PRICE_500: 'price_500',
    STRIPE_PRICE_1000: 'price_1000',
  };
  /** Reports every payment, several at once. Returns the number of reports that were acknowledged. */
  async function reportAll(address: string, onFirst = () => undefined as unknown): Promise<number> {
    let acknowledged = 0;
    const report = async (session: string) => {
      const { body, signature } = signedEvent(
        'checkout.session.completed',
        paidSession(session),
        stripe,
      );
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
      const url = `${address}/webhooks/stripe`;
      const request = { method: 'POST', headers, body: new Uint8Array(body) };
      if ((await fetch(url, request)).status === 200 && ++acknowledged === 1) onFirst();
    };
    const waiting = sessions.values();
    const reporters = Array.from({ length: AT_ONCE }, async () => {
      // After the kill every report fails.
      for (const session of waiting) await report(session).catch(() => undefined);
    });
    await Promise.all(reporters);
    return acknowledged;
  }

  const killed = await serveAt(env);
  // The first payment is booked while others are under way.
  const acknowledged = await reportAll(killed.address, () => killed.stop('SIGKILL'));
  const booked = (await bought()) / 500;
  expect(acknowledged).toBeGreaterThan(0);
  expect(booked).toBeGreaterThanOrEqual(acknowledged);
  expect(await verifyLedger(db)).toEqual([]);

  const again = await serveAt(env);
  expect(await reportAll(again.address)).toBe(PURCHASES);
  expect(await again.stop()).toEqual([0, null]);
  expect(await balanceOf(db, accountId, 'live')).toBe(PURCHASES * 500 - DEBT);
  expect(await debtOf(db, accountId)).toBe(0);
  const states = await db.selectFrom('purchases').select('state').execute();
  expect(states.every(({ state }) => state === 'paid')).toBe(true);
  expect(await verifyLedger(db)).toEqual([]);
  await db.destroy();
  await stripe.close();
});
