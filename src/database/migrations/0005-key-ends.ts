import { type Kysely, type Migration, sql } from 'kysely';

/** When a rotated key is to be revoked. */
export const keyEnds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('api_keys').addColumn('ends_at_ms', 'bigint').execute();
    // Queries look only for keys that are about to end, and they run often.
    await db.schema
      .createIndex('api_keys_ends')
      .on('api_keys')
      .column('ends_at_ms')
      .where(sql.ref('ends_at_ms'), 'is not', null)
      .where(sql.ref('revoked_at_ms'), 'is', null)
      .execute();
  },
};
