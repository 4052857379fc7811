import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ANSWERS_BYTES_MAX_DEFAULT,
  KEY_FAILURES_DEFAULT,
  RATE_LIMIT_DEFAULT,
} from './core/billing-terms.js';
import { projectDir } from './core/project-dir.js';
import { isPostgresUrl, parsePostgresUrl } from './database/url.js';
import { VERSION_NAME } from './lookup/version.js';
import type { StripeSettings } from './payments/stripe-provider.js';
import { readStripeSettings } from './payments/stripe-settings.js';

/** Log levels of pino, from most to least output. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const SERVICE_ENVS = ['preview', 'production'] as const;
const LAST_PORT = 65_535;
/** Maximum time that requests in flight get to finish after a signal, ms. */
export const SHUTDOWN_MS = 10_000;
const MIB = 1024 * 1024;
const LARGEST_RATE = 1_000_000_000;
const DAY_SECONDS = 24 * 3600;

/**
 * Variables that may hold a secret. They are never shown. The variable NAME_FILE can name a file that holds the secret.
 */
const SECRETS: readonly string[] = [
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
];

/** Settings that always have a value. Each has the variable, the parser of its text, and the default. */
const SETTINGS = {
  host: setting('HOST', matching(/^[\w.:-]+$/, 'a host name or an IP address'), '127.0.0.1'),
  /** 0 takes any free port. */
  port: setting('PORT', wholeNumber(0, LAST_PORT), 3000),
  /** `file:<path>` of the SQLite database, or `postgres://…`. */
  databaseUrl: setting('DATABASE_URL', databaseUrl, 'file:./var/vitruvia.sqlite'),
  /** If usage has waited longer than this to be booked in PostgreSQL, charges are refused. */
  backlogMaxAgeSeconds: setting('BACKLOG_MAX_AGE_SECONDS', wholeNumber(1, DAY_SECONDS), 900),
  /**
   * Usage is booked when it is older than this, so that a restart of Redis cannot undo it. With `appendfsync everysec`,
   * Redis keeps its writes in memory for up to two seconds if the disk is slow. The ledger therefore holds nothing that
   * Redis can lose in a power cut.
   */
  drainLagMs: setting('DRAIN_LAG_MS', wholeNumber(0, DAY_SECONDS * 1000), 4000),
  /** Time between two comparisons of Redis with the ledger. */
  reconcileIntervalSeconds: setting('RECONCILE_INTERVAL_SECONDS', wholeNumber(1, DAY_SECONDS), 300),
  /** If a process of `serve --workers` does not answer for this long, it is replaced. */
  processTimeoutSeconds: setting('PROCESS_TIMEOUT_SECONDS', wholeNumber(2, DAY_SECONDS), 15),
  artifactsDir: setting('ARTIFACTS_DIR', String, join(projectDir(), 'data', 'artifacts')),
  /** Folder of fitted people and pictures, and MiB that they may take; 0 keeps none. */
  picturesDir: setting('PICTURES_DIR', String, join('var', 'pictures')),
  picturesMib: setting('PICTURES_MIB_MAX', wholeNumber(0, 1_000_000), 256),
  serviceEnv: setting('SERVICE_ENV', oneOf(SERVICE_ENVS), 'preview'),
  /** Requests a key may make in one rate-limit window. */
  rateLimitMax: setting('RATE_LIMIT_MAX', wholeNumber(1, LARGEST_RATE), RATE_LIMIT_DEFAULT),
  /** Requests with unknown API keys that an address may send in a minute. */
  keyFailuresMax: setting('KEY_FAILURES_MAX', wholeNumber(1, LARGEST_RATE), KEY_FAILURES_DEFAULT),
  /** Processor time, in seconds, that an account may use in a minute for computations; test keys get a fifth. */
  computeSecondsPerMinute: setting('COMPUTE_SECONDS_PER_MINUTE', wholeNumber(1, LARGEST_RATE), 30),
  /** Maximum size of the stored idempotent answers of an account in a mode, in bytes. */
  answersBytesMax: setting(
    'IDEMPOTENCY_MIB_MAX',
    (text) => MIB * wholeNumber(1, 65_536)(text),
    ANSWERS_BYTES_MAX_DEFAULT,
  ),
  logLevel: setting('LOG_LEVEL', oneOf(LOG_LEVELS), 'info'),
  /** Trusted sources of X-Forwarded-For: none, all, a number of hops, or some addresses. */
  trustProxy: setting('TRUST_PROXY', trustProxy, false),
  /** Host names under which /mcp may be reached, in addition to those of this machine; `*` for any. */
  mcpAllowedHosts: setting('MCP_ALLOWED_HOSTS', hostNames, []),
  /** Host names of sites whose pages may call /mcp, in addition to this machine; `*` for any. */
  mcpAllowedOrigins: setting('MCP_ALLOWED_ORIGINS', hostNames, []),
  /** Sites whose pages may call /v1 and read the catalog, such as `https://app.example`; `*` for any. */
  corsOrigins: setting('CORS_ORIGINS', webOrigins, []),
};

/** Settings that have no value by default. */
const OPTIONAL_SETTINGS = {
  /** `redis://…`, or a comma-separated list of such addresses for a cluster. Used only with PostgreSQL. */
  redisUrl: setting('REDIS_URL', redisUrl),
  /** The version to serve; by default the current one. */
  artifactVersion: setting(
    'ARTIFACT_VERSION',
    matching(VERSION_NAME, 'the name of a folder in ARTIFACTS_DIR'),
  ),
  /** Port of the metrics listener. 0 takes any free port. Without it, there is no metrics listener. */
  metricsPort: setting('METRICS_PORT', wholeNumber(0, LAST_PORT)),
  /** Base address of an OpenTelemetry collector. Without it, there are no traces. */
  otlpEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', collectorUrl),
  /** Public address of the service; by default the address it listens on. */
  publicUrl: setting('PUBLIC_URL', webOrigin),
  /** The mail server. Without it, e-mail goes to the log in preview and is dropped in production. */
  smtpUrl: setting('SMTP_URL', mailServer),
  /** Sender of the e-mail. */
  mailFrom: setting(
    'MAIL_FROM',
    matching(
      /^([^<>@\p{Cc}]+ )?<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s,]+@[^<>@\s,]+$/u,
      'an address, such as Vitruvia <no-reply@vitruvia.example>',
    ),
  ),
};

type Values<Settings extends Record<string, { readonly parse: (text: string) => unknown }>> = {
  readonly [Name in keyof Settings]: ReturnType<Settings[Name]['parse']>;
};

/** The checked configuration from the environment. */
export interface Config extends Values<typeof SETTINGS>, Partial<Values<typeof OPTIONAL_SETTINGS>> {
  /** Settings of Stripe; without them, Stripe is not used. */
  readonly stripe?: StripeSettings;
}

/** The environment has faults; all of them are listed. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads the configuration. An empty variable counts as unset.
 *
 * @throws ConfigError with all faults
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const textOf = (name: string) => env[name]?.trim() || textOfFile(env, name, faults);
  const readSetting = ({ variable, fallback, parse }: Setting<unknown>): unknown => {
    const text = textOf(variable);
    if (text === '') return fallback;
    try {
      return parse(text);
    } catch (error) {
      const shown = SECRETS.includes(variable) ? '' : `; it is ${JSON.stringify(text)}`;
      faults.push(`${variable} ${(error as Error).message}${shown}.`);
      return fallback;
    }
  };
  const values = Object.entries({ ...SETTINGS, ...OPTIONAL_SETTINGS })
    .map(([name, one]) => [name, readSetting(one)] as const)
    .filter(([, value]) => value !== undefined);
  const read = Object.fromEntries(values) as unknown as Config;
  const stripe = readStripeSettings(textOf, read.serviceEnv, faults);
  const config: Config = { ...read, ...(stripe === undefined ? {} : { stripe }) };
  const { smtpUrl, metricsPort } = config;
  if (smtpUrl !== undefined) {
    // Links in e-mail must not depend on the host that a request names.
    if ((env.PUBLIC_URL?.trim() ?? '') === '') faults.push('PUBLIC_URL must be set with SMTP_URL.');
    if ((env.MAIL_FROM?.trim() ?? '') === '') faults.push('MAIL_FROM must be set with SMTP_URL.');
  }
  if (metricsPort !== undefined && metricsPort === config.port && metricsPort > 0) {
    faults.push(`METRICS_PORT must differ from PORT; both are ${metricsPort}.`);
  }
  if (config.drainLagMs >= config.backlogMaxAgeSeconds * 1000) {
    faults.push('BACKLOG_MAX_AGE_SECONDS must be longer than DRAIN_LAG_MS.');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

/**
 * Checks that Redis and PostgreSQL are used together. Only services and workers need this check.
 *
 * @throws ConfigError with the one that must be set
 */
export function checkStores({ databaseUrl, redisUrl }: Config): void {
  const postgres = isPostgresUrl(databaseUrl);
  if (postgres && redisUrl === undefined) {
    throw new ConfigError([
      'REDIS_URL must be set (redis://host:6379) if DATABASE_URL is postgres://…, because many nodes need both. A single process needs neither: set DATABASE_URL to file:<path>.',
    ]);
  }
  if (!postgres && redisUrl !== undefined) {
    throw new ConfigError([
      'DATABASE_URL must be postgres://… if REDIS_URL is set, because many nodes need both. A single process needs neither: leave REDIS_URL unset.',
    ]);
  }
}

/** A configuration with both stores of many nodes. */
export type StoresConfig = Config & { readonly redisUrl: string };

/**
 * Checks that Redis and PostgreSQL are configured, as in a service of several nodes.
 *
 * @throws ConfigError with the variables that must be set
 */
export function requireStores(config: Config): asserts config is StoresConfig {
  checkStores(config);
  if (config.redisUrl !== undefined) return;
  throw new ConfigError([
    'REDIS_URL (redis://host:6379) and DATABASE_URL (postgres://…) must be set, because this command is only for many nodes. A single process (npx vitruvia serve) does without it.',
  ]);
}

/** Reads a secret from a file, which containers and systemd provide. The result is empty if no file is named. */
function textOfFile(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  faults: string[],
): string {
  const path = SECRETS.includes(name) ? (env[`${name}_FILE`]?.trim() ?? '') : '';
  if (path === '') return '';
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    faults.push(`${name}_FILE must name a file that can be read (${code}); it is "${path}".`);
    return '';
  }
}

/** How a setting is read from its variable. */
interface Setting<Value> {
  readonly variable: string;
  readonly fallback: Value | undefined;
  readonly parse: (text: string) => Value;
}

function setting<Value>(
  variable: string,
  parse: (text: string) => Value,
  fallback?: NoInfer<Value>,
): Setting<Value> {
  return { variable, fallback, parse };
}

// Each parser throws an error. Its message follows the name of the variable to form a sentence.

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new Error(`must be a whole number from ${least} to ${most}`);
  };
}

function oneOf<Name extends string>(names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const found = names.find((name) => name === text);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${names.join(', ')}`);
  };
}

function matching(pattern: RegExp, words: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new Error(`must be ${words}`);
  };
}

function hostNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  if (names.every((name) => /^(\*|[\w.-]+|\[[\da-f:.]+\])$/.test(name))) return names;
  throw new Error('must be host names without scheme or port, separated by commas, or *');
}

function databaseUrl(text: string): string {
  if (/^file:./.test(text) || parsePostgresUrl(text) !== undefined) return text;
  throw new Error('must be file:<path> or postgres://user:password@host:5432/database');
}

function redisUrl(text: string): string {
  const nodes = text.split(',').map((node) => node.trim());
  if (nodes.every(isRedisNode)) return nodes.join(',');
  throw new Error(
    'must be redis://user:password@host:6379 (rediss:// for TLS), or several of them, separated by commas, for a cluster; write special characters of a password as %xx',
  );
}

function isRedisNode(text: string): boolean {
  return /^rediss?(\+cluster)?:\/\/./i.test(text) && URL.canParse(text);
}

function trustProxy(text: string): boolean | number | string[] {
  if (text === 'false') return false;
  if (text === 'true') return true;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const addresses = text.split(',').map((address) => address.trim());
  const names = /^(loopback|linklocal|uniquelocal|[\da-f.:]+(\/\d{1,3})?)$/i;
  if (addresses.every((address) => names.test(address))) return addresses;
  throw new Error('must be false, true, a number of hops or a list of addresses');
}

function webOrigins(text: string): readonly string[] {
  return text.split(',').map((one) => (one.trim() === '*' ? '*' : webOrigin(one.trim())));
}

function webOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url !== undefined && isWeb && text.replace(/\/$/, '').toLowerCase() === url.origin) {
    return url.origin;
  }
  throw new Error('must be the address of a site without a path, such as https://vitruvia.example');
}

/** The address of an OpenTelemetry collector, without the final slash. */
function collectorUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url !== undefined && isWeb && url.search === '' && url.hash === '' && url.username === '') {
    return url.href.replace(/(?<!\/)\/+$/, '');
  }
  throw new Error('must be the base address of a collector, such as http://127.0.0.1:4318');
}

function mailServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return text;
  throw new Error('must be smtp://user:password@host:587 or smtps://user:password@host:465');
}
