import type { SqliteConnection, SqliteStatement } from '../../database/sqlite.js';

/**
 * The hot statements of the SQLite gate, prepared once per connection. Plain SQL rather than
 * Kysely: they run tens of thousands of times a second and only ever on the embedded database
 * (many nodes use the Redis gate), so building queries would cost more than running them.
 */
export interface WriterSql {
  readonly begin: SqliteStatement;
  readonly commit: SqliteStatement;
  readonly dataVersion: SqliteStatement;
  readonly keyByHash: SqliteStatement;
  readonly keyById: SqliteStatement;
  readonly paidCredits: SqliteStatement;
  readonly freeUses: SqliteStatement;
  readonly spend: SqliteStatement;
  readonly insertEntry: SqliteStatement;
  readonly addUsage: SqliteStatement;
  readonly findAnswer: SqliteStatement;
  readonly storeAnswer: SqliteStatement;
  readonly pruneAnswers: SqliteStatement;
  readonly countHits: SqliteStatement;
  readonly pruneHits: SqliteStatement;
  readonly recentHits: SqliteStatement;
}

/** The statements' texts. */
export const STATEMENTS: Readonly<Record<keyof WriterSql, string>> = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  dataVersion: 'PRAGMA data_version',
  keyByHash: 'SELECT id, account_id, mode, revoked_at_ms FROM api_keys WHERE hash = ?',
  keyById: 'SELECT id, account_id, mode, revoked_at_ms FROM api_keys WHERE id = ?',
  paidCredits: 'SELECT paid_credits FROM balances WHERE account_id = ? AND mode = ?',
  freeUses: `SELECT at_ms, free_calls FROM ledger_entries
    WHERE account_id = ? AND mode = ? AND free_calls > 0 AND at_ms > ? ORDER BY at_ms`,
  // Relative, so that the constraint on the balance guards against any fault of the cache.
  spend: `UPDATE balances SET paid_credits = paid_credits - ?
    WHERE account_id = ? AND mode = ?`,
  insertEntry: `INSERT INTO ledger_entries (id, account_id, mode, kind, credits, free_calls, cause,
      operation, key_id, rate_hits, at_ms, balance_after)
    VALUES (?, ?, ?, 'usage', ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (cause) DO NOTHING`,
  addUsage: `INSERT INTO usage_days (account_id, mode, day, key_id, operation, calls, credits,
      free_calls, last_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_id, mode, day, key_id, operation) DO UPDATE SET
      calls = calls + excluded.calls, credits = credits + excluded.credits,
      free_calls = free_calls + excluded.free_calls,
      last_at_ms = max(last_at_ms, excluded.last_at_ms)`,
  findAnswer: `SELECT fingerprint, answer_json, remaining_free_calls FROM idempotent_answers
    WHERE account_id = ? AND mode = ? AND operation = ? AND key = ? AND at_ms > ?`,
  storeAnswer: `INSERT INTO idempotent_answers (account_id, mode, operation, key, fingerprint,
      answer_json, remaining_free_calls, at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_id, mode, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint,
      answer_json = excluded.answer_json, remaining_free_calls = excluded.remaining_free_calls,
      at_ms = excluded.at_ms`,
  pruneAnswers: `DELETE FROM idempotent_answers WHERE (account_id, mode, operation, key) IN
    (SELECT account_id, mode, operation, key FROM idempotent_answers WHERE at_ms <= ? LIMIT ?)`,
  countHits: `INSERT INTO rate_hits (at_ms, key_id, hits) VALUES (?, ?, ?)
    ON CONFLICT (at_ms, key_id) DO UPDATE SET hits = rate_hits.hits + excluded.hits`,
  pruneHits: `DELETE FROM rate_hits WHERE (at_ms, key_id) IN
    (SELECT at_ms, key_id FROM rate_hits WHERE at_ms < ? LIMIT ?)`,
  // Ids of entries sort by time, so the first part reads one range of the primary key.
  recentHits: `SELECT key_id, SUM(hits), at_ms FROM (
      SELECT key_id, rate_hits AS hits, at_ms FROM ledger_entries
        WHERE id >= ? AND rate_hits > 0 AND at_ms > ?
      UNION ALL SELECT key_id, hits, at_ms FROM rate_hits WHERE at_ms > ?)
    WHERE key_id IS NOT NULL GROUP BY at_ms, key_id ORDER BY at_ms`,
};

/** Prepares the statements on a connection whose schema is up to date. */
export function prepareWriterSql(connection: SqliteConnection): WriterSql {
  const prepare = (name: keyof WriterSql): SqliteStatement =>
    connection.prepareRaw(STATEMENTS[name]);
  return {
    begin: prepare('begin'),
    commit: prepare('commit'),
    dataVersion: prepare('dataVersion'),
    keyByHash: prepare('keyByHash'),
    keyById: prepare('keyById'),
    paidCredits: prepare('paidCredits'),
    freeUses: prepare('freeUses'),
    spend: prepare('spend'),
    insertEntry: prepare('insertEntry'),
    addUsage: prepare('addUsage'),
    findAnswer: prepare('findAnswer'),
    storeAnswer: prepare('storeAnswer'),
    pruneAnswers: prepare('pruneAnswers'),
    countHits: prepare('countHits'),
    pruneHits: prepare('pruneHits'),
    recentHits: prepare('recentHits'),
  };
}
