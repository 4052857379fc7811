import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem, problemBody } from '../../core/errors.js';
import { sendProblem } from '../../http/problems.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { sendHtml } from '../send-html.js';
import { seemsSignedIn } from '../visitors.js';
import { lookLimit } from './look-limit.js';
import type { Look, LookProblem } from './look-types.js';
import { readView, type View } from './view.js';

/** Parts of the explorer. */
export interface ExplorerParts {
  /** The model to answer from; asked once per look. */
  readonly model: () => PredictionModel;
}

/** What came of a look. */
type Outcome = { readonly look: Look } | { readonly problem: Problem; retryAfterSeconds?: number };

/**
 * Registers the page at `/explore`, whose first view is in it, and `/explore/look`, which the page
 * asks for the next ones. Both are free, without a key, and limited by address.
 */
export function explorerRoutes(app: FastifyInstance, { model }: ExplorerParts): void {
  const exceeded = lookLimit(app);

  async function look(request: FastifyRequest, view: View): Promise<Outcome> {
    const tooMany = await exceeded(request);
    if (tooMany !== undefined) {
      const { retryAfterSeconds } = tooMany;
      const message = `${tooMany.detail} Retry in ${retryAfterSeconds} s.`;
      return { problem: new Problem('rate_limited', message), retryAfterSeconds };
    }
    const { lookAt } = await import('./look.js');
    try {
      return { look: lookAt(view, model()) };
    } catch (error) {
      if (error instanceof Problem) return { problem: error };
      throw error;
    }
  }

  app.get('/explore/look', { schema: { hide: true } }, async (request, reply) => {
    const outcome = await look(request, viewOf(request));
    reply.header('cache-control', 'no-store');
    if ('look' in outcome) return reply.send(outcome.look);
    const { problem, retryAfterSeconds } = outcome;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    return sendProblem(reply, problem);
  });

  app.get('/explore', { schema: { hide: true } }, async (request, reply) => {
    const view = viewOf(request);
    const outcome = await look(request, view);
    const { explorePage } = await import('./page.js');
    const signedIn = seemsSignedIn(request);
    reply.header('cache-control', 'private, no-cache');
    if ('look' in outcome) {
      return sendHtml(reply, explorePage(view, { look: outcome.look }, signedIn));
    }
    const { problem, retryAfterSeconds } = outcome;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    const body = problemBody(problem, request.id) as unknown as LookProblem;
    const refused = retryAfterSeconds === undefined ? body : { ...body, retryAfterSeconds };
    return sendHtml(reply, explorePage(view, { problem: refused }, signedIn), problem.status);
  });
}

function viewOf(request: FastifyRequest): View {
  const [, query = ''] = request.url.split('?', 2);
  return readView(new URLSearchParams(query));
}
