import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount, findAccount, listAccounts } from '../../src/accounts/accounts.js';
import { hashApiKey, parseApiKey } from '../../src/accounts/api-key.js';
import { balanceOf, GRANT_CREDITS_MAX, grantCredits } from '../../src/accounts/credits.js';
import { createKey, listKeys, revokeKey } from '../../src/accounts/keys.js';
import { verifyLedger } from '../../src/billing/verify-ledger.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { DIALECTS } from '../support/dialects.js';

describe.each(DIALECTS)('on $name', ({ newUrl }) => {
  let db: Database;
  beforeEach(async () => {
    db = await openDatabase(await newUrl());
  });
  afterEach(async () => {
    await db.destroy();
  });

  describe('accounts', () => {
    it('are found by id and by name', async () => {
      const ada = await createAccount(db, ' Ada ', 1);
      const bob = await createAccount(db, 'Bob', 2);
      expect(await findAccount(db, 'Ada')).toEqual(ada);
      expect(await findAccount(db, bob.id)).toEqual(bob);
      expect(await listAccounts(db)).toEqual([ada, bob]);
      await expect(findAccount(db, 'Eve')).rejects.toMatchObject({ reason: 'unknown_account' });
    });

    it('may share a name, and are then found by id only', async () => {
      const { id } = await createAccount(db, 'Ada');
      await createAccount(db, 'Ada');
      await expect(findAccount(db, 'Ada')).rejects.toMatchObject({ reason: 'ambiguous_name' });
      expect((await findAccount(db, id)).id).toBe(id);
    });

    it('have printable names', async () => {
      for (const name of ['', '  ', 'a\nb', 'x'.repeat(101), 'acc_1']) {
        await expect(createAccount(db, name)).rejects.toMatchObject({ reason: 'invalid_name' });
      }
    });
  });

  describe('keys', () => {
    it('are shown whole once and stored as a hash', async () => {
      const { id, partition } = await createAccount(db, 'Ada');
      const key = await createKey(db, 'Ada', 'test', 'laptop');
      expect(parseApiKey(key.apiKey)).toEqual({ mode: 'test', partition });
      const { apiKey, ...listed } = key;
      expect(await listKeys(db, id)).toEqual([listed]);
      const rows = await db.selectFrom('api_keys').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(apiKey);
      expect(rows[0]?.hash).toBe(hashApiKey(apiKey));
    });

    it('are revoked for good', async () => {
      await createAccount(db, 'Ada');
      const { id } = await createKey(db, 'Ada', 'live');
      await revokeKey(db, id, 7);
      await revokeKey(db, id, 8);
      expect(await listKeys(db)).toMatchObject([{ id, revokedAtMs: 7 }]);
      await expect(revokeKey(db, 'key_x')).rejects.toMatchObject({ reason: 'unknown_key' });
    });
  });

  describe('credits', () => {
    it('are booked with their ledger entry', async () => {
      await createAccount(db, 'Ada');
      expect(await grantCredits(db, 'Ada', 'live', 100)).toMatchObject({ balance: 100 });
      expect(await grantCredits(db, 'Ada', 'live', 50)).toMatchObject({ balance: 150 });
      expect(await balanceOf(db, 'Ada', 'live')).toBe(150);
      expect(await balanceOf(db, 'Ada', 'test')).toBe(0);
      expect(await verifyLedger(db)).toEqual([]);
    });

    it('are whole, positive and limited', async () => {
      await createAccount(db, 'Ada');
      for (const amount of [0, -1, 1.5, Number.NaN, GRANT_CREDITS_MAX + 1]) {
        await expect(grantCredits(db, 'Ada', 'live', amount)).rejects.toMatchObject({
          reason: 'invalid_amount',
        });
      }
    });

    it('are booked once for a cause', async () => {
      await createAccount(db, 'Ada');
      const options = { cause: 'order 1', kind: 'purchase' } as const;
      expect(await grantCredits(db, 'Ada', 'live', 100, options)).toMatchObject({ applied: true });
      expect(await grantCredits(db, 'Ada', 'live', 100, options)).toMatchObject({ applied: false });
      expect(await balanceOf(db, 'Ada', 'live')).toBe(100);
      await expect(grantCredits(db, 'Ada', 'live', 500, options)).rejects.toMatchObject({
        reason: 'cause_conflict',
      });
    });

    it('for tests are at most 1,000 in 24 hours', async () => {
      await createAccount(db, 'Ada');
      await grantCredits(db, 'Ada', 'test', 600, { nowMs: 1000 });
      await grantCredits(db, 'Ada', 'test', 400, { nowMs: 2000 });
      const more = (nowMs: number): Promise<unknown> =>
        grantCredits(db, 'Ada', 'test', 1, { nowMs });
      await expect(more(24 * 3600_000 + 999)).rejects.toMatchObject({
        reason: 'test_credit_limit',
      });
      await more(24 * 3600_000 + 1000);
      expect(await balanceOf(db, 'Ada', 'test')).toBe(1001);
    });
  });
});
