import {
  type Kysely,
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from 'kysely';

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

/**
 * Makes the database refuse to change or delete rows of a table, with triggers. Each dialect has
 * its own syntax for them.
 */
export async function refuseChanges(db: Kysely<unknown>, table: string): Promise<void> {
  const message = sql.lit(`${table} is append-only`);
  if (isPostgres(db)) {
    const refuse = sql.id(`${table}_refuse_changes`);
    await sql`create function ${refuse}() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception '${table} is append-only'; end`)}`.execute(db);
    await sql`create trigger ${refuse} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function ${refuse}()`.execute(db);
    return;
  }
  for (const verb of ['update', 'delete']) {
    await sql`create trigger ${sql.id(`${table}_refuse_${verb}`)}
      before ${sql.raw(verb)} on ${sql.table(table)}
      begin select raise(abort, ${message}); end`.execute(db);
  }
}

/** Runs statements without parameters, one after the other. */
export async function runAll(
  db: QueryExecutorProvider,
  statements: readonly string[],
): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
