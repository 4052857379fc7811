import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GateOutcome } from '../../src/billing/gate.js';
import { haveServers, startRedis } from '../support/servers.js';
import { useOpened } from '../support/use-opened.js';
import {
  type GateHarness,
  type MakeGate,
  SqliteHarness,
  step,
  type TestKey,
} from './gate-harness.js';
import { GateModel, type ModelStep } from './gate-model.js';
import { RedisHarness } from './redis/redis-harness.js';

const RATE_LIMIT_MAX = 14;
const DAY_MS = 24 * 3600_000;

const idempotency = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  fingerprint: fc.constantFrom('f', 'f', 'f', 'g'),
});
const modelStep: fc.Arbitrary<ModelStep> = fc.record(
  {
    cost: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 12 })),
    affords: fc.integer({ min: 0, max: 12 }),
    hits: fc.constantFrom(1, 1, 1, 1, 0, 2),
    idempotency,
  },
  { requiredKeys: ['cost', 'hits'] },
);
const jumpMs = fc.oneof(
  fc.nat(5000),
  fc.constantFrom(59_999, 60_000, 60_001, DAY_MS / 2, DAY_MS - 1, DAY_MS, DAY_MS + 1),
);
const command = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('burst' as const),
      key: fc.nat(2),
      steps: fc.array(modelStep, { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('jump' as const), ms: jumpMs }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      amount: fc.integer({ min: 1, max: 15 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('purchase' as const),
      amount: fc.integer({ min: 1, max: 15 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('owe' as const),
      credits: fc.integer({ min: 1, max: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), key: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

const TITLE = 'decides as a single-threaded model under random interleavings, jumps and crashes';

const sequences = process.env.MODE === 'all' ? 50 : 3;

it(`sqlite ${TITLE}`, () =>
  agreesWithModel(() => SqliteHarness.open({ rateLimitMax: RATE_LIMIT_MAX }), sequences));

describe.skipIf(!haveServers)('redis', () => {
  const server = useOpened(startRedis);

  it(TITLE, () =>
    agreesWithModel(() => RedisHarness.open(server, { rateLimitMax: RATE_LIMIT_MAX }), sequences),
  );
});

async function agreesWithModel(makeGate: MakeGate, sequences: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 45 }), (commands) =>
      playCommands(makeGate, commands),
    ),
    { numRuns: sequences, endOnFailure: true },
  );
}

async function playCommands(makeGate: MakeGate, commands: readonly Command[]): Promise<void> {
  const harness = await makeGate();
  try {
    const account = await harness.newAccount();
    const keys: TestKey[] = [];
    for (let index = 0; index < 3; index++) keys.push(await harness.newKey(account));
    const model = new GateModel(RATE_LIMIT_MAX);
    for (const each of commands) await play(harness, model, account, keys, each);
    expect(await harness.balance(account)).toBe(model.paidCredits);
    expect(await harness.drifts()).toEqual([]);
  } finally {
    await harness.close();
  }
}

async function play(
  harness: GateHarness,
  model: GateModel,
  account: string,
  keys: readonly TestKey[],
  each: Command,
): Promise<void> {
  if (each.kind === 'jump') harness.advance(each.ms);
  else if (each.kind === 'crash') await harness.crash();
  else if (each.kind === 'grant') {
    await harness.grant(account, each.amount);
    model.paidCredits += each.amount;
  } else if (each.kind === 'purchase') {
    await harness.purchase(account, each.amount);
    model.purchase(each.amount);
  } else if (each.kind === 'owe') {
    await harness.owe(account, each.credits);
    model.debtCredits += each.credits;
  } else {
    const key = keys[each.key];
    if (key === undefined) throw new RangeError('No such key.');
    if (each.kind === 'revoke') {
      await harness.revoke(key.id);
      model.revoke(key.id);
    } else await playBurst(harness, model, key, each.steps);
  }
}

async function playBurst(
  harness: GateHarness,
  model: GateModel,
  key: TestKey,
  steps: readonly ModelStep[],
): Promise<void> {
  const outcomes = await Promise.all(
    steps.map(({ idempotency: idem, ...rest }) => {
      const stored = idem === undefined ? {} : { idempotency: { ...idem, answerJson: '1' } };
      return harness.gate.step(step(key, { ...rest, ...stored }));
    }),
  );
  steps.forEach((asked, index) => {
    const expected = model.step(key.id, asked, harness.nowMs());
    expectAgreement(outcomes[index], expected);
  });
}

function expectAgreement(
  outcome: GateOutcome | undefined,
  expected: ReturnType<GateModel['step']>,
): void {
  // Until the gate knows of a revocation, a revoked key may still reach its rate limit.
  if (expected.kind === 'unauthorized') {
    expect(['unauthorized', 'rate_limited']).toContain(outcome?.kind);
    return;
  }
  expect(outcome).toMatchObject(expected);
  if (expected.kind === 'charged' && expected.remainingFreeCalls === undefined) {
    expect(outcome).not.toHaveProperty('remainingFreeCalls');
  }
}
