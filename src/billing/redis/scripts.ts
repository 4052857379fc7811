import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';
import {
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_MS,
  IDEMPOTENCY_TTL_MS,
  RATE_WINDOW_MS,
} from '../../core/billing-terms.js';

/** A value of a reply; scripts return numbers, text and flat lists of them. */
export type Reply = readonly (string | number)[];

/** What scripts are called with; numbers are written as decimal digits. */
export type Argument = string | number;

/** The gate's scripts as commands of a client; `scripts/*.lua` say what each takes and returns. */
export interface ScriptCommands {
  /** `step.lua` of a request without an idempotency key: five keys. */
  gateStep(...keysThenArguments: Argument[]): Promise<Reply>;
  /** `step.lua` of a request with one: six keys. */
  gateStepIdempotent(...keysThenArguments: Argument[]): Promise<Reply>;
  gateLoadKey(...keysThenArguments: Argument[]): Promise<number>;
  gateLoadAccount(...keysThenArguments: Argument[]): Promise<number>;
}

/** A client that has the scripts as commands. */
export type GateClient = (Redis | Cluster) & ScriptCommands;

/** What a node's configuration decides within the scripts. */
export interface ScriptSettings {
  /** Requests per key in the rate limit's window. */
  readonly rateLimitMax: number;
  /** Age of the oldest event not in the ledger from which on nothing is charged. */
  readonly backlogMaxAgeMs: number;
}

/** Hits leave the rate limit's list one by one; more than so many at once are cut off together. */
const POPS_MAX = 8;

/**
 * Makes the scripts commands of a client. ioredis sends a script's text once per connection, then
 * its SHA, and the text again where Redis has forgotten it: that step has not run yet.
 */
export function defineScripts(client: Redis | Cluster, settings: ScriptSettings): GateClient {
  const step = scriptText('step.lua', {
    RATE_LIMIT: settings.rateLimitMax,
    BACKLOG_MAX_AGE_MS: settings.backlogMaxAgeMs,
    RATE_WINDOW_MS,
    LIST_TTL_MS: 2 * RATE_WINDOW_MS,
    POPS_MAX,
    FREE_CALLS: FREE_CALLS_PER_WINDOW,
    FREE_WINDOW_MS,
    IDEMPOTENCY_TTL_MS,
  });
  client.defineCommand('gateStep', { lua: step, numberOfKeys: 5 });
  client.defineCommand('gateStepIdempotent', { lua: step, numberOfKeys: 6 });
  client.defineCommand('gateLoadKey', { lua: scriptText('load-key.lua'), numberOfKeys: 2 });
  client.defineCommand('gateLoadAccount', { lua: scriptText('load-account.lua'), numberOfKeys: 2 });
  return client as GateClient;
}

/**
 * A script's text, from beside this module, with constants before it: they have one source and are
 * no arguments of every call.
 */
export function scriptText(file: string, constants: Readonly<Record<string, number>> = {}): string {
  const text = readFileSync(new URL(`./scripts/${file}`, import.meta.url), 'utf8');
  const names = Object.keys(constants);
  if (names.length === 0) return text;
  const [shebang, ...lines] = text.split('\n');
  const values = Object.values(constants).map((value) => value.toFixed(0));
  return [shebang, `local ${names.join(', ')} = ${values.join(', ')}`, ...lines].join('\n');
}
