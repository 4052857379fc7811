import { afterEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { isPostgres } from '../../src/database/dialect.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { DIALECTS } from '../support/dialects.js';

describe.each(DIALECTS)('the books on $name', ({ newUrl }) => {
  let db: Database;
  afterEach(async () => {
    await db.destroy();
  });

  it('are compared with the ledger in every figure', async () => {
    db = await openDatabase(await newUrl());
    const { id } = await createAccount(db, 'Ada');
    await grantCredits(db, id, 'live', 10);
    const live = db.updateTable('balances').where('mode', '=', 'live');
    const usage = { calls: 1, credits: 2, free_calls: 0, last_at_ms: 3 };
    const row = { mode: 'test' as const, day: '2026-01-01', key_id: 'key_1', operation: 'predict' };
    await db
      .insertInto(isPostgres(db) ? 'usage_days' : 'usage_days_booked')
      .values({ account_id: id, ...row, ...usage })
      .execute();
    await live.set({ credited: 11, credit_version: 3 }).execute();
    if (!isPostgres(db)) await live.set({ paid_credits: 9 }).execute();
    const found = (await verifyLedger(db)).map(
      ({ mode, figure, stored, ledger }) => `${mode} ${figure}: ${stored}, not ${ledger}`,
    );
    expect(found).toEqual([
      // PostgreSQL itself refuses such a balance.
      ...(isPostgres(db) ? [] : ['live paid_credits: 9, not 10']),
      'live credited: 11, not 10',
      'live credit_version: 3, not 1',
      'test calls 2026-01-01 key_1 predict: 1, not null',
      'test credits 2026-01-01 key_1 predict: 2, not null',
      'test free_calls 2026-01-01 key_1 predict: 0, not null',
      'test last_at_ms 2026-01-01 key_1 predict: 3, not null',
    ]);
  });
});
