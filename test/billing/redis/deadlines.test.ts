import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Deadlines } from '../../../src/billing/redis/deadlines.js';

/** How often `Deadlines` checks. */
const CHECK_MS = 20;

/** Stops this thread, as a busy machine does. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('a reply that is read after a pause between the clock and the check is in time', async () => {
  const deadlines = new Deadlines(100, () => new Error('late'));
  let reply: (value: string) => void = () => undefined;
  const call = deadlines.watch(new Promise<string>((resolve) => (reply = resolve)));
  // This timer runs directly after the timer of the deadlines, and before their check.
  setTimeout(async () => {
    pause(200);
    // The check of the deadlines comes first.
    await nextTurn();
    reply('answer');
  }, CHECK_MS);
  await expect(call).resolves.toBe('answer');
});

it('a call without a reply is given up', async () => {
  const deadlines = new Deadlines(50, () => new Error('late'));
  await expect(deadlines.watch(new Promise(() => undefined))).rejects.toThrow('late');
});
