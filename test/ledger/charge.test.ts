import { describe, expect, it } from 'vitest';
import { BatchUsage, dayOf, entryIdMaker, firstEntryId } from '../../src/ledger/charge.js';

describe('entryIdMaker', () => {
  it('makes ids that sort by time', () => {
    const next = entryIdMaker();
    const ids = [1, 2, 35, 36, 1_700_000_000_000, 1_700_000_000_001].map(next);
    expect([...ids].sort()).toEqual(ids);
    expect(firstEntryId(36) <= (ids[3] ?? '')).toBe(true);
    expect(firstEntryId(36) > (ids[2] ?? '')).toBe(true);
  });
});

describe('dayOf', () => {
  it('names the UTC day of a moment, also from one day to another and back', () => {
    const midnightMs = Date.UTC(2026, 2, 1);
    expect(dayOf(midnightMs - 1)).toBe('2026-02-28');
    expect(dayOf(midnightMs)).toBe('2026-03-01');
    expect(dayOf(midnightMs - 1)).toBe('2026-02-28');
    expect(dayOf(-1)).toBe('1969-12-31');
  });
});

describe('BatchUsage', () => {
  const charge = {
    requestId: 'request',
    accountId: 'acc_a',
    mode: 'live',
    keyId: 'key_a',
    operation: 'predict',
    credits: 2,
    freeCalls: 0,
    hits: 1,
    atMs: 2000,
  } as const;

  it('adds up the charges of one account, mode, day, key and operation', () => {
    const usage = new BatchUsage();
    usage.add(charge);
    usage.add({ ...charge, credits: 0, freeCalls: 3, atMs: 1000 });
    const { accountId, mode, keyId, operation } = charge;
    const sums = { calls: 2, credits: 2, freeCalls: 3, lastAtMs: 2000 };
    expect(usage.rows()).toEqual([
      { accountId, mode, day: '1970-01-01', keyId, operation, ...sums },
    ]);
    usage.clear();
    expect(usage.rows()).toEqual([]);
  });

  it('keeps a row for each of them that differs', () => {
    const usage = new BatchUsage();
    usage.add(charge);
    usage.add({ ...charge, accountId: 'acc_b' });
    usage.add({ ...charge, mode: 'test' });
    usage.add({ ...charge, keyId: 'key_b' });
    usage.add({ ...charge, operation: 'range' });
    usage.add({ ...charge, atMs: 25 * 3600 * 1000 });
    expect(usage.rows().map(({ calls }) => calls)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
