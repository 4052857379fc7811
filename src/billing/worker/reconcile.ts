import type { Cluster, Redis } from 'ioredis';
import { FREE_WINDOW_MS } from '../../core/billing-terms.js';
import type { Database } from '../../database/schema.js';
import { apiKeyKey, fundsKey } from '../redis/keys.js';
import {
  compareAccounts,
  type Drift,
  type Owner,
  type ReconcileParts,
  reportDrifts,
} from './compare.js';
import { partitionsOf } from './groups.js';
import { loadScript, runScript } from './scripts.js';
import { streamStatus } from './streams.js';

/** Result of a reconciliation. */
export interface Reconciled {
  /**
   * Number of compared accounts, which are those that Redis holds. An account with two modes counts
   * twice.
   */
  readonly accounts: number;
  readonly drifts: readonly Drift[];
}

/** Number of accounts that one script call compares in one transaction. Other work waits for both. */
const CHUNK = 250;
/** Free calls this close to the start of the window are not compared, because the clocks differ. */
const WINDOW_MARGIN_MS = 60_000;

const present = loadScript(new URL('./scripts/present.lua', import.meta.url));
const revoked = loadScript(new URL('./scripts/revoked.lua', import.meta.url));

/**
 * Compares the accounts of a group in Redis with the ledger and the events that are not in the
 * ledger yet, each account at one moment. Repairs Redis where it differs. Every difference is
 * logged, counted and stored as a row.
 *
 * @param clock time in ms since 1970, by the clock of the gates. Free calls count if they are in
 * the window that ends when their account is compared, because the gates may drop older calls at
 * any time
 * @param stop ends the reconciliation after the current accounts
 * @throws the error of PostgreSQL or Redis
 */
export async function reconcileGroup(
  parts: ReconcileParts,
  group: number,
  { clock = Date.now, stop }: { clock?: () => number; stop?: AbortSignal | undefined } = {},
): Promise<Reconciled> {
  const partitions = partitionsOf(group);
  const streams = await streamStatus(parts.redis, partitions, 0);
  const used = new Set(
    streams.flatMap(({ partition, generation }) => (generation === undefined ? [] : partition)),
  );
  const drifts: Drift[] = [...(await markRevoked(parts, group))];
  let accounts = 0;
  for (const [partition, owners] of await ownersByPartition(parts.db, group)) {
    if (!used.has(partition)) continue;
    for (let at = 0; at < owners.length && !stop?.aborted; at += CHUNK) {
      const held = await heldOwners(parts.redis, partition, owners.slice(at, at + CHUNK));
      if (held.length === 0) continue;
      accounts += held.length;
      const freeFromMs = clock() - FREE_WINDOW_MS + WINDOW_MARGIN_MS;
      drifts.push(
        ...(await compareAccounts(parts, { group, partition, owners: held, freeFromMs })),
      );
    }
  }
  return { accounts, drifts };
}

/** Marks revoked keys that Redis still accepts. Leaves out keys that the outbox has yet to apply. */
async function markRevoked(
  { db, redis, ...parts }: ReconcileParts,
  group: number,
): Promise<readonly Drift[]> {
  const partitions = partitionsOf(group);
  const keys = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.hash', 'api_keys.account_id', 'api_keys.mode', 'accounts.partition'])
    .where('api_keys.revoked_at_ms', 'is not', null)
    .where('accounts.partition', '>=', Math.min(...partitions))
    .where('accounts.partition', '<=', Math.max(...partitions))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('redis_outbox')
            .select('redis_outbox.id')
            .whereRef('redis_outbox.key_hash', '=', 'api_keys.hash'),
        ),
      ),
    )
    .execute();
  const drifts: Drift[] = [];
  for (const [partition, list] of byPartition(keys)) {
    for (let at = 0; at < list.length; at += CHUNK) {
      const chunk = list.slice(at, at + CHUNK);
      const names = chunk.map(({ hash }) => apiKeyKey(partition, hash));
      const places = (await runScript(redis, revoked, names, [])) as number[];
      for (const place of places) {
        const key = chunk[place - 1];
        if (key === undefined) continue;
        const { account_id: accountId, mode } = key;
        drifts.push({ accountId, mode, counter: 'revoked', found: 0, expected: 1 });
      }
    }
  }
  await reportDrifts({ db, ...parts }, drifts);
  return drifts;
}

async function ownersByPartition(
  db: Database,
  group: number,
): Promise<ReadonlyMap<number, readonly Owner[]>> {
  const partitions = partitionsOf(group);
  const rows = await db
    .selectFrom('accounts')
    .innerJoin('balances', 'balances.account_id', 'accounts.id')
    .select(['accounts.partition', 'balances.account_id', 'balances.mode'])
    .where('accounts.partition', '>=', Math.min(...partitions))
    .where('accounts.partition', '<=', Math.max(...partitions))
    .execute();
  return byPartition(
    rows.map(({ partition, account_id: accountId, mode }) => ({ partition, accountId, mode })),
  );
}

function byPartition<Row extends { readonly partition: number }>(
  rows: readonly Row[],
): ReadonlyMap<number, readonly Row[]> {
  const lists = new Map<number, Row[]>();
  for (const row of rows) {
    const list = lists.get(row.partition);
    if (list === undefined) lists.set(row.partition, [row]);
    else list.push(row);
  }
  return lists;
}

async function heldOwners(
  redis: Redis | Cluster,
  partition: number,
  owners: readonly Owner[],
): Promise<readonly Owner[]> {
  const keys = owners.map(({ accountId, mode }) => fundsKey(partition, accountId, mode));
  const places = (await runScript(redis, present, keys, [])) as number[];
  return places.flatMap((place) => owners[place - 1] ?? []);
}
