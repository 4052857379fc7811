import { createHmac } from 'node:crypto';
import type { Transaction } from 'kysely';
import { DAY_MS } from '../core/time.js';
import type { Database, Schema } from '../database/schema.js';
import { deploymentSecret } from './deployment-secret.js';

/** A network is known for this time after the last sign-in from it. */
const KNOWN_MS = 30 * DAY_MS;
/** Maximum number of known networks of a user. The one with the oldest sign-in is forgotten first. */
const NETWORKS_MAX = 8;

/**
 * Whether the user has signed in from this network during the last 30 days.
 *
 * @param userId any text without a user takes the same time
 * @param network from `networkOf`
 */
export async function isKnownNetwork(
  db: Database,
  userId: string,
  network: string,
  nowMs: number,
): Promise<boolean> {
  const known = await db
    .selectFrom('known_networks')
    .select('seen_at_ms')
    .where('person_id', '=', userId)
    .where('network_hash', '=', await hashOf(db, userId, network))
    .where('seen_at_ms', '>', nowMs - KNOWN_MS)
    .executeTakeFirst();
  return known !== undefined;
}

/** Notes a sign-in from a network. Only a hash is stored, whose secret is that of the deployment. */
export async function noteNetwork(
  trx: Transaction<Schema>,
  userId: string,
  network: string,
  nowMs: number,
): Promise<void> {
  const network_hash = await hashOf(trx, userId, network);
  await trx
    .insertInto('known_networks')
    .values({ person_id: userId, network_hash, seen_at_ms: nowMs })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'network_hash']).doUpdateSet({ seen_at_ms: nowMs }),
    )
    .execute();
  const surplus = trx
    .selectFrom('known_networks')
    .select('network_hash')
    .where('person_id', '=', userId)
    .orderBy('seen_at_ms', 'desc')
    .orderBy('network_hash')
    .limit(1000)
    .offset(NETWORKS_MAX);
  await trx
    .deleteFrom('known_networks')
    .where('person_id', '=', userId)
    .where('network_hash', 'in', surplus)
    .execute();
}

/** Forgets networks without a sign-in during the last 30 days. */
export async function forgetNetworks(db: Database, nowMs: number): Promise<void> {
  await db
    .deleteFrom('known_networks')
    .where('seen_at_ms', '<=', nowMs - KNOWN_MS)
    .execute();
}

async function hashOf(db: Database, userId: string, network: string): Promise<string> {
  const secret = await deploymentSecret(db, 'networks');
  return createHmac('sha256', secret).update(`${userId} ${network}`).digest('hex');
}
