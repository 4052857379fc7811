import { describe, expect, it } from 'vitest';
import { type PartsEnd, partsInOrder } from '../../src/request/answer-parts.js';

const bytes = (index: number) => Uint8Array.of(index);

/** Parts 0 to 3; `computed` lists those after the first as they are begun. */
function fourParts(fail = -1) {
  const computed: number[] = [];
  const ends: PartsEnd[] = [];
  const compute = async (index: number) => {
    computed.push(index);
    if (index === fail) throw new Error('broken');
    return { bytes: bytes(index), last: index === 3 };
  };
  const first = { bytes: bytes(0), last: false };
  const parts = partsInOrder(first, compute, (end) => void ends.push(end));
  return { parts, computed, ends };
}

describe('parts in order', () => {
  it('are computed one ahead of their reader', async () => {
    const { parts, computed, ends } = fourParts();
    expect(computed).toEqual([]);
    expect(await parts.next()).toEqual({ done: false, value: bytes(0) });
    expect(computed).toEqual([1]);
    expect(await parts.next()).toEqual({ done: false, value: bytes(1) });
    expect(computed).toEqual([1, 2]);
    expect(ends).toEqual([]);
  });

  it('end once, after the last part', async () => {
    const { parts, ends } = fourParts();
    const all: Uint8Array[] = [];
    for await (const part of parts) all.push(part);
    expect(all).toEqual([0, 1, 2, 3].map(bytes));
    await parts.return?.();
    expect(ends).toEqual([{ kind: 'sent' }]);
  });

  it('end when their reader returns, also before the first part', async () => {
    const { parts, computed, ends } = fourParts();
    await parts.return?.();
    expect(await parts.next()).toEqual({ done: true, value: undefined });
    expect(computed).toEqual([]);
    expect(ends).toEqual([{ kind: 'left' }]);
  });

  it('end with the error of a part, which its reader gets', async () => {
    const { parts, ends } = fourParts(2);
    await parts.next();
    await parts.next();
    await expect(parts.next()).rejects.toThrow('broken');
    expect(ends).toEqual([{ kind: 'failed', error: new Error('broken') }]);
  });

  it('of one part are that part', async () => {
    const parts = partsInOrder(
      { bytes: bytes(9), last: true },
      () => Promise.reject(),
      () => undefined,
    );
    const all: Uint8Array[] = [];
    for await (const part of parts) all.push(part);
    expect(all).toEqual([bytes(9)]);
  });
});
