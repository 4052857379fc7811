import type { FastifyInstance, FastifyReply } from 'fastify';
import { isTemporary, Problem } from '../../core/errors.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import type { Offer } from '../../payments/payments.js';
import { noSuchRoute, prefersHtml, sendProblem } from '../../request/problems.js';
import type { FreeAnswers } from '../../screens/shared/free-computations.js';
import { PAGE_HEADERS, seemsSignedIn } from '../../site/headers.js';
import type { KeptPages } from '../kept-pages.js';

/** Dependencies of the pages. */
export interface HomeParts {
  readonly kept: KeptPages;
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  /** Public URL of the service. */
  readonly publicUrl: () => string;
  readonly free: FreeAnswers;
  /** The packs for sale, as last known. */
  readonly offers?: (() => readonly Offer[]) | undefined;
}

/** Registers the first page, and the page for addresses without a route. Programs get JSON at both. */
export function homeRoutes(app: FastifyInstance, parts: HomeParts): void {
  const { kept, model, publicUrl, free, offers: offersNow } = parts;
  app.get('/', (request, reply) => {
    const signedIn = seemsSignedIn(request);
    const offers = offersNow?.() ?? [];
    const key = `/ ${signedIn} ${JSON.stringify(offers)}`;
    return kept.send(request, asPage(reply), { key }, async () => {
      const [{ homePage }, { firstView }, { fitDataOf }, { storiesOf }] = await Promise.all([
        import('./home-page.js'),
        import('./fit-answer.js'),
        import('../../screens/fit/data.js'),
        import('./stories.js'),
      ]);
      const current = model();
      // A model without populations, or a busy service, has no answer yet.
      const unlessRefused = (error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        return error;
      };
      const data = await fitDataOf(firstView(), free, current.artifactVersion).catch(unlessRefused);
      const stories =
        data instanceof Problem ? data : await storiesOf(free, current).catch(unlessRefused);
      const isPassing =
        stories instanceof Problem &&
        (isTemporary(stories.code) || stories.code === 'computation_too_large');
      const text = homePage(data instanceof Problem ? undefined : data, {
        ...{ signedIn, origin: publicUrl(), model: current, offers },
        stories: stories instanceof Problem ? undefined : stories,
      });
      return isPassing ? { passing: text } : text;
    });
  });
  app.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !prefersHtml(request)) {
      return sendProblem(reply.header('vary', 'accept'), noSuchRoute(request.method, request.url));
    }
    const signedIn = seemsSignedIn(request);
    return kept.send(request, asPage(reply).code(404), { key: `404 ${signedIn}` }, async () => {
      const { notFoundPage } = await import('./not-found-page.js');
      return notFoundPage(signedIn);
    });
  });
}

function asPage(reply: FastifyReply): FastifyReply {
  // The page holds no secrets, so it may be compressed.
  return reply
    .headers(PAGE_HEADERS)
    .header('x-request-id', reply.request.id)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'accept, cookie, accept-encoding');
}
