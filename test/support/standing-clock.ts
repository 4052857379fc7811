import { vi } from 'vitest';

/**
 * Stops the time of day of this process during `act`, so that all its requests are within one minute on any machine.
 * Timers continue.
 */
export async function whileClockStands<Result>(act: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    return await act();
  } finally {
    vi.useRealTimers();
  }
}
