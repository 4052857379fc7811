import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { identifyApiKey } from './accounts/api-key.js';
import { sumDebts } from './accounts/debts.js';
import { hashesAtOnce, Passwords } from './accounts/passwords.js';
import { type App, buildApp } from './app.js';
import { type Config, SHUTDOWN_MS } from './config.js';
import { lockForServing } from './database/serving-lock.js';
import { freeBytes, sqlitePath } from './database/sqlite.js';
import { isPostgresUrl } from './database/url.js';
import { EmailQueue } from './email/email-queue.js';
import { droppingMailer, logMailer, type Mailer } from './email/mailer.js';
import { makeFirstViews, storeOf } from './keyless/first-views.js';
import { PageThread } from './keyless/page-thread.js';
import { createLog } from './log.js';
import { giveFreedMemoryBack } from './lookup/allocator.js';
import { listenForMetrics } from './metrics/listener.js';
import type { Metrics } from './metrics/service-metrics.js';
import { ModelInUse, type SwitchOutcome } from './model-in-use.js';
import { openGate } from './open-gate.js';
import type { PaymentProvider } from './payments/provider.js';
import { sumRefunds } from './payments/refunds.js';
import { ComputePool } from './request/pool.js';
import type { Telemetry } from './telemetry/telemetry.js';

/** A service that is listening. */
export interface RunningServer {
  /** Address of the server, such as `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Address of the metrics listener, if there is one. */
  readonly metricsAddress?: string;
  /** The metrics of the server, if it has any. */
  readonly metrics?: Metrics;
  /** Switches to the current artifacts, or keeps the old ones. Never rejects. */
  reload(): Promise<SwitchOutcome>;
  /** Stops accepting requests, finishes those in flight and closes the database. */
  close(): Promise<void>;
}

/** Options of a start. */
export interface StartOptions {
  /** Whether to listen on METRICS_PORT if it is set. By default, true. */
  readonly metricsListener?: boolean;
  /** Number of processes that serve on this machine together. By default, 1. */
  readonly processes?: number;
}

/** How often a closing service looks for idle connections. */
const IDLE_SWEEP_MS = 20;
/** When a closing service cuts the answers that it still sends. The rest of the time is for booking back their prices. */
const CUT_MS = SHUTDOWN_MS - 3000;

/**
 * Opens the artifacts and the database, then listens.
 *
 * @param logFd target of log lines: standard output (1, default) or standard error (2)
 * @throws ArtifactError, DatabaseOpenError or the system's error if one of them is not available
 */
export async function startServer(
  config: Config,
  logFd: 1 | 2 = 1,
  { metricsListener = true, processes }: StartOptions = {},
): Promise<RunningServer> {
  giveFreedMemoryBack();
  const log = createLog(config, logFd);
  // The lock is taken first, because another server may be using the same file.
  const lock = isPostgresUrl(config.databaseUrl)
    ? undefined
    : lockForServing(sqlitePath(config.databaseUrl));
  const counting = createMetricsIf(config);
  // The gate's thread starts while this one opens the artifacts.
  const opening = openGate(config, { log, metrics: counting });
  const [opened, parts] = await Promise.allSettled([opening, openModel(config, log, counting)]);
  if (opened.status === 'rejected') {
    lock?.release();
    throw opened.reason;
  }
  const { close: closeGate } = opened.value;
  let { db } = opened.value;
  let app: App | undefined;
  let computer: ComputePool | undefined;
  let telemetry: Telemetry | undefined;
  try {
    if (parts.status === 'rejected') throw parts.reason;
    db ??= await (await import('./database/open.js')).openDatabase(config.databaseUrl);
    let listeningOn = '';
    const ending = new AbortController();
    const { artifacts, metrics } = parts.value;
    const activity = metrics?.activity;
    const emailQueue = new EmailQueue(await createMailer(config, log), log, activity?.emailed);
    const { model } = artifacts;
    computer = new ComputePool({ ...config, processes, budget: opened.value.budget });
    telemetry = await startTelemetryIf(config, log);
    const gate = telemetry?.traceGate(opened.value.gate) ?? opened.value.gate;
    const counted = metrics?.counted(computer) ?? computer;
    const traced = telemetry?.traceComputer(counted) ?? counted;
    const publicUrl = () => config.publicUrl ?? listeningOn;
    const { artifactsDir, serviceEnv: env, rateLimitMax } = config;
    let pages: PageThread | undefined;
    app = await buildApp({
      config,
      gate,
      db,
      emailQueue,
      stripe: await createStripe(config),
      publicUrl,
      model,
      computer: traced,
      pages: (pictureSecrets, offers) => {
        pages = new PageThread({
          ...{ artifactsDir, env, rateLimitMax, store: storeOf(config), computer: traced, log },
          context: () => ({
            artifactVersion: model().artifactVersion,
            origin: publicUrl(),
            pictureSecrets: pictureSecrets(),
            offers: offers(),
          }),
        });
        return pages;
      },
      budget: opened.value.budget,
      identifyKey: identifyApiKey,
      log,
      passwords: new Passwords(hashesAtOnce(availableParallelism(), processes)),
      meterObserver: metrics?.meterObserver,
      httpObserver: metrics?.httpObserver,
      connectionObserver: metrics?.connectionObserver,
      tracing: telemetry?.plugin,
      userObserver: activity,
      onPaymentMessage: activity?.webhook,
    });
    const { http, meter } = app;
    const books = db;
    metrics?.watch({
      pendingSteps: () => meter.charging.pending,
      artifactVersion: () => model().artifactVersion,
      debts: () => sumDebts(books),
      refunds: () => sumRefunds(books),
      waitingEmails: () => emailQueue.waiting,
      ready: () => gate.ready(),
      freeBytes: () => freeBytesOf(config),
      backlog: opened.value.backlog,
    });
    const listener = metricsListener ? await listenForMetrics(config, metrics) : undefined;
    const address = await http.listen({ host: config.host, port: config.port });
    listeningOn = address;
    log.info({ address, artifact: model().artifactVersion }, 'listening');
    if (pages !== undefined && storeOf(config))
      void makeFirstViews(http.server, pages, ending.signal);
    if (emailQueue.destination === 'nowhere') {
      log.warn('SMTP_URL is not set: no e-mail is sent, so nobody can sign up or reset a password');
    }
    return {
      address,
      ...(listener === undefined ? {} : { metricsAddress: listener.address }),
      ...(metrics === undefined ? {} : { metrics }),
      reload: () => artifacts.reload(),
      async close() {
        ending.abort();
        artifacts.close();
        await closeApp({ http, meter }, log);
        await computer?.close();
        listener?.close();
        await emailQueue.close();
        await closeGate();
        await db?.destroy();
        lock?.release();
        await telemetry?.close();
      },
    };
  } catch (error) {
    await app?.http.close();
    await computer?.close();
    await closeGate();
    await db?.destroy();
    lock?.release();
    await telemetry?.close();
    throw error;
  }
}

async function openModel(config: Config, log: Logger, counting: Promise<Metrics | undefined>) {
  const metrics = await counting;
  return {
    metrics,
    artifacts: new ModelInUse({ config, log, observer: metrics?.switchObserver }),
  };
}

/** Creates the mailer. Without a mail server, links go to the log in preview, and are dropped in production. */
async function createMailer(config: Config, log: Logger): Promise<Mailer> {
  const { smtpUrl, mailFrom, serviceEnv } = config;
  if (smtpUrl !== undefined && mailFrom !== undefined) {
    return await (await import('./email/smtp.js')).smtpMailer(smtpUrl, mailFrom);
  }
  return serviceEnv === 'preview' ? logMailer(log) : droppingMailer(log);
}

/** Free bytes on the disks that the service itself uses. */
function freeBytesOf({ databaseUrl, artifactsDir }: Config): Record<string, number> {
  const artifacts = freeBytes(artifactsDir);
  if (isPostgresUrl(databaseUrl)) return { artifacts };
  return { artifacts, database: freeBytes(sqlitePath(databaseUrl)) };
}

async function createStripe({ stripe }: Config): Promise<PaymentProvider | undefined> {
  if (stripe === undefined) return undefined;
  return new (await import('./payments/stripe-provider.js')).StripeProvider(stripe);
}

async function createMetricsIf(config: Config): Promise<Metrics | undefined> {
  if (config.metricsPort === undefined) return undefined;
  return (await import('./metrics/service-metrics.js')).createMetrics();
}

async function startTelemetryIf(
  { otlpEndpoint: endpoint }: Config,
  log: Logger,
): Promise<Telemetry | undefined> {
  if (endpoint === undefined) return undefined;
  const { startTelemetry } = await import('./telemetry/telemetry.js');
  return startTelemetry({ endpoint, log });
}

/**
 * Closes the listener when every request in flight is answered. Connections that become idle later are closed too,
 * because they would keep the process alive. Answers that are sent chunk by chunk and do not end in time are cut, and
 * their prices are booked back.
 *
 * @param cutAfterMs when they are cut
 */
export async function closeApp(
  { http, meter }: App,
  log: Logger,
  cutAfterMs = CUT_MS,
): Promise<void> {
  const sweep = setInterval(() => http.server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => {
    const answers = meter.cut();
    if (answers > 0) log.warn({ answers }, 'the stop cut answers; their prices are booked back');
  }, cutAfterMs);
  try {
    await http.close();
    await meter.charging.returned();
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
}
