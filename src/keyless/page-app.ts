import Fastify, { type FastifyInstance } from 'fastify';
import { openApiText } from '../api/docs.js';
import { buildCatalog } from '../operations/catalog.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { type PublicPageParts, publicPages } from '../pages/public-pages.js';
import type { FaultLog } from '../request/charging.js';
import type { Computer } from '../request/pool.js';
import { answerErrors } from '../request/problems.js';
import type { StoreOptions } from '../site/pictures/file-store.js';
import type { PageAnswer, PageRequest } from './messages.js';

/** Dependencies of the pages. */
export interface PageAppParts {
  readonly env: string;
  /** Requests that a key may make in 60 seconds. */
  readonly rateLimitMax: number;
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
  readonly pictureSecrets: () => readonly string[];
  readonly offers?: PublicPageParts['offers'];
  readonly store?: StoreOptions | undefined;
  /** Makes long computations. */
  readonly computer: Computer;
  /** For tests: the operations that REST serves. The default is all operations. */
  readonly operations?: readonly Operation[] | undefined;
  readonly log: FaultLog;
}

/** Answers requests for pages. */
export interface PageServer {
  /**
   * @param left aborted when the client has gone
   * @throws Problem `service_busy` when too many requests wait
   */
  answer(request: PageRequest, left: AbortSignal): Promise<PageAnswer>;
  close(): Promise<void>;
}

/** Header with the id that the service has given to a request. */
const ID_HEADER = 'x-request-id';

/** Builds the server of all pages that need neither a key nor a session. */
export async function buildPageApp(parts: PageAppParts): Promise<PageServer> {
  const { env, model, publicUrl, operations, log, ...rest } = parts;
  const app = Fastify({ logger: false, genReqId: ({ headers }) => String(headers[ID_HEADER]) });
  app.setSerializerCompiler(() => JSON.stringify);
  answerErrors(app, log);
  const publicTexts = { env, catalogJson: JSON.stringify(buildCatalog(parts)) };
  const openApiJson = openApiText({ model, operations, publicUrl, publicTexts });
  await publicPages(app, { ...rest, model, publicUrl, openApiJson });
  await app.ready();
  return { answer: (request, left) => answerOf(app, request, left), close: () => app.close() };
}

async function answerOf(
  app: FastifyInstance,
  { id, url, ip, headers }: PageRequest,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const {
    statusCode,
    headers: found,
    rawPayload,
  } = await app.inject({
    method: 'GET',
    url,
    headers: { ...headers, [ID_HEADER]: id },
    remoteAddress: ip,
    signal,
  });
  const answered = Object.entries(found).filter(([name]) => !OF_THE_CONNECTION.has(name));
  return {
    status: statusCode,
    headers: Object.fromEntries(answered.map(([name, value]) => [name, String(value)])),
    body: rawPayload,
  };
}

/** Headers that the server for the clients sets itself. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);
