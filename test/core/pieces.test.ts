import { describe, expect, it } from 'vitest';
import { atOnce, inTurns, type Pieces } from '../../src/core/pieces.js';

/** Makes work of some pieces. Each piece takes 0.4 ms by the clock of the test. */
function works() {
  let nowMs = 0;
  let turn = 0;
  /** The name of the work and the turn of the event loop, for each piece. */
  const done: { name: string; turn: number }[] = [];
  function* work(name: string, pieces: number): Pieces<string> {
    for (let i = 0; i < pieces; i++) {
      nowMs += 0.4;
      done.push({ name, turn });
      yield;
    }
    return name;
  }
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const end = () => {
    isOver = true;
  };
  return { work, done, now: () => nowMs, end };
}

describe('work in pieces', () => {
  it('does a millisecond in each turn of the event loop, however much there is', async () => {
    const { work, done, now, end } = works();
    const used: number[] = [];
    const all = Array.from({ length: 20 }, (_, i) =>
      inTurns(work(`${i}`, 10), (ms) => used.push(ms), now),
    );
    expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
    end();
    const inTurn = new Map<number, typeof done>();
    for (const piece of done) {
      const { turn } = piece;
      inTurn.set(turn, [...(inTurn.get(turn) ?? []), piece]);
    }
    for (const pieces of inTurn.values()) {
      expect(new Set(pieces.map(({ name }) => name)).size).toBe(1);
      expect(pieces.length).toBeLessThanOrEqual(3);
    }
    // Short work ends before the next begins.
    const order = [...inTurn.values()].map(([first]) => first?.name);
    expect(order).toEqual(order.toSorted((a, b) => Number(a) - Number(b)));
    expect(Math.round(used.reduce((sum, ms) => sum + ms, 0))).toBe(80);
  });

  it('lets other work go first after twenty turns', async () => {
    const { work, done, now, end } = works();
    const all = ['long', 'short', 'other'].map((name) =>
      inTurns(work(name, name === 'long' ? 200 : 10), undefined, now),
    );
    await Promise.all(all);
    end();
    const begins = done.filter(({ name }, i) => name !== done[i - 1]?.name);
    expect(begins.map(({ name }) => name)).toEqual(['long', 'short', 'other', 'long']);
  });

  it('fails with its own error alone', async () => {
    const { work, now, end } = works();
    function* failing(): Pieces<string> {
      yield;
      throw new Error('its own');
    }
    const [good, bad] = [inTurns(work('good', 5), undefined, now), inTurns(failing())];
    await expect(bad).rejects.toThrow('its own');
    expect(await good).toBe('good');
    end();
    expect(atOnce(work('at once', 3))).toBe('at once');
  });
});
