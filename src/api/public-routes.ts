import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SERVICE_NAME } from '../core/version.js';
import { limitAddresses } from '../request/address-limit.js';
import { etagOf, isKnown } from '../request/etag.js';
import { prefersHtml } from '../request/problems.js';
import { PROBLEM_SCHEMA_ID } from './operation-schema.js';

/** Dependencies of the unauthenticated routes. */
export interface PublicRouteParts {
  readonly env: string;
  /** The catalog as JSON text. */
  readonly catalogJson: string;
  /** Answers clients that prefer a page to JSON. */
  readonly page: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  /** Whether requests can be charged now. */
  readonly ready: () => Promise<boolean>;
}

/** Adds the limit per address and the browser headers to a scope, for all routes added later. */
export async function publicScope(app: FastifyInstance): Promise<void> {
  const { default: helmet } = await import('@fastify/helmet');
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } },
    // HSTS is left to the operator's proxy: only the proxy knows whether the host is always reached over TLS.
    strictTransportSecurity: false,
  });
  await limitAddresses(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}

/** Registers `GET /`, `GET /health` and `GET /ready`. */
export function publicRoutes(app: FastifyInstance, parts: PublicRouteParts): void {
  const json = 'application/json; charset=utf-8';
  const health = JSON.stringify(healthOf(parts.env));
  const etag = etagOf(parts.catalogJson);
  app.get('/', async (request, reply) => {
    if (prefersHtml(request)) return parts.page(request, reply);
    reply.header('vary', 'accept, cookie').header('cache-control', 'no-cache');
    if (isKnown(request, reply, etag)) return reply.code(304).send();
    return reply.header('content-type', json).send(parts.catalogJson);
  });
  app.get('/health', (_request, reply) => {
    reply.header('content-type', json).send(health);
  });
  // This route has no limit per address. A load balancer that it refused would remove the node.
  const ready = { config: { rateLimit: false } } as const;
  app.get('/ready', ready, async (_request, reply) => {
    const ok = await parts.ready();
    return reply
      .code(ok ? 200 : 503)
      .header('content-type', json)
      .header('cache-control', 'no-store')
      .send(JSON.stringify({ ok }));
  });
}

/** The answer of `GET /health`. */
export function healthOf(env: string) {
  return { ok: true, service: SERVICE_NAME, env };
}

const TOO_MANY = {
  description: '`rate_limited`: too many requests from this address.',
  headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } },
  content: { 'application/problem+json': { schema: { $ref: `${PROBLEM_SCHEMA_ID}#` } } },
};

const BAD_HOST = {
  description: '`validation_error`: the Host header is missing, or there are several.',
  content: { 'application/problem+json': { schema: { $ref: `${PROBLEM_SCHEMA_ID}#` } } },
};

/** An answer whose schema `completeDocument` adds. */
const answer = (description: string) => ({
  description,
  content: { 'application/json': { schema: { type: 'object' } } },
});

const CATALOG_SCHEMA = {
  operationId: 'get_catalog',
  summary: 'Catalog',
  description:
    'What the service offers: enums, sets of countries, measurements, endpoints, limits, billing, errors.',
  tags: ['service'],
  security: [],
  response: {
    200: answer('The catalog. The example shows two entries of each list.'),
    400: BAD_HOST,
    429: TOO_MANY,
  },
};

const HEALTH_SCHEMA = {
  operationId: 'get_health',
  summary: 'Liveness check',
  description: 'Whether the process lives. `/ready` says whether it can charge requests.',
  tags: ['service'],
  security: [],
  response: { 200: answer('The service is alive.'), 400: BAD_HOST, 429: TOO_MANY },
};

const READY_SCHEMA = {
  operationId: 'get_ready',
  summary: 'Readiness check',
  description: 'Whether requests can be charged now; for load balancers.',
  tags: ['service'],
  security: [],
  response: {
    200: answer('Requests can be answered and charged.'),
    400: BAD_HOST,
    503: answer('They cannot just now; `/health` says whether the process lives.'),
  },
};

/** The schemas of the routes, by path, for the OpenAPI document. */
export const PUBLIC_ROUTE_SCHEMAS = {
  '/': CATALOG_SCHEMA,
  '/health': HEALTH_SCHEMA,
  '/ready': READY_SCHEMA,
} as const;
