import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { DAY_MS, HOUR_MS } from '../../src/core/time.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { archivable, archivePartition, dropArchived } from '../../src/ledger/archive.js';
import { bookCharges, bookedCauses } from '../../src/ledger/book-charges.js';
import { firstEntryId } from '../../src/ledger/charge.js';
import { ledgerPage } from '../../src/ledger/ledger-page.js';
import {
  addPartitions,
  DEFAULT_PARTITION,
  ledgerPartitions,
  partitionedUntilMs,
} from '../../src/ledger/partitions.js';
import type { AnsweredCharge } from '../../src/ledger/plan-booking.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { haveServers, newPostgresDatabase } from '../support/servers.js';

describe.skipIf(!haveServers)('the partitions of the ledger', () => {
  let url: string;
  let db: Database;
  /** Where the first partition ends. */
  let endMs: number;
  let account: string;
  beforeEach(async () => {
    url = await newPostgresDatabase();
    db = await openDatabase(url);
    endMs = await partitionedUntilMs(db);
    account = (await createAccount(db, 'Ada')).id;
  });
  afterEach(async () => {
    await db.destroy();
  });

  let charges = 0;
  function charge(atMs: number, fields: Partial<AnsweredCharge> = {}): AnsweredCharge {
    const counts = { credits: 1, freeCalls: 0, hits: 1 };
    const names = {
      accountId: account,
      mode: 'live',
      keyId: 'key_1',
      operation: 'predict',
    } as const;
    return { requestId: `r${charges++}`, ...names, ...counts, atMs, ...fields };
  }
  const book = (list: readonly AnsweredCharge[]) =>
    db.transaction().execute((trx) => bookCharges(trx, list));
  const grant = (cause: string, nowMs: number) =>
    grantCredits(db, account, 'live', 10, { cause, nowMs });

  /** Names of the partitions that hold entries, each with their number. */
  async function held(): Promise<Record<string, number>> {
    const { rows } = await sql<{ name: string; entries: number }>`
      select tableoid::regclass::text as name, count(*) as entries from ledger_entries
      group by tableoid order by name`.execute(db);
    return Object.fromEntries(rows.map(({ name, entries }) => [name, entries]));
  }

  it('are added ahead, by month or by day, without gaps', async () => {
    const added = await addPartitions(db, 'month', endMs + 70 * DAY_MS);
    expect(added.length).toBeGreaterThanOrEqual(3);
    const months = await ledgerPartitions(db);
    expect(months.slice(1).map(({ name }) => name)).toEqual(added);
    expect(months.slice(1).map(({ fromMs }) => fromMs)).toEqual(
      months.slice(0, -1).map(({ toMs }) => toMs),
    );
    for (const { toMs } of months.slice(1)) expect(new Date(toMs).getUTCDate()).toBe(1);
    const untilMs = await partitionedUntilMs(db);
    expect(await addPartitions(db, 'day', untilMs - 7 * DAY_MS)).toEqual([]);
    expect(await addPartitions(db, 'day', untilMs - 4 * DAY_MS)).toHaveLength(3);
    expect(await partitionedUntilMs(db)).toBe(untilMs + 3 * DAY_MS);
  });

  it('take the entries that the default partition took while one was missing', async () => {
    await grant('early', endMs - 1);
    const late = [charge(endMs), charge(endMs + 40 * DAY_MS), charge(endMs + 400 * DAY_MS)];
    await book(late);
    expect(await held()).toEqual({ ledger_entries_first: 1, [DEFAULT_PARTITION]: 3 });
    await addPartitions(db, 'month', endMs + 40 * DAY_MS);
    const names = Object.keys(await held());
    expect(names).toHaveLength(4);
    expect((await held())[DEFAULT_PARTITION]).toBe(1);
    expect(await verifyLedger(db)).toEqual([]);
    expect(await book(late)).toMatchObject({ booked: 0, known: 3 });
    await book([charge(endMs)]);
    expect(await verifyLedger(db)).toEqual([]);
  });

  it('refuse changes, and count what is booked, also when they are named directly', async () => {
    await grant('early', endMs - 1);
    await addPartitions(db, 'day', endMs);
    for (const { name } of await ledgerPartitions(db)) {
      for (const statement of [
        sql`delete from ${sql.table(name)}`,
        sql`truncate ${sql.table(name)}`,
        sql`update ${sql.table(name)} set credits = 6`,
      ]) {
        await expect(statement.execute(db)).rejects.toThrow('append-only');
      }
    }
    const { id, ...entry } = await db
      .selectFrom('ledger_entries')
      .selectAll()
      .executeTakeFirstOrThrow();
    const forged = { ...entry, id: `${id}x`, cause: 'grant:forged' };
    const insert = db.insertInto('ledger_entries_first' as 'ledger_entries').values(forged);
    await expect(insert.execute()).rejects.toThrow('is not the sum of its ledger');
  });

  it('keep a cause unique over all of them', async () => {
    await addPartitions(db, 'day', endMs);
    expect(await grant('once', endMs - 1)).toMatchObject({ applied: true });
    expect(await grant('once', endMs + DAY_MS)).toMatchObject({ applied: false, balance: 10 });
    const usage = charge(endMs + DAY_MS);
    expect(await book([usage, usage])).toMatchObject({ booked: 1, known: 1 });
    expect(await book([usage])).toMatchObject({ booked: 0, known: 1 });
    expect(await verifyLedger(db)).toEqual([]);
  });

  it('are read only where the time of what is looked for lies', async () => {
    await addPartitions(db, 'day', endMs + 20 * DAY_MS);
    const atMs = endMs + 10 * DAY_MS + HOUR_MS;
    const name = (await ledgerPartitions(db)).find(({ toMs }) => toMs > atMs)?.name;
    const plans: string[] = [];
    const read = (text: string) => sql.raw(`explain ${text}`).execute(db);
    const own = `account_id = '${account}' and mode = 'live'`;
    for (const query of [
      // The known causes of a batch, free calls, and a piece of an export.
      `select cause from ledger_entries where cause = any('{a,b}')
        and id >= '${firstEntryId(atMs)}' and id < '${firstEntryId(atMs)}~'`,
      `select at_ms from ledger_entries where free_calls > 0 and ${own}
        and id >= '${firstEntryId(atMs)}' and id < '${firstEntryId(atMs + HOUR_MS)}'`,
      `select * from ledger_entries where ${own} and id > '${firstEntryId(atMs)}'
        and id < '${firstEntryId(atMs + HOUR_MS)}' order by id limit 1000`,
    ]) {
      const { rows } = (await read(query)) as { rows: Record<string, string>[] };
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    for (const plan of plans) {
      expect(plan.match(/ on ledger_entries_\d+(?!\w)/g)).toEqual([` on ${name}`]);
      expect(plan).toContain('Index Scan');
    }
    expect(plans[0]).toContain('Index Cond: (cause = ANY');
    // The code itself: a batch of one moment.
    const seen: string[] = [];
    await db.transaction().execute(async (trx) => {
      await bookedCauses(trx, [charge(atMs)]);
      const { rows } = await sql<{ name: string }>`select relation::regclass::text as name
        from pg_locks where pid = pg_backend_pid() and relation is not null`.execute(trx);
      seen.push(...rows.map((row) => row.name).filter((one) => /^ledger_entries_\w+\d$/.test(one)));
    });
    expect(seen).toEqual([name]);
  });

  it('are archived, detached and dropped, and the books still agree', async () => {
    await grant('first, with "quotes"\nand a second line', endMs - 3 * HOUR_MS);
    await book([charge(endMs - 2 * HOUR_MS), charge(endMs - HOUR_MS)]);
    await book([charge(endMs - 1, { credits: 0, freeCalls: 1, mode: 'test' })]);
    await addPartitions(db, 'month', endMs + 60 * DAY_MS);
    await book([charge(endMs + DAY_MS)]);
    const page = await ledgerPage(db, account, 'live');
    const folder = join(mkdtempSync(join(tmpdir(), 'vitruvia-archive-')), 'ledger');
    expect(await archivable(db, endMs, endMs + 7 * DAY_MS - 1)).toEqual([]);
    expect(await archivable(db, endMs - 1, endMs + 60 * DAY_MS)).toEqual([]);
    const [first, ...others] = await archivable(db, endMs, endMs + 7 * DAY_MS);
    expect(others).toEqual([]);
    if (first === undefined) throw new Error('the first partition cannot be archived');

    const archived = await archivePartition(url, first, folder, endMs);
    expect(archived).toMatchObject({ name: 'ledger_entries_first', entries: 4 });
    const path = join(folder, archived.file);
    const csv = gunzipSync(readFileSync(path)).toString();
    expect(csv).toMatch(/^id,account_id,mode,kind,credits,/);
    expect(csv).toContain('"grant:first, with ""quotes""\nand a second line"');
    expect(Object.keys(await held())).not.toContain(first.name);
    // Somebody has attached the table again: its entries are those of the ledger now.
    const name = sql.table(first.name);
    const bounds = sql`for values from (minvalue) to (${sql.lit(firstEntryId(endMs))})`;
    await sql`alter table ledger_entries attach partition ${name} ${bounds}`.execute(db);
    expect(await dropArchived(db, endMs, folder)).toEqual([]);
    await sql`alter table ledger_entries detach partition ${name}`.execute(db);
    expect(await verifyLedger(db)).toEqual([]);
    expect(await ledgerPage(db, account, 'live')).toEqual(page);

    // An entry that comes late into the archived days still counts.
    await book([charge(endMs - 5 * HOUR_MS)]);
    expect(await verifyLedger(db)).toEqual([]);
    expect(await grant('first, with "quotes"\nand a second line', endMs)).toMatchObject({
      applied: false,
    });

    const copy = readFileSync(path);
    appendFileSync(path, 'x');
    await expect(dropArchived(db, endMs, folder)).rejects.toThrow('cannot be read');
    await sql`select from ${sql.table(first.name)}`.execute(db);
    writeFileSync(path, copy);
    expect(await dropArchived(db, endMs, folder)).toEqual([first.name]);
    expect(await dropArchived(db, endMs, folder)).toEqual([]);
    expect(await verifyLedger(db)).toEqual([]);
    await expect(sql`delete from ledger_archived_sums`.execute(db)).rejects.toThrow('append-only');
    // What the sums say is compared, not believed.
    await sql`alter table ledger_archived_sums disable trigger user`.execute(db);
    await sql`update ledger_archived_sums set calls = calls + 1, credits = credits - 1
      where mode = 'live'`.execute(db);
    expect((await verifyLedger(db)).map(({ figure }) => figure)).toEqual([
      'paid_credits',
      'calls of ledger_entries_first',
    ]);
  });
});
