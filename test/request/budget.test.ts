import { describe, expect, it } from 'vitest';
import { bucketSize, MemoryBudget } from '../../src/request/queue.js';

const LIVE = { id: 'a live', priority: 'live' } as const;
const TEST = { id: 'a test', priority: 'test' } as const;

/** Budgets of 30 s a minute, with a clock that the test sets. */
function budgetAt() {
  const clock = { nowMs: 0 };
  return { clock, budget: new MemoryBudget(30, () => clock.nowMs) };
}

describe('the processor time of an account', () => {
  it('is two minutes’ worth at first, and a fifth of that with a test key', async () => {
    const { budget } = budgetAt();
    await budget.take(LIVE, 59_999);
    await budget.take(TEST, 11_999);
    expect([await budget.waitMs(LIVE), await budget.waitMs(TEST)]).toEqual([0, 0]);
    await budget.take(LIVE, 1);
    await budget.take(TEST, 1);
    // One millisecond comes back in 2 ms, and with a test key in 10 ms.
    expect([await budget.waitMs(LIVE), await budget.waitMs(TEST)]).toEqual([2, 10]);
  });

  it('can be overdrawn, and comes back with time, never beyond its size', async () => {
    const { budget, clock } = budgetAt();
    await budget.take(LIVE, 80_000);
    const waitMs = await budget.waitMs(LIVE);
    expect(waitMs).toBe(40_002);
    clock.nowMs += waitMs - 2;
    expect(await budget.waitMs(LIVE)).toBeGreaterThan(0);
    clock.nowMs += 2;
    expect(await budget.waitMs(LIVE)).toBe(0);
    clock.nowMs += 3_600_000;
    await budget.take(LIVE, 60_000);
    expect(await budget.waitMs(LIVE)).toBeGreaterThan(0);
  });

  it('is that of one account and mode', async () => {
    const { budget } = budgetAt();
    await budget.take(TEST, 1e6);
    expect(await budget.waitMs(LIVE)).toBe(0);
    expect(await budget.waitMs({ id: 'b test', priority: 'test' })).toBe(0);
  });

  it('follows the configuration', () => {
    expect(bucketSize('live', 60)).toEqual({ mostMs: 120_000, perMs: 1 });
    expect(bucketSize('test', 60)).toEqual({ mostMs: 24_000, perMs: 0.2 });
  });
});
