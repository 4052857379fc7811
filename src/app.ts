import Fastify, {
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { returnCharge } from './accounts/credits.js';
import { deploymentSecret, PICTURE_SECRET, SigningSecret } from './accounts/deployment-secret.js';
import { expireUserData } from './accounts/expiry.js';
import { startKeySweep } from './accounts/key-rotation.js';
import { loadHashing, Passwords } from './accounts/passwords.js';
import type { UserObserver } from './accounts/throttle.js';
import { refuseUnreadable } from './api/client-errors.js';
import { operationRoutes } from './api/operation-routes.js';
import { publicRoutes, publicScope } from './api/public-routes.js';
import { webhookRoutes } from './api/webhooks.js';
import type { Gate } from './billing/gate.js';
import type { Config } from './config.js';
import type { KeyIdentity } from './core/billing-terms.js';
import { BODY_BYTES_MAX } from './core/limits.js';
import { inTurns, type Pieces } from './core/pieces.js';
import type { Database } from './database/schema.js';
import type { EmailQueue } from './email/email-queue.js';
import { storeOf } from './keyless/first-views.js';
import { forward, refuseAsPage } from './keyless/forward.js';
import type { PageAppParts, PageServer } from './keyless/page-app.js';
import { PAGE_ROUTES } from './keyless/routes.js';
import { CatalogTool } from './mcp/catalog-tool.js';
import type { McpEndpoint } from './mcp/endpoint.js';
import { mcpRoutes } from './mcp/routes.js';
import { buildCatalog } from './operations/catalog.js';
import { prepareOperations } from './operations/index.js';
import type { Operation } from './operations/operation.js';
import type { PredictionModel } from './operations/prediction-model.js';
import type { UserPageParts } from './pages/pages.js';
import { type Offer, Payments, type PaymentsParts } from './payments/payments.js';
import type { PaymentProvider } from './payments/provider.js';
import { limitAddresses } from './request/address-limit.js';
import type { MeterObserver } from './request/charging.js';
import { allowSites } from './request/cors.js';
import {
  boundConnections,
  type ConnectionLimit,
  type ReaderLimits,
  requestIdMaker,
  requireOneHost,
  requirePlainBodies,
} from './request/http.js';
import { KnownPaths } from './request/known-paths.js';
import { Meter } from './request/meter.js';
import { type Computer, loadPool } from './request/pool.js';
import { answerErrors, noSuchRoute, prefersHtml, sendProblem } from './request/problems.js';
import type { ComputeBudget } from './request/queue.js';

/** Is told every HTTP answer, for metrics. */
export type HttpObserver = (route: string, status: number, seconds: number) => void;

/** Parts of an application; tests use parts of their own. */
export interface AppParts {
  readonly config: Pick<
    Config,
    | 'serviceEnv'
    | 'rateLimitMax'
    | 'keyFailuresMax'
    | 'trustProxy'
    | 'mcpAllowedHosts'
    | 'mcpAllowedOrigins'
    | 'corsOrigins'
    | 'picturesDir'
    | 'picturesMib'
  >;
  readonly gate: Gate;
  /** The database, for pages and payments. */
  readonly db: Database;
  /** Sends e-mail. */
  readonly emailQueue: EmailQueue;
  /** The payment provider for live credits, if there is one. */
  readonly stripe?: PaymentProvider | undefined;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
  /** Clock of users and payments; for tests. */
  readonly clock?: (() => number) | undefined;
  /** Hashes passwords; created here by default. */
  readonly passwords?: Passwords | undefined;
  /** The model to answer from; called once per request. */
  readonly model: () => PredictionModel;
  /** Computes the operations that take long. */
  readonly computer: Computer;
  /** The processor time of accounts; without it, there is no limit. */
  readonly budget?: ComputeBudget | undefined;
  /** Returns what the gate needs to know of an API key, or undefined if the key is not well-formed. */
  readonly identifyKey: (key: string) => KeyIdentity | undefined;
  readonly log: Logger;
  readonly meterObserver?: MeterObserver | undefined;
  readonly httpObserver?: HttpObserver | undefined;
  /** Called each time a limit of connections is met; for metrics. */
  readonly connectionObserver?: ((limit: ConnectionLimit) => void) | undefined;
  /** Makes a span for each request. Without it, there are no traces. */
  readonly tracing?: FastifyPluginCallback | undefined;
  readonly userObserver?: UserObserver | undefined;
  /** Is told of the payment provider's messages, for metrics. */
  readonly onPaymentMessage?: PaymentsParts['onMessage'];
  /** Time within which a request must be complete; 30 s by default. */
  readonly requestTimeoutMs?: number | undefined;
  /** How slowly clients may read their answers; for tests. By default, the service's own limits. */
  readonly readerLimits?: ReaderLimits | undefined;
  /** Limits of exports; for tests. By default, the service's own limits. */
  readonly exportLimits?: UserPageParts['exportLimits'];
  /** Makes the pages that need no key. By default, the event loop makes them. */
  readonly pages?:
    | ((pictureSecrets: () => readonly string[], offers: () => readonly Offer[]) => PageServer)
    | undefined;
  /** The operations that REST serves; for tests. By default, all. */
  readonly operations?: readonly Operation[] | undefined;
  /** Answers requests to /mcp after the hooks have run. By default, the service's own tools answer. */
  readonly mcpEndpoint?: McpEndpoint | undefined;
}

/** The application and its metered path. */
export interface App {
  readonly http: FastifyInstance;
  readonly meter: Meter;
}

/** Time within which the headers and the body of a request must be complete. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Node looks for requests that take longer at this interval. */
const TIMEOUT_CHECK_MS = 1000;
/** Maximum length of a parameter of a path. Every id is shorter. */
const MAX_PARAM_CHARS = 100;
/** Answers are prepared so long after the service listens, so that the command first says where it listens. */
const PREPARE_AFTER_MS = 300;
const EXPIRE_EVERY_MS = 10 * 60_000;

/** Builds the HTTP application from its parts. It does not listen, and it does not close the parts. */
export async function buildApp(parts: AppParts): Promise<App> {
  const { config, gate, model, log, meterObserver: observer } = parts;
  const [seedSecret, pictureSecret] = await Promise.all([
    deploymentSecret(parts.db, 'seeds'),
    SigningSecret.open(parts.db, PICTURE_SECRET),
  ]);
  const pictureSecrets = () => pictureSecret.inUse();
  const meter = new Meter({
    seedSecret,
    gate,
    model,
    computer: parts.computer,
    budget: parts.budget,
    returnCharge: (...charge) => returnCharge(parts.db, ...charge),
    log,
    observer,
    keyFailuresMax: config.keyFailuresMax,
  });
  const { http, paths } = createHttp(parts);
  if (parts.tracing !== undefined) await http.register(parts.tracing);
  await http.register(async (scope) => {
    const { identifyKey, operations } = parts;
    operationRoutes(scope, { meter, identifyKey, log, operations });
  });
  const catalog = new CatalogTool(config);
  let loading: Promise<McpEndpoint> | undefined;
  // The protocol's schemas take long to load. The start does not wait for them.
  const loadEndpoint = () => {
    loading ??= import('./mcp/endpoint.js').then((made) => made.createEndpoint({ catalog, log }));
    return loading;
  };
  const endpoint: McpEndpoint = parts.mcpEndpoint ?? {
    serve: async (...asked) => (await loadEndpoint()).serve(...asked),
  };
  await http.register(async (scope) => {
    const { mcpAllowedHosts: allowedHosts, mcpAllowedOrigins: allowedOrigins } = config;
    const { identifyKey } = parts;
    await mcpRoutes(scope, { meter, identifyKey, log, endpoint, allowedHosts, allowedOrigins });
  });
  const { operations, publicUrl, computer } = parts;
  const { serviceEnv: env, rateLimitMax } = config;
  const computing = { model, computer, pictureSecrets };
  const payments = createPayments(parts);
  const offers = () => payments.knownOffers();
  // The first page has prices if they are known by then.
  offers();
  const pages =
    parts.pages?.(pictureSecrets, offers) ??
    (await pagesHere({
      ...computing,
      offers,
      store: storeOf(config),
      env,
      rateLimitMax,
      publicUrl,
      operations,
      log,
    }));
  http.addHook('onClose', async () => {
    pictureSecret.close();
    await pages.close();
  });
  const page = (request: FastifyRequest, reply: FastifyReply) => forward(pages, request, reply);
  await http.register(async (scope) => {
    await publicScope(scope);
    publicRoutes(scope, {
      env,
      catalogJson: JSON.stringify(buildCatalog({ rateLimitMax })),
      page,
      ready: () => gate.ready(),
    });
    scope.setNotFoundHandler({ preHandler: scope.rateLimit() }, (request, reply) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!isRead || !prefersHtml(request)) {
        return paths.answer(request, reply.header('vary', 'accept'));
      }
      const problem = paths.problemOf(request, reply);
      if (problem.code === 'model_not_found') return page(request, reply);
      return refuseAsPage(reply, problem);
    });
  });
  if (parts.stripe !== undefined) {
    await http.register(async (scope) => webhookRoutes(scope, payments));
  }
  await http.register(async (scope) => {
    await limitAddresses(scope);
    for (const path of PAGE_ROUTES) scope.get(path, page);
    const { userPages } = await import('./pages/pages.js');
    await userPages(scope, {
      ...{ ...computing, gate, meter, payments, log, publicUrl },
      exportLimits: parts.exportLimits,
      ...userParts(http, parts),
    });
  });
  let preparing: NodeJS.Timeout | undefined;
  http.addHook('onClose', async () => clearTimeout(preparing));
  http.addHook('onListen', (done) => {
    const prepare = async (): Promise<void> => {
      await Promise.all([loadHashing(), loadEndpoint(), loadPool()]);
      await inTurns(prepareAnswers(catalog));
    };
    preparing = setTimeout(() => {
      prepare().catch((err) => log.error({ err }, 'answers could not be prepared'));
    }, PREPARE_AFTER_MS).unref();
    done();
  });
  await http.ready();
  return { http, meter };
}

/** The pages on the event loop. */
async function pagesHere(parts: PageAppParts): Promise<PageServer> {
  const { buildPageApp } = await import('./keyless/page-app.js');
  return buildPageApp(parts);
}

/**
 * Prepares data that the first requests would otherwise wait for. It runs after the start, because it would make the
 * start longer by an eighth.
 */
function* prepareAnswers(catalog: CatalogTool): Pieces<void> {
  yield* prepareOperations();
  yield* catalog.prepare();
}

function createPayments(parts: AppParts): Payments {
  const { db, stripe, config, log, clock = Date.now } = parts;
  return new Payments({
    db,
    stripe,
    testPaymentsForLive: config.serviceEnv === 'preview',
    log,
    clock,
    onMessage: parts.onPaymentMessage,
  });
}

/** Returns the parts for the pages of users. Also starts the timers that delete expired data and end rotated keys. */
function userParts(http: FastifyInstance, parts: AppParts) {
  const { db, emailQueue, log, clock = Date.now, passwords = new Passwords() } = parts;
  const expiring = setInterval(() => {
    expireUserData(db, clock()).catch((err) =>
      log.error({ err }, 'expired user data could not be deleted'),
    );
  }, EXPIRE_EVERY_MS).unref();
  const stopSweep = startKeySweep(db, log);
  http.addHook('onClose', async () => {
    clearInterval(expiring);
    await stopSweep();
  });
  return { users: { db, passwords, clock, observer: parts.userObserver }, emailQueue };
}

function createHttp(parts: AppParts): { http: FastifyInstance; paths: KnownPaths } {
  const { log, requestTimeoutMs = REQUEST_TIMEOUT_MS } = parts;
  const { trustProxy: hops } = parts.config;
  const http = Fastify({
    // Fastify's own logger creates a child logger and two listeners for each request, which takes a
    // tenth of its time. Requests are logged here and by the metered path.
    logger: false,
    genReqId: requestIdMaker(),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestTimeoutMs,
    http: {
      // The timeout of headers must not exceed the timeout of the request. Otherwise Node exchanges the two, and its
      // default for headers (60 s) applies to bodies.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs / 10),
      // Checked in `requireOneHost`, which explains the refusal.
      requireHostHeader: false,
    },
    trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,
    // Requests that arrived before the listener closed are still answered.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_CHARS },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (_error, request, reply) => {
      sendProblem(reply, noSuchRoute(request.method, request.url));
    },
  });
  boundConnections(http, {
    isBehindProxy: Boolean(hops),
    limits: parts.readerLimits,
    observer: parts.connectionObserver,
  });
  requireOneHost(http);
  requirePlainBodies(http);
  allowSites(http, parts.config.corsOrigins);
  const paths = new KnownPaths(http);
  // The schemas of the routes are for the OpenAPI document only.
  http.setSerializerCompiler(() => JSON.stringify);
  answerErrors(http, log, (request, reply) => paths.answer(request, reply));
  observeAnswers(http, parts);
  return { http, paths };
}

/** Adds access lines and HTTP metrics. Each reduces throughput, so each is added only if it is wanted. */
function observeAnswers(http: FastifyInstance, { log, httpObserver }: AppParts): void {
  const lines = log.isLevelEnabled('debug');
  if (!lines && httpObserver === undefined) return;
  http.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'none' } = request.routeOptions;
    const { statusCode: status, elapsedTime: ms } = reply;
    if (lines) {
      const { id: request_id, method } = request;
      log.debug({ request_id, method, route, status, ms }, 'answered');
    }
    httpObserver?.(route, status, ms / 1000);
    done();
  });
}
