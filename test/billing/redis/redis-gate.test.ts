import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GateError, type GateOutcome, OUTCOME } from '../../../src/billing/gate.js';
import { connectRedis } from '../../../src/billing/redis/connect.js';
import { decodeReply, FAILED, MISSING } from '../../../src/billing/redis/decode-reply.js';
import {
  apiKeyKey,
  eventsKey,
  fundsKey,
  rateKey,
  stateKey,
} from '../../../src/billing/redis/keys.js';
import { defineScripts } from '../../../src/billing/redis/scripts.js';
import { reconcileGroup } from '../../../src/billing/worker/reconcile.js';
import { FREE_WINDOW_MS } from '../../../src/core/billing-terms.js';
import { HOUR_MS } from '../../../src/core/time.js';
import { postgresDatabase } from '../../../src/database/postgres.js';
import { haveServers, startRedis } from '../../support/servers.js';
import { useOpened } from '../../support/use-opened.js';
import { gateContract } from '../gate-contract.js';
import { step, type TestKey } from '../gate-harness.js';
import { QUIET, RedisHarness } from './redis-harness.js';

describe('decodeReply', () => {
  it('tells every code apart', () => {
    const codes = [...Object.values(OUTCOME), ...Object.values(MISSING), FAILED];
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of Object.values(MISSING)) expect(decodeReply([code, 0], 120)).toBe(code);
    expect(() => decodeReply([Math.max(...codes) + 1, 0, 0, 0], 120)).toThrow(TypeError);
    expect(() => decodeReply([OUTCOME.ledgerBehind, 0], 120)).toThrow(GateError);
    expect(() => decodeReply([FAILED, 0, 'WRONGTYPE'], 120)).toThrow('WRONGTYPE');
  });

  it('rounds waiting times up to whole seconds', () => {
    expect(decodeReply([OUTCOME.rateLimited, 0, 120, 59_001, 1], 120)).toEqual({
      kind: 'rate_limited',
      rate: { limit: 120, remaining: 0, resetSeconds: 60 },
      retryAfterSeconds: 1,
    });
  });
});

describe.skipIf(!haveServers)('redis gate', () => {
  const server = useOpened(startRedis);

  gateContract('redis', (options) => RedisHarness.open(server, options));

  describe('in addition to the contract', () => {
    let harness: RedisHarness;
    let account: string;
    let key: TestKey;
    const charge = (fields = {}): Promise<GateOutcome> => harness.gate.step(step(key, fields));
    const idempotency = { key: 'k', fingerprint: 'f', answerJson: '{"value":1}' };
    beforeEach(async () => {
      harness = await RedisHarness.open(server, { rateLimitMax: 1e9 });
      account = await harness.newAccount();
      key = await harness.newKey(account);
    });
    afterEach(() => harness.close());

    async function calls(command: string): Promise<number> {
      const stats = String(await server.run('info', 'commandstats'));
      return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
    }

    it('asks Redis once per request, whatever the outcome', async () => {
      await charge();
      await charge({ idempotency });
      await server.run('config', 'resetstat');
      for (let i = 0; i < 20; i++) {
        await charge();
        await charge({ cost: 0 });
        await charge({ cost: 11 });
        await charge({ idempotency });
        await charge({ idempotency: { ...idempotency, key: `k${i}` } });
      }
      expect(await calls('evalsha')).toBe(100);
      expect(await calls('eval')).toBe(0);
      // The script runs each command at most once for each request. The gate itself sends none of these commands.
      expect(await calls('hmget')).toBeLessThanOrEqual(100);
      expect(await calls('multi')).toBe(0);
    });

    it('asks Redis once for all steps of a turn, whatever their accounts', async () => {
      const others = await Promise.all(
        Array.from({ length: 20 }, async () => harness.newKey(await harness.newAccount())),
      );
      await charge({ idempotency });
      await Promise.all(others.map((other) => harness.gate.step(step(other))));
      await server.run('config', 'resetstat');
      for (let turn = 0; turn < 5; turn++) {
        const outcomes = await Promise.all([
          ...others.map((other) => harness.gate.step(step(other))),
          ...others.map((other) => harness.gate.step(step(other, { cost: 0 }))),
          charge({ idempotency: { ...idempotency, key: `turn ${turn}` } }),
        ]);
        const kinds = outcomes.map(({ kind }) => kind);
        expect(kinds.slice(0, 20)).toEqual(Array(20).fill('charged'));
        expect(kinds.slice(20, 40)).toEqual(Array(20).fill('counted'));
        expect(kinds[40]).toBe('charged');
      }
      expect(await calls('evalsha')).toBe(5);
      // Calls that do not fit into one message are sent in several.
      await Promise.all(Array.from({ length: 250 }, () => charge({ cost: 0 })));
      expect(await calls('evalsha')).toBe(8);
    });

    it('decides the other steps of a call when one of them fails', async () => {
      const broken = await harness.newKey(account);
      await Promise.all([charge(), harness.gate.step(step(broken))]);
      await harness.redis.del(rateKey(broken.partition, broken.id));
      await harness.redis.set(rateKey(broken.partition, broken.id), 'no list');
      const outcomes = await Promise.allSettled([
        charge(),
        harness.gate.step(step(broken)),
        charge({ cost: 0 }),
      ]);
      expect(outcomes).toMatchObject([
        { value: { kind: 'charged', remainingFreeCalls: 7 } },
        { reason: { reason: 'unanswered', message: expect.stringContaining('WRONGTYPE') } },
        { value: { kind: 'counted' } },
      ]);
    });

    it('sends its script again when Redis has forgotten it', async () => {
      await harness.grant(account, 100);
      await charge();
      await server.run('script', 'flush');
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => charge()));
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['charged']));
      expect(await harness.balance(account)).toBe(49);
      expect(await harness.drifts()).toEqual([]);
    });

    it('charges the only credit once for a thousand requests from two nodes', async () => {
      await charge({ cost: 10 });
      await harness.grant(account, 1);
      const other = await harness.anotherGate();
      const outcomes = await Promise.all(
        Array.from({ length: 1000 }, (_, index) =>
          (index % 2 === 0 ? harness.gate : other).step(step(key)),
        ),
      );
      await other.close();
      const count = (wanted: string) => outcomes.filter(({ kind }) => kind === wanted).length;
      expect(count('charged')).toBe(1);
      expect(count('free_tier_exhausted')).toBe(999);
      expect(await harness.drifts()).toEqual([]);
    });

    it('leaves a revoked key revoked when a node that read it before writes it late', async () => {
      await charge();
      await harness.redis.hset(apiKeyKey(key.partition, key.keyHash), 'revoked', 1);
      expect(await charge()).toEqual({ kind: 'unauthorized' });
      // The key is marked as revoked. Now a loader that read the key before writes its data.
      const unloadedKey = await harness.newKey(account);
      const name = apiKeyKey(unloadedKey.partition, unloadedKey.keyHash);
      await harness.redis.hset(name, 'revoked', 1);
      const client = scripts();
      const generation = (await client.hget(stateKey(key.partition), 'generation')) ?? '';
      const late = [generation, unloadedKey.id, account, 'live', '0'];
      expect(await client.gateLoadKey(stateKey(key.partition), name, ...late)).toBe(1);
      client.disconnect();
      expect(await harness.redis.hgetall(name)).toEqual({ revoked: '1' });
      expect(await harness.gate.step(step(unloadedKey))).toEqual({ kind: 'unauthorized' });
    });

    it('refuses data that were read before Redis was emptied', async () => {
      await charge();
      const state = stateKey(key.partition);
      const before = (await harness.redis.hget(state, 'generation')) ?? '';
      await server.flush();
      await charge();
      expect(await harness.redis.hget(state, 'generation')).not.toBe(before);
      const funds = fundsKey(key.partition, account, 'test');
      const name = apiKeyKey(key.partition, 'e'.repeat(64));
      const client = scripts();
      expect(await client.gateLoadAccount(state, funds, before, 9, 1, 0, '', '')).toBe(0);
      expect(await client.gateLoadKey(state, name, before, 'key', account, 'live', '0')).toBe(0);
      client.disconnect();
      expect(await harness.redis.exists(funds, name)).toBe(0);
    });

    it('reloads funds, free uses and answers from the ledger after Redis was emptied', async () => {
      await charge({ cost: 4, idempotency });
      await harness.grant(account, 9);
      await charge({ cost: 2 });
      await harness.drain(account);
      const place = await harness.place(account);
      const had = await harness.gate.funds(place, 'live');
      expect(had).toMatchObject({ paidCredits: 7, freeUses: [{ calls: 4 }] });
      await server.flush();
      expect(await harness.gate.funds(place, 'live')).toEqual(had);
      await server.flush();
      expect(await charge({ cost: 4, idempotency })).toMatchObject({
        kind: 'replayed',
        answerJson: '{"value":1}',
        remainingFreeCalls: 6,
      });
      const other = { ...idempotency, fingerprint: 'g' };
      expect((await charge({ idempotency: other })).kind).toBe('idempotency_conflict');
      const fresh = { ...idempotency, key: 'fresh' };
      expect((await charge({ cost: 7, idempotency: fresh })).kind).toBe('charged');
      expect((await charge({ cost: 7, idempotency: fresh })).kind).toBe('replayed');
      expect(await charge({ cost: 6 })).toMatchObject({ remainingFreeCalls: 0 });
    });

    it('keeps the dates of uses of a clock that ran ahead when Redis is emptied', async () => {
      const firstMs = harness.nowMs();
      harness.advance(FREE_WINDOW_MS);
      for (let call = 0; call < 10; call++) await charge();
      harness.advance(-FREE_WINDOW_MS);
      const exhausted = { kind: 'free_tier_exhausted', resetsAtMs: firstMs + FREE_WINDOW_MS };
      expect(await charge()).toMatchObject(exhausted);
      const group = Math.floor(key.partition / 64);
      const log = pino({ level: 'silent' });
      const parts = { db: harness.db, redis: harness.redis, log, observer: QUIET };
      const reconciled = () => reconcileGroup(parts, group, { clock: () => harness.nowMs() });
      // The worker finds no drift, before and after it has booked the dates.
      expect(await reconciled()).toMatchObject({ accounts: 1, drifts: [] });
      const events = await harness.redis.xrange(eventsKey(key.partition), '-', '+');
      await harness.drain(account);
      harness.advance(HOUR_MS);
      await server.flush();
      expect(await charge()).toMatchObject(exhausted);
      harness.advance(FREE_WINDOW_MS - HOUR_MS + 1000);
      expect(await charge({ cost: 5 })).toMatchObject({ remainingFreeCalls: 5 });
      // If a worker is killed before it removes its events, it books them again.
      for (const [, fields] of events) {
        await harness.redis.xadd(eventsKey(key.partition), '*', ...fields);
      }
      await harness.drain(account);
      harness.advance(2 * 60_000);
      expect(await reconciled()).toMatchObject({ accounts: 1, drifts: [] });
      await server.flush();
      expect(await charge({ cost: 5 })).toMatchObject({ remainingFreeCalls: 0 });
      const dates = await harness.db.selectFrom('free_use_dates').select('at_ms').execute();
      expect(dates).toEqual(Array(10).fill({ at_ms: firstMs }));
    });

    it('charges nothing while charges have waited too long to be booked', async () => {
      const fromMs = Date.now();
      await charge();
      const state = stateKey(key.partition);
      const oldest = Number(await harness.redis.hget(state, 'oldest'));
      expect(oldest).toBeGreaterThanOrEqual(fromMs - 1);
      expect(oldest).toBeLessThanOrEqual(Date.now() + 1);
      await harness.redis.hset(state, 'oldest', Date.now() - 16 * 60_000);
      await expect(charge()).rejects.toMatchObject({ reason: 'unavailable' });
      expect((await charge({ cost: 0 })).kind).toBe('counted');
      expect(await harness.gate.ready()).toBe(true);
      await harness.drain(account);
      expect(await charge()).toMatchObject({ remainingFreeCalls: 8 });
    });

    it('serves loaded accounts while PostgreSQL is down, and fails fast for the rest', async () => {
      await harness.grant(account, 5);
      await charge();
      const unloadedKey = await harness.newKey(account);
      const newcomer = await harness.newKey(await harness.newAccount());
      // No server listens on port 1.
      const gone = postgresDatabase('postgres://nobody@127.0.0.1:1/nothing');
      const gate = await harness.anotherGate({ db: gone });
      expect((await gate.step(step(key))).kind).toBe('charged');
      for (const unknown of [unloadedKey, newcomer]) {
        // After the time limit for an answer, the reason would be `unanswered`.
        await expect(gate.step(step(unknown))).rejects.toMatchObject({ reason: 'unavailable' });
      }
      await gate.close();
      await gone.destroy();
    });

    it('looks up an invented key once, and limits look-ups at the same time', async () => {
      const made = (index: number) => ({
        id: 'none',
        partition: 5,
        keyHash: index.toString(16).padStart(64, '0'),
      });
      await charge();
      const loads: string[] = [];
      const observer = {
        stepped: () => undefined,
        loaded: (what: string) => void loads.push(what),
      };
      const gate = await harness.anotherGate({ observer });
      for (let i = 0; i < 3; i++) {
        expect(await gate.step(step(made(0)))).toEqual({ kind: 'unauthorized' });
      }
      expect(loads.filter((what) => what === 'key')).toHaveLength(1);
      const flood = Array.from({ length: 1000 }, (_, index) => gate.step(step(made(index + 1))));
      const [known, ...outcomes] = await Promise.allSettled([gate.step(step(key)), ...flood]);
      expect(known).toMatchObject({ value: { kind: 'charged' } });
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused.length).toBeGreaterThan(500);
      await gate.close();
    });

    it('counts hits in the future as made now after the clock was set back', async () => {
      const limited = await harness.anotherGate({ rateLimitMax: 5 });
      for (let i = 0; i < 5; i++) await limited.step(step(key, { cost: 0 }));
      harness.advance(-3600_000);
      expect((await limited.step(step(key))).kind).toBe('rate_limited');
      harness.advance(60_000);
      expect((await limited.step(step(key, { cost: 0 }))).kind).toBe('counted');
      await limited.close();
    });

    it('removes many old hits at once', async () => {
      await charge({ cost: 0, hits: 3000 });
      harness.advance(30_000);
      await charge({ cost: 0, hits: 2 });
      harness.advance(30_000);
      const { rate } = (await charge({ cost: 0 })) as { rate: { remaining: number } };
      expect(rate.remaining).toBe(1e9 - 3);
    });

    function scripts() {
      const client = connectRedis(server.url, 10_000);
      client.options.enableOfflineQueue = true;
      const limits = { rateLimitMax: 120, backlogMaxAgeMs: 1000, answersBytesMax: 1e6 };
      return defineScripts(client, limits);
    }
  });
});
