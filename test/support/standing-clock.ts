import { vi } from 'vitest';

/**
 * Lets the time of day of this process stand still during an act, so that its requests are within one
 * minute on any machine. Timers run on.
 */
export async function whileClockStands<Result>(act: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    return await act();
  } finally {
    vi.useRealTimers();
  }
}
