import type { Kysely, Migration } from 'kysely';

/** Secrets that all processes of a deployment share; see `deployment-secret.ts`. */
export const deploymentSecrets: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('deployment_secrets')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
  },
};
