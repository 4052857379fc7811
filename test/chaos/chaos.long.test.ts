import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/accounts/keys.js';
import { outboxLagSeconds } from '../../src/billing/worker/outbox.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { type Random, seeded } from '../support/random.js';
import { haveServers } from '../support/servers.js';
import { until } from '../support/until.js';
import type { Seen } from './answer-log.js';
import { audit } from './audit.js';
import { type Deployment, startDeployment, startLoad } from './deployment.js';
import { Mishaps, Purchases } from './mishaps.js';

/** `CHAOS_SEED` repeats one run. */
const SEEDS = (process.env.CHAOS_SEED ?? '1,2,3,4').split(',').map(Number);
const SECONDS = Number(process.env.CHAOS_SECONDS ?? 40);
const CLIENTS = 2;
const CONCURRENCY = 12;
/** Time at the end of the run. Only the revocation of a key happens in it. */
const CALM_SECONDS = 6;
const MORE_THAN_A_DAY_MS = 25 * 3600 * 1000;
const RATE_LIMIT = 120;

describe.skipIf(!haveServers).each(SEEDS)('chaos, seed %i', (seed) => {
  let deployment: Deployment;
  let seen: readonly Seen[];
  let mishaps: Mishaps;
  let purchases: Purchases;
  let revoked: { readonly key: number; readonly atMs: number };

  beforeAll(async () => {
    deployment = await startDeployment();
    const random = seeded(seed);
    const [, dir] = (await deployment.redis.run('config', 'get', 'dir')) as [string, string];
    mishaps = new Mishaps(deployment, random, dir);
    purchases = new Purchases(deployment, seeded(seed + 1));
    const plan = { seed, seconds: SECONDS, concurrency: CONCURRENCY };
    const load = startLoad(deployment, plan, CLIENTS);
    try {
      const stormEndsMs = Date.now() + (SECONDS - CALM_SECONDS) * 1000;
      await Promise.all([storm(mishaps, random, stormEndsMs), buyUntil(purchases, stormEndsMs)]);
      await sleep(CALM_SECONDS * 500);
      revoked = await revokeOne(deployment);
      seen = await load.finish();
    } finally {
      load.kill();
      mishaps.stop();
    }
    await drained(deployment);
  });
  afterAll(async () => {
    await deployment?.close();
  });

  it('charges what it answered, answers what it charged, and keeps every limit', async () => {
    const finding = await audit(deployment.db, {
      seen,
      accounts: deployment.customers.flatMap(({ account, keys }) => keys.map(() => account)),
      rateLimitMax: RATE_LIMIT,
      losses: mishaps.losses,
      emptiedMs: mishaps.emptiedMs,
      revoked: [revoked],
      aheadMs: (realMs) => deployment.clock.aheadMs(realMs),
    });
    const { faults, ...counts } = finding;
    process.stdout.write(`chaos, seed ${seed}: ${JSON.stringify(counts)}\n`);
    expect(faults, mishaps.story.join('\n')).toEqual([]);
    expect(finding.paid).toBeGreaterThan(100);
    expect(finding.booked).toBeGreaterThan(100);
  });

  it('has a consistent ledger, and Redis agrees with it', async () => {
    expect(await verifyLedger(deployment.db)).toEqual([]);
    const balances = await deployment.db
      .selectFrom('balances')
      .innerJoin('accounts', 'accounts.id', 'balances.account_id')
      .select(['account_id', 'mode', 'partition', 'paid_credits'])
      .where('mode', '=', 'live')
      .execute();
    for (const { account_id: account, mode, partition, paid_credits: ledger } of balances) {
      const funds = `{p${partition}}:funds:${account}:${mode}`;
      const [credited, spent] = (await deployment.redis.run(
        'hmget',
        funds,
        'credited',
        'spent',
      )) as (string | null)[];
      // Redis does not have an account that made no request since Redis was emptied.
      if (credited === null) continue;
      expect([account, Number(credited) - Number(spent)]).toEqual([account, ledger]);
      expect(ledger).toBeGreaterThanOrEqual(0);
    }
  });

  it('books each purchase once, however often it is confirmed', async () => {
    const { bought } = await deployment.db
      .selectFrom('ledger_entries')
      .select((eb) => eb.fn.sum<number>('credits').as('bought'))
      .where('kind', '=', 'purchase')
      .executeTakeFirstOrThrow();
    expect(Number(bought)).toBe(purchases.credits);
  });

  it('needed no repair, and has no dead letters', async () => {
    expect(await deployment.db.selectFrom('drifts').selectAll().execute()).toEqual([]);
    expect(await deployment.db.selectFrom('dead_letters').selectAll().execute()).toEqual([]);
  });
});

/** Causes one mishap after another. Redis is emptied after a third of the time. A day passes after two thirds. */
async function storm(mishaps: Mishaps, random: Random, endMs: number): Promise<void> {
  const thirdMs = (endMs - Date.now()) / 3;
  const extras = [
    { atMs: endMs - 2 * thirdMs, run: () => mishaps.emptyRedis() },
    { atMs: endMs - thirdMs, run: () => mishaps.advance(MORE_THAN_A_DAY_MS) },
  ];
  while (Date.now() < endMs) {
    await sleep(300 + random.below(1200));
    if (extras[0] !== undefined && Date.now() >= extras[0].atMs) await extras.shift()?.run();
    else await mishaps.next();
  }
  for (const extra of extras) await extra.run();
}

async function buyUntil(purchases: Purchases, endMs: number): Promise<void> {
  while (Date.now() < endMs) {
    await purchases.buy();
    await sleep(700);
  }
}

async function revokeOne({ db, customers }: Deployment): Promise<{ key: number; atMs: number }> {
  const last = customers.flatMap(({ keys }) => keys).length - 1;
  const id = customers.at(-1)?.keys.at(-1)?.id ?? '';
  await revokeKey(db, id);
  // On a busy machine, it may take long until Redis knows. `worker/outbox.test.ts` proves that Redis is told at once.
  await until(async () => (await outboxLagSeconds(db)) === 0);
  return { key: last, atMs: Date.now() };
}

/** Waits until every event is in the ledger. */
async function drained({ redis, customers }: Deployment): Promise<void> {
  const partitions = [...new Set(customers.map(({ partition }) => partition))];
  await until(async () => {
    const lengths = await Promise.all(
      partitions.map(async (partition) =>
        Number(await redis.run('xlen', `{p${partition}}:events`)),
      ),
    );
    return lengths.every((length) => length === 0);
  });
}
