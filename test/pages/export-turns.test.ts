import { expect, it } from 'vitest';
import { ExportTurns, type OpenExport } from '../../src/pages/export-turns.js';

function admitted(turns: ExportTurns, account: string): OpenExport {
  const opened = turns.open(account);
  if (typeof opened === 'string') throw new Error(opened);
  return opened;
}

it('the exports of all accounts read in turn', async () => {
  const turns = new ExportTurns({ readingMax: 1 });
  const order: string[] = [];
  async function* source(name: string, count: number) {
    for (let piece = 0; piece < count; piece++) {
      order.push(name);
      await new Promise((resolve) => setImmediate(resolve));
      yield name;
    }
  }
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      const opened = admitted(turns, name);
      const pieces = turns.pieces(opened, source(name, name === 'a' ? 9 : 3), () => undefined);
      for await (const piece of pieces) expect(piece).toBe(name);
      opened.abort();
    }),
  );
  expect(order.join(' ')).toBe('a b c a b c a b c a a a a a a');
});

it('an export that leaves while it waits for its turn frees its place and reads nothing', async () => {
  const turns = new ExportTurns({ readingMax: 1 });
  let finish = () => {};
  async function* slow() {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    yield 'slow';
  }
  let read = false;
  async function* never() {
    read = true;
    yield 'never';
  }
  const first = turns.pieces(admitted(turns, 'one'), slow(), () => undefined).next();
  const waiting = admitted(turns, 'two');
  const second = turns.pieces(waiting, never(), () => undefined).next();
  expect(turns.open('two')).toBe('account_busy');
  waiting.abort();
  expect(typeof turns.open('two')).toBe('object');
  finish();
  expect(await first).toEqual({ done: false, value: 'slow' });
  expect(await second).toEqual({ done: true, value: undefined });
  expect(read).toBe(false);
});
