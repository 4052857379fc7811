import { setImmediate } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import { isPostgres } from '../database/dialect.js';
import type { Database, LedgerEntriesTable } from '../database/schema.js';
import { csvLines } from '../table-formats/csv.js';
import { firstEntryId } from './charge.js';

/**
 * Number of entries read at a time. A SQLite call blocks the event loop; for this number it takes
 * about 1 ms.
 */
const CHUNK_ENTRIES = 1000;
/** The clock of the machine that booked an entry may be ahead by this. */
const CLOCKS_MS = 3600 * 1000;

const COLUMNS = [
  'time',
  'kind',
  'credits',
  'free_calls',
  'operation',
  'key_id',
  'cause',
  'balance_after',
] as const;

type Entry = Pick<
  Selectable<LedgerEntriesTable>,
  | 'id'
  | 'at_ms'
  | 'kind'
  | 'credits'
  | 'free_calls'
  | 'operation'
  | 'key_id'
  | 'cause'
  | 'balance_after'
>;

/**
 * Every ledger entry of an account in a mode as CSV (RFC 4180), in pieces, the oldest first.
 * Entries booked after the start are left out. Other work gets a turn after each piece.
 *
 * @param accountId its entries may be dated before the account, by a clock that was behind
 */
export async function* ledgerCsv(
  db: Database,
  accountId: string,
  mode: Mode,
  nowMs: number = Date.now(),
): AsyncGenerator<string> {
  yield csvLines([COLUMNS]);
  const endMs = nowMs + CLOCKS_MS;
  const end = await lastId(db, endMs);
  let after: EntryId = isPostgres(db) ? '' : 0;
  for (;;) {
    const range = { accountId, mode, after, end, endMs };
    const entries: readonly Entry[] = await chunkQuery(db, range).execute();
    const last = entries.at(-1);
    if (last === undefined) return;
    yield csvLines(entries.map(fieldsOf));
    if (entries.length < CHUNK_ENTRIES) return;
    after = last.id;
    await setImmediate();
  }
}

type EntryId = string | number;

interface Range {
  readonly accountId: string;
  readonly mode: Mode;
  readonly after: EntryId;
  /** The last id. */
  readonly end: EntryId;
  /** Later entries are left out. */
  readonly endMs: number;
}

/** The query of one piece. It reads only entries of the account, and no more than one piece. */
export function chunkQuery(db: Database, { accountId, mode, after, end, endMs }: Range) {
  // The view finds the entries of an account by an index. On PostgreSQL, the table itself has such
  // an index.
  return db
    .selectFrom(isPostgres(db) ? 'ledger_entries' : 'account_entries')
    .select(['id', 'at_ms', 'kind', 'credits', 'free_calls', 'operation', 'key_id', 'cause'])
    .select('balance_after')
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('id', '>', after)
    .where('id', '<=', end)
    .where('at_ms', '<=', endMs)
    .orderBy('id')
    .limit(CHUNK_ENTRIES);
}

/** Largest id that an export can contain. */
async function lastId(db: Database, endMs: number): Promise<EntryId> {
  if (isPostgres(db)) return firstEntryId(endMs);
  const last = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  return last?.id ?? 0;
}

function fieldsOf(entry: Entry): (string | number)[] {
  return [
    new Date(entry.at_ms).toISOString(),
    entry.kind,
    entry.credits,
    entry.free_calls,
    entry.operation ?? '',
    entry.key_id ?? '',
    entry.cause,
    entry.balance_after,
  ];
}
