import { setImmediate } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import { isPostgres } from '../database/dialect.js';
import type { Database, LedgerEntriesTable } from '../database/schema.js';
import { firstEntryId } from './charge.js';

/** Entries read at a time: a millisecond or so of a SQLite call, which holds up everything else. */
const CHUNK_ENTRIES = 1000;
/** Clocks of two machines differ less than this. */
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
 * Every entry of an account's ledger in a mode as CSV (RFC 4180), the oldest first, in pieces; what
 * is booked after the start is left out. Gives way to other work after each piece.
 *
 * @param createdAtMs when the account was made: nothing of its own is older
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
  /** Where the next chunk starts; undefined after the last. */
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
    // Its ledger has an index by account.
    const entries = await own.limit(CHUNK_ENTRIES).execute();
    return { entries, next: entries.length < CHUNK_ENTRIES ? undefined : entries.at(-1)?.id };
  }
  // SQLite's has none: a piece of the whole ledger, in which the account's own are looked for.
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

/** A field; text that a spreadsheet would take for a formula is made plain by an apostrophe. */
function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
