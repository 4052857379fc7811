import type { Cluster, Redis } from 'ioredis';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { listen } from '../../database/listen.js';
import type { Database, RedisOutboxTable, Schema } from '../../database/schema.js';
import { ownerOf } from '../../ledger/charge.js';
import { apiKeyKey, fundsKey } from '../redis/keys.js';
import { loadScript, runScript } from './scripts.js';

/** Applies changes in PostgreSQL to Redis until it is closed. */
export interface Outbox {
  /** Ends it after the current changes. */
  close(): Promise<void>;
}

type Row = Selectable<RedisOutboxTable>;

/** Channel on which PostgreSQL announces new rows. */
const OUTBOX_CHANNEL = 'vitruvia_outbox';
/** Time between two checks without a notification. A notification is lost if its connection is lost. */
export const OUTBOX_POLL_MS = 400;
/**
 * Time after which a row is applied again. A Redis that restarts may lose the first application. A
 * node that read an account just before the change may overwrite it with older numbers.
 */
const REPEAT_AFTER_MS = 3000;
const ROWS_MAX = 500;
/** How long a revoked key stays marked in Redis. After that, nodes read the key in PostgreSQL. */
const REVOKED_MARK_MS = 24 * 3600 * 1000;

const revoke = loadScript(new URL('./scripts/revoke.lua', import.meta.url));
const credit = loadScript(new URL('./scripts/credit.lua', import.meta.url));

/**
 * Applies revoked keys, credits and debts of the outbox to Redis. Any number of nodes may do so at
 * once: a lock gives each row to one node at a time. A failure is logged once, and the work is
 * repeated until it succeeds.
 *
 * @param db stays open when the outbox closes, and so does `redis`
 * @param databaseUrl where to listen for new rows
 * @param pollMs time between two checks without a notification
 */
export function startOutbox(
  db: Database,
  redis: Redis | Cluster,
  log: Logger,
  databaseUrl: string,
  pollMs = OUTBOX_POLL_MS,
): Outbox {
  let ended = false;
  let woken = false;
  let ring: () => void = () => undefined;
  const wake = () => {
    woken = true;
    ring();
  };
  const rest = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
      if (woken) ring();
    });
  const run = async () => {
    let failing = false;
    while (!ended) {
      woken = false;
      try {
        woken = (await applyOutbox(db, redis)) === ROWS_MAX || woken;
        if (failing) log.info('changes to keys and credits reach Redis again');
        failing = false;
      } catch (error) {
        if (!failing) log.error({ err: error }, 'changes to keys and credits do not reach Redis');
        failing = true;
      }
      await rest();
    }
  };
  const running = run();
  const listener = listen(databaseUrl, OUTBOX_CHANNEL, wake);
  return {
    async close() {
      ended = true;
      wake();
      await Promise.all([running, listener.close()]);
    },
  };
}

/**
 * Applies the rows that are due, oldest first.
 *
 * @returns number of applied rows
 * @throws the error of PostgreSQL or Redis; the rows are still due then
 */
export async function applyOutbox(db: Database, redis: Redis | Cluster): Promise<number> {
  const { rows: due } = await sql<{ due: boolean }>`
    select exists (select from redis_outbox where ${isDue}) as due`.execute(db);
  if (due[0]?.due !== true) return 0;
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<Row>`
      select * from redis_outbox where ${isDue} order by id limit ${ROWS_MAX}
      for update skip locked`.execute(trx);
    await Promise.all([revokeKeys(redis, rows), creditAccounts(trx, redis, rows)]);
    await settle(trx, rows);
    return rows.length;
  });
}

/** How long the oldest change has waited to be applied, in seconds; 0 if no change waits. */
export async function outboxLagSeconds(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select (${nowMs} - min(created_at_ms))::float8 / 1000 as seconds from redis_outbox
    where applied_at_ms is null`.execute(db);
  return Math.max(0, rows[0]?.seconds ?? 0);
}

const nowMs = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
const isDue = sql`(applied_at_ms is null or applied_at_ms <= ${nowMs} - ${sql.lit(REPEAT_AFTER_MS)})`;

async function revokeKeys(redis: Redis | Cluster, rows: readonly Row[]): Promise<void> {
  await Promise.all(
    rows.map(async ({ kind, partition, key_hash: hash }) => {
      if (kind !== 'key' || hash === null) return;
      await runScript(redis, revoke, [apiKeyKey(partition, hash)], [REVOKED_MARK_MS]);
    }),
  );
}

async function creditAccounts(
  trx: Transaction<Schema>,
  redis: Redis | Cluster,
  rows: readonly Row[],
): Promise<void> {
  const changed = new Map<string, Row>();
  for (const row of rows) {
    if (row.kind !== 'credits') continue;
    changed.set(ownerOf({ accountId: row.account_id, mode: row.mode }), row);
  }
  if (changed.size === 0) return;
  const owners = [...changed.values()];
  const balances = await trx
    .selectFrom('balances')
    .select(['account_id', 'mode', 'credited', 'credit_version', 'debt_credits', 'debt_version'])
    .where(
      'account_id',
      'in',
      owners.map((row) => row.account_id),
    )
    .execute();
  await Promise.all(
    balances.map(async ({ account_id: accountId, mode, ...balance }) => {
      const row = changed.get(ownerOf({ accountId, mode }));
      if (row === undefined) return;
      const funds = fundsKey(row.partition, accountId, mode);
      const { credited, credit_version: version, debt_credits: debt, debt_version } = balance;
      await runScript(redis, credit, [funds], [credited, version, debt, debt_version]);
    }),
  );
}

/** Marks rows applied for the first time, and deletes those applied for the second time. */
async function settle(trx: Transaction<Schema>, rows: readonly Row[]): Promise<void> {
  const ids = (wanted: (row: Row) => boolean) => rows.filter(wanted).map(({ id }) => id);
  const first = ids((row) => row.applied_at_ms === null);
  const second = ids((row) => row.applied_at_ms !== null);
  if (first.length > 0) {
    await sql`update redis_outbox set applied_at_ms = ${nowMs}
      where id = any(${first}::bigint[])`.execute(trx);
  }
  if (second.length > 0) {
    await sql`delete from redis_outbox where id = any(${second}::bigint[])`.execute(trx);
  }
}
