import { createWriteStream, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { finished } from 'node:stream/promises';
import { type Random, seeded } from '../support/random.js';
import type { ClientPlan, Seen } from './answer-log.js';

// Sends random requests for a while and logs the result of each: `client-child <plan file>`.

const REQUEST_TIMEOUT_MS = 3000;
/** Longest pause between two requests of a loop. The pauses keep the load below what the machine can do. */
const PAUSE_MAX_MS = 40;
/** One in this many requests has an idempotency key. Half of these requests are repeats. */
const IDEMPOTENT_EVERY = 5;
const HOT_EVERY = 6;
const HOT_KEYS = 2;

interface Attempt {
  readonly key: number;
  readonly path: string;
  readonly body: object;
  readonly cost: number;
  readonly idempotencyKey?: string;
}

interface Answer {
  readonly status: number;
  readonly requestId?: string;
  readonly replayed?: true;
  readonly freeLeft?: number;
}

const plan = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as ClientPlan;
const log = createWriteStream(plan.logFile);
const agent = new Agent({ keepAlive: true, maxSockets: plan.concurrency });
const endMs = Date.now() + plan.seconds * 1000;

function freshAttempt(random: Random): Attempt {
  // Some keys make so many requests that the service refuses them by rate limit.
  const key = random.below(random.below(HOT_EVERY) === 0 ? HOT_KEYS : plan.keys.length);
  const person = {
    measurement: 'Stature',
    gender: random.pick(['Female', 'Male']),
    age: 20 + random.below(50),
  };
  if (random.below(4) > 0) {
    const body = { ...person, percentile: 1 + random.below(99) };
    return { key, path: '/v1/predict', body, cost: 1 };
  }
  const percentiles = Array.from({ length: 2 + random.below(4) }, (_, index) => 10 + 10 * index);
  const body = { ...person, percentiles };
  return { key, path: '/v1/predict/range', body, cost: percentiles.length };
}

function nextAttempt(random: Random, earlier: Attempt[], name: string): Attempt {
  const fresh = freshAttempt(random);
  if (random.below(IDEMPOTENT_EVERY) > 0) return fresh;
  if (earlier.length > 0 && random.below(2) === 0) return random.pick(earlier);
  const attempt = { ...fresh, idempotencyKey: name };
  earlier.push(attempt);
  return attempt;
}

function send(attempt: Attempt, address: string): Promise<Answer> {
  return new Promise((resolve) => {
    const none = (): void => resolve({ status: 0 });
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${plan.keys[attempt.key]}`,
      ...(attempt.idempotencyKey === undefined
        ? {}
        : { 'idempotency-key': attempt.idempotencyKey }),
    };
    const options = { agent, method: 'POST', headers, timeout: REQUEST_TIMEOUT_MS };
    const outgoing = request(address + attempt.path, options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('error', none);
      incoming.on('end', () => {
        const requestId = incoming.headers['x-request-id'];
        const freeLeft = /"remaining_free_calls":(\d+)/.exec(text)?.[1];
        resolve({
          status: incoming.complete ? (incoming.statusCode ?? 0) : 0,
          ...(typeof requestId === 'string' ? { requestId } : {}),
          ...(incoming.headers['idempotent-replayed'] === 'true' ? { replayed: true } : {}),
          ...(freeLeft === undefined ? {} : { freeLeft: Number(freeLeft) }),
        });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')));
    outgoing.on('error', none);
    outgoing.end(JSON.stringify(attempt.body));
  });
}

async function loop(index: number): Promise<void> {
  const random = seeded(plan.seed * 1000 + index);
  const earlier: Attempt[] = [];
  for (let turn = 0; Date.now() < endMs; turn++) {
    const attempt = nextAttempt(random, earlier, `${plan.seed}-${index}-${turn}`);
    const { key, cost, idempotencyKey } = attempt;
    const sentMs = Date.now();
    const answer = await send(attempt, random.pick(plan.addresses));
    const more = idempotencyKey === undefined ? {} : { idempotencyKey };
    const seen: Seen = { sentMs, endedMs: Date.now(), key, cost, ...answer, ...more };
    log.write(`${JSON.stringify(seen)}\n`);
    await new Promise((resolve) => setTimeout(resolve, random.below(PAUSE_MAX_MS)));
  }
}

await Promise.all(Array.from({ length: plan.concurrency }, (_, index) => loop(index)));
log.end();
await finished(log);
agent.destroy();
