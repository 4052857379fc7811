import { afterEach, expect, it, vi } from 'vitest';
import { AddressCounts } from '../../src/request/address-limit.js';

afterEach(() => {
  vi.useRealTimers();
});

it('ends the minute of an address after a minute, also when the clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_800_000_000_000 });
  const counts = new AddressCounts();
  const seen: (readonly [number, number])[] = [];
  const request = (address: string) =>
    counts.incr(
      address,
      (_, { current, ttl } = { current: 0, ttl: 0 }) => seen.push([current, ttl]),
      60_000,
    );
  request('a');
  request('a');
  request('b');
  vi.setSystemTime(1_800_000_000_000 - 24 * 3600_000);
  request('a');
  vi.advanceTimersByTime(59_999);
  request('a');
  vi.advanceTimersByTime(1);
  request('a');
  expect(seen).toEqual([
    [1, 60_000],
    [2, 60_000],
    [1, 60_000],
    [3, 60_000],
    [4, 1],
    [1, 60_000],
  ]);
});
