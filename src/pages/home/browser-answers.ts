import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { PAGE_HEADERS, seemsSignedIn } from '../headers.js';
import type { FreeAnswers } from '../screens/shared/free-computations.js';

/** Pages at addresses where programs get JSON. */
export interface BrowserAnswers {
  /** Answers `GET /` with a page if the client prefers one; otherwise undefined. */
  readonly home: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<string | Buffer | undefined>;
  /** The same for an address without a route. */
  readonly notFound: (request: FastifyRequest, reply: FastifyReply) => Promise<string | undefined>;
}

/** What the pages need. */
export interface BrowserAnswerParts {
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  /** Public URL of the service. */
  readonly publicUrl: () => string;
  readonly free: FreeAnswers;
}

/** Prepares the pages. The first page is drawn once per version of the model. */
export function browserAnswers({ model, publicUrl, free }: BrowserAnswerParts): BrowserAnswers {
  const pages = new Map<string, { readonly text: string; readonly zipped: Buffer }>();
  return {
    async home(request, reply) {
      if (!prefersHtml(request, reply)) return undefined;
      const current = model();
      const signedIn = seemsSignedIn(request);
      const key = `${current.artifactVersion} ${signedIn}`;
      let page = pages.get(key);
      if (page === undefined) {
        const [{ homePage }, { homePeople }] = await Promise.all([
          import('./home-page.js'),
          import('./home-people.js'),
        ]);
        const people = await homePeople(free, current.artifactVersion);
        const text = homePage(people ?? [], { signedIn, origin: publicUrl(), model: current });
        page = { text, zipped: gzipSync(text) };
        // Pages of an earlier version are not asked for again.
        if (pages.size >= 2) pages.clear();
        if (people !== undefined) pages.set(key, page);
      }
      // The page holds no secrets, so it may be compressed.
      asPage(reply).header('vary', 'accept, cookie, accept-encoding');
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return page.text;
      reply.header('content-encoding', 'gzip');
      return page.zipped;
    },
    async notFound(request, reply) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
      if (!prefersHtml(request, reply)) return undefined;
      const { notFoundPage } = await import('./not-found-page.js');
      asPage(reply).code(404);
      return notFoundPage(seemsSignedIn(request));
    },
  };
}

function asPage(reply: FastifyReply): FastifyReply {
  return reply
    .headers(PAGE_HEADERS)
    .header('x-request-id', reply.request.id)
    .header('cache-control', 'private, no-cache')
    .type('text/html; charset=utf-8');
}

/** JSON comes first: a client that takes anything, or says nothing, gets it. */
const OFFERED = ['application/json', 'text/html'];

/**
 * Whether a client prefers a page to JSON, by its `Accept` header (RFC 9110, 12.5.1). Browsers do.
 * Programs that accept anything, or send no such header, get JSON. The answer says in `Vary` that it
 * depends on the header, and on the cookie for the links of the page.
 */
function prefersHtml({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept, cookie');
  return new Negotiator({ headers }).mediaTypes(OFFERED)[0] === 'text/html';
}
