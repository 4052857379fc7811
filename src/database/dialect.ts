import { PostgresAdapter, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** Whether a database, connection or transaction is on PostgreSQL; otherwise it is on SQLite. */
export function isPostgres(db: QueryExecutorProvider): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** SQL for the UTC day of a column of milliseconds since the epoch, as `YYYY-MM-DD`. */
export function utcDay(db: QueryExecutorProvider, column: string): RawBuilder<string> {
  const atMs = sql.ref(column);
  return isPostgres(db)
    ? sql`to_char(to_timestamp(${atMs} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD')`
    : sql`strftime('%Y-%m-%d', ${atMs} / 1000, 'unixepoch')`;
}
