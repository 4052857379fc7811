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
  readonly countHits: SqliteStatement;
  readonly pruneHits: SqliteStatement;
  readonly recentHits: SqliteStatement;
}

/** The statements' texts. */
const STATEMENTS: Readonly<Record<keyof WriterSql, string>> = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  dataVersion: 'PRAGMA data_version',
  keyByHash: 'SELECT id, account_id, mode, revoked_at_ms FROM api_keys WHERE hash = ?',
  keyById: 'SELECT id, account_id, mode, revoked_at_ms FROM api_keys WHERE id = ?',
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
    countHits: prepare('countHits'),
    pruneHits: prepare('pruneHits'),
    recentHits: prepare('recentHits'),
  };
}
