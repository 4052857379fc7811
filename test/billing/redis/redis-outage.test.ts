import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { haveServers, startRedis } from '../../support/servers.js';
import { withinTurns } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';
import { step, type TestKey } from '../gate-harness.js';
import { RedisHarness } from './redis-harness.js';

const ANSWER_MAX_MS = 150;
/** Number of turns of 50 ms. A refusal takes much less time. */
const FAST_TURNS = 40;

describe.skipIf(!haveServers)('a Redis that is away', () => {
  const server = useOpened(() => startRedis({ aof: true, args: ['--appendfsync', 'always'] }));
  let harness: RedisHarness;
  let account: string;
  let key: TestKey;
  beforeEach(async () => {
    harness = await RedisHarness.open(server, { answerMaxMs: ANSWER_MAX_MS, rateLimitMax: 1e9 });
    account = await harness.newAccount();
    key = await harness.newKey(account);
    await harness.grant(account, 1000);
    await comesBack();
  });
  afterEach(() => harness.close());

  const attempt = (): Promise<string> =>
    harness.gate.step(step(key)).then(
      ({ kind }) => kind,
      (error: { reason?: string }) => error.reason ?? 'another error',
    );
  const comesBack = () => expect.poll(attempt, { interval: 20 }).toBe('charged');

  /** Checks that every attempt is refused in time. */
  async function refusesFast(attempts: number): Promise<void> {
    for (let i = 0; i < attempts; i++) {
      expect(['unavailable', 'unanswered']).toContain(await withinTurns(FAST_TURNS, attempt()));
    }
  }

  const charges = async (): Promise<number> =>
    (await harness.events((await harness.place(account)).partition)).length;

  it('makes the gate refuse fast and charge nothing; it recovers when Redis is back', async () => {
    await server.kill();
    await refusesFast(9);
    expect(await harness.gate.ready()).toBe(false);
    await server.restart();
    await comesBack();
    await expect.poll(() => harness.gate.ready()).toBe(true);
    expect(await harness.drifts()).toEqual([]);
  });

  it('is not assumed when replies arrived in time while this process was blocked', async () => {
    const before = await charges();
    // On a slow machine, too, Redis must do the steps before this deadline.
    const answerMaxMs = 8000;
    const gate = await harness.anotherGate({ answerMaxMs });
    const attempts = Array.from({ length: 20 }, () => gate.step(step(key)));
    // The attempts have been sent after this.
    await setImmediate();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, answerMaxMs + 100);
    const ends = await Promise.all(attempts);
    expect(ends.map(({ kind }) => kind)).toEqual(Array(20).fill('charged'));
    expect(await charges()).toBe(before + 20);
    await gate.close();
  });

  it('makes the gate refuse fast when Redis hangs, and charges nothing afterwards', async () => {
    const before = await charges();
    server.pause();
    const together = await withinTurns(
      FAST_TURNS,
      Promise.all(Array.from({ length: 50 }, attempt)),
    );
    expect(new Set(together)).toEqual(new Set(['unanswered']));
    await refusesFast(5);
    expect(await harness.gate.ready()).toBe(false);
    // The gate gives up a silent connection and then refuses an attempt before its deadline. Redis may still do such a
    // step until the deadline, so the test waits for the deadline of the last attempt.
    await sleep(ANSWER_MAX_MS);
    server.resume();
    // On a busy machine, Redis may charge a later attempt and answer it too late.
    let late = 0;
    const again = async () => {
      const end = await attempt();
      if (end === 'unanswered') late++;
      return end;
    };
    await expect.poll(again, { interval: 20 }).toBe('charged');
    const refused = (await charges()) - before - 1;
    expect(refused).toBeLessThanOrEqual(late);
    expect(await harness.drifts()).toEqual([]);
  });

  describe('behind a connection that is cut', () => {
    let line: Server;
    let swallow = false;
    /** From this call on, the open connections stay open but transmit nothing. */
    let mute = () => {};
    const sockets = new Set<Socket>();
    beforeEach(async () => {
      line = createServer((socket) => {
        const onward = connect(server.port, '127.0.0.1');
        for (const end of [socket, onward]) {
          sockets.add(end);
          end.on('error', () => end.destroy());
        }
        socket.pipe(onward);
        let silent = false;
        const muteOthers = mute;
        mute = () => {
          muteOthers();
          silent = true;
        };
        onward.on('data', (data) => {
          if (swallow) socket.destroy();
          else if (!silent) socket.write(data);
        });
        onward.on('close', () => socket.destroy());
        socket.on('close', () => onward.destroy());
      });
      await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => {
      for (const socket of sockets) socket.destroy();
      line.close();
    });

    it('is replaced when it gives no sign of life', async () => {
      const { port } = line.address() as AddressInfo;
      const gate = await harness.anotherGate({ redisUrl: `redis://127.0.0.1:${port}` });
      const kindOf = (): Promise<string> =>
        gate.step(step(key)).then(
          ({ kind }) => kind,
          ({ reason }) => reason,
        );
      await expect.poll(kindOf).toBe('charged');
      const connections = sockets.size;
      mute();
      // One step is enough, because the gate itself checks whether Redis answers.
      await expect(kindOf()).resolves.toBe('unanswered');
      await expect.poll(() => sockets.size).toBeGreaterThan(connections);
      await expect.poll(kindOf).toBe('charged');
      await gate.close();
    });

    it('never receives a step again whose reply was lost', async () => {
      const { port } = line.address() as AddressInfo;
      const gate = await harness.anotherGate({
        redisUrl: `redis://127.0.0.1:${port}`,
        answerMaxMs: 10_000,
      });
      const idempotency = { key: 'k', fingerprint: 'f', answerJson: '1' };
      const charged = (more = {}) => gate.step(step(key, more));
      await charged();
      const before = await charges();
      swallow = true;
      await expect(charged({ idempotency })).rejects.toMatchObject({ reason: 'unanswered' });
      swallow = false;
      await expect.poll(() => gate.ready()).toBe(true);
      expect(await charges()).toBe(before + 1);
      expect((await charged({ idempotency })).kind).toBe('replayed');
      expect(await charges()).toBe(before + 1);
      await charged();
      expect(await charges()).toBe(before + 2);
      expect(await harness.drifts()).toEqual([]);
      await gate.close();
    });
  });
});
