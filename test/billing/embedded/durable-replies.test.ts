import { describe, expect, it } from 'vitest';
import { DurableReplies } from '../../../src/billing/embedded/writer-client.js';

/** A disk whose flushes the test ends. */
function slowDisk() {
  const flushes: ((error: Error | null) => void)[] = [];
  const said: string[] = [];
  const failures: string[] = [];
  const replies = new DurableReplies<string>(
    (done) => flushes.push(done),
    (reply) => said.push(reply),
    (error) => failures.push(error.message),
  );
  return { flushes, said, failures, replies };
}

describe('replies', () => {
  it('are held back until their flush has ended', () => {
    const { flushes, said, replies } = slowDisk();
    replies.add('a', true);
    expect(said).toEqual([]);
    flushes[0]?.(null);
    expect(said).toEqual(['a']);
    expect(replies.idle).toBe(true);
  });

  it('keep their order, and are sent when a later flush covers them', () => {
    const { flushes, said, replies } = slowDisk();
    replies.add('a', true);
    replies.add('read', false);
    replies.add('b', true);
    expect(said).toEqual([]);
    flushes[1]?.(null);
    expect(said).toEqual(['a', 'read', 'b']);
    flushes[0]?.(null);
    expect(said).toEqual(['a', 'read', 'b']);
  });

  it('share a flush when the most flushes are under way', () => {
    const { flushes, said, replies } = slowDisk();
    for (const reply of ['a', 'b', 'c', 'd', 'e', 'f']) replies.add(reply, true);
    expect(flushes).toHaveLength(4);
    flushes[0]?.(null);
    expect(said).toEqual(['a']);
    expect(flushes).toHaveLength(5);
    flushes[4]?.(null);
    expect(said).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('wait only for their turn when they report no write', () => {
    const { said, replies } = slowDisk();
    replies.add('read', false);
    expect(said).toEqual(['read']);
  });

  it('are never sent after a flush has failed', () => {
    const { flushes, said, failures, replies } = slowDisk();
    replies.add('a', true);
    replies.add('b', true);
    flushes[0]?.(new Error('EIO'));
    flushes[1]?.(null);
    expect(said).toEqual([]);
    expect(failures).toEqual(['EIO']);
  });
});
