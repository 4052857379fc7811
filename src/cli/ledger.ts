import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.js';
import type { Database } from '../database/schema.js';
import { isPostgresUrl } from '../database/url.js';
import { Refusal } from '../failure.js';
import type { LedgerPartition } from '../ledger/partitions.js';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { isoTime, JSON_OPTION, type JsonOption, print, table } from './output.js';
import { unbookedOfAll, unbookedText } from './unbooked.js';
import { withDatabase } from './with-database.js';

const NOTES = `
The ledger on PostgreSQL is split into partitions by time. Old partitions can be archived to files;
balances, daily usage and the entries of purchases, grants and corrections stay in the database.

Examples:
  npx vitruvia ledger partitions
  npx vitruvia ledger archive --before 2026-01-01 --to /backup/ledger
  npx vitruvia ledger drop --before 2026-01-01 --from /backup/ledger
  npx vitruvia ledger verify
`;
const BEFORE = ['--before <day>', 'first day to keep, such as 2026-01-01 (UTC)', day] as const;

/** Adds `ledger verify`, `partitions`, `archive` and `drop`. */
export function ledgerCommand(command: Command): void {
  command.addHelpText('after', NOTES);
  command
    .command('verify')
    .description(
      'compare every balance and every day of usage with the ledger; reads all of it, and says what is not booked yet',
    )
    .option(...JSON_OPTION)
    .action(verify);
  command
    .command('partitions')
    .description('list the partitions of the ledger (PostgreSQL)')
    .option(...JSON_OPTION)
    .action(partitions);
  command
    .command('archive')
    .description('write old partitions to compressed CSV files and detach them (PostgreSQL)')
    .requiredOption(...BEFORE)
    .requiredOption('--to <folder>', 'folder for the files')
    .option(...JSON_OPTION)
    .action(archive);
  command
    .command('drop')
    .description('drop archived partitions after a check of their files (PostgreSQL)')
    .requiredOption(...BEFORE)
    .requiredOption('--from <folder>', 'folder of the files')
    .option(...JSON_OPTION)
    .action(drop);
}

async function verify(options: JsonOption): Promise<void> {
  const drifts = await withDatabase(verifyLedger, 'bulk');
  const note = await unbookedOfAll();
  const unbooked = note?.charges;
  const open = note?.charges == null ? (note?.why ?? '') : unbookedText(note.charges);
  if (drifts.length === 0) {
    const agrees = 'Every balance and every day of usage agrees with the ledger.';
    print(options, { drifts, unbooked }, open === '' ? agrees : `${agrees}\n${open}`);
    return;
  }
  const rows = drifts.map(({ accountId, mode, figure, stored, ledger }) =>
    [accountId, mode, figure, stored ?? 'none', ledger ?? 'none'].map(String),
  );
  const lines = table([['account', 'mode', 'figure', 'stored', 'ledger'], ...rows]);
  const message = `Figures differ from the ledger: ${drifts.length}.\n${lines}\n${open}`.trimEnd();
  throw new Refusal('ledger_differs', message, 1, { drifts, unbooked });
}

async function partitions(options: JsonOption): Promise<void> {
  const { ledgerPartitions } = await import('../ledger/partitions.js');
  const list = await onPostgres((db) => ledgerPartitions(db));
  const documents = list.map(documentOf);
  const rows = documents.map((row) =>
    [row.name, row.from ?? '', row.to, row.entries, row.bytes].map(String),
  );
  const lines = table([['partition', 'from', 'to', 'entries (estimate)', 'bytes'], ...rows]);
  print(options, { partitions: documents }, lines);
}

function documentOf({ name, fromMs, toMs, entries, bytes }: LedgerPartition) {
  return { name, from: isoTime(fromMs), to: isoTime(toMs), entries, bytes };
}

interface ArchiveOptions extends JsonOption {
  readonly before: number;
  readonly to: string;
}

async function archive(options: ArchiveOptions): Promise<void> {
  const { archivable, archivePartition } = await import('../ledger/archive.js');
  const { databaseUrl } = readConfig(process.env);
  const list = await onPostgres((db) => archivable(db, options.before, Date.now()));
  const archived: object[] = [];
  const lines: string[] = [];
  for (const partition of list) {
    const one = await archivePartition(databaseUrl, partition, options.to, Date.now());
    archived.push(one);
    lines.push(`${one.name}: ${one.entries} entries in ${one.file}`);
  }
  const none = 'No partition ends before that day and at least 7 days ago.';
  print(options, { archived }, lines.length === 0 ? none : lines.join('\n'));
}

interface DropOptions extends JsonOption {
  readonly before: number;
  readonly from: string;
}

async function drop(options: DropOptions): Promise<void> {
  const { ArchiveFileError, dropArchived } = await import('../ledger/archive.js');
  try {
    const dropped = await onPostgres((db) => dropArchived(db, options.before, options.from));
    print(options, { dropped }, dropped.length === 0 ? 'Nothing to drop.' : dropped.join('\n'));
  } catch (error) {
    if (!(error instanceof ArchiveFileError)) throw error;
    throw new Refusal('archive_damaged', `${error.message} Its table was not dropped.`);
  }
}

async function onPostgres<Result>(use: (db: Database) => Promise<Result>): Promise<Result> {
  if (!isPostgresUrl(readConfig(process.env).databaseUrl)) {
    const message =
      'Only PostgreSQL splits the ledger into partitions. Set DATABASE_URL to postgres://….';
    throw new Refusal('needs_postgresql', message);
  }
  return await withDatabase(use, 'bulk');
}

/** Start of a day in UTC, ms since the epoch. */
function day(text: string): number {
  const atMs = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('It must be a day such as 2026-01-01.');
  return atMs;
}
