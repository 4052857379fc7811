import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { isPostgres } from '../../src/database/dialect.js';
import type { Database } from '../../src/database/schema.js';
import { newEntryId } from '../../src/ledger/charge.js';
import { chunkQuery, ledgerCsv } from '../../src/ledger/ledger-csv.js';
import { type LedgerLine, ledgerPage } from '../../src/ledger/ledger-page.js';
import { usageByDay, usageByKey } from '../../src/ledger/usage.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { DIALECTS } from '../support/dialects.js';
import { openForTest } from '../support/test-database.js';

const DAY_MS = 24 * 3600 * 1000;
const START_MS = Date.UTC(2026, 0, 1);

describe.each(DIALECTS)('the ledger on $name', ({ newUrl }) => {
  let db: Database;
  beforeEach(async () => {
    db = await openForTest(await newUrl());
  });

  const grant = (account: string, atMs: number, cause: string) =>
    grantCredits(db, account, 'live', 10, { cause, nowMs: atMs });

  /** Books free calls in the way of the gate and the worker. */
  async function use(account: string, key: string, day: number, calls: number): Promise<void> {
    const atMs = START_MS + day * DAY_MS + 1000;
    const entries = Array.from({ length: calls }, (_, index) => ({
      ...(isPostgres(db) ? { id: newEntryId(atMs) } : {}),
      account_id: account,
      mode: 'live' as const,
      kind: 'usage' as const,
      credits: 0,
      free_calls: 1,
      cause: `request:${key}-${day}-${index}`,
      operation: 'predict',
      key_id: key,
      rate_hits: 1,
      at_ms: atMs,
      balance_after: 0,
    }));
    await db.insertInto('ledger_entries').values(entries).execute();
    if (!isPostgres(db)) return; // On SQLite, `usage_days` is a view.
    const sums = { calls, credits: 0, free_calls: calls, last_at_ms: atMs };
    const row = { account_id: account, mode: 'live', key_id: key, operation: 'predict' } as const;
    const date = new Date(atMs).toISOString().slice(0, 10);
    await db
      .insertInto('usage_days')
      .values({ ...row, ...sums, day: date })
      .execute();
  }

  async function allLines(account: string): Promise<LedgerLine[]> {
    const lines: LedgerLine[] = [];
    let before: string | undefined;
    do {
      const page = await ledgerPage(db, account, 'live', before);
      expect(page.lines.length).toBeLessThanOrEqual(50);
      lines.push(...page.lines);
      before = page.next;
    } while (before !== undefined);
    return lines;
  }

  it('lists credits one by one and usage by day, in pages, each line exactly once', async () => {
    const { id } = await createAccount(db, 'one', START_MS);
    const { id: other } = await createAccount(db, 'other', START_MS);
    await grant(other, START_MS, 'others');
    await use(other, 'key_o', 1, 3);
    for (let day = 0; day < 70; day++) {
      await use(id, 'key_a', day, 1 + (day % 2));
      if (day % 10 === 0) await use(id, 'key_b', day, 1);
    }
    // Several grants in one millisecond, the last of its day.
    for (let index = 0; index < 40; index++) {
      await grant(id, START_MS + 30 * DAY_MS - 1, `many ${index}`);
    }
    const lines = await allLines(id);
    expect(lines).toHaveLength(70 + 40);
    expect(new Set(lines.map(({ cause }) => cause)).size).toBe(110);
    const times = lines.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect(lines.find(({ cause }) => cause === 'usage:2026-01-11')).toMatchObject({
      kind: 'usage',
      calls: 2,
      freeCalls: 2,
      credits: 0,
    });
    for (const bad of ['x', '1.', "1.'or 1=1", '99999999999999999.a', '']) {
      expect((await ledgerPage(db, id, 'live', bad)).lines).toEqual(lines.slice(0, 50));
    }
    expect((await ledgerPage(db, id, 'test')).lines).toEqual([]);
  });

  it('reads usage by day and by key', async () => {
    const { id } = await createAccount(db, 'one', START_MS);
    const { id: other } = await createAccount(db, 'other', START_MS);
    await use(id, 'key_a', 0, 2);
    await use(id, 'key_a', 3, 1);
    await use(id, 'key_b', 3, 4);
    await use(other, 'key_o', 3, 9);
    expect(await usageByDay(db, id, 'live', '2026-01-02', '2026-01-04')).toEqual([
      {
        day: '2026-01-04',
        keyId: 'key_a',
        operation: 'predict',
        calls: 1,
        credits: 0,
        freeCalls: 1,
      },
      {
        day: '2026-01-04',
        keyId: 'key_b',
        operation: 'predict',
        calls: 4,
        credits: 0,
        freeCalls: 4,
      },
    ]);
    expect(await usageByKey(db, id)).toEqual(
      new Map([
        ['key_a', { calls: 3, lastAtMs: START_MS + 3 * DAY_MS + 1000 }],
        ['key_b', { calls: 4, lastAtMs: START_MS + 3 * DAY_MS + 1000 }],
      ]),
    );
  });

  it('exports all entries of the account and no others, in pieces', async () => {
    // The clock of the machine that booked the first entries was behind by more than an hour.
    const { id } = await createAccount(db, 'one', START_MS + 2 * 3600 * 1000);
    const { id: other } = await createAccount(db, 'other', START_MS);
    for (let day = 0; day < 6; day++) {
      await use(other, 'key_o', day, 900);
      await use(id, 'key_a', day, 300);
    }
    await grant(id, START_MS + 10 * DAY_MS, '=cmd("x"),\n1');
    const nowMs = START_MS + 11 * DAY_MS;
    await grant(id, nowMs + DAY_MS, 'later');
    const pieces: string[] = [];
    for await (const piece of ledgerCsv(db, id, 'live', nowMs)) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    const text = pieces.join('');
    expect(text.match(/^\S+,usage,0,1,predict,key_a,request:key_a-\d-\d+,0\r$/gm)).toHaveLength(
      1800,
    );
    expect(text).not.toContain('key_o');
    expect(text).not.toContain('later');
    expect(text).toMatch(/^time,kind,credits,free_calls,operation,key_id,cause,balance_after\r\n/);
    const last = '2026-01-11T00:00:00.000Z,grant,10,0,,,"grant:=cmd(""x""),\n1",10\r\n';
    expect(text.endsWith(last)).toBe(true);
  });

  it('exports without reading the entries of other accounts', async () => {
    const { id: accountId } = await createAccount(db, 'one', START_MS);
    const [after, end] = isPostgres(db) ? ['', 'z'] : [0, 1e9];
    const range = { accountId, mode: 'live', after, end, endMs: START_MS } as const;
    if (isPostgres(db)) {
      // PostgreSQL would scan an empty table, because that is faster.
      const plan = await db.connection().execute(async (connection) => {
        await sql`set enable_seqscan = off`.execute(connection);
        return await chunkQuery(connection, range).explain();
      });
      const steps = JSON.stringify(plan);
      // Each partition is read by its own index.
      expect(steps).toMatch(/Index Scan using ledger_entries_\w*account/);
      expect(steps).toContain('Index Cond: ((account_id = ');
      expect(steps).not.toContain('Seq Scan');
      return;
    }
    const plan = await chunkQuery(db, range).explain(undefined, sql`query plan`);
    const steps = plan.map(({ detail }) => String(detail));
    expect(steps.filter((detail) => detail.startsWith('SEARCH')).length).toBeGreaterThan(0);
    // The union of both parts of the view scans a constant row.
    const scans = steps.filter((detail) => detail.startsWith('SCAN'));
    expect(scans.filter((detail) => !/CONSTANT ROW|ledger_follow/.test(detail))).toEqual([]);
  });

  it('lets other work run during the export', async () => {
    const { id } = await createAccount(db, 'one', START_MS);
    for (let day = 0; day < 8; day++) await use(id, 'key_a', day, 1000);
    let turns = 0;
    const others = setInterval(() => {
      turns++;
    }, 0);
    let pieces = 0;
    for await (const _ of ledgerCsv(db, id, 'live', START_MS + 9 * DAY_MS)) pieces++;
    clearInterval(others);
    expect(pieces).toBeGreaterThanOrEqual(9);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});

describe.each(DIALECTS)('the books on $name', ({ newUrl }) => {
  it('are compared with the ledger in every figure', async () => {
    const db = await openForTest(await newUrl());
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
