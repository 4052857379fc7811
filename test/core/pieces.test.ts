import { expect, it } from 'vitest';
import { atOnce, inTurns, type Pieces } from '../../src/core/pieces.js';

it('work in pieces does a millisecond in each turn of the event loop', async () => {
  let [nowMs, turn] = [0, 0];
  const turns: number[] = [];
  /** Work of some pieces, which take 0.4 ms each by the clock of the test. */
  function* work(pieces: number): Pieces<string> {
    for (let i = 0; i < pieces; i++) {
      nowMs += 0.4;
      turns.push(turn);
      yield;
    }
    return 'done';
  }
  const count = () => {
    turn++;
    if (turns.length < 10) setImmediate(count);
  };
  setImmediate(count);
  expect(await inTurns(work(10), () => nowMs)).toBe('done');
  for (const one of turns) {
    expect(turns.filter((other) => other === one).length).toBeLessThanOrEqual(3);
  }
  expect(atOnce(work(3))).toBe('done');
});
