import { setImmediate } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import { isPostgres } from '../database/dialect.js';
import type { Database, LedgerEntriesTable } from '../database/schema.js';
import { firstEntryId } from './charge.js';

/** Entries read at a time. A SQLite call blocks the event loop; this many take about 1 ms. */
const CHUNK_ENTRIES = 1000;
/** The clocks of two machines differ by less than this. */
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
 * @param account its id, and when it was created: none of its entries is older
 */
export async function* ledgerCsv(
  db: Database,
  account: { readonly id: string; readonly createdAtMs: number },
  mode: Mode,
  nowMs: number = Date.now(),
): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  const end = firstEntryId(nowMs + CLOCKS_MS);
  let after = firstEntryId(account.createdAtMs - CLOCKS_MS);
  for (;;) {
    const chunk = await readChunk(db, account.id, mode, after, end);
    if (chunk.entries.length > 0) yield chunk.entries.map(csvLine).join('');
    if (chunk.next === undefined) return;
    after = chunk.next;
    await setImmediate();
  }
}

interface LedgerChunk {
  readonly entries: readonly Entry[];
  /** The id after which the next chunk starts; undefined after the last chunk. */
  readonly next: string | undefined;
}

async function readChunk(
  db: Database,
  accountId: string,
  mode: Mode,
  after: string,
  end: string,
): Promise<LedgerChunk> {
  const own = db
    .selectFrom('ledger_entries')
    .select(['id', 'at_ms', 'kind', 'credits', 'free_calls', 'operation', 'key_id', 'cause'])
    .select('balance_after')
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('id', '>', after)
    .where('id', '<', end)
    .orderBy('id');
  if (isPostgres(db)) {
    // PostgreSQL has an index of the ledger by account.
    const entries = await own.limit(CHUNK_ENTRIES).execute();
    return { entries, next: entries.length < CHUNK_ENTRIES ? undefined : entries.at(-1)?.id };
  }
  // SQLite has no such index: this reads a piece of the whole ledger and keeps the account's
  // entries.
  const last = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where('id', '>', after)
    .where('id', '<', end)
    .orderBy('id')
    .limit(1)
    .offset(CHUNK_ENTRIES - 1)
    .executeTakeFirst();
  if (last === undefined) return { entries: await own.execute(), next: undefined };
  return { entries: await own.where('id', '<=', last.id).execute(), next: last.id };
}

function csvLine(entry: Entry): string {
  const fields = [
    new Date(entry.at_ms).toISOString(),
    entry.kind,
    entry.credits,
    entry.free_calls,
    entry.operation ?? '',
    entry.key_id ?? '',
    entry.cause,
    entry.balance_after,
  ];
  return `${fields.map(csvField).join(',')}\r\n`;
}

/** A field. An apostrophe keeps spreadsheets from reading text as a formula. */
function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
