import { createHook } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { MIGRATIONS, migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { sqlitePath } from '../../src/database/sqlite.js';
import { programWords } from '../support/build.js';
import { newFolder } from '../support/folders.js';
import { refused } from '../support/refused.js';
import { openForTest } from '../support/test-database.js';

const run = promisify(execFile);
const openWords = programWords('test/database/open-child');

describe('openDatabase', () => {
  let folder: string;
  let url: string;
  beforeEach(() => {
    folder = newFolder('database');
    url = `file:${join(folder, 'deep', 'folder', 'vitruvia.db')}`;
  });

  it('creates folder, file and schema, and migrates once', async () => {
    const db = await openDatabase(url);
    expect(await migrate(db)).toEqual([]);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS));
    await db.destroy();
    await (await openDatabase(url)).destroy();
  });

  it('lets several processes create one database at the same time', async () => {
    const opens = [1, 2, 3].map(() => run(process.execPath, [...openWords, url]));
    await Promise.all(opens);
    const db = await openForTest(url);
    expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  it('commits durably in WAL mode and waits for other writers', async () => {
    const db = await openForTest(url);
    const pragma = async (name: string): Promise<unknown> =>
      Object.values((await sql.raw<object>(`pragma ${name}`).execute(db)).rows[0] ?? {})[0];
    expect(await pragma('journal_mode')).toBe('wal');
    // The dialect flushes the log instead.
    expect(await pragma('synchronous')).toBe(1);
    expect(await pragma('busy_timeout')).toBe(5000);
    expect(await pragma('foreign_keys')).toBe(1);
  });

  it('flushes writes beside the event loop before it gives their results, several at once', async () => {
    const db = await openForTest(url);
    const insert = (id: string) => createAccount(db, id);
    await insert('first');
    const requests = new Set<number>();
    const seen: string[] = [];
    // Requests of files that the thread pool carries out.
    const hook = createHook({
      init: (id, type) => void (type === 'FSREQCALLBACK' && requests.add(id)),
      before: (id) => void (requests.has(id) && seen.push('flushed')),
    }).enable();
    await db.selectFrom('accounts').selectAll().execute();
    seen.push('read');
    await insert('alone');
    seen.push('written');
    await Promise.all(['a', 'b', 'c', 'd'].map(insert));
    hook.disable();
    expect(seen).toEqual(['read', 'flushed', 'written', 'flushed', 'flushed']);
  });

  it('refuses what it cannot use, with a reason', async () => {
    for (const bad of ['postgres://x', 'mysql://u:secret@h/d']) {
      await refused(openDatabase(bad), 'bad_url');
      await expect(openDatabase(bad)).rejects.not.toThrow('secret');
    }
    const text = join(folder, 'text.db');
    writeFileSync(text, 'this is not a database '.repeat(100));
    await refused(openDatabase(`file:${text}`), 'not_a_database');
    await refused(openDatabase(`file:${text}/x.db`), 'not_writable');
    mkdirSync(join(folder, 'a-folder'));
    await refused(openDatabase(`file:${join(folder, 'a-folder')}`), 'not_writable');
  });

  it('refuses a database that a newer program has migrated', async () => {
    const db = await openDatabase(url);
    await sql`insert into kysely_migration values ('9999-future', '2030-01-01')`.execute(db);
    await db.destroy();
    await refused(openDatabase(url), 'newer');
  });

  it('refuses to change the ledger or to overdraw a balance', async () => {
    const db = await openForTest(url);
    const { id } = await createAccount(db, 'owner');
    await grantCredits(db, id, 'live', 5);
    const update = db.updateTable('ledger_entries').set({ credits: 6 } as object);
    await expect(update.execute()).rejects.toThrow('append-only');
    await expect(db.deleteFrom('ledger_entries').execute()).rejects.toThrow('append-only');
    const overdraw = db.updateTable('balances').set({ paid_credits: -1 });
    await expect(overdraw.execute()).rejects.toThrow('CHECK');
  });
});

describe('sqlitePath', () => {
  it('takes absolute and relative paths', () => {
    expect(sqlitePath('file:/a/b.db')).toBe('/a/b.db');
    expect(sqlitePath('file:///a/b.db')).toBe('/a/b.db');
    expect(sqlitePath('file:var/b.db')).toBe(join(process.cwd(), 'var/b.db'));
    expect(() => sqlitePath('file://host/b.db')).toThrow('database URL');
    expect(() => sqlitePath('b.db')).toThrow('database URL');
  });
});
