import type { FastifyInstance } from 'fastify';
import { SERVICE_NAME } from '../core/version.js';
import { limitAddresses } from '../http/address-limit.js';
import { PROBLEM_SCHEMA_ID } from './operation-schema.js';

/** What the unauthenticated routes need. */
export interface PublicRouteParts {
  readonly env: string;
  /** The catalog as JSON text. */
  readonly catalogJson: string;
  /** Whether requests can be charged now. */
  readonly ready: () => Promise<boolean>;
}

/** Adds the limit per address and the browser headers to a scope, for all routes added later. */
export async function publicScope(app: FastifyInstance): Promise<void> {
  const { default: helmet } = await import('@fastify/helmet');
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } },
    // Only the operator's proxy knows whether the host is always reached over TLS.
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
  const health = JSON.stringify({ ok: true, service: SERVICE_NAME, env: parts.env });
  app.get('/', { schema: CATALOG_SCHEMA }, (_request, reply) => {
    reply.header('content-type', json).send(parts.catalogJson);
  });
  app.get('/health', { schema: HEALTH_SCHEMA }, (_request, reply) => {
    reply.header('content-type', json).send(health);
  });
  // No limit per address: a load balancer that is refused here would remove the node.
  const ready = { schema: READY_SCHEMA, config: { rateLimit: false } } as const;
  app.get('/ready', ready, async (_request, reply) => {
    const ok = await parts.ready();
    return reply
      .code(ok ? 200 : 503)
      .header('content-type', json)
      .header('cache-control', 'no-store')
      .send(JSON.stringify({ ok }));
  });
}

const TOO_MANY = {
  description: '`rate_limited`: too many requests from this address.',
  headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } },
  content: { 'application/problem+json': { schema: { $ref: `${PROBLEM_SCHEMA_ID}#` } } },
};

const CATALOG_SCHEMA = {
  operationId: 'get_catalog',
  summary: 'Catalog',
  description:
    'What the service offers: enums, sets of countries, measurements, endpoints, limits, billing, errors.',
  tags: ['service'],
  response: {
    200: {
      description: 'The catalog.',
      type: 'object',
      required: [
        'name',
        'version',
        'description',
        'authentication',
        'mcp',
        'defaults',
        'billing',
        'limits',
        'enums',
        'countrySets',
        'measurements',
        'endpoints',
        'errors',
      ],
      properties: { name: { type: 'string' }, version: { type: 'string' } },
    },
    429: TOO_MANY,
  },
};

const HEALTH_SCHEMA = {
  operationId: 'get_health',
  summary: 'Liveness check',
  tags: ['service'],
  response: {
    200: {
      description: 'The service is alive.',
      type: 'object',
      required: ['ok', 'service', 'env'],
      properties: {
        ok: { type: 'boolean' },
        service: { type: 'string' },
        env: { type: 'string', enum: ['preview', 'production'] },
      },
    },
    429: TOO_MANY,
  },
};

const READY = {
  type: 'object',
  required: ['ok'],
  properties: { ok: { type: 'boolean' } },
};

const READY_SCHEMA = {
  operationId: 'get_ready',
  summary: 'Readiness check',
  description: 'Whether requests can be charged now; for load balancers.',
  tags: ['service'],
  response: {
    200: { description: 'Requests can be answered and charged.', ...READY },
    503: {
      description: 'They cannot just now; `/health` says whether the process lives.',
      ...READY,
    },
  },
};
