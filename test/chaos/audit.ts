import type { Database } from '../../src/database/schema.js';
import { isUnknown, type Seen, wasPaid } from './answer-log.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;
/** After a jump of the clock, a process that hangs may use the old time for this long. */
const CLOCK_LAG_MS = 3000;
const FREE_PER_DAY = 10;

/** What the audit knows about a run. */
export interface Evidence {
  readonly seen: readonly Seen[];
  /** Account of each key. The index is that of the key in the clients' plans. */
  readonly accounts: readonly string[];
  readonly rateLimitMax: number;
  /** Spans of real time whose charges Redis may have lost. */
  readonly losses: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Revoked keys, each with the time at which Redis knew of it. Every server was up at that time. */
  readonly revoked: readonly { readonly key: number; readonly atMs: number }[];
  /** Real times at which Redis was emptied and lost the hits of every key. */
  readonly emptiedMs: readonly number[];
  /** Difference between the injected clock and the real clock at a real time, ms. */
  readonly aheadMs: (realMs: number) => number;
}

/** Result of the audit: counts, and one sentence for each violation. */
export interface Finding {
  readonly faults: readonly string[];
  readonly requests: number;
  readonly paid: number;
  readonly booked: number;
  /** Number of paid answers without an entry. Their charges were lost, so the customers did not pay. */
  readonly forgiven: number;
  /** Number of entries whose answer reached no client, because the request was cut off. */
  readonly cutOff: number;
}

interface Entry {
  readonly account: string;
  readonly cost: number;
  readonly freeCalls: number;
  readonly atMs: number;
}

/** Compares what clients saw with the entries in the ledger. */
export async function audit(db: Database, evidence: Evidence): Promise<Finding> {
  const entries = await usageEntries(db);
  const faults: string[] = [];
  const matched = new Set<string>();
  const forgiven = matchAnswers(evidence, entries, matched, faults);
  findCutOff(evidence, entries, matched, faults);
  findDoubles(evidence, entries, faults);
  checkFreeTier(entries, faults);
  checkRate(evidence, faults);
  checkRevoked(evidence, faults);
  return {
    faults,
    requests: evidence.seen.length,
    paid: evidence.seen.filter(wasPaid).length,
    booked: entries.size,
    forgiven,
    cutOff: entries.size - matched.size,
  };
}

async function usageEntries(db: Database): Promise<Map<string, Entry>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['cause', 'account_id', 'credits', 'free_calls', 'at_ms'])
    .where('kind', '=', 'usage')
    .execute();
  return new Map(
    rows.map((row) => [
      row.cause,
      {
        account: row.account_id,
        cost: row.free_calls - row.credits,
        freeCalls: row.free_calls,
        atMs: row.at_ms,
      },
    ]),
  );
}

function mayBeForgotten({ losses }: Evidence, { sentMs, endedMs }: Seen): boolean {
  return losses.some(({ fromMs, toMs }) => endedMs >= fromMs && sentMs <= toMs);
}

/** Checks that each paid answer is booked as charged, or was lost with the data of Redis. */
function matchAnswers(
  evidence: Evidence,
  entries: ReadonlyMap<string, Entry>,
  matched: Set<string>,
  faults: string[],
): number {
  let forgiven = 0;
  for (const seen of evidence.seen.filter(wasPaid)) {
    const cause = `request:${seen.requestId}`;
    const entry = entries.get(cause);
    if (entry === undefined) {
      if (mayBeForgotten(evidence, seen)) forgiven++;
      else faults.push(`${cause} was answered at ${seen.endedMs} and never booked`);
      continue;
    }
    matched.add(cause);
    if (entry.cost !== seen.cost || entry.account !== evidence.accounts[seen.key]) {
      faults.push(`${cause} cost ${seen.cost} and was booked as ${JSON.stringify(entry)}`);
    }
    if (entry.freeCalls > 0 !== (seen.freeLeft !== undefined)) {
      faults.push(`${cause} was paid by one fund and booked on the other`);
    }
  }
  return forgiven;
}

/** Checks that each entry without an answer belongs to a request with an unknown outcome. */
function findCutOff(
  { seen, accounts }: Evidence,
  entries: ReadonlyMap<string, Entry>,
  matched: ReadonlySet<string>,
  faults: string[],
): void {
  const open = new Map<string, number>();
  const name = (account: string | undefined, cost: number): string => `${account} cost ${cost}`;
  for (const one of seen.filter(isUnknown)) {
    const which = name(accounts[one.key], one.cost);
    open.set(which, (open.get(which) ?? 0) + 1);
  }
  for (const [cause, entry] of entries) {
    if (matched.has(cause)) continue;
    const which = name(entry.account, entry.cost);
    const left = open.get(which) ?? 0;
    if (left === 0) faults.push(`${cause} is booked (${which}) without a request`);
    open.set(which, left - 1);
  }
}

/** Checks that each idempotency key is booked once a day, in spite of repeats and failures. */
function findDoubles(
  { seen, accounts }: Evidence,
  entries: ReadonlyMap<string, Entry>,
  faults: string[],
): void {
  const bookings = new Map<string, Map<string, Entry>>();
  for (const { key, idempotencyKey, requestId } of seen) {
    const cause = `request:${requestId}`;
    const entry = entries.get(cause);
    if (idempotencyKey === undefined || entry === undefined) continue;
    const name = `${accounts[key]} ${idempotencyKey}`;
    bookings.set(name, (bookings.get(name) ?? new Map()).set(cause, entry));
  }
  for (const [name, booked] of bookings) {
    const timesMs = [...booked.values()].map(({ atMs }) => atMs).sort((a, b) => a - b);
    const tooSoon = timesMs.some((atMs, index) => atMs < (timesMs[index - 1] ?? 0) + DAY_MS);
    if (tooSoon) faults.push(`idempotency key of ${name} was booked ${timesMs.length} times`);
  }
}

function checkFreeTier(entries: ReadonlyMap<string, Entry>, faults: string[]): void {
  const uses = groupBy(
    [...entries.values()].filter(({ freeCalls }) => freeCalls > 0),
    ({ account }) => account,
  );
  for (const [account, all] of uses) {
    for (const { atMs: fromMs } of all) {
      const calls = all
        .filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + DAY_MS)
        .reduce((sum, { freeCalls }) => sum + freeCalls, 0);
      if (calls > FREE_PER_DAY) faults.push(`${account} got ${calls} free calls in a day`);
    }
  }
}

/** Times between which a request was admitted, by the injected clock. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Checks that no key has more requests in a minute than the limit. Only requests that were certainly within the minute
 * count. An emptied Redis has lost its hits, so requests before and after are counted separately.
 */
function checkRate(evidence: Evidence, faults: string[]): void {
  const admitted = evidence.seen.filter((seen) => {
    const refused = isUnknown(seen) || seen.status === 401 || seen.status === 429;
    return !refused && !mayBeForgotten(evidence, seen) && isTimeSure(evidence, seen);
  });
  const byKey = groupBy(admitted, (seen) => `${seen.key} ${emptiedBy(evidence, seen.endedMs)}`);
  for (const [name, all] of byKey) {
    const most = mostInAMinute(all.map((seen) => spanOf(evidence, seen)));
    if (most > evidence.rateLimitMax) {
      faults.push(`key ${name.split(' ')[0]} was admitted ${most} times in a minute`);
    }
  }
}

const emptiedBy = ({ emptiedMs }: Evidence, realMs: number): number =>
  emptiedMs.filter((atMs) => atMs <= realMs).length;

function isTimeSure({ aheadMs }: Evidence, { sentMs, endedMs }: Seen): boolean {
  return aheadMs(sentMs - CLOCK_LAG_MS) === aheadMs(endedMs);
}

function spanOf({ aheadMs }: Evidence, { sentMs, endedMs }: Seen): Span {
  return { fromMs: sentMs + aheadMs(sentMs), toMs: endedMs + aheadMs(endedMs) };
}

function mostInAMinute(spans: readonly Span[]): number {
  const counts = spans.map(({ fromMs }) => {
    return spans.filter((span) => span.fromMs >= fromMs && span.toMs < fromMs + MINUTE_MS).length;
  });
  return Math.max(0, ...counts);
}

function checkRevoked({ seen, revoked }: Evidence, faults: string[]): void {
  for (const { key, atMs } of revoked) {
    const late = seen.filter((one) => {
      return one.key === key && one.status === 200 && one.sentMs > atMs;
    });
    if (late.length > 0) faults.push(`revoked key ${key} was answered ${late.length} times`);
  }
}

function groupBy<Item, Name>(
  items: readonly Item[],
  nameOf: (item: Item) => Name,
): Map<Name, Item[]> {
  const groups = new Map<Name, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
