import { randomBytes } from 'node:crypto';
import type { Database } from '../database/schema.js';

const BYTES = 32;

/**
 * A secret that all processes of a deployment share. The first process that asks creates it. It is never
 * shown, and a backup of the database holds it.
 */
export async function deploymentSecret(db: Database, name: string): Promise<string> {
  const value = randomBytes(BYTES).toString('hex');
  await db
    .insertInto('deployment_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = db.selectFrom('deployment_secrets').select('value').where('name', '=', name);
  return (await stored.executeTakeFirstOrThrow()).value;
}
