import { describe, expect, it } from 'vitest';
import { chunksInOrder, Reservations, type StreamEnd } from '../../src/request/computed-path.js';

const bytes = (index: number) => Uint8Array.of(index);

/** Chunks 0 to 3. `computed` gets the number of each later chunk when its computation begins. */
function fourParts(fail = -1) {
  const computed: number[] = [];
  const ends: StreamEnd[] = [];
  const compute = async (index: number) => {
    computed.push(index);
    if (index === fail) throw new Error('broken');
    return { bytes: bytes(index), last: index === 3 };
  };
  const first = { bytes: bytes(0), last: false };
  const chunks = chunksInOrder(first, compute, (end) => void ends.push(end));
  return { chunks, computed, ends };
}

describe('chunks in order', () => {
  it('are computed one ahead of their reader', async () => {
    const { chunks, computed, ends } = fourParts();
    expect(computed).toEqual([]);
    expect(await chunks.next()).toEqual({ done: false, value: bytes(0) });
    expect(computed).toEqual([1]);
    expect(await chunks.next()).toEqual({ done: false, value: bytes(1) });
    expect(computed).toEqual([1, 2]);
    expect(ends).toEqual([]);
  });

  it('end once, after the last chunk', async () => {
    const { chunks, ends } = fourParts();
    const all: Uint8Array[] = [];
    for await (const chunk of chunks) all.push(chunk);
    expect(all).toEqual([0, 1, 2, 3].map(bytes));
    await chunks.return?.();
    expect(ends).toEqual([{ kind: 'sent' }]);
  });

  it('end when their reader returns, also before the first chunk', async () => {
    const { chunks, computed, ends } = fourParts();
    await chunks.return?.();
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
    expect(computed).toEqual([]);
    expect(ends).toEqual([{ kind: 'left' }]);
  });

  it('end with the error of a chunk, which its reader gets', async () => {
    const { chunks, ends } = fourParts(2);
    await chunks.next();
    await chunks.next();
    await expect(chunks.next()).rejects.toThrow('broken');
    expect(ends).toEqual([{ kind: 'failed', error: new Error('broken') }]);
  });

  it('of one chunk are that chunk', async () => {
    const chunks = chunksInOrder(
      { bytes: bytes(9), last: true },
      () => Promise.reject(),
      () => undefined,
    );
    const all: Uint8Array[] = [];
    for await (const chunk of chunks) all.push(chunk);
    expect(all).toEqual([bytes(9)]);
  });
});

describe('reservations', () => {
  it('count those of the same account that came before', () => {
    const reservations = new Reservations();
    const [first, second] = [reservations.take('key', 5), reservations.take('key', 7)];
    expect([first?.total, second?.total]).toEqual([5, 12]);
    expect(reservations.take('key', 1)).toBeUndefined();
    first?.release();
    expect(second?.total).toBe(7);
    expect(reservations.take('key', 1)?.total).toBe(8);
  });

  it('keep their place without a price once they are charged', () => {
    const reservations = new Reservations();
    const [first, second] = [reservations.take('key', 5), reservations.take('key', 7)];
    first?.charge();
    expect(second?.total).toBe(7);
    expect(reservations.isFull('key')).toBe(true);
    first?.release();
    second?.release();
    expect(reservations.take('key', 1)?.total).toBe(1);
    // Those that were released before do not release it.
    first?.release();
    second?.release();
    expect(reservations.take('key', 2)?.total).toBe(3);
  });
});
