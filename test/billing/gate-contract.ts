import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GateOutcome } from '../../src/billing/gate.js';
import { FREE_WINDOW_MS, IDEMPOTENCY_TTL_MS } from '../../src/core/billing-terms.js';
import { HOUR_MS } from '../../src/core/time.js';
import { until, withinTurns } from '../support/until.js';
import { type GateHarness, type MakeGate, step, type TestKey } from './gate-harness.js';

const kinds = (outcomes: readonly GateOutcome[]): string[] => outcomes.map(({ kind }) => kind);
const count = (outcomes: readonly GateOutcome[], kind: string): number =>
  outcomes.filter((outcome) => outcome.kind === kind).length;

/** The tests that every implementation of the gate must pass. */
export function gateContract(name: string, makeGate: MakeGate): void {
  describe(`gate contract: ${name}`, () => {
    let harness: GateHarness;
    let account: string;
    let key: TestKey;
    const charge = (fields = {}): Promise<GateOutcome> => harness.gate.step(step(key, fields));
    const together = (steps: number, fields = {}): Promise<GateOutcome[]> =>
      Promise.all(Array.from({ length: steps }, () => charge(fields)));

    beforeEach(async () => {
      harness = await makeGate();
      account = await harness.newAccount();
      key = await harness.newKey(account);
    });
    afterEach(async () => {
      await harness.close();
    });

    it('accepts its keys, and refuses a revoked one', async () => {
      const unknown = { id: 'none', keyHash: 'f'.repeat(64), partition: 7 };
      expect(await harness.gate.step(step(unknown))).toEqual({ kind: 'unauthorized' });
      expect((await charge()).kind).toBe('charged');
      await harness.revoke(key.id);
      expect(await charge()).toEqual({ kind: 'unauthorized' });
    });

    it('refuses a revoked key within a second even when the rate limit refuses it first', async () => {
      await together(120, { cost: 0 });
      expect((await charge()).kind).toBe('rate_limited');
      await harness.revoke(key.id);
      const isRefused = until(async () => (await charge()).kind === 'unauthorized');
      // Turns of 50 ms.
      expect(await withinTurns(20, isRefused)).not.toBe('too late');
    });

    it('pays with the free tier at zero, and returns how many calls are left', async () => {
      expect(await charge({ cost: 4 })).toMatchObject({ kind: 'charged', remainingFreeCalls: 6 });
      expect((await charge({ cost: 7 })).kind).toBe('insufficient_credits');
      expect(await charge({ cost: 6 })).toMatchObject({ remainingFreeCalls: 0 });
      expect((await charge({ cost: 11 })).kind).toBe('insufficient_credits');
    });

    it('frees each call exactly 24 h after it was made, and says when enough are free', async () => {
      const firstMs = harness.nowMs();
      await charge({ cost: 4 });
      harness.advance(1000);
      await charge({ cost: 6 });
      expect(await charge({ cost: 4 })).toMatchObject({
        kind: 'free_tier_exhausted',
        resetsAtMs: firstMs + FREE_WINDOW_MS,
      });
      expect(await charge({ cost: 5 })).toMatchObject({
        resetsAtMs: firstMs + 1000 + FREE_WINDOW_MS,
      });
      harness.advance(FREE_WINDOW_MS - 1001);
      expect((await charge()).kind).toBe('free_tier_exhausted');
      harness.advance(1);
      expect(await charge()).toMatchObject({ kind: 'charged', remainingFreeCalls: 3 });
    });

    it.each([false, true])(
      'frees no call when the clock jumps forward and back (with a crash: %s)',
      async (crash) => {
        const firstMs = harness.nowMs();
        for (let call = 0; call < 10; call++) expect((await charge()).kind).toBe('charged');
        harness.advance(25 * HOUR_MS);
        if (crash) await harness.crash();
        expect(await charge()).toMatchObject({ kind: 'charged', remainingFreeCalls: 9 });
        harness.advance(-25 * HOUR_MS);
        const exhausted = { kind: 'free_tier_exhausted', resetsAtMs: firstMs + FREE_WINDOW_MS };
        expect(await charge()).toMatchObject(exhausted);
        await harness.crash();
        expect(await charge()).toMatchObject(exhausted);
        harness.advance(FREE_WINDOW_MS - 1);
        expect(await charge()).toMatchObject(exhausted);
        // The call of 25 hours later counts from the moment at which the gate noticed the clock's step back.
        harness.advance(1);
        expect(await charge({ cost: 9 })).toMatchObject({ remainingFreeCalls: 1 });
      },
    );

    it.each([false, true])(
      'counts calls of a clock that ran ahead from when that is noticed, once (with a crash: %s)',
      async (crash) => {
        const firstMs = harness.nowMs();
        harness.advance(FREE_WINDOW_MS);
        for (let call = 0; call < 10; call++) expect((await charge()).kind).toBe('charged');
        const place = await harness.place(account);
        const entries = async () => {
          await harness.balance(account);
          return await harness.db.selectFrom('ledger_entries').selectAll().orderBy('id').execute();
        };
        const booked = await entries();
        harness.advance(-FREE_WINDOW_MS);
        if (crash) await harness.crash();
        const uses = async () => (await harness.gate.funds(place, 'live')).freeUses;
        expect((await uses()).map(({ atMs }) => atMs)).toEqual(Array(10).fill(firstMs));
        const exhausted = { kind: 'free_tier_exhausted', resetsAtMs: firstMs + FREE_WINDOW_MS };
        expect(await charge()).toMatchObject(exhausted);
        harness.advance(HOUR_MS);
        await harness.crash();
        expect(await charge({ cost: 0, affords: 1 })).toMatchObject(exhausted);
        expect((await uses()).map(({ atMs }) => atMs)).toEqual(Array(10).fill(firstMs));
        harness.advance(FREE_WINDOW_MS - HOUR_MS - 1);
        expect(await charge()).toMatchObject(exhausted);
        harness.advance(1);
        await harness.crash();
        expect(await charge()).toMatchObject({ kind: 'charged', remainingFreeCalls: 9 });
        expect((await entries()).slice(0, 10)).toEqual(booked);
        expect(await harness.drifts()).toEqual([]);
      },
    );

    it('counts uses again from the moment when a clock is set back further, also after a crash', async () => {
      const firstMs = harness.nowMs();
      harness.advance(2 * FREE_WINDOW_MS);
      await charge({ cost: 10 });
      const exhausted = { kind: 'free_tier_exhausted' };
      harness.advance(-FREE_WINDOW_MS);
      const later = { ...exhausted, resetsAtMs: firstMs + 2 * FREE_WINDOW_MS };
      expect(await charge()).toMatchObject(later);
      harness.advance(-FREE_WINDOW_MS);
      const resets = { ...exhausted, resetsAtMs: firstMs + FREE_WINDOW_MS };
      expect(await charge()).toMatchObject(resets);
      await harness.crash();
      expect(await charge()).toMatchObject(resets);
      harness.advance(FREE_WINDOW_MS);
      expect(await charge()).toMatchObject({ remainingFreeCalls: 9 });
      expect(await harness.drifts()).toEqual([]);
    });

    it('keeps answers of a clock that ran ahead no longer than from when it was set right', async () => {
      await harness.close();
      harness = await makeGate({ rateLimitMax: 1e6, answersBytesMax: 4000 });
      account = await harness.newAccount();
      key = await harness.newKey(account);
      await harness.grant(account, 100);
      const answerJson = 'x'.repeat(1000 - 256 - 2);
      const store = (name: string) =>
        charge({ idempotency: { key: name, fingerprint: 'f', answerJson } });
      harness.advance(48 * HOUR_MS - (harness.nowMs() % HOUR_MS));
      for (const name of ['k1', 'k2', 'k3', 'k4']) expect((await store(name)).kind).toBe('charged');
      harness.advance(-48 * HOUR_MS);
      // The gate notices the clock here. A stored answer counts like the others.
      expect((await store('k5')).kind).toBe('answers_full');
      await harness.crash();
      expect((await store('k5')).kind).toBe('answers_full');
      harness.advance(IDEMPOTENCY_TTL_MS + HOUR_MS);
      expect((await store('k5')).kind).toBe('charged');
      expect(await harness.drifts()).toEqual([]);
    });

    it('pays only with credits while there are any', async () => {
      await harness.grant(account, 3);
      const paid = await charge({ cost: 2 });
      expect(paid.kind).toBe('charged');
      expect(paid).not.toHaveProperty('remainingFreeCalls');
      expect((await charge({ cost: 2 })).kind).toBe('insufficient_credits');
      expect(await harness.balance(account)).toBe(1);
      expect((await charge()).kind).toBe('charged');
      expect(await charge()).toMatchObject({ remainingFreeCalls: 9 });
    });

    it('says whether the account could pay a price, and charges and sets aside nothing', async () => {
      const asks = (affords: number, fields = {}) => charge({ cost: 0, affords, ...fields });
      const idempotency = { key: 'k', fingerprint: 'f', answerJson: '1' };
      expect((await asks(10)).kind).toBe('counted');
      expect((await asks(11)).kind).toBe('insufficient_credits');
      expect((await asks(10, { idempotency })).kind).toBe('counted');
      expect(await charge({ cost: 4 })).toMatchObject({ remainingFreeCalls: 6 });
      const firstMs = harness.nowMs();
      harness.advance(1000);
      expect((await asks(7)).kind).toBe('insufficient_credits');
      expect(await charge({ cost: 6, idempotency })).toMatchObject({ remainingFreeCalls: 0 });
      const resetsAtMs = firstMs + FREE_WINDOW_MS;
      expect(await asks(4)).toMatchObject({ kind: 'free_tier_exhausted', resetsAtMs });
      expect(await asks(4, { idempotency })).toMatchObject({ kind: 'replayed', answerJson: '1' });
      const other = { ...idempotency, fingerprint: 'g' };
      expect((await asks(0, { idempotency: other })).kind).toBe('idempotency_conflict');
      await harness.grant(account, 5);
      expect((await asks(5)).kind).toBe('counted');
      expect(await asks(6)).toMatchObject({
        kind: 'insufficient_credits',
        rate: { remaining: 109 },
      });
      await harness.owe(account, 1);
      expect(await asks(1)).toMatchObject({ kind: 'in_debt', debtCredits: 1 });
      await harness.crash();
      expect(await harness.balance(account)).toBe(5);
      expect(await harness.drifts()).toEqual([]);
    });

    it('keeps live and test funds apart, and shares funds between the keys of a mode', async () => {
      const testKey = await harness.newKey(account, 'test');
      const second = await harness.newKey(account);
      await harness.grant(account, 1, 'test');
      expect(await charge({ cost: 9 })).toMatchObject({ remainingFreeCalls: 1 });
      expect(await harness.gate.step(step(second))).toMatchObject({ remainingFreeCalls: 0 });
      const paid = await harness.gate.step(step(testKey));
      expect(paid).not.toHaveProperty('remainingFreeCalls');
      expect(await harness.balance(account, 'test')).toBe(0);
    });

    it('refuses live keys of an account in debt, whatever would pay, until a purchase pays it', async () => {
      const testKey = await harness.newKey(account, 'test');
      const idempotency = { key: 'k', fingerprint: 'f', answerJson: '1' };
      expect(await charge({ idempotency })).toMatchObject({ remainingFreeCalls: 9 });
      await harness.owe(account, 400);
      await harness.owe(account, 100);
      const inDebt = { kind: 'in_debt', debtCredits: 500, rate: { remaining: 118 } };
      expect(await charge()).toMatchObject(inDebt);
      expect((await charge({ idempotency })).kind).toBe('replayed');
      expect((await charge({ cost: 0 })).kind).toBe('counted');
      expect((await harness.gate.step(step(testKey))).kind).toBe('charged');
      await harness.grant(account, 7);
      expect((await charge()).kind).toBe('in_debt');
      await harness.purchase(account, 450);
      await harness.crash();
      expect(await charge()).toMatchObject({ kind: 'in_debt', debtCredits: 50 });
      const place = await harness.place(account);
      expect(await harness.gate.funds(place, 'live')).toMatchObject({
        paidCredits: 7,
        debtCredits: 50,
      });
      await harness.purchase(account, 450);
      expect(await charge()).not.toHaveProperty('remainingFreeCalls');
      expect(await harness.balance(account)).toBe(7 + 450 - 50 - 1);
      expect(await harness.drifts()).toEqual([]);
    });

    it('counts the free calls of a deleted account as those of its successor', async () => {
      const firstMs = harness.nowMs();
      await charge({ cost: 4 });
      harness.advance(1000);
      await harness.owe(account, 20);
      const next = await harness.newAccount();
      const nextKey = await harness.newKey(next);
      await harness.succeed(account, next);
      const again = (cost: number) => harness.gate.step(step(nextKey, { cost }));
      expect(await again(1)).toMatchObject({ kind: 'in_debt', debtCredits: 20 });
      await harness.purchase(next, 20);
      expect(await again(6)).toMatchObject({ remainingFreeCalls: 0 });
      expect(await again(4)).toMatchObject({
        kind: 'free_tier_exhausted',
        resetsAtMs: firstMs + FREE_WINDOW_MS,
      });
      const place = await harness.place(next);
      expect((await harness.gate.funds(place, 'live')).freeUses).toHaveLength(2);
      harness.advance(FREE_WINDOW_MS - 1000);
      expect(await again(1)).toMatchObject({ remainingFreeCalls: 3 });
      expect(await harness.drifts()).toEqual([]);
    });

    it('charges exactly the 5 credits that exist for 100 concurrent requests', async () => {
      await charge({ cost: 10 });
      await harness.grant(account, 5);
      const outcomes = await together(100);
      expect(count(outcomes, 'charged')).toBe(5);
      expect(count(outcomes, 'free_tier_exhausted')).toBe(95);
      expect(await harness.balance(account)).toBe(0);
      expect(await harness.drifts()).toEqual([]);
    });

    it('charges two concurrent requests with one idempotency key once', async () => {
      const idempotency = { key: 'k', fingerprint: 'f', answerJson: '{"value":1}' };
      const outcomes = await together(2, { idempotency });
      expect(kinds(outcomes)).toEqual(['charged', 'replayed']);
      expect(outcomes[1]).toMatchObject({ answerJson: '{"value":1}', remainingFreeCalls: 9 });
      const other = { ...idempotency, fingerprint: 'g' };
      expect((await charge({ idempotency: other })).kind).toBe('idempotency_conflict');
      expect((await charge({ idempotency: other, operation: 'range' })).kind).toBe('charged');
      expect(await charge()).toMatchObject({ remainingFreeCalls: 7, rate: { remaining: 115 } });
      harness.advance(IDEMPOTENCY_TTL_MS);
      expect((await charge({ idempotency: other })).kind).toBe('charged');
    });

    it('limits the bytes of stored answers, refuses before it charges, and frees expired ones', async () => {
      await harness.close();
      harness = await makeGate({ rateLimitMax: 1e6, answersBytesMax: 4000 });
      account = await harness.newAccount();
      key = await harness.newKey(account);
      const testKey = await harness.newKey(account, 'test');
      await harness.grant(account, 100);
      const answerJson = 'x'.repeat(1000 - 256 - 2);
      const store = (name: string, by = key) =>
        harness.gate.step(step(by, { idempotency: { key: name, fingerprint: 'f', answerJson } }));
      // The first two leave an hour after the others.
      harness.advance(HOUR_MS - (harness.nowMs() % HOUR_MS) - 1);
      expect(kinds([await store('k1'), await store('k2')])).toEqual(['charged', 'charged']);
      harness.advance(1);
      expect(kinds([await store('k3'), await store('k4')])).toEqual(['charged', 'charged']);
      const full = { kind: 'answers_full', retryAfterSeconds: IDEMPOTENCY_TTL_MS / 1000 };
      expect(await store('k5')).toMatchObject(full);
      // Replays, requests without a key, and the other mode still work. The refusal charged nothing.
      expect((await store('k1')).kind).toBe('replayed');
      expect((await charge()).kind).toBe('charged');
      const idempotency = { key: 'k6', fingerprint: 'f', answerJson: '' };
      expect((await charge({ cost: 0, affords: 1, idempotency })).kind).toBe('answers_full');
      expect((await charge({ cost: 0, idempotency })).kind).toBe('counted');
      expect((await store('k5', testKey)).kind).toBe('charged');
      expect(await harness.balance(account)).toBe(95);
      await harness.crash();
      expect((await store('k5')).kind).toBe('answers_full');
      harness.advance(IDEMPOTENCY_TTL_MS - 1);
      expect(await store('k5')).toMatchObject({ kind: 'answers_full', retryAfterSeconds: 1 });
      harness.advance(1);
      expect(kinds([await store('k5'), await store('k6')])).toEqual(['charged', 'charged']);
      expect(await store('k7')).toMatchObject({ kind: 'answers_full', retryAfterSeconds: 3600 });
      harness.advance(HOUR_MS);
      expect((await store('k7')).kind).toBe('charged');
      expect(await harness.balance(account)).toBe(92);
    });

    it('stores no refusal under an idempotency key', async () => {
      const idempotency = { key: 'k', fingerprint: 'f', answerJson: '1' };
      expect((await charge({ cost: 11, idempotency })).kind).toBe('insufficient_credits');
      await harness.grant(account, 11);
      expect((await charge({ cost: 11, idempotency })).kind).toBe('charged');
    });

    it('returns the stored answer at cost 0, and stores and charges nothing', async () => {
      const idempotency = { key: 'k', fingerprint: 'f', answerJson: '{"value":1}' };
      const ask = { cost: 0, idempotency: { ...idempotency, answerJson: '' } };
      expect((await charge(ask)).kind).toBe('counted');
      expect((await charge({ idempotency })).kind).toBe('charged');
      expect(await charge(ask)).toMatchObject({ kind: 'replayed', answerJson: '{"value":1}' });
      const other = { cost: 0, idempotency: { ...ask.idempotency, fingerprint: 'g' } };
      expect((await charge(other)).kind).toBe('idempotency_conflict');
      expect(await charge()).toMatchObject({ remainingFreeCalls: 8, rate: { remaining: 115 } });
    });

    it('counts every request, also refused ones, but none over the limit', async () => {
      expect(await charge({ cost: 0, hits: 118 })).toMatchObject({
        kind: 'counted',
        rate: { limit: 120, remaining: 2, resetSeconds: 60 },
      });
      expect(await charge({ hits: 3 })).toMatchObject({ kind: 'rate_limited' });
      expect((await charge({ cost: 11, hits: 2 })).kind).toBe('insufficient_credits');
      harness.advance(59_001);
      expect(await charge()).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 1 });
      harness.advance(999);
      expect(kinds(await together(121, { cost: 0 })).indexOf('rate_limited')).toBe(120);
    });

    it('keeps the rate limit and every charge after a crash', async () => {
      await harness.grant(account, 1000);
      await together(70);
      await together(30, { cost: 0 });
      await charge({ hits: 0 });
      await harness.crash();
      expect(count(await together(100), 'charged')).toBe(20);
      expect(await harness.balance(account)).toBe(1000 - 70 - 1 - 20);
      expect(await harness.drifts()).toEqual([]);
    });

    it('refuses a request id that was charged, and costs that are not counts', async () => {
      await charge({ requestId: 'twice' });
      const [again, other] = await Promise.allSettled([charge({ requestId: 'twice' }), charge()]);
      expect(again.status).toBe('rejected');
      expect(other.status).toBe('fulfilled');
      await expect(charge({ cost: -1 })).rejects.toThrow(RangeError);
      await expect(charge({ hits: 0.5 })).rejects.toThrow(RangeError);
    });

    it('returns what an account can spend now', async () => {
      const place = await harness.place(account);
      const nothing = { paidCredits: 0, debtCredits: 0, freeUses: [] };
      expect(await harness.gate.funds(place, 'live')).toEqual(nothing);
      const atMs = harness.nowMs();
      await charge({ cost: 4 });
      harness.advance(1000);
      await charge({ cost: 6 });
      await harness.grant(account, 9);
      await charge({ cost: 2 });
      const freeUses = [
        { atMs, calls: 4 },
        { atMs: atMs + 1000, calls: 6 },
      ];
      expect(await harness.gate.funds(place, 'live')).toEqual({
        paidCredits: 7,
        debtCredits: 0,
        freeUses,
      });
      expect(await harness.gate.funds(place, 'test')).toEqual(nothing);
      harness.advance(FREE_WINDOW_MS - 1000);
      const left = { paidCredits: 7, debtCredits: 0, freeUses: freeUses.slice(1) };
      expect(await harness.gate.funds(place, 'live')).toEqual(left);
      const nobody = { id: 'acc_nobody', partition: place.partition };
      expect(await harness.gate.funds(nobody, 'live')).toEqual(nothing);
    });

    it('is ready until it is closed', async () => {
      expect(await harness.gate.ready()).toBe(true);
      await harness.gate.close();
      expect(await harness.gate.ready()).toBe(false);
    });

    it('finishes the steps under way when it is closed, and refuses further ones', async () => {
      const running = together(20);
      await Promise.resolve();
      const closed = harness.gate.step(step(key)).then(() => harness.gate.close());
      expect(count(await running, 'charged')).toBe(10);
      await closed;
      await expect(charge()).rejects.toThrow();
    });
  });
}
