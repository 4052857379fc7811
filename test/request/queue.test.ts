import { describe, expect, it } from 'vitest';
import {
  bucketSize,
  ComputeQueue,
  MemoryBudget,
  type Priority,
  type Queued,
} from '../../src/request/queue.js';

/** A ComputeQueue whose computations end when the test says so. `begun` lists them in the order in which they began. */
function turnsOf(limits: { places?: number; waitingMax?: number; freeMax?: number } = {}) {
  const turns = new ComputeQueue({ places: 1, waitingMax: 100, freeMax: 2, ...limits });
  const begun: string[] = [];
  const displaced: string[] = [];
  const handles = new Map<string, Queued>();
  const add = (
    name: string,
    account: string,
    more: { priority?: Priority; isShort?: boolean; isPaid?: boolean; estimateMs?: number } = {},
  ): boolean => {
    const turn = turns.add({
      ...{ account, priority: 'live', isShort: false, isPaid: false, ...more },
      begin: () => void begun.push(name),
      displaced: () => void displaced.push(name),
    });
    if (turn !== undefined) handles.set(name, turn);
    return turn !== undefined;
  };
  const end = (name: string, usedMs: number) => handles.get(name)?.end(usedMs);
  /** Ends the running computations one after the other, until none is left. */
  const endAll = (usedMs: number) => {
    for (let i = 0; i < begun.length; i++) end(begun[i] as string, usedMs);
  };
  return { turns, add, end, endAll, begun, displaced, handles };
}

/** Every computation of `payers` is asked again at its end. Returns the processor time of free ones and of all. */
function besideFree(payers: readonly { isShort: boolean; usedMs: number }[]) {
  const turns = new ComputeQueue({ places: 1, waitingMax: 64, freeMax: 2 });
  const [spent, running] = [{ free: 0, live: 0 }, new Set<() => void>()];
  const ask = (account: string, isShort: boolean, usedMs: number): void => {
    const priority = account === 'pages' ? 'free' : 'live';
    let queued: Queued | undefined;
    const end = () => {
      spent[priority] += usedMs;
      if (usedMs > 750) queued?.overrun();
      // The next one is asked before this one has ended, so that payers leave no gap.
      ask(account, isShort, usedMs);
      queued?.end(usedMs);
    };
    const begin = () => void running.add(end);
    const displaced = () => undefined;
    queued = turns.add({
      ...{ account, priority, isShort, isPaid: false, estimateMs: 200, begin, displaced },
    });
  };
  for (const { isShort, usedMs } of payers) ask('payer', isShort, usedMs);
  ask('pages', false, 300);
  for (let ends = 0; ends < 3000; ends++) {
    const [first] = running;
    if (first !== undefined) running.delete(first);
    first?.();
  }
  return spent.free / (spent.free + spent.live);
}

describe('turns', () => {
  it.each([
    ['long', [false, false]],
    ['underestimated', [true, true, true]],
    ['mixed', [false, true, true]],
  ])('for which nobody pays get one part in ten beside %s ones that leave no gap', (_, payers) => {
    const part = besideFree(payers.map((isShort) => ({ isShort, usedMs: 800 })));
    expect(part).toBeCloseTo(0.1, 2);
  });

  it('go to accounts in turn, however many computations each has waiting', () => {
    const { add, endAll, begun } = turnsOf();
    for (const i of [1, 2, 3]) add(`a${i}`, 'a');
    for (const i of [1, 2, 3]) add(`b${i}`, 'b');
    add('c1', 'c');
    endAll(100);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'b3']);
  });

  it('of those who pay never wait for short ones for which nobody pays', () => {
    const { add, end, begun } = turnsOf();
    const free = { priority: 'free', isShort: true } as const;
    add('page 1', 'pages', free);
    add('page 2', 'pages', free);
    add('paid', 'a', { isShort: true });
    expect(begun).toEqual(['page 1', 'paid']);
    end('page 1', 100);
    expect(begun).toEqual(['page 1', 'paid', 'page 2']);
  });

  it('go to the account that has used the least processor time', () => {
    const { add, end, begun } = turnsOf();
    add('large 1', 'large');
    add('large 2', 'large');
    add('small 1', 'small');
    end('large 1', 5000);
    // The small account asks again and again. It does not wait for the large one until both have used the same time.
    for (let i = 1; i <= 3; i++) {
      add(`small ${i + 1}`, 'small');
      end(`small ${i}`, 20);
    }
    expect(begun).toEqual(['large 1', 'small 1', 'small 2', 'small 3', 'small 4']);
    add('small 5', 'small');
    end('small 4', 6000);
    expect(begun.at(-1)).toBe('large 2');
  });

  it('of a customer beside ten accounts with short work wait for few of theirs', () => {
    // One place and a clock of the test. Each computation takes the time of its account.
    const turns = new ComputeQueue({ places: 1, waitingMax: 64, freeMax: 2 });
    const events: { atMs: number; run: () => void }[] = [];
    let nowMs = 0;
    const later = (ms: number, run: () => void) => void events.push({ atMs: nowMs + ms, run });
    let asked = 0;
    const ask = (account: string, usualMs: number, done: () => void) => {
      // Between 80 and 120 %, so that computations do not keep ending at the same time.
      const ms = usualMs * (0.8 + 0.4 * ((++asked * 0.618) % 1));
      const handle: { turn?: Queued | undefined; hasBegun?: boolean } = {};
      const run = () =>
        later(ms, () => {
          handle.turn?.end(ms);
          done();
        });
      handle.turn = turns.add({
        ...{ account, priority: 'live', isShort: true, isPaid: false, estimateMs: ms },
        begin() {
          handle.hasBegun = true;
          if (handle.turn !== undefined) run();
        },
        displaced: () => undefined,
      });
      if (handle.hasBegun === true) run();
    };
    for (let i = 0; i < 20; i++) {
      const again = () => ask(`attacker ${i % 10}`, 40, () => later(1, again));
      again();
    }
    const waits: number[] = [];
    const customer = () => {
      const askedMs = nowMs;
      ask('customer', 30, () => {
        waits.push(nowMs - askedMs);
        later(25, customer);
      });
    };
    later(1000, customer);
    while (waits.length < 200) {
      events.sort((a, b) => a.atMs - b.atMs);
      const next = events.shift();
      nowMs = next?.atMs ?? nowMs;
      next?.run();
    }
    waits.sort((a, b) => a - b);
    // The times include the 30 ms of the computation itself. In half of the cases, it waits at most for the rest of one
    // other computation. It seldom waits for more than one whole computation.
    expect(waits[100]).toBeLessThanOrEqual(30 + 20);
    expect(waits[190]).toBeLessThanOrEqual(36 + 48);
  });

  it('let a new account begin where the others are, and not before all they have used', () => {
    const { add, end, begun } = turnsOf();
    add('old 1', 'old');
    end('old 1', 5000);
    add('old 2', 'old');
    add('old 3', 'old');
    add('new 1', 'new');
    add('new 2', 'new');
    end('old 2', 100);
    expect(begun.at(-1)).toBe('new 1');
    end('new 1', 200);
    expect(begun.at(-1)).toBe('old 3');
  });

  it('go to live computations before those of test keys', () => {
    const { add, endAll, begun } = turnsOf();
    add('first', 'x', { priority: 'free' });
    for (let i = 0; i < 5; i++) add(`test ${i}`, `t${i}`, { priority: 'test' });
    for (let i = 0; i < 3; i++) add(`live ${i}`, 'l');
    endAll(1000);
    expect(begun.map((name) => name.split(' ')[0])).toEqual([
      'first',
      ...['live', 'live', 'live'],
      ...['test', 'test', 'test', 'test', 'test'],
    ]);
  });

  it('leave a place for short computations, also while those have turned out to be long', () => {
    const { add, begun, handles, turns } = turnsOf();
    add('long 1', 'a');
    add('long 2', 'b');
    add('short 1', 'c', { isShort: true });
    add('short 2', 'd', { isShort: true });
    expect(begun).toEqual(['long 1', 'short 1']);
    handles.get('short 1')?.overrun();
    expect(begun).toEqual(['long 1', 'short 1', 'short 2']);
    handles.get('short 2')?.overrun();
    add('short 3', 'e', { isShort: true });
    // Threads are limited: however many overrun, no more begin.
    expect([begun.length, turns.waiting]).toEqual([3, 2]);
    // The place for a part of an answer stays reserved for parts.
    add('part', 'f', { isShort: true, isPaid: true });
    expect([begun.at(-1), begun.length]).toEqual(['part', 4]);
    // One more is for free computations.
    expect(turns.runningMax).toBe(5);
  });

  it('keep a place for parts of answers, which leave that of short computations to these', () => {
    const { add, begun, end, turns } = turnsOf();
    for (let i = 1; i <= 3; i++) {
      add(`part ${i}`, `t${i}`, { priority: 'test', isShort: true, isPaid: true });
    }
    // The second part uses the place for computations of any length, while it is free.
    expect(begun).toEqual(['part 1', 'part 2']);
    add('short 1', 'a', { isShort: true });
    add('short 2', 'b', { isShort: true });
    expect(begun).toEqual(['part 1', 'part 2', 'short 1']);
    add('long', 'c');
    end('part 1', 60);
    expect(begun.slice(3)).toEqual(['short 2']);
    end('short 1', 20);
    // Parts continue beside long and short computations, one at a time.
    expect(begun.slice(4)).toEqual(['long']);
    end('part 2', 60);
    expect(begun.slice(5)).toEqual(['part 3']);
    expect(turns.waiting).toBe(0);
  });

  it('displace the last of a full queue, and never a part of a paid answer', () => {
    const { add, begun, displaced, end } = turnsOf({ waitingMax: 3 });
    add('running', 't0', { priority: 'test' });
    add('part', 't1', { priority: 'test', isPaid: true });
    add('test 1', 't2', { priority: 'test' });
    add('test 2', 't3', { priority: 'test' });
    expect(add('test 3', 't4', { priority: 'test' })).toBe(false);
    expect(displaced).toEqual([]);
    expect(add('live', 'l')).toBe(true);
    expect(displaced).toEqual(['test 2']);
    expect(add('live 2', 'm')).toBe(true);
    expect(displaced).toEqual(['test 2', 'test 1']);
    end('running', 1);
    expect(begun).toEqual(['running', 'live']);
  });

  it('let few free computations wait', () => {
    const { add } = turnsOf({ freeMax: 2 });
    const asked = Array.from({ length: 4 }, (_, i) => add(`${i}`, 'pages', { priority: 'free' }));
    expect(asked).toEqual([true, true, true, false]);
    expect(add('live', 'a')).toBe(true);
  });

  it('forget a computation that has left', () => {
    const { add, handles, end, begun, turns } = turnsOf();
    add('running', 'a');
    add('left', 'b');
    add('stays', 'c');
    handles.get('left')?.leave();
    end('running', 1);
    expect([begun, turns.waiting]).toEqual([['running', 'stays'], 0]);
  });
});

const LIVE = { id: 'a live', priority: 'live' } as const;
const TEST = { id: 'a test', priority: 'test' } as const;

/** Budgets of 30 s a minute, with a clock that the test sets. */
function budgetAt() {
  const clock = { nowMs: 0 };
  return { clock, budget: new MemoryBudget(30, () => clock.nowMs) };
}

describe('the processor time of an account', () => {
  it('is two minutes’ worth at first, and a fifth of that with a test key', async () => {
    const { budget } = budgetAt();
    await budget.take(LIVE, 59_999);
    await budget.take(TEST, 11_999);
    expect([await budget.waitMs(LIVE), await budget.waitMs(TEST)]).toEqual([0, 0]);
    await budget.take(LIVE, 1);
    await budget.take(TEST, 1);
    // One millisecond comes back in 2 ms, and with a test key in 10 ms.
    expect([await budget.waitMs(LIVE), await budget.waitMs(TEST)]).toEqual([2, 10]);
  });

  it('can be overdrawn, and comes back with time, never beyond its size', async () => {
    const { budget, clock } = budgetAt();
    await budget.take(LIVE, 80_000);
    const waitMs = await budget.waitMs(LIVE);
    expect(waitMs).toBe(40_002);
    clock.nowMs += waitMs - 2;
    expect(await budget.waitMs(LIVE)).toBeGreaterThan(0);
    clock.nowMs += 2;
    expect(await budget.waitMs(LIVE)).toBe(0);
    clock.nowMs += 3_600_000;
    await budget.take(LIVE, 60_000);
    expect(await budget.waitMs(LIVE)).toBeGreaterThan(0);
  });

  it('is that of one account and mode', async () => {
    const { budget } = budgetAt();
    await budget.take(TEST, 1e6);
    expect(await budget.waitMs(LIVE)).toBe(0);
    expect(await budget.waitMs({ id: 'b test', priority: 'test' })).toBe(0);
  });

  it('follows the configuration', () => {
    expect(bucketSize('live', 60)).toEqual({ mostMs: 120_000, perMs: 1 });
    expect(bucketSize('test', 60)).toEqual({ mostMs: 24_000, perMs: 0.2 });
  });
});
