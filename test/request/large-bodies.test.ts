import { describe, expect, it } from 'vitest';
import type { Gate } from '../../src/billing/gate.js';
import type { LargeBody } from '../../src/request/caller.js';
import { Charging } from '../../src/request/charging.js';
import { BODIES_OF_ACCOUNT_MAX, LargeBodies } from '../../src/request/large-bodies.js';
import type { ComputeBudget } from '../../src/request/queue.js';

const RATE = { limit: 120, remaining: 119, resetSeconds: 60 };
/** About 100 kB and 1 MB. */
const SMALL = JSON.stringify(Array.from({ length: 10_000 }, (_, i) => `name ${i}`));
const LARGE = JSON.stringify(Array.from({ length: 70_000 }, (_, i) => `name ${i}`));

/** Large bodies before a gate that knows each key as an account of its own, and a budget. */
function bodiesOf(emptyMs: (account: string) => number = () => 0) {
  const hits: number[] = [];
  const taken: string[] = [];
  const gate: Gate = {
    knows: () => true,
    accountOf: (keyHash) => `${keyHash} ${keyHash.startsWith('test') ? 'test' : 'live'}`,
    lookUp: async () => true,
    step: async (step) => {
      hits.push(step.hits);
      return { kind: 'counted', rate: RATE };
    },
    ready: async () => true,
    funds: async () => ({ paidCredits: 0, debtCredits: 0, freeUses: [] }),
    close: async () => undefined,
  };
  const budget: ComputeBudget = {
    waitMs: async ({ account }) => emptyMs(account),
    take: async ({ account }, usedMs) => {
      if (usedMs > 0) taken.push(account);
    },
  };
  const log = { error: () => undefined };
  const charging = new Charging({ gate, log, returnCharge: async () => undefined });
  const bodies = new LargeBodies(charging, budget);
  const enter = (keyHash: string) =>
    bodies.enter({ keyHash, partition: 0, network: 'n', requestId: 'r', hits: 1 });
  const entered = async (keyHash: string): Promise<LargeBody> => {
    const body = await enter(keyHash);
    if ('kind' in body) throw body.problem;
    return body;
  };
  return { enter, entered, hits, taken };
}

/** Reads a body and tells in `events` when its first piece is parsed and when it has been read. */
async function read(body: LargeBody, name: string, text: string, events: string[]): Promise<void> {
  let hasBegun = false;
  await body.read(text, (part) => {
    if (!hasBegun) events.push(`${name} begins`);
    hasBegun = true;
    // A piece takes longer than a turn on any machine, so bodies take many turns.
    for (const end = performance.now() + 1.5; performance.now() < end; );
    return JSON.parse(part);
  });
  events.push(`${name} is read`);
}

describe('large bodies', () => {
  it('are counted before they are received, and their account pays for the time', async () => {
    const { entered, hits, taken } = bodiesOf();
    const body = await entered('a');
    expect([hits, body.rate]).toEqual([[1], RATE]);
    expect(await body.read(LARGE, JSON.parse)).toEqual(JSON.parse(LARGE));
    expect(taken).toEqual([]);
    body.rest();
    body.close();
    expect(taken).toEqual(['a live']);
  });

  it('are read a few at once, and an account with few does not wait for one with many', async () => {
    const { entered } = bodiesOf();
    const events: string[] = [];
    const bodies: LargeBody[] = [];
    const reading = async (account: string, name: string, text = LARGE) => {
      const body = await entered(account);
      bodies.push(body);
      await read(body, name, text, events);
      body.rest();
    };
    const all = Array.from({ length: 6 }, (_, i) => reading('many', `many ${i}`));
    // It came last.
    all.push(reading('one', 'one'), reading('short', 'short', SMALL));
    await Promise.all(all);
    for (const body of bodies) body.close();
    let [open, most] = [0, 0];
    for (const event of events) {
      open += event.endsWith('begins') ? 1 : -1;
      most = Math.max(most, open);
    }
    expect(most).toBe(3);
    // The one with a short body has a place that large ones do not take.
    expect(events.indexOf('short begins')).toBeLessThan(3);
    expect(events.indexOf('one begins')).toBeLessThan(events.indexOf('many 2 begins'));
  });

  it('of live keys come before those of test keys', async () => {
    const { entered } = bodiesOf();
    const events: string[] = [];
    const accounts = ['test 1', 'test 2', 'test 3', 'test 4', 'live'];
    const bodies = await Promise.all(accounts.map(entered));
    await Promise.all(
      bodies.map(async (body, i) => {
        await read(body, accounts[i] as string, LARGE, events);
        body.rest();
      }),
    );
    expect(events.filter((event) => event.endsWith('begins'))[2]).toBe('live begins');
  });

  it('are limited for each account, and for all', async () => {
    const { enter, entered } = bodiesOf();
    const own: LargeBody[] = [];
    for (let i = 0; i < BODIES_OF_ACCOUNT_MAX; i++) own.push(await entered('a'));
    expect(await enter('a')).toMatchObject({
      problem: { code: 'rate_limited', status: 429 },
      retryAfterSeconds: 1,
    });
    own[0]?.close();
    await entered('a');
    for (let i = 0; i < 48; i++) await entered(`other ${i}`);
    expect(await enter('new')).toMatchObject({
      problem: { code: 'service_busy', status: 503 },
      retryAfterSeconds: 5,
    });
    // One whose request is computed elsewhere leaves its place.
    own[1]?.rest();
    expect(await enter('new')).not.toHaveProperty('problem');
  });

  it('beyond those that may wait are refused, with those of test keys first', async () => {
    const { entered } = bodiesOf();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const body = await entered(i < 20 ? `test ${i}` : `live ${i}`);
        return body.read(LARGE, JSON.parse).then(
          () => {
            body.rest();
            return 'read';
          },
          (error) => `${i < 20 ? 'test' : 'live'} ${error.refusal.problem.code}`,
        );
      }),
    );
    const refused = outcomes.filter((outcome) => outcome !== 'read');
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused)).toEqual(new Set(['test service_busy']));
  });

  it('of an account without processor time are not received', async () => {
    const { enter } = bodiesOf((account) => (account === 'spent live' ? 2500 : 0));
    expect(await enter('spent')).toMatchObject({
      problem: { code: 'rate_limited' },
      retryAfterSeconds: 3,
    });
    expect(await enter('other')).not.toHaveProperty('problem');
  });

  it('of a client that has gone are not read further', async () => {
    const { entered, taken } = bodiesOf();
    const [first, second, third] = await Promise.all(['a', 'b', 'c'].map(entered));
    let parsed = 0;
    const outcome = (body: LargeBody | undefined) =>
      body
        ?.read(LARGE, (part) => {
          if (++parsed === 3) first?.close();
          return JSON.parse(part);
        })
        .then(
          () => 'read',
          () => 'refused',
        );
    const waits = [outcome(first), outcome(second), outcome(third)];
    // The third waits for its turn.
    third?.close();
    const [one, two, three] = await Promise.all(waits);
    expect([one, two, three]).toEqual(['refused', 'read', 'refused']);
    expect(taken).toContain('a live');
  });
});
