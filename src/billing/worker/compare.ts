import type { Cluster, Redis } from 'ioredis';
import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { FreeUse, Mode } from '../../core/billing-terms.js';
import type { Database, Schema } from '../../database/schema.js';
import { bookedCauses } from '../../ledger/book-charges.js';
import { firstEntryId, ownerOf, REQUEST_CAUSE } from '../../ledger/charge.js';
import type { DatedUses } from '../redis/event.js';
import { eventsKey, fundsKey, packFreeUses, stateKey } from '../redis/keys.js';
import type { WorkerObserver } from './drain.js';
import { lockGroup } from './groups.js';
import { loadScript, runScript } from './scripts.js';
import { readStream, type StreamEntry, streamStatus, trimStream } from './streams.js';

type Trx = Transaction<Schema>;

/** A number in Redis that differed from the ledger and the events. */
export interface Drift {
  readonly accountId: string;
  readonly mode: Mode;
  /**
   * `spent`, `credited`, `credit_version`, `debt`, `debt_version`, `free_calls` (of the window) or
   * `revoked` (of a key).
   */
  readonly counter: string;
  /** The value in Redis; -1 if it was not a number. */
  readonly found: number;
  /** The value according to the ledger and the events. Redis has it now. */
  readonly expected: number;
}

/** Dependencies of a reconciliation. */
export interface ReconcileParts {
  readonly db: Database;
  readonly redis: Redis | Cluster;
  readonly log: Logger;
  readonly observer: Pick<WorkerObserver, 'driftRepaired'>;
}

/** An account in a mode. */
export interface Owner {
  readonly accountId: string;
  readonly mode: Mode;
}

/** Accounts of one partition to compare. */
export interface Comparison {
  readonly group: number;
  readonly partition: number;
  readonly owners: readonly Owner[];
  /** Free calls after this moment are compared. */
  readonly freeFromMs: number;
}

/** An account according to the ledger and the events counted so far. */
interface Account extends Owner {
  readonly credited: number;
  readonly version: number;
  readonly debt: number;
  readonly debtVersion: number;
  /** Whether the outbox has credits or a debt of the account that Redis may not know yet. */
  readonly onTheWay: boolean;
  spent: number;
  freeUses: FreeUse[];
}

const LOCK_WAIT_MS = 10_000;
const PAGE_EVENTS = 1000;
/**
 * Maximum number of attempts. A comparison starts again if Redis was emptied or lost its latest
 * data during it.
 */
const ATTEMPTS = 3;
const FIELDS_PER_DRIFT = 4;

const compare = loadScript(new URL('./scripts/compare.lua', import.meta.url));

/**
 * Compares accounts and repairs Redis in one script call, so no charge can happen in between. The
 * group's lock keeps drains out. The locks of the balances keep credits out.
 *
 * @returns the differences
 * @throws the error of PostgreSQL or Redis
 */
export async function compareAccounts(
  parts: ReconcileParts,
  comparison: Comparison,
): Promise<readonly Drift[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const drifts = await parts.db.transaction().execute(async (trx) => {
      await lockGroup(trx, comparison.group, LOCK_WAIT_MS);
      return await compareLocked(parts.redis, trx, comparison);
    });
    if (drifts === undefined) continue;
    await reportDrifts(parts, drifts);
    return drifts;
  }
  throw new Error(
    `Redis was emptied or restarted during each attempt to compare partition ${comparison.partition}.`,
  );
}

/** Returns undefined if Redis was emptied or lost its latest data during the comparison. */
async function compareLocked(
  redis: Redis | Cluster,
  trx: Trx,
  { partition, owners, freeFromMs }: Comparison,
): Promise<readonly Drift[] | undefined> {
  const [state] = await streamStatus(redis, [partition], 0);
  const generation = state?.generation ?? '';
  await trimBooked(redis, trx, partition, generation);
  const accounts = await readAccounts(trx, owners, freeFromMs);
  const counted = await countEvents(redis, partition, accounts);
  const list = [...accounts.values()];
  const keys = list.map(({ accountId, mode }) => fundsKey(partition, accountId, mode));
  const reply = await runScript(
    redis,
    compare,
    [stateKey(partition), eventsKey(partition), ...keys],
    [generation, counted.last, counted.events, freeFromMs, ...list.flatMap(argumentsOf)],
  );
  if (reply === -1) return undefined;
  return driftsOf(reply as (string | number)[], list);
}

function argumentsOf(account: Account): (string | number)[] {
  const { accountId, mode, credited, version, onTheWay, spent, freeUses } = account;
  const free = packFreeUses(freeUses);
  const { debt, debtVersion } = account;
  const name = `${accountId} ${mode}`;
  return [name, credited, version, onTheWay ? 1 : 0, spent, free, debt, debtVersion];
}

function driftsOf(fields: readonly (string | number)[], accounts: readonly Owner[]): Drift[] {
  const drifts: Drift[] = [];
  for (let at = 0; at < fields.length; at += FIELDS_PER_DRIFT) {
    const [place, counter, found, expected] = fields.slice(at, at + FIELDS_PER_DRIFT);
    const account = accounts[Number(place) - 1];
    if (account === undefined) continue;
    const { accountId, mode } = account;
    const had = Number(found);
    drifts.push({
      accountId,
      mode,
      counter: String(counter),
      found: Number.isSafeInteger(had) ? had : -1,
      expected: Number(expected),
    });
  }
  return drifts;
}

/** Removes events that a worker booked but did not remove, because it was killed. */
async function trimBooked(
  redis: Redis | Cluster,
  trx: Trx,
  partition: number,
  generation: string,
): Promise<void> {
  for (let count = 1; ; count = PAGE_EVENTS) {
    const entries = await readStream(redis, partition, '-', '+', count);
    if (count === 1 && entries[0]?.dated !== undefined) continue;
    const settled = await countSettled(trx, partition, entries);
    const last = entries[settled - 1];
    if (last === undefined) return;
    if (!(await trimStream(redis, partition, generation, last.streamId))) return;
    if (settled < entries.length) return;
  }
}

/**
 * Number of entries at the front that are in the ledger or the dead letters. An entry with dates of
 * free uses is settled if a charge after it is, because workers book in order.
 */
async function countSettled(
  trx: Trx,
  partition: number,
  entries: readonly StreamEntry[],
): Promise<number> {
  const booked = await bookedCauses(
    trx,
    entries.flatMap(({ event }) => event ?? []),
  );
  const rows = await trx
    .selectFrom('dead_letters')
    .select('event_id')
    .where('partition', '=', partition)
    .where('event_id', '=', sql<string>`any(${entries.map(({ streamId }) => streamId)}::text[])`)
    .execute();
  const dead = new Set(rows.map((row) => row.event_id));
  const open = entries.findIndex(
    ({ event, dated, streamId }) =>
      dated === undefined &&
      !dead.has(streamId) &&
      (event === undefined || !booked.has(REQUEST_CAUSE + event.requestId)),
  );
  const front = open === -1 ? entries : entries.slice(0, open);
  return front.findLastIndex(({ dated }) => dated === undefined) + 1;
}

/** Reads the accounts in the ledger. Locks the balances in the same order as drains do. */
async function readAccounts(
  trx: Trx,
  owners: readonly Owner[],
  freeFromMs: number,
): Promise<Map<string, Account>> {
  const wanted = ownersTable(owners);
  const balances = await sql<{
    account_id: string;
    mode: Mode;
    credited: number;
    credit_version: number;
    debt_credits: number;
    debt_version: number;
    paid_credits: number;
  }>`select account_id, mode, credited, credit_version, debt_credits, debt_version, paid_credits
    from balances where (account_id, mode) in (${wanted}) order by account_id, mode for update`.execute(
    trx,
  );
  const told = await sql<{ account_id: string; mode: Mode }>`
    select distinct account_id, mode from redis_outbox
    where kind = 'credits' and (account_id, mode) in (${wanted})`.execute(trx);
  const onTheWay = new Set(told.rows.map(({ account_id, mode }) => nameOf(account_id, mode)));
  const accounts = new Map<string, Account>();
  for (const row of balances.rows) {
    const { account_id: accountId, mode, credited, credit_version: version } = row;
    const name = nameOf(accountId, mode);
    const { debt_credits: debt, debt_version: debtVersion } = row;
    const spent = credited - row.paid_credits;
    const counts = { credited, version, debt, debtVersion, spent, freeUses: [] };
    accounts.set(name, { accountId, mode, ...counts, onTheWay: onTheWay.has(name) });
  }
  const uses = await sql<{ account_id: string; mode: Mode; at_ms: number; free_calls: number }>`
    with wanted (account_id, mode) as (${wanted}),
      owners as (select account_id, mode, account_id as user_id from wanted
        union all select wanted.account_id, mode, closed_accounts.account_id from wanted
          join closed_accounts on successor_id = wanted.account_id)
    select owners.account_id, owners.mode, at_ms, free_calls from owners
    join free_uses on free_uses.account_id = user_id and free_uses.mode = owners.mode
    where at_ms > ${freeFromMs} and id >= ${firstEntryId(freeFromMs)}
    order by at_ms`.execute(trx);
  for (const { account_id, mode, at_ms: atMs, free_calls: calls } of uses.rows) {
    accounts.get(nameOf(account_id, mode))?.freeUses.push({ atMs, calls });
  }
  return accounts;
}

function nameOf(accountId: string, mode: Mode): string {
  return ownerOf({ accountId, mode });
}

function ownersTable(owners: readonly Owner[]) {
  const accounts = owners.map(({ accountId }) => accountId);
  const modes = owners.map(({ mode }) => mode);
  return sql`select * from unnest(${accounts}::text[], ${modes}::text[])`;
}

/** Adds the events that are in the stream now to the accounts. */
async function countEvents(
  redis: Redis | Cluster,
  partition: number,
  accounts: ReadonlyMap<string, Account>,
): Promise<{ readonly last: string; readonly events: number }> {
  const [end] = await redis.xrevrange(eventsKey(partition), '+', '-', 'COUNT', 1);
  if (end === undefined) return { last: '', events: 0 };
  let from = '-';
  let events = 0;
  for (;;) {
    const page = await readStream(redis, partition, from, end[0], PAGE_EVENTS);
    for (const { event, dated } of page) {
      if (dated !== undefined) dateUses(accounts.get(ownerOf(dated)), dated);
      const account = event && accounts.get(ownerOf(event));
      if (event === undefined || account === undefined) continue;
      account.spent += event.credits;
      if (event.freeCalls > 0) account.freeUses.push({ atMs: event.atMs, calls: event.freeCalls });
    }
    events += page.length;
    if (page.length < PAGE_EVENTS) return { last: end[0], events };
    from = `(${page.at(-1)?.streamId}`;
  }
}

/** Sets the dates of free uses whose clock ran ahead to the time when that was noticed. */
function dateUses(account: Account | undefined, { uses, atMs }: DatedUses): void {
  if (account === undefined) return;
  const moved = new Set(uses.map((use) => use.atMs));
  account.freeUses = account.freeUses.map((use) => (moved.has(use.atMs) ? { ...use, atMs } : use));
}

/** Logs, counts and stores differences that have just been repaired. */
export async function reportDrifts(
  { db, log, observer }: Omit<ReconcileParts, 'redis'>,
  drifts: readonly Drift[],
): Promise<void> {
  if (drifts.length === 0) return;
  for (const { accountId: account, mode, counter, found, expected } of drifts) {
    // Logs first: storing the row may fail, and Redis is repaired already.
    log.error({ account, mode, counter, found, expected }, 'drift: a number in Redis was repaired');
    observer.driftRepaired(counter);
  }
  const nowMs = Date.now();
  const rows = drifts.map(({ accountId, mode, counter, found, expected }) => ({
    at_ms: nowMs,
    account_id: accountId,
    mode,
    counter,
    found,
    expected,
  }));
  await db.insertInto('drifts').values(rows).execute();
}
