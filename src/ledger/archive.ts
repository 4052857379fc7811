import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DAY_MS } from '../core/time.js';
import { errorCode } from '../database/errors.js';
import { connectionOptions } from '../database/postgres.js';
import type { Database } from '../database/schema.js';
import { type ArchiveContent, readArchive, syncFolder, writeArchive } from './archive-file.js';
import { dayOf } from './charge.js';
import { type LedgerPartition, ledgerPartitions } from './partitions.js';

/** A partition that was archived and detached. */
export interface Archived {
  readonly name: string;
  readonly file: string;
  readonly entries: number;
  readonly sha256: string;
}

/** An archive file is missing or is not what was archived, so nothing was dropped. */
export class ArchiveFileError extends Error {
  override readonly name = 'ArchiveFileError';
}

/**
 * Partitions that ended more recently are not archived: usage that is booked again after a failure
 * is looked for in the ledger, and so are the free calls of the last day.
 */
export const ARCHIVE_AFTER_MS = 7 * DAY_MS;
const LOCK_WAIT_MS = 2000;
const LOCK_TRIES = 30;
const LOCK_PAUSE_MS = 1000;
const LOCK_NOT_AVAILABLE = '55P03';

/** The partitions that end at that moment or before, and may be archived. */
export async function archivable(
  db: Database,
  beforeMs: number,
  nowMs: number,
): Promise<readonly LedgerPartition[]> {
  const lastMs = Math.min(beforeMs, nowMs - ARCHIVE_AFTER_MS);
  return (await ledgerPartitions(db)).filter(({ toMs }) => toMs <= lastMs);
}

/**
 * Writes a partition to a compressed CSV file, reads the file again, and detaches the partition. The
 * sums of the partition are kept in the same transaction, so that balances stay the sum of the
 * ledger. The detached table stays until `dropArchived`.
 *
 * @param folder where the file goes: `<name>.csv.gz`
 * @throws what PostgreSQL or the system report; then the partition is as before
 */
export async function archivePartition(
  url: string,
  partition: LedgerPartition,
  folder: string,
  nowMs: number,
): Promise<Archived> {
  const { name } = partition;
  const file = `${name}.csv.gz`;
  await mkdir(folder, { recursive: true });
  const client = new pg.Client(connectionOptions(url, 'bulk'));
  await client.connect();
  try {
    await client.query('begin');
    // Reading goes on. Only this partition takes no entries meanwhile.
    await client.query(`lock table ${client.escapeIdentifier(name)} in share mode`);
    const path = join(folder, `.${file}.partial`);
    const content = await exportTable(client, name, path);
    await keepSums(client, partition, { ...content, file }, nowMs);
    await detach(client, name);
    await rename(path, join(folder, file));
    await syncFolder(folder);
    await client.query('commit');
    return { name, file, ...content };
  } finally {
    // An open transaction ends with its connection.
    await client.end();
  }
}

/**
 * Drops the detached tables of archives whose days end at that moment or before. Each archive file
 * is read again before. A table that someone has attached to the ledger again stays.
 *
 * @param folder where the files are
 * @returns names of the tables dropped
 * @throws ArchiveFileError when a file is missing or differs from what was archived
 */
export async function dropArchived(
  db: Database,
  beforeMs: number,
  folder: string,
): Promise<readonly string[]> {
  const archives = await db
    .selectFrom('ledger_archives')
    .selectAll()
    .where('to_day', '<=', dayOf(beforeMs))
    .orderBy('to_day')
    .execute();
  const dropped: string[] = [];
  for (const archive of archives) {
    const { rows } = await sql<{ there: boolean }>`
      select to_regclass(${archive.name}) is not null and not exists (select from pg_inherits
        where inhrelid = to_regclass(${archive.name})) as there`.execute(db);
    if (rows[0]?.there !== true) continue;
    await checkFile(join(folder, archive.file), archive);
    await sql`drop table ${sql.table(archive.name)}`.execute(db);
    dropped.push(archive.name);
  }
  return dropped;
}

/** @throws ArchiveFileError */
async function checkFile(path: string, { sha256, entries }: ArchiveContent): Promise<void> {
  if (!existsSync(path)) throw new ArchiveFileError(`${path} does not exist.`);
  const content = await readArchive(path).catch((cause: unknown) => {
    throw new ArchiveFileError(`${path} cannot be read.`, { cause });
  });
  if (content.sha256 === sha256 && content.entries === entries) return;
  throw new ArchiveFileError(`${path} is not the file that was archived.`);
}

async function exportTable(client: pg.Client, name: string, path: string): Promise<ArchiveContent> {
  const table = client.escapeIdentifier(name);
  const copy = copyTo(`copy (select * from ${table}) to stdout (format csv, header)`);
  const written = await writeArchive(client.query(copy), path);
  await checkFile(path, written);
  const { rows } = await client.query(`select count(*) as entries from ${table}`);
  if (Number(rows[0]?.entries) === written.entries) return written;
  throw new ArchiveFileError(`${path} does not have an entry for each row of ${name}.`);
}

async function keepSums(
  client: pg.Client,
  { name, fromMs, toMs }: LedgerPartition,
  { file, entries, sha256 }: ArchiveContent & { readonly file: string },
  nowMs: number,
): Promise<void> {
  const fromDay = fromMs === null ? '' : dayOf(fromMs);
  await client.query(
    `insert into ledger_archives (name, from_day, to_day, entries, sha256, file, archived_at_ms)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [name, fromDay, dayOf(toMs), entries, sha256, file, nowMs],
  );
  await client.query(
    `insert into ledger_archived_sums (archive, account_id, mode, entries, credits, credited,
        credit_version, calls, usage_credits, free_calls)
      select $1, account_id, mode, count(*), sum(credits),
        coalesce(sum(credits) filter (where kind <> 'usage'), 0),
        count(*) filter (where kind <> 'usage'), count(*) filter (where kind = 'usage'),
        coalesce(-sum(credits) filter (where kind = 'usage'), 0), sum(free_calls)
      from ${client.escapeIdentifier(name)} group by account_id, mode`,
    [name],
  );
}

/** Detaches a partition. While it waits for its lock, others wait too, so it waits only briefly. */
async function detach(client: pg.Client, name: string): Promise<void> {
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
  for (let tries = 1; ; tries++) {
    await client.query('savepoint detach');
    try {
      const table = client.escapeIdentifier(name);
      await client.query(`alter table ledger_entries detach partition ${table}`);
      return;
    } catch (error) {
      if (errorCode(error) !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES) throw error;
      await client.query('rollback to savepoint detach');
      await sleep(LOCK_PAUSE_MS);
    }
  }
}
