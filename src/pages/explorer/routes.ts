import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, problemBody } from '../../core/errors.js';
import { EXPLORER_PATHS } from '../../core/explorer-paths.js';
import { readView, type View } from '../../core/explorer-view.js';
import { DAY_MS, MINUTE_MS } from '../../core/time.js';
import { sendProblem } from '../../http/problems.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { sendHtml } from '../responses.js';
import { seemsSignedIn } from '../seems-signed-in.js';
import type { ChartData, ChartProblem } from './chart-data-types.js';

/** Parts of the explorer. */
export interface ExplorerParts {
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
}

/** Chart data, or why there is none. */
type Outcome =
  | { readonly data: ChartData }
  | { readonly problem: Problem; readonly retryAfterSeconds?: number };

/** Requests for chart data that one address may make in a minute. */
const REQUESTS_PER_MINUTE = 60;
/** Requests in a day: enough for people, too few to copy the data. */
const REQUESTS_PER_DAY = 1200;

/**
 * Registers the page of one dimension, which contains the data of its first view, and the address
 * below it where the page requests the data of later views. Both are free, need no key, and are
 * limited by address.
 */
export function explorerRoutes(app: FastifyInstance, { model, publicUrl }: ExplorerParts): void {
  const checkLimits = chartLimits(app);

  async function answer(request: FastifyRequest, view: View): Promise<Outcome> {
    const exceeded = await checkLimits(request);
    if (exceeded !== undefined) return exceeded;
    const { chartDataOf } = await import('./chart-data.js');
    try {
      return { data: chartDataOf(view, model()) };
    } catch (error) {
      if (error instanceof Problem) return { problem: error };
      throw error;
    }
  }

  app.get(
    `${EXPLORER_PATHS.dimension}/data`,
    { schema: { hide: true } },
    async (request, reply) => {
      const outcome = await answer(request, viewOf(request));
      reply.header('cache-control', 'no-store');
      if ('data' in outcome) return reply.send(outcome.data);
      const { problem, retryAfterSeconds } = outcome;
      if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
      return sendProblem(reply, problem);
    },
  );

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const view = viewOf(request);
    const outcome = await answer(request, view);
    const [{ explorePage }, { screensOf }] = await Promise.all([
      import('./page.js'),
      import('./screens-nav.js'),
    ]);
    const context = {
      signedIn: seemsSignedIn(request),
      screens: screensOf(request.server),
      origin: publicUrl(),
    };
    reply.header('cache-control', 'private, no-cache');
    if ('data' in outcome) {
      return sendHtml(reply, explorePage(view, { data: outcome.data }, context));
    }
    const { problem, retryAfterSeconds } = outcome;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    const body = problemBody(problem, request.id) as unknown as ChartProblem;
    const refused = retryAfterSeconds === undefined ? body : { ...body, retryAfterSeconds };
    return sendHtml(reply, explorePage(view, { problem: refused }, context), problem.status);
  }

  app.get(EXPLORER_PATHS.dimension, sendPage);
}

function viewOf(request: FastifyRequest): View {
  const [, query = ''] = request.url.split('?', 2);
  return readView(new URLSearchParams(query));
}

/** Counts requests by address (IPv6 by /64); needs `@fastify/rate-limit` on the scope. */
function chartLimits(
  app: FastifyInstance,
): (request: FastifyRequest) => Promise<Extract<Outcome, { problem: Problem }> | undefined> {
  const limitOf = (max: number, period: string, timeWindow: number) => ({
    max,
    period,
    check: app.createRateLimit({ max, timeWindow }),
  });
  const limits = [
    limitOf(REQUESTS_PER_MINUTE, 'minute', MINUTE_MS),
    limitOf(REQUESTS_PER_DAY, 'day', DAY_MS),
  ];
  return async (request) => {
    for (const { max, period, check } of limits) {
      const state = await check(request);
      if (state.isAllowed || !state.isExceeded) continue;
      const retryAfterSeconds = Math.max(1, state.ttlInSeconds);
      const detail = `You can open at most ${max} views per ${period}.`;
      const wait = `Please try again in ${retryAfterSeconds} seconds.`;
      const problem = new Problem('rate_limited', `${detail} ${wait}`);
      return { problem, retryAfterSeconds };
    }
    return undefined;
  };
}
