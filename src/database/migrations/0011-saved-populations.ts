import { type Kysely, type Migration, sql } from 'kysely';

/** Populations that people have named. They end with their person. */
export const savedPopulations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('saved_populations')
      .addColumn('person_id', 'text', (column) =>
        column.notNull().references('people.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('population', 'text', (column) => column.notNull())
      .addColumn('saved_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('saved_populations_key', ['person_id', 'name'])
      .addCheckConstraint('saved_populations_name', sql`length(name) between 1 and 60`)
      .execute();
  },
};
