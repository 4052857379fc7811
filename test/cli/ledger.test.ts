import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { openDatabase } from '../../src/database/open.js';
import { firstEntryId } from '../../src/ledger/charge.js';
import { haveServers, newPostgresDatabase } from '../support/servers.js';
import { freshEnv, run } from './run-cli.js';

describe('vitruvia ledger', () => {
  it('verifies the ledger, and says where it differs', async () => {
    const env = freshEnv();
    await run('accounts create --name acme', env);
    await run('credits grant --account acme --amount 7', env);
    expect(await run('ledger verify --json', env)).toMatchObject({ code: 0, json: { drifts: [] } });
    const db = await openDatabase(env.DATABASE_URL);
    await sql`update balances set paid_credits = 8 where mode = 'live'`.execute(db);
    await db.destroy();
    const differs = await run('ledger verify --json', env);
    expect(differs).toMatchObject({ code: 1, json: { code: 'ledger_differs' } });
    expect(differs.json.drifts).toMatchObject([{ figure: 'paid_credits', stored: 8, ledger: 7 }]);
    const refused = await run('ledger partitions --json', env);
    expect(refused).toMatchObject({ code: 1, json: { code: 'needs_postgresql' } });
  });

  it.skipIf(!haveServers)('archives and drops old partitions', async () => {
    const env = { DATABASE_URL: await newPostgresDatabase() };
    const db = await openDatabase(env.DATABASE_URL);
    const endMs = Date.UTC(2020, 0, 1);
    await sql`alter table ledger_entries detach partition ledger_entries_first`.execute(db);
    await sql`alter table ledger_entries attach partition ledger_entries_first
      for values from (minvalue) to (${sql.lit(firstEntryId(endMs))})`.execute(db);
    const { id } = await createAccount(db, 'acme', endMs - 2);
    await grantCredits(db, id, 'live', 5, { nowMs: endMs - 1 });
    await db.destroy();
    const folder = mkdtempSync(join(tmpdir(), 'vitruvia-archive-'));
    const words = `--before 2020-01-01 --json`;
    const listed = await run('ledger partitions --json', env);
    expect(listed.json.partitions).toMatchObject([
      { name: 'ledger_entries_first', from: null, to: '2020-01-01T00:00:00.000Z' },
    ]);
    const early = await run(`ledger archive --to ${folder} --before 2019-12-31 --json`, env);
    expect(early.json).toEqual({ archived: [] });
    const archived = await run(`ledger archive --to ${folder} ${words}`, env);
    expect(archived.json.archived).toMatchObject([{ name: 'ledger_entries_first', entries: 1 }]);
    const elsewhere = await run(`ledger drop --from ${tmpdir()} ${words}`, env);
    expect(elsewhere).toMatchObject({ code: 1, json: { code: 'archive_damaged' } });
    const dropped = await run(`ledger drop --from ${folder} ${words}`, env);
    expect(dropped).toMatchObject({ code: 0, json: { dropped: ['ledger_entries_first'] } });
    expect(await run('ledger verify', env)).toMatchObject({ code: 0 });
  });
});
