import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { hashApiKey, parseApiKey } from '../../src/accounts/api-key.js';
import {
  endRotatedKeys,
  OVERLAP_MS_MAX,
  rotateKey,
  SWEEP_EVERY_MS,
  startKeySweep,
} from '../../src/accounts/key-rotation.js';
import {
  type CreatedKey,
  createKey,
  KEYS_MAX,
  KEYS_PER_DAY,
  listKeys,
} from '../../src/accounts/keys.js';
import { createSqliteGate, type SqliteGate } from '../../src/billing/embedded/sqlite-gate.js';
import type { Database } from '../../src/database/schema.js';
import { DIALECTS } from '../support/dialects.js';
import { newSqliteUrl } from '../support/folders.js';
import { refused } from '../support/refused.js';
import { openForTest } from '../support/test-database.js';
import { until } from '../support/until.js';

let db: Database;
let gate: SqliteGate;
let account: string;

beforeEach(async () => {
  const databaseUrl = newSqliteUrl();
  db = await openForTest(databaseUrl);
  gate = await createSqliteGate({ databaseUrl });
  ({ id: account } = await createAccount(db, 'owner'));
});
afterEach(() => gate.close());

let requests = 0;

async function accepted({ apiKey }: CreatedKey): Promise<boolean> {
  requests++;
  const outcome = await gate.step({
    keyHash: hashApiKey(apiKey),
    partition: parseApiKey(apiKey)?.partition ?? -1,
    requestId: `rotate-${requests}`,
    operation: 'refused',
    cost: 0,
    hits: 1,
  });
  return outcome.kind !== 'unauthorized';
}

it('a rotated key works beside its successor until it ends', async () => {
  const old = await createKey(db, account, 'live', 'server');
  const stop = startKeySweep(db, pino({ level: 'silent' }));
  expect(SWEEP_EVERY_MS).toBeLessThan(1000);
  const successor = await rotateKey(db, old.id, OVERLAP_MS_MAX);
  expect(successor).toMatchObject({ name: 'server', mode: 'live', accountId: account });
  expect(successor.apiKey).not.toBe(old.apiKey);
  expect(await accepted(old)).toBe(true);
  expect(await accepted(successor)).toBe(true);
  const ends = { ends_at_ms: Date.now() + 500 };
  await db.updateTable('api_keys').set(ends).where('id', '=', old.id).execute();
  await until(async () => !(await accepted(old)));
  expect(Date.now()).toBeGreaterThanOrEqual(ends.ends_at_ms);
  await stop();
  expect(await accepted(successor)).toBe(true);
  const [listed] = await listKeys(db, account);
  expect(listed?.revokedAtMs).toBeGreaterThanOrEqual(listed?.endsAtMs ?? Number.NaN);
});

it('a key rotated without an overlap is revoked immediately', async () => {
  const old = await createKey(db, account, 'test', 'leaked');
  const successor = await rotateKey(db, old.id, 0, 7);
  expect(await listKeys(db, account)).toMatchObject([
    { id: successor.id, revokedAtMs: null, endsAtMs: null },
    { id: old.id, revokedAtMs: 7 },
  ]);
  expect(await accepted(old)).toBe(false);
});

describe.each(DIALECTS)('on $name', ({ newUrl }) => {
  it('a key is rotated once, and concurrent sweeps revoke it once', async () => {
    const own = await openForTest(await newUrl());
    const { id: owner } = await createAccount(own, 'owner');
    const old = await createKey(own, owner, 'live', 'server', 1);
    const tries = await Promise.allSettled([1, 2, 3].map(() => rotateKey(own, old.id, 1000, 1)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const keyId of [old.id, 'key_unknown']) {
      await refused(rotateKey(own, keyId, 1000), keyId === old.id ? 'key_ended' : 'unknown_key');
    }
    for (const overlapMs of [-1, 0.5, OVERLAP_MS_MAX + 1, Number.NaN]) {
      await refused(rotateKey(own, old.id, overlapMs), 'invalid_amount');
    }
    expect(await endRotatedKeys(own, 1000)).toBe(0);
    const swept = await Promise.all([1, 2, 3].map(() => endRotatedKeys(own, 1001)));
    expect(swept.reduce((sum, count) => sum + count)).toBe(1);
    expect(await listKeys(own, owner)).toHaveLength(2);
  });
});

it.each(DIALECTS)(
  'on $name an account has at most 100 active keys, whether created concurrently or by rotation',
  async ({ newUrl }) => {
    const own = await openForTest(await newUrl());
    const { id: owner } = await createAccount(own, 'owner');
    const created: CreatedKey[] = [];
    // Few at once, because each waits for the account and PostgreSQL limits the time of a wait.
    for (let wave = 0; wave < 7; wave++) {
      const tries = await Promise.allSettled(
        Array.from({ length: 15 }, (_, index) =>
          createKey(own, owner, 'test', `key ${wave}-${index}`, 1),
        ),
      );
      for (const tried of tries) if (tried.status === 'fulfilled') created.push(tried.value);
    }
    expect(created).toHaveLength(KEYS_MAX);
    const [first] = created;
    if (first === undefined) throw new Error('no key was created');
    await refused(rotateKey(own, first.id, 1000, 1), 'too_many_keys');
    let newest = await rotateKey(own, first.id, 0, 1);
    for (let count = KEYS_MAX + 1; count < KEYS_PER_DAY; count++) {
      newest = await rotateKey(own, newest.id, 0, 1);
    }
    await refused(rotateKey(own, newest.id, 0, 1), 'too_many_keys');
    expect(await rotateKey(own, newest.id, 0, 25 * 3600 * 1000)).toMatchObject({
      name: newest.name,
    });
  },
);
