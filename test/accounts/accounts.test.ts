import { beforeEach, describe, expect, it } from 'vitest';
import {
  createAccount,
  findAccount,
  insertAccount,
  listAccounts,
} from '../../src/accounts/accounts.js';
import { hashApiKey, parseApiKey } from '../../src/accounts/api-key.js';
import {
  balanceOf,
  correctCredits,
  GRANT_CREDITS_MAX,
  grantCredits,
  reasonOfCorrection,
} from '../../src/accounts/credits.js';
import { createKey, listKeys, revokeKey } from '../../src/accounts/keys.js';
import type { Database } from '../../src/database/schema.js';
import { ledgerPage } from '../../src/ledger/ledger-page.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { DIALECTS } from '../support/dialects.js';
import { refused } from '../support/refused.js';
import { openForTest } from '../support/test-database.js';

describe.each(DIALECTS)('on $name', ({ newUrl }) => {
  let db: Database;
  beforeEach(async () => {
    db = await openForTest(await newUrl());
  });

  describe('accounts', () => {
    it('are found by id and by name', async () => {
      const ada = await createAccount(db, ' Ada ', 1);
      const bob = await createAccount(db, 'Bob', 2);
      expect(await findAccount(db, 'Ada')).toEqual(ada);
      expect(await findAccount(db, bob.id)).toEqual(bob);
      expect(await listAccounts(db)).toEqual([ada, bob]);
      await refused(findAccount(db, 'Eve'), 'unknown_account');
    });

    it('get a name that no other account has', async () => {
      const { id } = await createAccount(db, 'Ada');
      await expect(createAccount(db, ' Ada ')).rejects.toMatchObject({
        reason: 'name_taken',
        message: `There is already an account named "Ada": ${id}. Choose another name.`,
      });
      // The first round opens the connections. In the later rounds, the rivals race.
      for (const name of ['Bob 1', 'Bob 2', 'Bob 3', 'Bob 4']) {
        const rivals = Array.from({ length: 8 }, () => createAccount(db, name));
        const outcomes = await Promise.allSettled(rivals);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
      expect(await listAccounts(db)).toHaveLength(5);
      await createAccount(db, 'ada');
    });

    it('that share a name, as people who sign up may, are found only by id', async () => {
      const ids: string[] = [];
      for (let nowMs = 1; nowMs <= 11; nowMs++) {
        const { id } = await db.transaction().execute((trx) => insertAccount(trx, 'Ada', nowMs));
        ids.push(id);
      }
      await expect(findAccount(db, 'Ada')).rejects.toMatchObject({
        reason: 'ambiguous_name',
        message: `Several accounts are named "Ada". Use the id of one instead: ${ids.slice(0, 10).join(', ')}, ….`,
      });
      for (const id of ids) expect((await findAccount(db, id)).id).toBe(id);
      await refused(createAccount(db, 'Ada'), 'name_taken');
    });

    it('refuse invalid names', async () => {
      for (const name of ['', '  ', 'a\nb', 'x'.repeat(101), 'acc_1']) {
        await refused(createAccount(db, name), 'invalid_name');
      }
    });
  });

  describe('keys', () => {
    it('are returned in full once and stored as a hash', async () => {
      const { id, partition } = await createAccount(db, 'Ada');
      const key = await createKey(db, 'Ada', 'test', 'laptop');
      expect(parseApiKey(key.apiKey)).toEqual({ mode: 'test', partition });
      const { apiKey, ...listed } = key;
      expect(await listKeys(db, id)).toEqual([listed]);
      const rows = await db.selectFrom('api_keys').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(apiKey);
      expect(rows[0]?.hash).toBe(hashApiKey(apiKey));
    });

    it('are revoked permanently', async () => {
      await createAccount(db, 'Ada');
      const { id } = await createKey(db, 'Ada', 'live');
      await revokeKey(db, id, 7);
      await revokeKey(db, id, 8);
      expect(await listKeys(db)).toMatchObject([{ id, revokedAtMs: 7 }]);
      await refused(revokeKey(db, 'key_x'), 'unknown_key');
    });
  });

  describe('credits', () => {
    it('are booked with a ledger entry', async () => {
      await createAccount(db, 'Ada');
      expect(await grantCredits(db, 'Ada', 'live', 100)).toMatchObject({ balance: 100 });
      expect(await grantCredits(db, 'Ada', 'live', 50)).toMatchObject({ balance: 150 });
      expect(await balanceOf(db, 'Ada', 'live')).toBe(150);
      expect(await balanceOf(db, 'Ada', 'test')).toBe(0);
      expect(await verifyLedger(db)).toEqual([]);
    });

    it('must be whole, positive and within the limit', async () => {
      await createAccount(db, 'Ada');
      for (const amount of [0, -1, 1.5, Number.NaN, GRANT_CREDITS_MAX + 1]) {
        await refused(grantCredits(db, 'Ada', 'live', amount), 'invalid_amount');
      }
    });

    it('are booked once per cause', async () => {
      await createAccount(db, 'Ada');
      const options = { cause: 'order 1', kind: 'purchase' } as const;
      expect(await grantCredits(db, 'Ada', 'live', 100, options)).toMatchObject({ applied: true });
      expect(await grantCredits(db, 'Ada', 'live', 100, options)).toMatchObject({ applied: false });
      expect(await balanceOf(db, 'Ada', 'live')).toBe(100);
      await refused(grantCredits(db, 'Ada', 'live', 500, options), 'cause_conflict');
    });

    it('are corrected up or down, once for a reason, and never below zero', async () => {
      const { id } = await createAccount(db, 'Ada');
      const correct = (amount: number, reason: string) =>
        correctCredits(db, 'Ada', 'live', amount, reason);
      expect(await correct(50, 'invoice 17')).toMatchObject({ balance: 50, applied: true });
      expect(await correct(-20, 'booked twice')).toMatchObject({ balance: 30, applied: true });
      expect(await correct(-20, 'booked twice')).toMatchObject({ balance: 30, applied: false });
      const cases = [
        [-31, 'too much', 'invalid_amount'],
        [0, 'nothing', 'invalid_amount'],
        [-0.5, 'half', 'invalid_amount'],
        [-21, 'booked twice', 'cause_conflict'],
        [1, ' ', 'invalid_reason'],
        [1, 'x'.repeat(201), 'invalid_reason'],
      ] as const;
      for (const [amount, text, reason] of cases) {
        await refused(correct(amount, text), reason);
      }
      await createAccount(db, 'Bob');
      await correctCredits(db, 'Bob', 'test', 1, 'booked twice');
      const { lines } = await ledgerPage(db, id, 'live');
      expect(lines.map(({ kind, credits }) => [kind, credits]).sort()).toEqual([
        ['correction', -20],
        ['correction', 50],
      ]);
      expect(lines.map(({ cause }) => reasonOfCorrection(cause)).sort()).toEqual([
        'booked twice',
        'invoice 17',
      ]);
      expect(await verifyLedger(db)).toEqual([]);
    });

    it('in test mode are at most 1,000 in 24 hours', async () => {
      await createAccount(db, 'Ada');
      await grantCredits(db, 'Ada', 'test', 600, { nowMs: 1000 });
      await grantCredits(db, 'Ada', 'test', 400, { nowMs: 2000 });
      const more = (nowMs: number): Promise<unknown> =>
        grantCredits(db, 'Ada', 'test', 1, { nowMs });
      await refused(more(24 * 3600_000 + 999), 'test_credit_limit');
      await more(24 * 3600_000 + 1000);
      expect(await balanceOf(db, 'Ada', 'test')).toBe(1001);
    });

    it('granted concurrently all count, and respect the daily limit', async () => {
      await createAccount(db, 'Ada');
      const live = Array.from({ length: 12 }, () => grantCredits(db, 'Ada', 'live', 10));
      const test = Array.from({ length: 12 }, () => grantCredits(db, 'Ada', 'test', 150));
      const [tested] = await Promise.all([Promise.allSettled(test), Promise.all(live)]);
      const granted = tested.filter(({ status }) => status === 'fulfilled');
      expect(granted).toHaveLength(6);
      expect(await balanceOf(db, 'Ada', 'live')).toBe(120);
      expect(await balanceOf(db, 'Ada', 'test')).toBe(900);
      expect(await verifyLedger(db)).toEqual([]);
    });

    it('granted concurrently with one cause are booked once', async () => {
      await createAccount(db, 'Ada');
      await createAccount(db, 'Bob');
      const cause = { cause: 'order 1', kind: 'purchase' } as const;
      const same = Array.from({ length: 8 }, () => grantCredits(db, 'Ada', 'live', 10, cause));
      const applied = (await Promise.all(same)).filter((granted) => granted.applied);
      expect(applied).toHaveLength(1);
      const other = { cause: 'order 2', kind: 'purchase' } as const;
      const rivals = ['Ada', 'Bob', 'Ada', 'Bob'].map((name) =>
        grantCredits(db, name, 'live', 5, other),
      );
      const outcomes = await Promise.allSettled(rivals);
      const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(failures).toHaveLength(2);
      expect(failures[0]).toMatchObject({ reason: 'cause_conflict' });
      const sum = (await balanceOf(db, 'Ada', 'live')) + (await balanceOf(db, 'Bob', 'live'));
      expect(sum).toBe(15);
      expect(await verifyLedger(db)).toEqual([]);
    });
  });
});
