import { expect, it } from 'vitest';
import { FairQueue } from '../../src/core/fair-queue.js';

// Turns, and whose work is displaced, are tested with passwords and exports.
it('work that fails gives its place to the next; a full queue says so and refuses', async () => {
  const queue = new FairQueue(1, 1, () => new Error('full'));
  let fail = () => {};
  const failing = queue.run(
    () =>
      new Promise((_, reject) => {
        fail = () => reject(new Error('fault'));
      }),
  );
  const next = queue.run(async () => 'next');
  expect(queue.isFull()).toBe(true);
  await expect(queue.run(async () => 'one too many')).rejects.toThrow('full');
  fail();
  await expect(failing).rejects.toThrow('fault');
  expect(await next).toBe('next');
  expect(queue.isFull()).toBe(false);
});
