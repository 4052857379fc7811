import { join } from 'node:path';
import { pino } from 'pino';
import { createAccount } from '../../src/accounts/accounts.js';
import { identifyApiKey as identifyKey } from '../../src/accounts/api-key.js';
import { balanceOf, grantCredits } from '../../src/accounts/credits.js';
import { createKey } from '../../src/accounts/keys.js';
import type { Passwords } from '../../src/accounts/passwords.js';
import { type App, type AppParts, buildApp } from '../../src/app.js';
import { createSqliteGate } from '../../src/billing/embedded/sqlite-gate.js';
import type { Gate } from '../../src/billing/gate.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { EmailQueue } from '../../src/email/email-queue.js';
import type { Email, Mailer } from '../../src/email/mailer.js';
import type { McpEndpoint } from '../../src/mcp/endpoint.js';
import type { Operation } from '../../src/operations/operation.js';
import type { PredictionModel } from '../../src/operations/prediction-model.js';
import type { PaymentProvider } from '../../src/payments/provider.js';
import { ComputePool, type ComputePoolOptions, type Computer } from '../../src/request/pool.js';
import type { ComputeBudget } from '../../src/request/queue.js';
import { computerHere } from './computer-here.js';
import { newSqliteUrl } from './folders.js';
import { modelOf, tinyArtifacts } from './models.js';
import { quickPasswords } from './quick-passwords.js';

/** A test's own account. */
export interface Customer {
  readonly account: string;
  readonly apiKey: string;
  readonly headers: Record<string, string>;
  grant(credits: number): Promise<void>;
  /** Paid live credits left. */
  balance(): Promise<number>;
}

/** A complete service with a database, an artifact and a clock of its own. */
export interface TestService extends App {
  readonly gate: Gate;
  readonly db: Database;
  /** E-mails sent. */
  readonly emails: readonly Email[];
  /** Waits until all requested e-mails are in `emails`. */
  emailsSent(): Promise<void>;
  readonly model: PredictionModel;
  /** Log of the service, one JSON line each. */
  readonly logLines: string[];
  customer(credits?: number): Promise<Customer>;
  /** Listens on a port, at most once. Returns the address. */
  address(): Promise<string>;
  /** GETs a path: from an address, or from a new one, so that the tests do not share a rate limit. */
  get(path: string, options?: { from?: string; headers?: Record<string, string> }): Promise<Answer>;
  /** POSTs a body, which is text or a value. */
  post(path: string, body: unknown, headers: Record<string, string>): Promise<Reply>;
  close(): Promise<void>;
}

type Answer = Awaited<ReturnType<App['http']['inject']>>;

/** A parsed answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

/** Options of the service under test. */
export interface ServiceOptions {
  /** URL of the database; by default a new one. */
  readonly databaseUrl?: string;
  readonly rateLimitMax?: number;
  readonly keyFailuresMax?: number;
  readonly exportLimits?: AppParts['exportLimits'];
  readonly readerLimits?: AppParts['readerLimits'];
  readonly connectionObserver?: AppParts['connectionObserver'];
  readonly clock?: () => number;
  readonly passwords?: Passwords;
  readonly trustProxy?: boolean;
  /** Public address of the service; `http://localhost` by default. */
  readonly publicUrl?: string;
  readonly stripe?: PaymentProvider;
  /** Time within which a request must be complete. */
  readonly requestTimeoutMs?: number;
  /** Folder of artifacts. Its current version answers in place of the invented people of the tests. */
  readonly artifacts?: string;
  /** Makes a model that runs in place of the real one, so that operations can fail. */
  readonly model?: (real: PredictionModel) => PredictionModel;
  /** The operations that REST serves, if not all. */
  readonly operations?: readonly Operation[];
  /** Heavy operations are computed in threads. The module exports them as `OPERATIONS`. */
  readonly computing?: Omit<ComputePoolOptions, 'artifactsDir'>;
  /** Computes in place of a pool. */
  readonly computer?: Computer;
  /** The processor time of accounts. */
  readonly budget?: ComputeBudget;
  /** Makes the pages that need no key, in place of the event loop. */
  readonly pages?: AppParts['pages'];
  /** Whether the service keeps pictures on disk; it does by default. */
  readonly keepsPictures?: boolean;
  /** A plugin that is registered before all routes. */
  readonly onRoutes?: AppParts['tracing'];
  /** Answers on /mcp in place of the service's own tools. */
  readonly mcpEndpoint?: McpEndpoint;
}

/**
 * Limits of computations that only a fault exceeds. A busy machine needs more time than the limits of the service
 * allow.
 */
const PATIENT = { timeLimitSeconds: 600, waitLimitSeconds: 600 } as const;

/** Starts a service with its real parts. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { rateLimitMax = 100_000, clock = Date.now, passwords = quickPasswords() } = options;
  const { databaseUrl = newSqliteUrl() } = options;
  const db = await openDatabase(databaseUrl);
  const gate = await createSqliteGate({ databaseUrl, rateLimitMax, clock });
  const artifactsDir = options.artifacts ?? tinyArtifacts();
  const real = modelOf(artifactsDir);
  const { computing } = options;
  const pool = computing && new ComputePool({ ...PATIENT, ...computing, artifactsDir });
  const model = options.model?.(real) ?? real;
  const logLines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
  const config = {
    serviceEnv: 'preview',
    rateLimitMax,
    keyFailuresMax: options.keyFailuresMax ?? 100_000,
    trustProxy: options.trustProxy ?? false,
    mcpAllowedHosts: ['vitruvia.example'],
    mcpAllowedOrigins: ['app.example'],
    corsOrigins: ['https://app.example'],
    // All services of tests share what they have fitted and drawn.
    picturesDir: join('node_modules', '.cache', 'pictures'),
    picturesMib: options.keepsPictures === false ? 0 : 512,
  } as const;
  const { mcpEndpoint } = options;
  const emails: Email[] = [];
  const mailer: Mailer = {
    destination: 'recipients',
    send: async (email) => void emails.push(email),
    close: () => undefined,
  };
  const emailQueue = new EmailQueue(mailer, log);
  const app = await buildApp({
    config,
    gate,
    db,
    emailQueue,
    publicUrl: () => options.publicUrl ?? 'http://localhost',
    clock,
    passwords,
    model: () => model,
    identifyKey,
    log,
    mcpEndpoint,
    operations: options.operations,
    computer: options.computer ?? pool ?? computerHere(model, options.operations),
    budget: options.budget,
    exportLimits: options.exportLimits,
    readerLimits: options.readerLimits,
    connectionObserver: options.connectionObserver,
    stripe: options.stripe,
    pages: options.pages,
    tracing: options.onRoutes,
    requestTimeoutMs: options.requestTimeoutMs,
  });
  let [customers, addresses] = [0, 0];
  let listening: Promise<string> | undefined;
  return {
    ...app,
    gate,
    db,
    emails,
    emailsSent: () => emailQueue.settled(),
    model,
    logLines,
    async customer(credits = 0) {
      const { id: account } = await createAccount(db, `customer ${++customers}`);
      const { apiKey } = await createKey(db, account, 'live');
      const grant = async (amount: number) => {
        await grantCredits(db, account, 'live', amount);
      };
      if (credits > 0) await grant(credits);
      const headers = { authorization: `Bearer ${apiKey}` };
      return { account, apiKey, headers, grant, balance: () => balanceOf(db, account, 'live') };
    },
    address() {
      listening ??= app.http.listen({ port: 0, host: '127.0.0.1' });
      return listening;
    },
    get(url, { from = `10.250.${addresses >> 8}.${addresses++ & 255}`, headers = {} } = {}) {
      return app.http.inject({ url, remoteAddress: from, headers });
    },
    async post(path, body, headers) {
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      const typed = { 'content-type': 'application/json', ...headers };
      const answer = await app.http.inject({ method: 'POST', url: path, payload, headers: typed });
      return {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string | undefined>,
        text: answer.body,
        body: JSON.parse(answer.body),
      };
    },
    async close() {
      // The connections of `fetch` stay open for a minute.
      app.http.server.closeAllConnections();
      await app.http.close();
      await pool?.close();
      await gate.close();
      await db.destroy();
    },
  };
}
