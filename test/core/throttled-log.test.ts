import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttledLog } from '../../src/core/throttled-log.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('passes the first fault on, then the latest every ten seconds with a count of the others', () => {
  const lines: [string, number][] = [];
  const log = throttledLog<string>((fault, omitted) => lines.push([fault, omitted]));
  log('one');
  expect(lines).toEqual([['one', 0]]);
  for (const fault of ['two', 'three', 'four']) log(fault);
  vi.advanceTimersByTime(9_999);
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(lines.slice(1)).toEqual([['four', 2]]);
  log('five');
  vi.advanceTimersByTime(10_000);
  expect(lines.slice(2)).toEqual([['five', 0]]);
  // After ten seconds without a fault, the next fault is logged at once.
  vi.advanceTimersByTime(10_000);
  log('six');
  expect(lines.slice(3)).toEqual([['six', 0]]);
});
