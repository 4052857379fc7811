import { type Kysely, sql } from 'kysely';

/**
 * Makes the database refuse to change or delete rows of a table. Triggers are the one thing of the
 * schema that each dialect spells differently; the other dialect's spelling goes here too.
 */
export async function refuseChanges(db: Kysely<unknown>, table: string): Promise<void> {
  for (const verb of ['update', 'delete']) {
    await sql`create trigger ${sql.id(`${table}_refuse_${verb}`)}
      before ${sql.raw(verb)} on ${sql.table(table)}
      begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`.execute(db);
  }
}
