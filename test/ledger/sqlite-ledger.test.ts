import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { openSqlite, type SqliteConnection, sqlitePath } from '../../src/database/sqlite.js';
import { ledgerCsv } from '../../src/ledger/ledger-csv.js';
import { SqliteLedger } from '../../src/ledger/sqlite-ledger.js';
import { usageByDay } from '../../src/ledger/usage.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { newSqliteUrl } from '../support/folders.js';

const DAY = '2026-05-01';
const DAY_MS = Date.parse(DAY);

describe('SqliteLedger', () => {
  let db: Database;
  let connection: SqliteConnection;
  let ledger: SqliteLedger;
  let account: string;
  let other: string;
  beforeEach(async () => {
    const url = newSqliteUrl();
    db = await openDatabase(url);
    account = (await createAccount(db, 'one', DAY_MS)).id;
    other = (await createAccount(db, 'other', DAY_MS)).id;
    for (const id of [account, other]) {
      await grantCredits(db, id, 'live', 5000, { cause: `start ${id}`, nowMs: DAY_MS });
    }
    connection = openSqlite(sqlitePath(url));
    ledger = new SqliteLedger(connection);
  });
  afterEach(async () => {
    connection.close();
    await db.destroy();
  });

  let requests = 0;
  function charge(accountId: string, keyId: string, atMs: number): void {
    const requestId = `req_${requests++}`;
    const request = { requestId, accountId, mode: 'live', keyId, operation: 'predict' } as const;
    ledger.insertCharge({ ...request, credits: 1, freeCalls: 0, hits: 1, atMs }, 4999);
    ledger.spend(accountId, 'live', 1);
  }

  async function shown(): Promise<{ calls: number; csvLines: number }> {
    const days = await usageByDay(db, account, 'live', DAY, DAY);
    const pieces: string[] = [];
    for await (const piece of ledgerCsv(db, account, 'live', DAY_MS + 1000)) pieces.push(piece);
    const csv = pieces.join('');
    expect(csv).not.toContain('key_other');
    const calls = days.reduce((sum, day) => sum + day.calls, 0);
    return { calls, csvLines: csv.trimEnd().split('\r\n').length - 1 };
  }

  it('shows every entry once, before and after the usage and the index have followed', async () => {
    for (let i = 0; i < 3; i++) charge(account, 'key_a', DAY_MS + i);
    charge(other, 'key_other', DAY_MS + 3);
    expect(await shown()).toEqual({ calls: 3, csvLines: 4 });
    expect(await verifyLedger(db)).toEqual([]);
    ledger.follow();
    expect(await shown()).toEqual({ calls: 3, csvLines: 4 });
    charge(account, 'key_a', DAY_MS + 4);
    charge(account, 'key_b', DAY_MS + 5);
    expect(await shown()).toEqual({ calls: 5, csvLines: 6 });
    expect(await verifyLedger(db)).toEqual([]);
    ledger.follow();
    ledger.follow();
    expect(await shown()).toEqual({ calls: 5, csvLines: 6 });
    expect(await verifyLedger(db)).toEqual([]);
    const booked = await db.selectFrom('usage_days_booked').selectAll().execute();
    expect(booked.map(({ key_id, calls }) => [key_id, calls])).toEqual(
      expect.arrayContaining([
        ['key_a', 4],
        ['key_b', 1],
        ['key_other', 1],
      ]),
    );
  });

  it('follows many entries in several pieces, and is exact between them', async () => {
    connection.exec('BEGIN');
    for (let i = 0; i < 5001; i++)
      charge(i % 2 === 0 ? account : other, 'key_a', DAY_MS + (i % 500));
    connection.exec('COMMIT');
    expect(ledger.follow()).toBe(true);
    expect(await verifyLedger(db)).toEqual([]);
    expect(ledger.follow()).toBe(false);
    expect(await verifyLedger(db)).toEqual([]);
    expect((await shown()).calls).toBe(2501);
  });

  it('finds where the entries of a time begin', () => {
    connection.exec('BEGIN');
    for (let i = 0; i < 2500; i++) charge(account, 'key_a', DAY_MS + 10 * i);
    connection.exec('COMMIT');
    const from = ledger.idBefore(DAY_MS + 10 * 1800);
    const first = connection
      .prepareRaw('SELECT MIN(id) FROM ledger_entries WHERE at_ms >= ?')
      .get([DAY_MS + 10 * 1800]);
    expect(from).toBeLessThanOrEqual(Number(first?.[0]));
    expect(from).toBeGreaterThan(Number(first?.[0]) - 2000);
  });
});
