import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite, sqlitePath } from '../../../src/database/sqlite.js';
import { until } from '../../support/until.js';
import { SqliteHarness, step, type TestKey } from '../gate-harness.js';

let harness: SqliteHarness;
let key: TestKey;
beforeEach(async () => {
  harness = await SqliteHarness.open();
  key = await harness.newKey(await harness.newAccount());
});
afterEach(() => harness.close());

const refuse = () => harness.gate.step(step(key, { cost: 0, countsOnly: true }));
function bookedHits(): number {
  const connection = openSqlite(sqlitePath(harness.url));
  const [hits] = connection.prepareRaw('SELECT COALESCE(SUM(hits), 0) FROM rate_hits').get() ?? [];
  connection.close();
  return Number(hits);
}

it('hits of refused requests count at once, and are booked soon after in one row', async () => {
  for (let hits = 1; hits <= 120; hits++) {
    expect(await refuse()).toMatchObject({ kind: 'counted', rate: { remaining: 120 - hits } });
  }
  expect((await refuse()).kind).toBe('rate_limited');
  await until(() => bookedHits() === 120);
  await harness.crash();
  expect((await harness.gate.step(step(key))).kind).toBe('rate_limited');
});

it('closing the gate books the rest', async () => {
  await refuse();
  await harness.gate.close();
  expect(bookedHits()).toBe(1);
});
