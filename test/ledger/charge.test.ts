import { describe, expect, it } from 'vitest';
import { dayOf, entryIdMaker, firstEntryId } from '../../src/ledger/charge.js';

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
