import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Headers of answers that a page of another site may read. Other headers stay hidden from the page. */
const EXPOSED = [
  ...[
    'ETag',
    'Idempotent-Replayed',
    'Mcp-Session-Id',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
  ],
  ...['Vitruvia-Body-Worst', 'WWW-Authenticate', 'X-Artifact-Version', 'X-Remaining-Free-Calls'],
  'X-Request-Id',
].join(', ');
/** For this long, a browser need not repeat a preflight request, in seconds. */
const PREFLIGHT_SECONDS = '7200';

/** Lets a page of another site read the answer. */
export function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', EXPOSED);
}

/** Adds to the answer of `OPTIONS` what the page of an allowed origin may send. No key comes with this request. */
export function allowRequests(request: FastifyRequest, reply: FastifyReply, methods: string): void {
  const asked = request.headers['access-control-request-headers'];
  // Clients of MCP copy arguments into headers with names of their own, so no list of headers would be complete.
  if (asked !== undefined) reply.header('access-control-allow-headers', asked);
  reply
    .header('access-control-allow-methods', methods)
    .header('access-control-max-age', PREFLIGHT_SECONDS);
}

/** The paths that pages of other sites may call: the operations, the catalog and the OpenAPI document. */
const OPEN_PATHS = /^\/(?:v1\/[^?]*|openapi\.json)?(?:\?|$)/;

/**
 * Lets the pages of some sites call the operations and read the catalog. Refusals can be read, too. Cookies are never
 * allowed, so a page can only use a key that it has itself. `/mcp` has a rule of its own.
 *
 * @param origins such as `https://app.example`, or `*` for any; without any, no page of another site may call
 */
export function allowSites(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const any = origins.includes('*');
  app.addHook('onSend', (request, reply, payload, done) => {
    if (OPEN_PATHS.test(request.url)) {
      const vary = reply.getHeader('vary');
      reply.header('vary', vary === undefined ? 'origin' : `${vary}, origin`);
      const { origin } = request.headers;
      if (origin !== undefined && (any || origins.includes(origin))) {
        allowOrigin(reply, origin);
        if (request.method === 'OPTIONS')
          allowRequests(request, reply, `${reply.getHeader('allow')}`);
      }
    }
    done(null, payload);
  });
}
