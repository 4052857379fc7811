import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';
import {
  ANSWER_EXTRA_BYTES,
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_MS,
  IDEMPOTENCY_TTL_MS,
  RATE_WINDOW_MS,
} from '../../core/billing-terms.js';
import { HOUR_MS } from '../../core/time.js';
import { OUTCOME } from '../gate.js';
import { FAILED, MISSING, type Reply } from './decode-reply.js';

/** An argument of a script; numbers are sent as decimal digits. */
export type Argument = string | number;

/** The gate's scripts as commands of a client. The head of each script says what it takes and returns. */
export interface ScriptCommands {
  /** `steps.lua`; the number of keys comes first. */
  gateSteps(count: number, keys: string[], args: Argument[]): Promise<readonly Reply[]>;
  gateLoadKey(...keysThenArguments: Argument[]): Promise<number>;
  gateLoadAccount(...keysThenArguments: Argument[]): Promise<number>;
}

/** A client with the scripts as commands. */
export type GateClient = (Redis | Cluster) & ScriptCommands;

/** Settings of a node that the scripts use. */
export interface ScriptSettings {
  /** Requests per key in the rate limit's window. */
  readonly rateLimitMax: number;
  /** While the oldest event that is not in the ledger is older than this, nothing is charged. */
  readonly backlogMaxAgeMs: number;
  /** Bytes of stored answers that an account may keep in a mode. */
  readonly answersBytesMax: number;
}

/**
 * Up to this number, expired hits are removed from the rate limit's list one by one; more are
 * removed together.
 */
const POPS_MAX = 8;

/**
 * Adds the scripts to a client as commands. ioredis sends the text of a script once per connection,
 * then only its SHA. If Redis has forgotten the script, ioredis sends the text again; the step has
 * not run then.
 */
export function defineScripts(client: Redis | Cluster, settings: ScriptSettings): GateClient {
  const steps = scriptText('steps.lua', {
    RATE_LIMIT: settings.rateLimitMax,
    BACKLOG_MAX_AGE_MS: settings.backlogMaxAgeMs,
    RATE_WINDOW_MS,
    LIST_TTL_MS: 2 * RATE_WINDOW_MS,
    POPS_MAX,
    FREE_CALLS: FREE_CALLS_PER_WINDOW,
    FREE_WINDOW_MS,
    IDEMPOTENCY_TTL_MS,
    HOUR_MS,
    ANSWER_EXTRA_BYTES,
    ANSWERS_BYTES_MAX: settings.answersBytesMax,
    ...luaConstants('OUTCOME', OUTCOME),
    ...luaConstants('MISSING', MISSING),
    FAILED,
  });
  client.defineCommand('gateSteps', { lua: steps });
  client.defineCommand('gateLoadKey', { lua: scriptText('load-key.lua'), numberOfKeys: 2 });
  client.defineCommand('gateLoadAccount', { lua: scriptText('load-account.lua'), numberOfKeys: 2 });
  return client as GateClient;
}

/** Names a table's numbers for Lua: `chargedFree` of `OUTCOME` becomes `OUTCOME_CHARGED_FREE`. */
function luaConstants(
  prefix: string,
  table: Readonly<Record<string, number>>,
): Record<string, number> {
  const nameOf = (name: string) => `${prefix}_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [nameOf(name), value]));
}

/**
 * The text of a script in `scripts/`, with constants before it. Each constant is defined once, in
 * TypeScript, and is not sent with every call.
 */
export function scriptText(file: string, constants: Readonly<Record<string, number>> = {}): string {
  const text = readFileSync(new URL(`./scripts/${file}`, import.meta.url), 'utf8');
  const names = Object.keys(constants);
  if (names.length === 0) return text;
  const [shebang, ...lines] = text.split('\n');
  const values = Object.values(constants).map((value) => value.toFixed(0));
  return [shebang, `local ${names.join(', ')} = ${values.join(', ')}`, ...lines].join('\n');
}
