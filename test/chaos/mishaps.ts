import { setTimeout as sleep } from 'node:timers/promises';
import { grantCredits } from '../../src/accounts/credits.js';
import type { Random } from '../support/random.js';
import type { Deployment } from './deployment.js';
import { PowerLoss } from './power-loss.js';

/** A span of real time whose charges Redis may have lost. */
export interface Loss {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Longest time whose data Redis loses in a power cut. While its disk is slow, Redis with `appendfsync everysec` holds
 * back writes for up to two seconds. Our cut of its file removes up to another second.
 */
const AOF_LOSS_MS = 3500;
const PURCHASE_CREDITS = 25;

/** The failures of a run, one after another. A seed decides their order. */
export class Mishaps {
  readonly losses: Loss[] = [];
  /** Real times at which Redis was emptied. */
  readonly emptiedMs: number[] = [];
  /** Log of the failures, for the message of a failed run. */
  readonly story: string[] = [];
  readonly #deployment: Deployment;
  readonly #random: Random;
  readonly #power: PowerLoss;
  readonly #startedMs = Date.now();
  #bag: number[] = [];

  constructor(deployment: Deployment, random: Random, redisFolder: string) {
    this.#deployment = deployment;
    this.#random = random;
    this.#power = new PowerLoss(redisFolder);
  }

  /** Causes a random failure, and ends it before it returns. */
  async next(): Promise<void> {
    const { apis, workers, redis, postgres } = this.#deployment;
    const downMs = 200 + this.#random.below(1300);
    const node = this.#random.pick([...apis, ...workers]);
    const mishaps: Record<string, () => Promise<void>> = {
      'redis loses power': () => this.#cutRedis(downMs),
      'redis hangs': () => hang(redis, downMs),
      'postgres is killed': async () => {
        await postgres.kill();
        await sleep(downMs);
        await postgres.restart();
      },
      'postgres hangs': () => hang(postgres, downMs),
      [`${node.name} is killed`]: async () => {
        await node.kill();
        await sleep(downMs);
        await node.start();
      },
      [`${node.name} hangs`]: () => hang(node, downMs),
      [`${node.name} is restarted`]: async () => {
        await node.stop();
        await node.start();
      },
    };
    const kind = this.#nextKind(Object.keys(mishaps).length);
    const name = Object.keys(mishaps)[kind] ?? '';
    this.#tell(`${name} for ${downMs} ms`);
    await mishaps[name]?.();
  }

  /** Empties Redis. Charges that are not in the ledger yet are lost. */
  async emptyRedis(): Promise<void> {
    const { redis, customers } = this.#deployment;
    const oldest = await Promise.all(
      customers.map(({ partition }) => redis.run('hget', `{p${partition}}:state`, 'oldest')),
    );
    const fromMs = Math.min(...oldest.filter((ms) => ms !== null).map(Number), Date.now());
    this.#tell('redis is emptied');
    await redis.flush();
    this.losses.push({ fromMs, toMs: Date.now() });
    this.emptiedMs.push(Date.now());
  }

  /**
   * Moves the clock of all processes ahead. They stand still meanwhile: in production they share the clock of Redis. If
   * one of them were ahead of another for a moment, free calls would get dates of the past.
   */
  async advance(ms: number): Promise<void> {
    this.#tell(`clocks jump ahead by ${ms} ms`);
    const nodes = [...this.#deployment.apis, ...this.#deployment.workers];
    for (const node of nodes) node.pause();
    // After the second answer, Redis has done all that the processes had sent.
    for (let asked = 0; asked < 2; asked++) await this.#deployment.redis.run('ping');
    this.#deployment.clock.advance(ms);
    for (const node of nodes) node.resume();
  }

  stop(): void {
    this.#power.stop();
  }

  /** Returns the kinds in a random order. Each kind comes once before any is repeated. */
  #nextKind(kinds: number): number {
    if (this.#bag.length === 0) this.#bag = Array.from({ length: kinds }, (_, kind) => kind);
    const [kind = 0] = this.#bag.splice(this.#random.below(this.#bag.length), 1);
    return kind;
  }

  async #cutRedis(downMs: number): Promise<void> {
    const { redis } = this.#deployment;
    await redis.kill();
    const killedMs = Date.now();
    this.losses.push({ fromMs: killedMs - AOF_LOSS_MS, toMs: killedMs });
    this.#tell(`its file is cut by ${this.#power.cut(killedMs)} bytes`);
    await sleep(downMs);
    await redis.restart();
  }

  #tell(what: string): void {
    const atSeconds = ((Date.now() - this.#startedMs) / 1000).toFixed(1);
    this.story.push(`${atSeconds} s: ${what}`);
  }
}

async function hang(one: { pause(): void; resume(): void }, ms: number): Promise<void> {
  one.pause();
  await sleep(ms);
  one.resume();
}

/** Makes purchases. Each is confirmed several times at once, and again until it is acknowledged. */
export class Purchases {
  readonly #deployment: Deployment;
  readonly #random: Random;
  #count = 0;

  constructor(deployment: Deployment, random: Random) {
    this.#deployment = deployment;
    this.#random = random;
  }

  /** Number of credits bought so far. */
  get credits(): number {
    return this.#count * PURCHASE_CREDITS;
  }

  async buy(): Promise<void> {
    const { account } = this.#random.pick(this.#deployment.customers);
    const cause = `chaos-${this.#count}`;
    await Promise.all([this.#confirm(account, cause), this.#confirm(account, cause)]);
    this.#count++;
  }

  async #confirm(account: string, cause: string): Promise<void> {
    const options = { kind: 'purchase', cause } as const;
    for (;;) {
      try {
        await grantCredits(this.#deployment.db, account, 'live', PURCHASE_CREDITS, options);
        return;
      } catch {
        // It is unknown whether the purchase was booked, so the confirmation is repeated.
        await sleep(200);
      }
    }
  }
}
