import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { balanceOf } from '../../../src/accounts/credits.js';
import { createSqliteGate } from '../../../src/billing/embedded/sqlite-gate.js';
import { openDatabase } from '../../../src/database/open.js';
import type { Database } from '../../../src/database/schema.js';
import { sqlitePath } from '../../../src/database/sqlite.js';
import { verifyLedger } from '../../../src/ledger/verify-ledger.js';
import { programWords } from '../../support/build.js';
import { SqliteHarness } from '../gate-harness.js';

const ROUNDS = 2;
const GRANTED = 100_000_000;

it('loses no acknowledged charge to kill -9', async () => {
  const harness = await SqliteHarness.open();
  const account = await harness.newAccount();
  const key = await harness.newKey(account);
  await harness.grant(account, GRANTED);
  await harness.gate.close();
  for (let round = 0; round < ROUNDS; round++) {
    const delayMs = Math.floor(Math.random() * 400);
    const acknowledged = await hammerAndKill(harness.url, key.keyHash, `round${round}`, delayMs);
    expect(acknowledged.length, `killed after ${delayMs} ms`).toBeGreaterThan(0);
    await expectIntact(copyFile(harness.url), account, acknowledged);
  }
  await harness.close();
});

/** Copies the file and its log, but not the shared memory. Recovery uses only the file and the log. */
function copyFile(url: string): string {
  const path = sqlitePath(url);
  const copy = join(mkdtempSync(join(dirname(path), 'copy-')), 'gate.db');
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  return `file:${copy}`;
}

async function expectIntact(
  databaseUrl: string,
  account: string,
  acknowledged: readonly string[],
): Promise<void> {
  const gate = await createSqliteGate({ databaseUrl });
  await gate.close();
  const db = await openDatabase(databaseUrl);
  const booked = new Set(await bookedRequests(db));
  expect(acknowledged.filter((id) => !booked.has(`request:${id}`))).toEqual([]);
  expect(await verifyLedger(db)).toEqual([]);
  expect(await balanceOf(db, account, 'live')).toBe(GRANTED - (await chargedCredits(db)));
  const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  expect(check.rows).toEqual([{ integrity_check: 'ok' }]);
  await db.destroy();
}

/** Kills the child `delayMs` after its first printed id. Returns the request ids that it printed. */
function hammerAndKill(
  url: string,
  keyHash: string,
  tag: string,
  delayMs: number,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const args = [...programWords('test/billing/embedded/hammer-child'), url, keyHash, tag];
    const hammer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    hammer.stdout.once('data', () => {
      setTimeout(() => hammer.kill('SIGKILL'), delayMs);
    });
    hammer.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
    });
    hammer.on('error', reject);
    // Only whole lines count, because the last line may be cut.
    hammer.on('close', () => {
      resolve(printed.split('\n').slice(0, -1));
    });
  });
}

async function bookedRequests(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select('cause')
    .where('kind', '=', 'usage')
    .execute();
  return rows.map(({ cause }) => cause);
}

async function chargedCredits(db: Database): Promise<number> {
  const { credits } = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.sum<number>('credits').as('credits'))
    .where('kind', '=', 'usage')
    .executeTakeFirstOrThrow();
  return -credits;
}
